package read

import (
	"slices"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func one(st state, v value) []res { return []res{{st: st, v: v}} }

// then continues every result that is not an exception.
func (m *machine) then(rs []res, fn func(state, value) []res) []res {
	var out []res
	for _, r := range rs {
		if r.thrown {
			out = append(out, r)
			continue
		}
		out = append(out, fn(r.st, r.v)...)
	}
	return m.limit(out)
}

// eval evaluates an expression. There are several results where a call that was followed ends in several ways.
func (m *machine) eval(st state, fr *frame, e *code.Expr) []res {
	if e == nil || !m.tick() {
		return one(st, value{})
	}
	switch e.Kind {
	case code.String, code.Number, code.Bool, code.Null, code.Undefined:
		k := map[code.ExprKind]kind{code.String: str, code.Number: number, code.Bool: boolean, code.Null: null, code.Undefined: undefined}
		return one(st, value{k: k[e.Kind], s: e.Text, span: e.Span})
	case code.Name:
		return one(st, m.name(st, fr, e))
	case code.Member:
		return m.member(st, fr, e)
	case code.Index:
		return m.index(st, fr, e)
	case code.Object:
		return m.object(st, fr, e)
	case code.Array:
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			var elems []value
			open := false
			for i, x := range v.obj.elems {
				if e.Args[i] != nil && e.Args[i].Kind == code.Spread {
					if x.k != array {
						open = true
						continue
					}
					open = open || x.obj.open
					elems = append(elems, x.obj.elems...)
					continue
				}
				elems = append(elems, x)
			}
			return one(st, value{k: array, obj: &fields{elems: elems, open: open, typ: e.Type, id: new(ident)}, span: e.Span})
		})
	case code.Lambda:
		if e.Func == nil {
			return one(st, value{})
		}
		this, _ := st.env.lookup("this")
		v := value{k: function, fn: &closure{fn: e.Func, env: st.env, this: &this}, span: e.Span}
		return one(m.havoc(st, e.Func), v)
	case code.Await, code.Spread:
		return m.eval(st, fr, e.X)
	case code.Ternary:
		return m.ternary(st, fr, e)
	case code.Unary:
		return m.then(m.eval(st, fr, e.X), func(st state, v value) []res {
			switch e.Text {
			case "!":
				return one(st, triValue(not(truth(v, fr.file.Lang))))
			case "-":
				if v.k == number {
					return one(st, value{k: number, s: "-" + v.s, span: e.Span})
				}
			case "delete":
				return one(m.store(st, fr, e.X, value{k: undefined}), boolValue(true))
			case "typeof":
				if v.k == str {
					return one(st, stringValue("string"))
				}
				if v.k == function {
					return one(st, stringValue("function"))
				}
				if v.k == undefined {
					return one(st, stringValue("undefined"))
				}
			}
			return one(st, value{})
		})
	case code.Binary:
		return m.binary(st, fr, e)
	case code.Assign:
		return m.then(m.eval(st, fr, e.Y), func(st state, v value) []res {
			return one(m.bind(st, fr, e.X, v, e.Y), v)
		})
	case code.Template:
		if len(e.Args) == 1 && e.Text == "" {
			if v := m.peek(st, fr, e.Args[0]); v.method && int(e.Args[0].Span.End-e.Args[0].Span.Start)+4 >= e.Span.End-e.Span.Start {
				return one(st, v) // `${method}` and nothing else
			}
		}
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			for _, x := range v.obj.elems {
				if x.encoded { // `data: ${JSON.stringify(reply)}\n\n`
					return one(st, x)
				}
			}
			if env, ok := envelopeText(templateText(fr.file, e), e.Span); ok {
				return one(st, env)
			}
			return one(st, value{present: true, span: e.Span})
		})
	case code.Call:
		return m.call(st, fr, e)
	case code.Other:
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			if e.Text == "<-" && len(v.obj.elems) == 2 { // a send to a channel
				sent := v.obj.elems[1]
				st = m.emitIfEnvelope(st, fr, sent, e.Span)
				if sent.msg {
					st.gave = "a channel"
				}
				return one(st, value{})
			}
			for _, x := range v.obj.elems {
				if x.encoded {
					return one(st, x)
				}
			}
			return one(st, value{})
		})
	}
	return one(st, value{})
}

// havoc forgets the variables that a function assigns to when it runs, for that may be any time from here on. What is
// assigned to them later is not trusted either.
func (m *machine) havoc(st state, fn *code.Func) state {
	names, ok := m.p.assigned[fn]
	if !ok {
		names = assignedNames(fn.Body, fn)
		m.p.assigned[fn] = names
	}
	for _, n := range names {
		if v, ok := st.env.lookup(n); ok {
			st.env = st.env.set(n, loosen(v))
			st.volatile = st.volatile.set(n, value{})
		}
	}
	return st
}

// assignedNames lists the variables that statements assign to without declaring them, those of functions inside
// included. fn is the function whose parameters and declarations are its own, or nil.
func assignedNames(list []*code.Stmt, fn *code.Func) []string {
	own := map[string]bool{}
	if fn != nil {
		for _, p := range fn.Params {
			own[p.Name] = true
		}
	}
	var names []string
	add := func(n string) {
		if !own[n] && n != "this" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	eachStmt(list, func(s *code.Stmt) {
		if s.Kind == code.StmtAssign {
			for _, l := range s.LHS {
				if s.Declares && l != nil && l.Kind == code.Name {
					own[l.Text] = true
				}
				for l != nil && (l.Kind == code.Member || l.Kind == code.Index) {
					l = l.X
				}
				if !s.Declares && l != nil && l.Kind == code.Name {
					add(l.Text)
				}
			}
		}
		if s.Kind == code.StmtFunc && s.Func != nil {
			for _, n := range assignedNames(s.Func.Body, s.Func) {
				add(n)
			}
		}
		eachExpr(s, func(e *code.Expr) {
			switch {
			case e.Kind == code.Lambda && e.Func != nil:
				for _, n := range assignedNames(e.Func.Body, e.Func) {
					add(n)
				}
			case e.Kind == code.Assign && e.X != nil && e.X.Kind == code.Name:
				add(e.X.Text)
			}
		})
	})
	return names
}
