package read

import (
	"strings"

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
	case code.StmtExpr, code.StmtDefer, code.StmtDelete:
		return m.exprs(st, fr, s)
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

func (m *machine) choose(st state, fr *frame, s *code.Stmt) []flow {
	if s.Cond == nil {
		return m.cases(st, fr, s, value{}, 0)
	}
	return m.from(m.eval(st, fr, s.Cond), fr, s.Span, func(st state, v value) []flow {
		return m.cases(st, fr, s, v, 0)
	})
}

// maxTried is how many arms of an undecided switch are tried before its default.
const maxTried = 6

// cases decides the arms of a switch one after the other.
func (m *machine) cases(st state, fr *frame, s *code.Stmt, subj value, from int) []flow {
	var out []flow
	tried := 0
	if s.Cond != nil && subj.k == unknown && !subj.msg {
		m.blind = m.blind || m.tests[mcpaudit.Span{File: s.Span.File, Start: s.Span.Start, End: s.Cond.Span.End}]
	}
	for i := from; i < len(s.Cases); i++ {
		c := s.Cases[i]
		if c.Default && len(c.Values) == 0 && c.Guard == nil {
			continue
		}
		t := mcpaudit.No
		for _, want := range c.Values {
			var hit bool
			var w mcpaudit.Tri
			w, hit, st = m.matches(st, fr, s, subj, want)
			if hit {
				st.hit = true
			}
			if w != mcpaudit.No {
				t = w
			}
			if w == mcpaudit.Yes {
				break
			}
		}
		if len(c.Values) == 0 && c.Guard != nil {
			t = mcpaudit.Yes
		}
		if c.Guard != nil && t != mcpaudit.No {
			for _, r := range m.eval(st, fr, c.Guard) {
				if !r.thrown {
					g := truth(r.v, fr.file.Lang)
					st = r.st
					if g == mcpaudit.No || t == mcpaudit.Yes {
						t = g
					}
				}
			}
		}
		switch t {
		case mcpaudit.Yes:
			return append(out, m.arm(st, fr, s, i)...)
		case mcpaudit.Unknown:
			if tried++; tried <= maxTried {
				yes := st
				yes.conds = &condition{c.Span, text(fr.file, c.Span), true, st.conds}
				out = append(out, m.arm(yes, fr, s, i)...)
			}
		}
	}
	for i, c := range s.Cases {
		if c.Default {
			return append(out, m.arm(st, fr, s, i)...)
		}
	}
	return m.merge(append(out, flow{kind: flowNext, st: st}))
}

// matches compares the subject of a switch with one value of an arm.
func (m *machine) matches(st state, fr *frame, s *code.Stmt, subj value, want *code.Expr) (t mcpaudit.Tri, hit bool, _ state) {
	if want == nil {
		return mcpaudit.Unknown, false, st
	}
	if want.Kind == code.Binding {
		t, hit = m.matchBinding(fr, s.Cond, want)
		return t, hit, st
	}
	for _, r := range m.eval(st, fr, want) {
		if r.thrown {
			continue
		}
		if s.Cond == nil {
			return truth(r.v, fr.file.Lang), false, r.st
		}
		t = equal(subj, r.v)
		return t, t == mcpaudit.Yes && subj.method, r.st
	}
	return mcpaudit.Unknown, false, st
}

// matchBinding decides a class pattern or a type switch over request types, and a mapping pattern that names the
// method. Both only where the subject is the message.
func (m *machine) matchBinding(fr *frame, cond, want *code.Expr) (mcpaudit.Tri, bool) {
	meth, base := m.subjectOf(fr, accessPath(cond))
	if !meth && !base {
		return mcpaudit.Unknown, false
	}
	method, ok := requestTypes[lastPart(want.Text)]
	other := 0
	for _, f := range want.Fields {
		switch key := f.KeyText(); {
		case key == "method" && f.Value != nil && f.Value.Kind == code.String:
			method, ok = f.Value.Text, true
		case (key == "id" || key == "params") && f.Value != nil && f.Value.Kind == code.Name:
		default:
			other++
		}
	}
	switch {
	case !ok && other == 0 && len(want.Fields) > 0 && want.Text == "":
		return mcpaudit.Yes, false // {"id": rid}: every request has one
	case !ok:
		return mcpaudit.Unknown, false
	case method == m.trigger:
		return mcpaudit.Yes, true
	}
	return mcpaudit.No, false
}

// arm runs the body of one arm and, where control falls through, of the next ones.
func (m *machine) arm(st state, fr *frame, s *code.Stmt, i int) []flow {
	var out []flow
	live := []flow{{kind: flowNext, st: st}}
	for ; i < len(s.Cases); i++ {
		var step []flow
		for _, f := range live {
			for _, g := range m.block(f.st, fr, s.Cases[i].Body) {
				switch {
				case g.kind == flowBreak && fr.file.Lang != "python":
					g.kind = flowNext
					out = append(out, g)
				case g.kind == flowNext:
					step = append(step, g)
				default:
					out = append(out, g)
				}
			}
		}
		live = step
		if !s.Cases[i].Falls {
			break
		}
	}
	return append(out, live...)
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
		items := []value{{}}
		if v.k == array && !v.obj.open && len(s.LHS) > 0 && len(v.obj.elems) <= 8 {
			items = v.obj.elems
		}
		if len(s.LHS) == 0 && truth(v, fr.file.Lang) == mcpaudit.No && s.Cond != nil && v.k == boolean {
			return next(st)
		}
		// What was sent before the loop that reads messages answers none of them.
		if m.holdsTest(s.Span) {
			st.emits, st.hit = nil, false
		}
		live := []flow{{kind: flowNext, st: st}}
		var out []flow
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
		if lh := l.X; lh != nil && (lh.Kind == code.Name || lh.Kind == code.Member || lh.Kind == code.Index) {
			st = m.store(st, fr, lh, n)
		}
	case code.Binding:
		st = m.bind(st, fr, l, v, nil)
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
