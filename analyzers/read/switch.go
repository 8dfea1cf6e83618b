package read

import (
	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

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
