package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func (m *machine) assign(st state, fr *frame, s *code.Stmt) []flow {
	return m.from(m.list(st, fr, s.Exprs), fr, s.Span, func(st state, v value) []flow {
		vals := v.obj.elems
		if len(s.Exprs) == 0 && fr.file.Lang == "go" { // var result any
			for _, l := range s.LHS {
				x := value{}
				if l != nil && zeroIsNil(l.Type) {
					x = value{k: null}
				}
				vals = append(vals, x)
			}
		}
		if len(s.LHS) > 1 && len(vals) == 1 {
			vals = m.spread(vals[0], len(s.LHS), s.Exprs[0], st)
		}
		for i, l := range s.LHS {
			x := value{}
			if i < len(vals) {
				x = vals[i]
			}
			if s.Op != "" && s.Op != "=" && s.Op != ":=" {
				old := m.peek(st, fr, l)
				switch {
				case s.Op == "+=" && (x.encoded || old.encoded): // text that holds an answer grows
					if old.encoded {
						x = old
					}
				case s.Op == "+=" && x.k == str && old.k == str && !x.method && !old.method:
					x = stringValue(old.s + x.s)
				case s.Op == "||=" || s.Op == "??=":
					if truth(old, fr.file.Lang) != mcpaudit.No {
						x = old
					}
				default:
					x = value{}
				}
			}
			var src *code.Expr
			if len(s.Exprs) == len(s.LHS) {
				src = s.Exprs[i]
			} else if len(s.Exprs) == 1 && i == 0 {
				src = s.Exprs[0]
			}
			st = m.bind(st, fr, l, x, src)
		}
		return next(st)
	})
}

// zeroIsNil reports whether a variable of the Go type starts as nil.
func zeroIsNil(typ string) bool {
	return typ == "any" || typ == "interface{}" || typ == "error" || strings.HasPrefix(typ, "*") ||
		strings.HasPrefix(typ, "map[") || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "func(")
}

// spread takes a value apart that is assigned to several names: a tuple, or Go's "value, ok".
func (m *machine) spread(v value, n int, e *code.Expr, st state) []value {
	if v.k == array && v.obj != nil && !v.encoded && len(v.obj.elems) == n {
		return v.obj.elems
	}
	if e != nil && e.Kind == code.Index && n == 2 {
		switch v.k {
		case unknown:
			return []value{v, {}}
		case null, undefined:
			return []value{v, boolValue(false)}
		}
		return []value{v, boolValue(true)}
	}
	if n == 2 && v.k != unknown {
		return []value{v, {k: null}} // one known value of a Go call that could not be taken apart: no error
	}
	if n == 2 && v.method {
		return []value{v, {}}
	}
	return append([]value{v}, make([]value, n-1)...)
}

// bind assigns to a name, a part of a name, or a pattern. src is the expression that was assigned, for its path.
func (m *machine) bind(st state, fr *frame, l *code.Expr, v value, src *code.Expr) state {
	if l == nil {
		return st
	}
	if l.Kind == code.Binding {
		if len(l.Fields) > 0 {
			return m.destructure(st, fr, l.Fields, v, accessPath(src))
		}
		for i, a := range l.Args {
			x := value{}
			if v.k == array && i < len(v.obj.elems) {
				x = v.obj.elems[i]
			}
			st = m.bind(st, fr, a, x, nil)
		}
		return st
	}
	if v.k == unknown {
		if meth, base := m.subjectOf(fr, accessPath(l)); meth {
			v = m.methodValue()
		} else if base {
			v = message
		}
	}
	return m.store(st, fr, l, v)
}

// store writes a value to a place. A store into a part of a variable makes a new value of the variable.
func (m *machine) store(st state, fr *frame, l *code.Expr, v value) state {
	if l == nil {
		return st
	}
	switch l.Kind {
	case code.Name:
		if _, ok := st.volatile.lookup(l.Text); ok && !v.method && !v.msg {
			v = loosen(v)
		}
		st.env = st.env.set(l.Text, v)
	case code.Member, code.Index:
		root := m.peek(st, fr, l.X)
		key, known := "", false
		if l.Kind == code.Member {
			key, known = l.Text, true
		} else if len(l.Args) == 1 {
			if k := m.peek(st, fr, l.Args[0]); k.k == str && !k.encoded {
				key, known = k.s, true
			}
		}
		if root.k != object && root.k != unknown && root.k != array {
			return st
		}
		n := root
		switch {
		case root.k == array:
			n.obj = &fields{elems: root.obj.elems, open: true}
		case !known:
			o := fields{}
			if root.obj != nil {
				o = *root.obj
			}
			o.open = true
			n = value{k: object, obj: &o}
		default:
			n = value{k: object, obj: root.obj.with(key, v), span: root.span}
			if root.k == unknown {
				n.obj.open = true
			}
		}
		if root.obj != nil && n.obj != nil {
			n.obj.id = root.obj.id
		}
		if lh := l.X; lh != nil && (lh.Kind == code.Name || lh.Kind == code.Member || lh.Kind == code.Index) {
			st = m.store(st, fr, lh, n)
		}
		st = alias(st, n)
	case code.Binding:
		st = m.bind(st, fr, l, v, nil)
	}
	return st
}

// alias gives every variable that holds an object, itself or as a member, the value that the object has now.
func alias(st state, v value) state {
	if v.obj == nil || v.obj.id == nil {
		return st
	}
	seen := map[string]bool{}
	for b := st.env; b != nil; b = b.next {
		if seen[b.name] {
			continue
		}
		seen[b.name] = true
		w := b.v
		switch {
		case w.obj == nil || w.obj == v.obj:
		case w.obj.id == v.obj.id:
			w.obj = v.obj
			st.env = st.env.set(b.name, w)
		case w.k == object:
			for _, k := range w.obj.keys {
				if in := w.obj.vals[k]; in.obj != nil && in.obj != v.obj && in.obj.id == v.obj.id {
					in.obj = v.obj
					w.obj = w.obj.with(k, in)
					st.env = st.env.set(b.name, w)
				}
			}
		}
	}
	return st
}

// peek evaluates an expression for its value only.
func (m *machine) peek(st state, fr *frame, e *code.Expr) value {
	rs := m.eval(st, fr, e)
	if len(rs) == 1 && !rs[0].thrown {
		return rs[0].v
	}
	return value{}
}
