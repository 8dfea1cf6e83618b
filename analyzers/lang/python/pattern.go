//go:build cgo

package python

import (
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// The grammar wraps patterns in case_pattern, but not everywhere, reads parentheses as a tuple of one, and writes
// the sign of a negative number and "_" as tokens beside or in place of a named node.

// match lowers a match statement. No arm runs on into the next one.
func (l *lowerer) match(n *syntax.Node) *code.Stmt {
	s := l.newStmt(code.StmtSwitch, n)
	subjects := n.All("subject")
	if len(subjects) == 1 && subjects[0].Type != "," {
		s.Cond = l.expr(subjects[0])
	} else { // match a, b:
		s.Cond = l.new(code.Array, n)
		for _, c := range subjects {
			if c.Named {
				s.Cond.Args = append(s.Cond.Args, l.expr(c))
			}
		}
		if len(subjects) > 0 {
			s.Cond.Span = l.between(subjects[0], subjects[len(subjects)-1])
		}
	}
	for _, c := range kids(n.Child("body")) {
		if c.Is("case_clause") {
			s.Cases = append(s.Cases, l.caseClause(c, s.Cond))
		}
	}
	return s
}

// caseClause lowers one arm. A name that the whole pattern binds is assigned at the head of the body.
func (l *lowerer) caseClause(n *syntax.Node, subject *code.Expr) code.Case {
	c := code.Case{Span: l.head(n)}
	var patterns []*syntax.Node
	sequence := false
	for _, k := range n.Children {
		if k.Is("case_pattern") {
			patterns = append(patterns, k)
		}
		sequence = sequence || k.Is(",")
	}
	switch {
	case sequence: // case a, b:
		e := l.new(code.Binding, n)
		for _, p := range patterns {
			e.Args = append(e.Args, l.pattern(p))
		}
		if len(patterns) > 0 {
			e.Span = l.between(patterns[0], patterns[len(patterns)-1])
		}
		c.Values = []*code.Expr{e}
	case len(patterns) == 1:
		l.alternatives(&c, patterns[0], subject)
	}
	if g := first(n.Child("guard")); g != nil {
		c.Guard = l.guard(g, c.Body, subject)
		// A wildcard with a guard is no default: the guard alone decides, whatever else the pattern lists.
		if c.Default {
			c.Default, c.Values = false, nil
		}
	}
	c.Body = append(c.Body, l.block(n.Child("consequence"))...)
	return c
}

// alternatives lowers a pattern that stands for the whole subject: a|b are two Values, "_" and a bare name match
// everything.
func (l *lowerer) alternatives(c *code.Case, n *syntax.Node, subject *code.Expr) {
	n = l.core(n)
	switch {
	case n.Is("union_pattern"):
		minus := (*syntax.Node)(nil)
		for _, k := range n.Children {
			switch {
			case k.Is("-"):
				minus = k
			case minus != nil && k.Named:
				c.Values = append(c.Values, l.negative(minus, k))
				minus = nil
			case k.Is("comment", "line_continuation"):
			case k.Named || k.Is("_"):
				l.alternatives(c, k, subject)
			}
		}
	case n.Is("as_pattern"):
		value, name := alias(n)
		if name == nil {
			c.Values = append(c.Values, l.other(n))
			return
		}
		l.alternatives(c, value, subject)
		c.Body = append(c.Body, l.bind(name, subject))
	case n.Is("_"):
		c.Default = true
	case l.captures(n):
		c.Default = true
		c.Body = append(c.Body, l.bind(n, subject))
	default:
		c.Values = append(c.Values, l.pattern(n))
	}
}

// guard lowers the condition of an arm. It runs after the pattern has bound its names but stands before the body
// that binds them here, so such a name is replaced by the subject where that can be named again.
func (l *lowerer) guard(n *syntax.Node, binds []*code.Stmt, subject *code.Expr) *code.Expr {
	if subject.Kind == code.Name || subject.Kind == code.Member || subject.Kind == code.Index {
		l.bound = map[string]*code.Expr{}
		for _, b := range binds {
			l.bound[b.LHS[0].Text] = subject
		}
		defer func() { l.bound = nil }()
	}
	return l.expr(n)
}

// bind is the assignment of the subject to a name that the whole pattern binds. It shares the expression of the
// subject with the switch.
func (l *lowerer) bind(name *syntax.Node, subject *code.Expr) *code.Stmt {
	s := l.newStmt(code.StmtAssign, name)
	s.LHS, s.Op, s.Exprs = []*code.Expr{l.expr(name)}, "=", []*code.Expr{subject}
	return s
}

// core takes off the case_pattern around a pattern and the parentheses, which this grammar reads as a tuple.
// A case_pattern that holds "-1" stays, because its sign is a node of its own.
func (l *lowerer) core(n *syntax.Node) *syntax.Node {
	for {
		switch {
		case n.Is("case_pattern") && len(n.Children) == 1:
			n = n.Children[0]
		case n.Is("tuple_pattern") && !has(n, ",") && len(kids(n)) == 1:
			n = kids(n)[0]
		default:
			return n
		}
	}
}

// captures reports whether the pattern is a bare name, which matches everything.
func (l *lowerer) captures(n *syntax.Node) bool {
	return n.Is("identifier") || n.Is("dotted_name") && len(kids(n)) == 1
}

// negative lowers the literal -1 like the expression -1.
func (l *lowerer) negative(minus, n *syntax.Node) *code.Expr {
	return &code.Expr{Kind: code.Unary, Text: "-", X: l.expr(n), Span: l.between(minus, n)}
}

// pattern lowers a pattern inside another one, or a literal. A bare name there is what it binds; a dotted one is
// a value to be looked up.
func (l *lowerer) pattern(n *syntax.Node) *code.Expr {
	n = l.core(n)
	switch n.Type {
	case "_":
		return l.named(n)
	case "case_pattern":
		if minus, c := n.First("-"), kids(n); minus != nil && len(c) == 1 {
			return l.negative(minus, c[0])
		}
	case "union_pattern":
		var c code.Case
		l.alternatives(&c, n, nil)
		if len(c.Values) > 0 && !c.Default && len(c.Body) == 0 {
			return l.either(n, c.Values)
		}
	case "as_pattern":
		if pattern, name := alias(n); name != nil {
			e := l.new(code.Assign, n)
			e.X, e.Y = l.expr(name), l.pattern(pattern)
			return e
		}
		return l.other(n)
	case "class_pattern":
		return l.classPattern(n)
	case "dict_pattern":
		return l.dictPattern(n)
	case "list_pattern", "tuple_pattern":
		e := l.new(code.Binding, n)
		for _, c := range kids(n) {
			e.Args = append(e.Args, l.pattern(c))
		}
		return e
	}
	return l.expr(n)
}

// either joins the alternatives of a nested a|b.
func (l *lowerer) either(n *syntax.Node, values []*code.Expr) *code.Expr {
	out := values[0]
	for _, v := range values[1:] {
		out = &code.Expr{Kind: code.Binary, X: out, Text: "|", Y: v, Span: l.t.Span(n)}
	}
	return out
}

// classPattern keeps the class both as Text and as Type: Cls(a, key=b) has a in Args and key in Fields.
func (l *lowerer) classPattern(n *syntax.Node) *code.Expr {
	e := l.new(code.Binding, n)
	for i, c := range kids(n) {
		if i == 0 {
			e.Text = l.dotted(c)
			e.Type = e.Text
			continue
		}
		c = l.core(c)
		if !c.Is("keyword_pattern") {
			e.Args = append(e.Args, l.pattern(c))
			continue
		}
		f := code.Field{}
		for j, k := range kids(c) {
			switch {
			case j == 0:
				f.Key = l.named(k)
			case has(c, "-"):
				f.Value = l.negative(c.First("-"), k)
			default:
				f.Value = l.pattern(k)
			}
		}
		if f.Value == nil { // key=_, whose mark is no named node
			f.Value = l.new(code.Other, c)
			if blank := c.First("_"); blank != nil {
				f.Value = l.named(blank)
			}
		}
		e.Fields = append(e.Fields, f)
	}
	return e
}

// dictPattern lowers {"method": "ping", Keys.id: x, **rest}. Keys are wrapped as in a dict; the rest has no key.
func (l *lowerer) dictPattern(n *syntax.Node) *code.Expr {
	e := l.new(code.Binding, n)
	var minus *syntax.Node
	var key *code.Expr
	for _, c := range n.Children {
		switch {
		case c.Is("-"):
			minus = c
		case c.Field == "key" && minus != nil:
			key = &code.Expr{Kind: code.Index, Args: []*code.Expr{l.negative(minus, c)}, Span: l.between(minus, c)}
		case c.Field == "key":
			key = l.key(c)
		case c.Field == "value":
			e.Fields = append(e.Fields, code.Field{Key: key, Value: l.pattern(c)})
			minus, key = nil, nil
		default:
			if s := l.core(c); s.Is("splat_pattern") {
				e.Fields = append(e.Fields, l.spread(s))
			}
		}
	}
	return e
}
