package read

import (
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// call evaluates a call: what the language or its library defines, a function of the tree (which is followed), or
// something unknown, which may be where an answer leaves the program.
func (m *machine) call(st state, fr *frame, e *code.Expr) []res {
	if path := accessPath(e); path != "" {
		if meth, base := m.subjectOf(fr, path); meth {
			return one(st, m.methodValue())
		} else if base {
			return one(st, message)
		}
		if e.X != nil && e.X.Kind == code.Member && len(e.Args) > 0 && m.isMessage(fr, accessPath(e.X.X)) && e.Args[0].Kind == code.String {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
	}
	// The receiver first, then the arguments, as they are written.
	var recv *code.Expr
	if e.X != nil && e.X.Kind == code.Member {
		recv = e.X.X
	}
	return m.then(m.eval(st, fr, recv), func(st state, x value) []res {
		return m.then(m.list(st, fr, e.Args), func(st state, av value) []res {
			return m.then(m.keywords(st, fr, e.Fields), func(st state, kw value) []res {
				return m.apply(st, fr, e, x, av.obj.elems, kw.obj)
			})
		})
	})
}

// keywords evaluates keyword arguments into an object.
func (m *machine) keywords(st state, fr *frame, fs []code.Field) []res {
	return m.object(st, fr, &code.Expr{Kind: code.Object, Fields: fs})
}

func (m *machine) apply(st state, fr *frame, e *code.Expr, x value, args []value, kw *fields) (out []res) {
	name := dotted(e.X)
	last := lastPart(name)
	followed := false
	defer func() {
		for i := range out {
			out[i].st = m.escape(out[i].st, fr, e, args, followed)
		}
	}()
	if v, ok := m.library(&st, fr, e, name, last, x, args, kw); ok {
		return one(st, v)
	}
	if exits.MatchString(name) {
		return []res{{st: st, v: value{failed: true}, thrown: true}}
	}
	callee := value{}
	if e.X != nil {
		if e.X.Kind == code.Member && x.k != unknown {
			callee = m.part(fr, x, e.X)
			if callee.k != function && callee.k != class && e.X.Sym != "" {
				callee = m.peek(st, fr, e.X)
			}
		} else if rs := m.eval(st, fr, e.X); len(rs) == 1 && !rs[0].thrown {
			callee, st = rs[0].v, rs[0].st
		}
	}
	switch callee.k {
	case function:
		if rs, ok := m.follow(st, fr, e, callee.fn, x, args, kw); ok {
			followed = true
			return rs
		}
	case class:
		return m.construct(st, fr, e, callee.class, args, kw)
	}
	if fn := m.inherited(fr, e); fn != nil {
		this := m.name(st, fr, &code.Expr{Kind: code.Name, Text: "this"})
		if rs, ok := m.follow(st, fr, e, &closure{fn: fn, this: &this}, this, args, kw); ok {
			followed = true
			return rs
		}
	}
	if fn := m.guess(fr, e, x, callee); fn != nil {
		this := x
		if rs, ok := m.follow(st, fr, e, &closure{fn: fn, this: &this}, x, args, kw); ok {
			followed = true
			return rs
		}
	}
	return m.unresolved(st, fr, e, name, args, kw, x)
}
