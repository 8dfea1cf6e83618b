package read

import (
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// subjectOf returns the paths that hold in a frame: those of its function and of the functions around it.
func (m *machine) subjectOf(fr *frame, path string) (method, base bool) {
	if path == "" {
		return false, false
	}
	for fn, s := range m.subjects {
		if fn == fr.fn || fn.File == fr.file && fn.Span.Start <= fr.fn.Span.Start && fr.fn.Span.End <= fn.Span.End {
			method = method || s.method[path]
			base = base || s.base[path]
		}
	}
	return method, base
}

// message is the value of the message itself.
var message = value{msg: true, present: true}

func (m *machine) methodValue() value { return value{k: str, s: m.trigger, method: true} }

// destructure binds the parts of a pattern. path is the access path of the value, "" if it has none.
func (m *machine) destructure(st state, fr *frame, fs []code.Field, v value, path string) state {
	for _, f := range fs {
		if f.Value == nil {
			continue
		}
		if f.Key == nil { // the rest
			if f.Value.Kind == code.Name {
				st.env = st.env.set(f.Value.Text, value{})
			}
			continue
		}
		key := f.KeyText()
		part, ok := v.obj.get(key)
		if v.k != object || !ok {
			part = value{}
			if v.k == object && !v.obj.open {
				part = value{k: undefined}
			}
		}
		sub := canonical(key)
		if path != "" {
			sub = path + "." + sub
		}
		if meth, _ := m.subjectOf(fr, sub); meth && part.k == unknown {
			part = m.methodValue()
		} else if part.k == unknown && (v.msg || m.isMessage(fr, path)) {
			part = m.messagePart(canonical(key))
		}
		if part.k == undefined && f.Default != nil {
			if rs := m.eval(st, fr, f.Default); len(rs) == 1 && !rs[0].thrown {
				part = rs[0].v
			}
		}
		switch f.Value.Kind {
		case code.Name:
			if part.k == unknown {
				if meth, _ := m.subjectOf(fr, f.Value.Text); meth {
					part = m.methodValue()
				}
			}
			st.env = st.env.set(f.Value.Text, part)
		case code.Binding:
			st = m.destructure(st, fr, f.Value.Fields, part, sub)
		}
	}
	return st
}

func (m *machine) isMessage(fr *frame, path string) bool {
	_, base := m.subjectOf(fr, path)
	return base
}

// messagePart is what is assumed of the members of the message: it is a request, so it has an id.
func (m *machine) messagePart(name string) value {
	switch name {
	case "method":
		return m.methodValue()
	case "id":
		return value{present: true}
	case "jsonrpc":
		return stringValue("2.0")
	case "params":
		return m.params
	case "result", "error":
		return value{k: undefined}
	}
	return value{}
}
