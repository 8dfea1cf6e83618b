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
func (m *machine) escape(st state, fr *frame, e *code.Expr, args []value, followed bool) state {
	if errorType.MatchString(lastName(e.X)) || logName.MatchString(dotted(e.X)) {
		return st
	}
	if e.X != nil && e.X.Kind == code.Member && !slices.Contains(readers, e.X.Text) && rooted(st, e.X.X) {
		if v := m.peek(st, fr, e.X.X); (v.k == object || v.k == array) && !v.encoded && (v.k == array || v.obj.cls == nil || !followed) {
			n := loosen(v)
			if v.k == array && len(args) == 1 && (e.X.Text == "push" || e.X.Text == "append") {
				n.obj.elems = append(slices.Clone(v.obj.elems), args[0])
				n.obj.soft = v.obj.soft
			}
			st = m.store(st, fr, e.X.X, n)
		}
	}
	for _, a := range e.Args {
		st = m.give(st, fr, a)
	}
	for _, f := range e.Fields {
		st = m.give(st, fr, f.Value)
	}
	return st
}

// give forgets what a call may change through an argument: the object in a variable or in a part of one, also where it
// is wrapped into a literal, and in Go whatever is handed over by its address.
func (m *machine) give(st state, fr *frame, a *code.Expr) state {
	if a == nil {
		return st
	}
	switch a.Kind {
	case code.Object:
		for _, f := range a.Fields {
			st = m.give(st, fr, f.Value)
		}
	case code.Array:
		for _, x := range a.Args {
			st = m.give(st, fr, x)
		}
	case code.Spread, code.Await:
		return m.give(st, fr, a.X)
	case code.Name, code.Member, code.Index:
		if !rooted(st, a) {
			return st
		}
		v := m.peek(st, fr, a)
		switch {
		case v.method || v.msg:
		case (v.k == object || v.k == array) && !v.encoded && !v.obj.soft:
			st = m.store(st, fr, a, loosen(v))
		case v.k == null || scalar(v) && byAddress(fr.file, a):
			st = m.store(st, fr, a, value{})
		}
	}
	return st
}

// byAddress reports whether the source takes the address of an expression.
func byAddress(f *code.File, e *code.Expr) bool {
	at := func(i int) bool { return i >= 0 && i < len(f.Src) && f.Src[i] == '&' }
	return f.Lang == "go" && (at(e.Span.Start-1) || at(e.Span.Start))
}
