package read

import (
	"slices"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// rooted reports whether a place lies in a variable of the run: x, x.y, x["y"].
func rooted(st state, e *code.Expr) bool {
	for e != nil && (e.Kind == code.Member || e.Kind == code.Index) {
		e = e.X
	}
	if e == nil || e.Kind != code.Name {
		return false
	}
	_, ok := st.env.lookup(e.Text)
	return ok
}

// readers are methods of objects and arrays that change nothing.
var readers = []string{
	"get", "has", "keys", "values", "items", "entries", "includes", "map", "filter", "join", "find", "some", "every",
	"hasOwnProperty", "toString", "set", "update", "setdefault", "slice", "index", "indexOf", "forEach", "copy", "bind", "call",
}

// escape forgets what a variable does not hold once it was given to a call: the callee may have put it there.
func (m *machine) escape(st state, fr *frame, e *code.Expr, args []value) state {
	if errorType.MatchString(lastName(e.X)) || logName.MatchString(dotted(e.X)) {
		return st
	}
	if e.X != nil && e.X.Kind == code.Member && !slices.Contains(readers, e.X.Text) && rooted(st, e.X.X) {
		if v := m.peek(st, fr, e.X.X); (v.k == object && v.obj.cls == nil || v.k == array) && !v.encoded {
			o := *v.obj
			o.open = true
			if v.k == array && len(args) == 1 && (e.X.Text == "push" || e.X.Text == "append") {
				o.elems = append(slices.Clone(o.elems), args[0])
			}
			v.obj = &o
			st = m.store(st, fr, e.X.X, v)
		}
	}
	for _, a := range e.Args {
		if a == nil || a.Kind != code.Name {
			continue
		}
		v, ok := st.env.lookup(a.Text)
		if ok && v.k == null && e.X != nil { // json.Unmarshal(data, &result)
			st.env = st.env.set(a.Text, value{})
		}
		if ok && (v.k == object || v.k == array) && !v.encoded && !v.obj.open {
			o := *v.obj
			o.open = true
			v.obj = &o
			st.env = st.env.set(a.Text, v)
		}
	}
	return st
}
