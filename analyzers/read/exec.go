package read

import (
	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// block runs statements and returns every way through them.
func (m *machine) block(st state, fr *frame, list []*code.Stmt) []flow {
	live := []flow{{kind: flowNext, st: st}}
	var done []flow
	for _, s := range list {
		if s == nil {
			continue
		}
		var next []flow
		for _, f := range live {
			if !m.tick() {
				break
			}
			for _, g := range m.stmt(f.st, fr, s) {
				if g.kind == flowNext {
					next = append(next, g)
				} else {
					done = append(done, g)
				}
			}
		}
		if live = m.merge(next); len(live) == 0 {
			break
		}
	}
	return append(done, live...)
}

func next(st state) []flow { return []flow{{kind: flowNext, st: st}} }

// from turns the results of an expression into flows: exceptions go up, fn handles the rest.
func (m *machine) from(rs []res, fr *frame, span mcpaudit.Span, fn func(state, value) []flow) []flow {
	var out []flow
	for _, r := range rs {
		if r.thrown {
			out = append(out, flow{kind: flowThrow, st: r.st, vals: []value{r.v}, span: span, file: fr.file})
			continue
		}
		out = append(out, fn(r.st, r.v)...)
	}
	return out
}

func (m *machine) stmt(st state, fr *frame, s *code.Stmt) []flow {
	switch s.Kind {
	case code.StmtExpr, code.StmtDefer:
		return m.exprs(st, fr, s)
	case code.StmtDelete:
		for _, e := range s.Exprs {
			gone := value{} // Python raises where the key is read again; nothing is said of it
			if script(fr.file.Lang) {
				gone = value{k: undefined}
			}
			st = m.store(st, fr, e, gone)
		}
		return next(st)
	case code.StmtAssign:
		return m.assign(st, fr, s)
	case code.StmtReturn, code.StmtThrow:
		kind := flowReturn
		if s.Kind == code.StmtThrow {
			kind = flowThrow
		}
		return m.from(m.list(st, fr, s.Exprs), fr, s.Span, func(st state, v value) []flow {
			return []flow{{kind: kind, st: st, vals: v.obj.elems, span: s.Span, file: fr.file}}
		})
	case code.StmtIf:
		return m.from(m.eval(st, fr, s.Cond), fr, s.Span, func(st state, v value) []flow {
			return m.branch(st, fr, s.Cond, truth(v, fr.file.Lang), s.Body, s.Else)
		})
	case code.StmtSwitch:
		return m.choose(st, fr, s)
	case code.StmtLoop:
		return m.loop(st, fr, s)
	case code.StmtTry:
		return m.try(st, fr, s)
	case code.StmtBlock:
		return m.from(m.list(st, fr, s.Exprs), fr, s.Span, func(st state, _ value) []flow {
			return m.block(st, fr, s.Body)
		})
	case code.StmtFunc:
		if s.Func != nil {
			st.env = st.env.set(s.Func.Name, value{k: function, fn: &closure{fn: s.Func, env: st.env}})
			st = m.havoc(st, s.Func)
		}
		return next(st)
	case code.StmtBreak:
		return []flow{{kind: flowBreak, st: st}}
	case code.StmtContinue:
		return []flow{{kind: flowContinue, st: st}}
	case code.StmtOther:
		out := m.exprs(st, fr, s)
		if len(s.Body) == 0 {
			return out
		}
		var all []flow
		for _, f := range out {
			if f.kind == flowNext {
				all = append(all, m.block(f.st, fr, s.Body)...)
			} else {
				all = append(all, f)
			}
		}
		return all
	}
	return next(st)
}

func (m *machine) exprs(st state, fr *frame, s *code.Stmt) []flow {
	return m.from(m.list(st, fr, s.Exprs), fr, s.Span, func(st state, v value) []flow {
		if s.Kind == code.StmtOther { // a channel send, or something that no language lowers: it may carry an answer
			for _, e := range v.obj.elems {
				st = m.emitIfEnvelope(st, fr, e, s.Span)
				if e.msg {
					st.gave = "a channel"
				}
			}
		}
		return next(st)
	})
}

// list evaluates expressions from left to right. The value of each result is an array of theirs.
func (m *machine) list(st state, fr *frame, exprs []*code.Expr) []res {
	out := []res{{st: st, v: value{k: array, obj: &fields{}}}}
	for _, e := range exprs {
		var step []res
		for _, r := range out {
			if r.thrown {
				step = append(step, r)
				continue
			}
			for _, x := range m.eval(r.st, fr, e) {
				if !x.thrown {
					elems := append(append([]value(nil), r.v.obj.elems...), x.v)
					x.v = value{k: array, obj: &fields{elems: elems}}
				}
				step = append(step, x)
			}
		}
		out = m.limit(step)
	}
	return out
}

// limit keeps the number of results of one expression small. What is cut off is remembered.
func (m *machine) limit(rs []res) []res {
	if len(rs) > maxResult*2 {
		m.over = true
		return rs[:maxResult*2]
	}
	return rs
}

// branch runs one or both arms of a condition.
func (m *machine) branch(st state, fr *frame, cond *code.Expr, t mcpaudit.Tri, then, els []*code.Stmt) []flow {
	switch t {
	case mcpaudit.Yes:
		return m.block(st, fr, then)
	case mcpaudit.No:
		return m.block(st, fr, els)
	}
	span, txt := mcpaudit.Span{}, ""
	if cond != nil {
		span, txt = cond.Span, text(fr.file, cond.Span)
	}
	yes, no := st, st
	yes.conds = &condition{span, txt, true, st.conds}
	no.conds = &condition{span, txt, false, st.conds}
	yes, no = m.narrow(yes, fr, cond, true), m.narrow(no, fr, cond, false)
	return m.merge(append(m.block(yes, fr, then), m.block(no, fr, els)...))
}

// narrow records what an undecided test says of the variable that it tests, so that the same test is not tried
// both ways again further down.
func (m *machine) narrow(st state, fr *frame, cond *code.Expr, taken bool) state {
	if cond == nil {
		return st
	}
	if cond.Kind == code.Unary && cond.Text == "!" {
		return m.narrow(st, fr, cond.X, !taken)
	}
	if cond.Kind == code.Binary && (cond.Text == "==" || cond.Text == "!=") && cond.Y != nil && cond.X != nil &&
		(cond.Y.Kind == code.Null || cond.Y.Kind == code.Undefined) && cond.X.Kind == code.Name {
		if v, ok := st.env.lookup(cond.X.Text); ok && v.k == unknown {
			if taken == (cond.Text == "==") {
				st.env = st.env.set(cond.X.Text, value{k: null})
			} else {
				v.present = true
				st.env = st.env.set(cond.X.Text, v)
			}
		}
	}
	if cond.Kind == code.Name && taken {
		if v, ok := st.env.lookup(cond.Text); ok && v.k == unknown {
			v.present = true
			st.env = st.env.set(cond.Text, v)
		}
	}
	return st
}

// loop runs the body once for each known element, or once if they are not known.
func (m *machine) loop(st state, fr *frame, s *code.Stmt) []flow {
	var rs []res
	if s.Cond != nil {
		rs = m.eval(st, fr, s.Cond)
	} else {
		rs = []res{{st: st}}
	}
	return m.from(rs, fr, s.Span, func(st state, v value) []flow {
		items, counted := []value{{}}, false
		if v.k == array && !v.obj.open && len(s.LHS) > 0 && len(v.obj.elems) <= 8 {
			items, counted = v.obj.elems, true
		}
		if len(s.LHS) == 0 && truth(v, fr.file.Lang) == mcpaudit.No && s.Cond != nil && v.k == boolean {
			return next(st)
		}
		// What was sent before the loop that reads messages answers none of them.
		if m.holdsTest(s.Span) {
			st.emits, st.hit = nil, false
		}
		var out []flow
		if !counted {
			// The body may run any number of times: what it assigns may be there already, and it may not run at all.
			if !endless(s) && !m.holdsTest(s.Span) {
				out = append(out, flow{kind: flowNext, st: st})
			}
			for _, n := range assignedNames(s.Body, nil) {
				if v, ok := st.env.lookup(n); ok && !v.method && !v.msg {
					st.env = st.env.set(n, loosen(v))
				}
			}
		}
		live := []flow{{kind: flowNext, st: st}}
		for _, item := range items {
			var step []flow
			for _, f := range live {
				st := f.st
				for i, l := range s.LHS {
					e := item
					if len(s.LHS) > 1 { // index, element
						e = value{}
						if i == len(s.LHS)-1 {
							e = item
						}
					}
					st = m.store(st, fr, l, e)
				}
				for _, g := range m.block(st, fr, s.Body) {
					switch g.kind {
					case flowNext, flowContinue:
						g.kind = flowNext
						step = append(step, g)
					case flowBreak:
						g.kind = flowNext
						out = append(out, g)
					default:
						out = append(out, g)
					}
				}
			}
			live = m.merge(step)
		}
		return m.merge(append(out, live...))
	})
}

// endless reports whether a loop runs until it is left: for {}, while (true), while True.
func endless(s *code.Stmt) bool {
	return len(s.LHS) == 0 && (s.Cond == nil || s.Cond.Kind == code.Bool && s.Cond.Text == "true" || s.Cond.Kind == code.Number && s.Cond.Text != "0")
}

// holdsTest reports whether the method is told apart inside a statement.
func (m *machine) holdsTest(s mcpaudit.Span) bool {
	for t := range m.tests {
		if t.File == s.File && s.Start <= t.Start && t.End <= s.End {
			return true
		}
	}
	return false
}

// try runs a block; what it throws goes to the handlers, and the finally block follows in any case.
func (m *machine) try(st state, fr *frame, s *code.Stmt) []flow {
	var out []flow
	for _, f := range m.block(st, fr, s.Body) {
		if f.kind != flowThrow || len(s.Cases) == 0 {
			out = append(out, f)
			continue
		}
		out = append(out, m.block(f.st, fr, s.Cases[m.handler(f, s)].Body)...)
	}
	if len(s.Else) == 0 {
		return out
	}
	var all []flow
	for _, f := range out {
		for _, g := range m.block(f.st, fr, s.Else) {
			if g.kind == flowNext {
				st := g.st
				g = f
				g.st = st
			}
			all = append(all, g)
		}
	}
	return all
}

// handler picks the handler of an exception: by the name of its class, else the last one, which is the widest.
func (m *machine) handler(f flow, s *code.Stmt) int {
	if len(f.vals) == 1 && f.vals[0].obj != nil {
		for i, c := range s.Cases {
			for _, v := range c.Values {
				names := []*code.Expr{v}
				if v != nil && v.Kind == code.Array {
					names = v.Args
				}
				for _, n := range names {
					if lastName(n) == f.vals[0].obj.typ {
						return i
					}
				}
			}
		}
	}
	return len(s.Cases) - 1
}
