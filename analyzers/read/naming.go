package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// name resolves an identifier: variables of the run, what the scopes around it declare, what the file and its
// package declare, what it imports.
func (m *machine) name(st state, fr *frame, e *code.Expr) value {
	if v, ok := st.env.lookup(e.Text); ok {
		if v.k == unknown {
			if meth, _ := m.subjectOf(fr, e.Text); meth {
				return m.methodValue()
			}
			v.present = v.present || idName.MatchString(e.Text)
			if notifName.MatchString(e.Text) {
				return boolValue(false)
			}
		}
		return v
	}
	if e.Text == "this" {
		return m.this(fr)
	}
	if meth, base := m.subjectOf(fr, e.Text); meth {
		return m.methodValue()
	} else if base {
		return message
	}
	if v, ok := m.outer(fr, e); ok {
		return v
	}
	if notifName.MatchString(e.Text) {
		return boolValue(false)
	}
	return value{present: idName.MatchString(e.Text)}
}

// outer looks a name up in the functions around the current one, then in the file.
func (m *machine) outer(fr *frame, e *code.Expr) (value, bool) {
	if e.Sym != "" {
		if fn := m.p.bySym[e.Sym]; fn != nil {
			return value{k: function, fn: &closure{fn: fn}}, true
		}
	}
	if root := m.p.scopes[fr.file]; root != nil {
		for s := root.find(fr.fn); s != nil && s.fn != nil; s = s.parent {
			if fn := s.funcs[e.Text]; fn != nil {
				return value{k: function, fn: &closure{fn: fn}}, true
			}
			if d, ok := s.decls[e.Text]; ok && s.fn != fr.fn {
				if d == nil || d.Span == e.Span {
					return value{}, true
				}
				switch d.Kind {
				case code.Lambda, code.Object, code.String, code.Array:
					key := [2]any{"decl", d}
					if m.p.busy[key] {
						return value{}, true
					}
					m.p.busy[key] = true
					defer delete(m.p.busy, key)
					v := m.peek(state{}, &frame{fn: s.fn, file: fr.file, depth: fr.depth + 1, up: fr}, d)
					return m.p.stable(v), true
				}
				return value{}, true
			}
		}
	}
	return m.p.global(fr.file, e.Text, 0)
}

// stable drops what may have changed since a variable was given its first value: flags, what is empty, and members
// that code elsewhere stores to.
func (p *Program) stable(v value) value {
	switch v.k {
	case boolean, null, undefined:
		return value{}
	case object, array:
		if v.encoded {
			return v
		}
		if len(v.obj.keys) == 0 && len(v.obj.elems) == 0 && v.obj.typ == "" {
			return value{present: true}
		}
		if v.k == array {
			return v
		}
		o := *v.obj
		o.vals = make(map[string]value, len(v.obj.vals))
		for k, m := range v.obj.vals {
			if scalar(m) && p.storedMember(k) {
				m = value{key: m.key}
			} else {
				key := m.key
				m = p.stable(m)
				m.key = key
			}
			o.vals[k] = m
		}
		v.obj = &o
	}
	return v
}

// this is the object that the method of the frame belongs to.
func (m *machine) this(fr *frame) value {
	for f := fr; f != nil; f = f.up {
		if f.fn != nil && f.fn.Class != "" {
			if c := m.p.classNamed(f.file, f.fn.Class); c != nil {
				return m.p.instance(c)
			}
			return value{present: true}
		}
	}
	// A function inside a method: the class around it.
	if root := m.p.scopes[fr.file]; root != nil {
		for s := root.find(fr.fn); s != nil && s.fn != nil; s = s.parent {
			if s.fn.Class != "" {
				if c := m.p.classNamed(fr.file, s.fn.Class); c != nil {
					return m.p.instance(c)
				}
			}
		}
	}
	return value{present: true}
}

func (m *machine) member(st state, fr *frame, e *code.Expr) []res {
	path := accessPath(e)
	if meth, base := m.subjectOf(fr, path); meth {
		return one(st, m.methodValue())
	} else if base {
		return one(st, message)
	}
	if m.isMessage(fr, accessPath(e.X)) {
		return one(st, m.messagePart(canonical(e.Text)))
	}
	if e.Sym != "" {
		if fn := m.p.bySym[e.Sym]; fn != nil {
			v := value{k: function, fn: &closure{fn: fn}}
			if x := m.peek(st, fr, e.X); fn.Class != "" && (x.k == object || x.present) {
				v.fn.this = &x
			}
			return one(st, v)
		}
	}
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		return one(st, m.part(fr, x, e))
	})
}

// part reads a member of a value.
func (m *machine) part(fr *frame, x value, e *code.Expr) value {
	name := e.Text
	if x.msg {
		return m.messagePart(canonical(name))
	}
	switch x.k {
	case object:
		if v, ok := x.obj.get(name); ok {
			if x.obj.soft {
				return loosen(v)
			}
			return v
		}
		for _, k := range x.obj.keys { // a Go field by its name on the wire, or the other way round
			if strings.EqualFold(k, name) {
				return x.obj.vals[k]
			}
		}
		if x.obj.cls != nil {
			if fn := m.p.method(x.obj.cls, name, 0); fn != nil {
				return value{k: function, fn: &closure{fn: fn, this: &x}}
			}
		}
		if !x.obj.open && x.obj.cls == nil && x.obj.typ == "" && fr.file.Lang != "python" && fr.file.Lang != "go" {
			return value{k: undefined}
		}
	case class:
		for _, f := range x.class.Fields {
			if f.Name == name && f.Value != nil {
				return m.peek(state{}, &frame{fn: &code.Func{File: x.class.File}, file: x.class.File, depth: fr.depth + 1, up: fr}, f.Value)
			}
		}
		if fn := m.p.method(x.class, name, 0); fn != nil {
			return value{k: function, fn: &closure{fn: fn}}
		}
	case module:
		if v, ok := m.p.exported(x.file, name, 0); ok {
			return v
		}
	case array:
		if name == "length" && !x.encoded && !x.obj.open {
			return value{k: number, s: itoa(len(x.obj.elems))}
		}
	case str:
		if (name == "value" || name == "Value" || name == "name") && !x.encoded { // member of an enum
			return x
		}
	case undefined, null:
		return value{}
	}
	return value{present: idName.MatchString(name), failed: x.failed}
}

func (m *machine) index(st state, fr *frame, e *code.Expr) []res {
	if path := accessPath(e); path != "" {
		if meth, base := m.subjectOf(fr, path); meth {
			return one(st, m.methodValue())
		} else if base {
			return one(st, message)
		}
		if m.isMessage(fr, accessPath(e.X)) {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
	}
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		if x.msg && len(e.Args) == 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
		if len(e.Args) == 0 {
			return one(st, value{})
		}
		return m.then(m.eval(st, fr, e.Args[0]), func(st state, k value) []res {
			if x.k == array && k.k == number {
				for i, el := range x.obj.elems {
					if k.s == itoa(i) {
						return one(st, el)
					}
				}
			}
			if x.k != object || k.k != str || k.encoded {
				return one(st, value{})
			}
			v, found := m.lookup(&st, x, k)
			if !found && v.k == undefined && fr.file.Lang == "python" {
				return []res{{st: st, v: value{k: object, failed: true, obj: &fields{typ: "KeyError"}}, thrown: true}}
			}
			if v.k == undefined && fr.file.Lang == "go" {
				v.k = null
			}
			return one(st, v)
		})
	})
}
