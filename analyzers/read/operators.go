package read

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func (m *machine) ternary(st state, fr *frame, e *code.Expr) []res {
	if len(e.Args) != 3 {
		return one(st, value{})
	}
	return m.then(m.eval(st, fr, e.Args[0]), func(st state, v value) []res {
		switch truth(v, fr.file.Lang) {
		case mcpaudit.Yes:
			return m.eval(st, fr, e.Args[1])
		case mcpaudit.No:
			return m.eval(st, fr, e.Args[2])
		}
		c := e.Args[0]
		yes, no := st, st
		yes.conds = &condition{c.Span, text(fr.file, c.Span), true, st.conds}
		no.conds = &condition{c.Span, text(fr.file, c.Span), false, st.conds}
		a, b := m.eval(yes, fr, e.Args[1]), m.eval(no, fr, e.Args[2])
		if len(a) == 1 && len(b) == 1 && !a[0].thrown && !b[0].thrown && a[0].st.emits == b[0].st.emits &&
			(same(a[0].v, b[0].v) || !weighty(a[0].v) && !weighty(b[0].v)) {
			v := a[0].v
			if !same(v, b[0].v) {
				v = value{present: a[0].v.present && b[0].v.present}
			}
			return one(st, v)
		}
		return append(a, b...)
	})
}

func (m *machine) binary(st state, fr *frame, e *code.Expr) []res {
	lang := fr.file.Lang
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		switch e.Text {
		case "&&", "||":
			t := truth(x, lang)
			if e.Text == "||" {
				t = not(t)
			}
			if t == mcpaudit.No { // decided by the first operand
				return one(st, x)
			}
			if t == mcpaudit.Unknown {
				// The second operand runs or does not; what it answers on the way is not followed.
				y := m.peek(st, fr, e.Y)
				ty := truth(y, lang)
				if e.Text == "&&" && ty == mcpaudit.No || e.Text == "||" && ty == mcpaudit.Yes && boolish(x, y) {
					if boolish(x, y) {
						return one(st, y)
					}
				}
				if y.k == str && y.method || y.method {
					return one(st, y)
				}
				v := value{present: e.Text == "||" && ty == mcpaudit.Yes, failed: x.failed, call: x.call}
				return one(st, v)
			}
			return m.eval(st, fr, e.Y)
		case "??":
			if x.k == null || x.k == undefined {
				return m.eval(st, fr, e.Y)
			}
			if x.k == unknown && !x.present {
				y := m.peek(st, fr, e.Y)
				return one(st, value{present: truth(y, lang) == mcpaudit.Yes, call: x.call})
			}
			return one(st, x)
		}
		return m.then(m.eval(st, fr, e.Y), func(st state, y value) []res {
			switch e.Text {
			case "==", "!=":
				if v, ok := m.compareParts(fr, e, x, y); ok {
					return one(st, v)
				}
				t := equal(x, y)
				m.blind = m.blind || t == mcpaudit.Unknown && m.tests[e.Span]
				if t == mcpaudit.Yes && (x.method || y.method) {
					st.hit = true
				}
				if e.Text == "!=" {
					t = not(t)
				}
				return one(st, triValue(t))
			case "in", "not in":
				t := m.contains(&st, y, x)
				if e.Text == "not in" {
					t = not(t)
				}
				return one(st, triValue(t))
			case "<", ">", "<=", ">=":
				return one(st, triValue(compare(e.Text, x, y)))
			case "+":
				if x.k == str && y.k == str && !x.encoded && !y.encoded {
					return one(st, stringValue(x.s+y.s))
				}
				if x.encoded { // JSON.stringify(reply) + "\n"
					x.msg = x.msg || y.msg
					return one(st, x)
				}
				if y.encoded {
					return one(st, y)
				}
				if y.msg {
					return one(st, y)
				}
				return one(st, value{present: x.k == str && x.s != "" || y.k == str && y.s != ""})
			case "instanceof":
				if method, ok := requestTypes[lastName(e.Y)]; ok && m.isMessage(fr, accessPath(e.X)) {
					st.hit = st.hit || method == m.trigger
					return one(st, boolValue(method == m.trigger))
				}
			}
			return one(st, value{})
		})
	})
}

// compare orders two numbers.
func compare(op string, x, y value) mcpaudit.Tri {
	a, err1 := strconv.ParseFloat(x.s, 64)
	b, err2 := strconv.ParseFloat(y.s, 64)
	if x.k != number || y.k != number || err1 != nil || err2 != nil {
		return mcpaudit.Unknown
	}
	if map[string]bool{"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op] {
		return mcpaudit.Yes
	}
	return mcpaudit.No
}

// boolish reports whether a Boolean is all that matters of both operands.
func boolish(x, y value) bool { return (x.k == unknown || x.k == boolean) && y.k == boolean }

// compareParts knows that the message is a request: len(params) and the like stay unknown, typeof id is not.
func (m *machine) compareParts(fr *frame, e *code.Expr, x, y value) (value, bool) {
	t := e.X
	if t != nil && t.Kind == code.Unary && t.Text == "typeof" && y.k == str && y.s == "undefined" {
		if v := m.peek(state{}, fr, t.X); v.present || idName.MatchString(lastName(t.X)) {
			return boolValue(e.Text == "!="), true
		}
	}
	return value{}, false
}

// lookup reads a member by a computed key and remembers that the method decided it. A table that may hold more
// than is known gives nothing for certain.
func (m *machine) lookup(st *state, tbl, key value) (value, bool) {
	v, ok := tbl.obj.get(key.s)
	if ok && tbl.obj.soft {
		v = loosen(v)
	}
	if ok {
		if key.method {
			st.hit = true
		}
		return v, true
	}
	if tbl.obj.open {
		if key.method && st.open == "" {
			st.open = "the table of methods is filled where it cannot be followed"
		}
		return value{}, false
	}
	return value{k: undefined}, false
}

// contains decides membership in an array, an object or a string.
func (m *machine) contains(st *state, set, item value) mcpaudit.Tri {
	switch set.k {
	case array:
		open := set.obj.open
		for _, e := range set.obj.elems {
			switch equal(e, item) {
			case mcpaudit.Yes:
				// A list that names the great methods too is an allow-list, not a route.
				if item.method && !slices.ContainsFunc(set.obj.elems, func(v value) bool { return v.s == "initialize" || v.s == "tools/list" }) {
					st.hit = true
				}
				return mcpaudit.Yes
			case mcpaudit.Unknown:
				open = true
			}
		}
		if !open && item.k != unknown {
			return mcpaudit.No
		}
	case object:
		if item.k == str && !item.encoded {
			if _, ok := set.obj.get(item.s); ok {
				if item.method {
					st.hit = true
				}
				return mcpaudit.Yes
			}
			if !set.obj.open {
				return mcpaudit.No
			}
			if item.method && st.open == "" {
				st.open = "the table of methods is filled where it cannot be followed"
			}
		}
	case str:
		if item.k == str && !set.encoded && !item.encoded {
			if strings.Contains(set.s, item.s) {
				return mcpaudit.Yes
			}
			return mcpaudit.No
		}
	case unknown:
		if set.present && item.k == str && item.s == "id" {
			return mcpaudit.Yes
		}
	}
	return mcpaudit.Unknown
}
