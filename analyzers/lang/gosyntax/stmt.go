//go:build cgo

package gosyntax

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// block lowers the statements of a block. Names that it declares are hidden after it.
func (l *lowerer) block(n *syntax.Node) []*code.Stmt {
	defer l.scope()()
	return l.stmts(n.NamedChildren())
}

func (l *lowerer) stmts(list []*syntax.Node) []*code.Stmt {
	var out []*code.Stmt
	for _, n := range list {
		out = append(out, l.stmt(n)...)
	}
	return out
}

// optional lowers the statement of an if, a switch or a for that may be missing.
func (l *lowerer) optional(n *syntax.Node) []*code.Stmt {
	if n == nil {
		return nil
	}
	return l.stmt(n)
}

// within puts the statements of an init clause before the statement that has it, in a block of their own.
func within(init []*code.Stmt, s *code.Stmt) []*code.Stmt {
	if len(init) == 0 {
		return []*code.Stmt{s}
	}
	return []*code.Stmt{{Kind: code.StmtBlock, Body: append(init, s), Span: s.Span}}
}

// stmt lowers one statement to none or more; the shapes are those of the typed reader. A node that is no statement
// is an expression that error recovery left where a statement should be.
func (l *lowerer) stmt(n *syntax.Node) []*code.Stmt {
	out := &code.Stmt{Span: l.t.Span(n)}
	switch n.Type {
	case "empty_statement":
		return nil
	case "ERROR":
		return l.broken(n)
	case "function_declaration", "method_declaration": // found inside an ERROR
		l.funcDecl(n)
		return nil
	case "expression_statement":
		l.exprStmt(n, out)
	case "assignment_statement", "short_var_declaration":
		l.assign(n, out)
	case "inc_statement", "dec_statement":
		out.Kind, out.LHS = code.StmtAssign, l.exprs(n.NamedChildren())
		out.Op = map[string]string{"inc_statement": "+=", "dec_statement": "-="}[n.Type]
		out.Exprs = []*code.Expr{{Kind: code.Number, Text: "1", Span: l.span(max(n.Start, n.End-2), n.End)}}
	case "var_declaration", "const_declaration", "var_spec_list":
		var list []*code.Stmt
		for _, c := range n.NamedChildren() {
			list = append(list, l.stmt(c)...)
		}
		return list
	case "var_spec", "const_spec":
		l.valueSpec(n, out)
	case "type_declaration":
		l.typeDecl(n)
		var list []*code.Stmt
		for _, c := range n.NamedChildren() {
			list = append(list, &code.Stmt{Kind: code.StmtClass, Span: l.t.Span(c)})
		}
		return list
	case "return_statement":
		l.returns(n, out)
	case "block":
		out.Kind, out.Body = code.StmtBlock, l.block(n)
	case "if_statement":
		return l.ifStmt(n, out)
	case "expression_switch_statement":
		defer l.scope()()
		init := l.optional(n.Child("initializer"))
		out.Kind = code.StmtSwitch
		if v := n.Child("value"); v != nil {
			out.Cond = l.expr(v)
		}
		out.Cases = l.cases(n)
		return within(init, out)
	case "type_switch_statement":
		return l.typeSwitch(n, out)
	case "select_statement":
		out.Kind, out.Cases = code.StmtSwitch, l.cases(n)
	case "for_statement":
		return l.forStmt(n, out)
	case "go_statement", "defer_statement":
		out.Kind, out.Exprs = code.StmtDefer, l.exprs(n.NamedChildren())
	case "send_statement":
		out.Kind, out.Exprs = code.StmtExpr, []*code.Expr{l.send(n)}
	case "labeled_statement":
		out.Kind = code.StmtBlock
		for _, c := range n.NamedChildren() {
			if !c.Is("label_name") {
				out.Body = append(out.Body, l.stmt(c)...)
			}
		}
	case "break_statement", "continue_statement", "goto_statement", "fallthrough_statement":
		l.branch(n, out)
	case "receive_statement":
		out.Kind, out.Exprs = code.StmtExpr, l.exprs(n.NamedChildren())
	default:
		out.Kind = code.StmtExpr
		out.Exprs = []*code.Expr{l.expr(n)}
	}
	return []*code.Stmt{out}
}

// exprStmt: a call of panic is a throw.
func (l *lowerer) exprStmt(n *syntax.Node, out *code.Stmt) {
	out.Kind, out.Exprs = code.StmtExpr, l.exprs(n.NamedChildren())
	if len(out.Exprs) != 1 {
		return
	}
	if x := out.Exprs[0]; x.Kind == code.Call && x.X.Kind == code.Name && x.X.Text == "panic" {
		out.Kind, out.Exprs = code.StmtThrow, x.Args
	}
}

// assign lowers the right side first: in "s := s.next" the s on the right is the outer one.
func (l *lowerer) assign(n *syntax.Node, out *code.Stmt) {
	out.Kind, out.Exprs = code.StmtAssign, l.list(n.Child("right"))
	out.Op = "="
	if op := n.Child("operator"); op != nil {
		out.Op = l.t.Text(op)
	}
	if n.Is("short_var_declaration") {
		out.Declares = true
		l.hide(n.Child("left").NamedChildren()...)
	}
	out.LHS = l.list(n.Child("left"))
}

// valueSpec lowers one line of const or var. Without a value it says nothing of what the variable holds: its
// address may be taken, and what the address is used for is not followed.
func (l *lowerer) valueSpec(n *syntax.Node, out *code.Stmt) {
	out.Kind, out.Op, out.Declares = code.StmtAssign, "=", true
	typ := n.Child("type")
	l.anonymous(typ)
	out.Exprs = l.list(n.Child("value"))
	for _, name := range named(n.All("name")) {
		x := &code.Expr{Kind: code.Name, Text: l.t.Text(name), Span: l.t.Span(name)}
		if typ != nil {
			x.Type = l.text(typ)
		}
		out.LHS = append(out.LHS, x)
		l.hide(name)
	}
}

// returns: a bare return gives the named results.
func (l *lowerer) returns(n *syntax.Node, out *code.Stmt) {
	out.Kind = code.StmtReturn
	for _, c := range n.NamedChildren() {
		out.Exprs = append(out.Exprs, l.list(c)...)
	}
	if len(out.Exprs) == 0 && len(l.results) > 0 {
		for _, r := range l.results[len(l.results)-1] {
			out.Exprs = append(out.Exprs, &code.Expr{Kind: code.Name, Text: l.t.Text(r), Span: out.Span})
		}
	}
}

// branch keeps a jump with a label apart: it leaves more than the construct around it.
func (l *lowerer) branch(n *syntax.Node, out *code.Stmt) {
	switch {
	case n.First("label_name") != nil:
		out.Exprs = []*code.Expr{{Kind: code.Other, Text: l.text(n), Span: out.Span}}
	case n.Is("break_statement"):
		out.Kind = code.StmtBreak
	case n.Is("continue_statement"):
		out.Kind = code.StmtContinue
	}
}

// send keeps both sides of a send, which is no operator of other languages.
func (l *lowerer) send(n *syntax.Node) *code.Expr {
	return &code.Expr{
		Kind: code.Other, Text: "<-", Args: []*code.Expr{l.expr(n.Child("channel")), l.expr(n.Child("value"))},
		Span: l.t.Span(n),
	}
}

// ifStmt: "else if" is an If inside Else, in a block where it has an init statement of its own.
func (l *lowerer) ifStmt(n *syntax.Node, out *code.Stmt) []*code.Stmt {
	defer l.scope()()
	init := l.optional(n.Child("initializer"))
	out.Kind, out.Cond, out.Body = code.StmtIf, l.expr(n.Child("condition")), l.block(n.Child("consequence"))
	switch e := n.Child("alternative"); {
	case e.Is("block"):
		out.Else = l.block(e)
	case e != nil:
		out.Else = l.stmt(e)
	}
	return within(init, out)
}

// forStmt lowers the four forms of a loop. The post statement runs after the body.
func (l *lowerer) forStmt(n *syntax.Node, out *code.Stmt) []*code.Stmt {
	defer l.scope()()
	out.Kind = code.StmtLoop
	var init, post []*code.Stmt
	var update *syntax.Node
	for _, c := range n.NamedChildren() {
		switch {
		case c.Field == "body":
		case c.Is("for_clause"):
			init = l.optional(c.Child("initializer"))
			if cond := c.Child("condition"); cond != nil {
				out.Cond = l.expr(cond)
			}
			update = c.Child("update")
		case c.Is("range_clause"):
			out.Cond = l.expr(c.Child("right"))
			for _, o := range c.Children {
				out.Declares = out.Declares || l.t.Text(o) == ":=" && !o.Named
			}
			if out.Declares {
				l.hide(c.Child("left").NamedChildren()...)
			}
			out.LHS = l.list(c.Child("left"))
		default:
			out.Cond = l.expr(c)
		}
	}
	out.Body = l.block(n.Child("body"))
	post = l.optional(update)
	out.Body = append(out.Body, post...)
	return within(init, out)
}

// typeSwitch: what v := x.(type) binds is bound before the switch, since it is x in every arm.
func (l *lowerer) typeSwitch(n *syntax.Node, out *code.Stmt) []*code.Stmt {
	defer l.scope()()
	init := l.optional(n.Child("initializer"))
	value := n.Child("value")
	out.Kind, out.Cond = code.StmtSwitch, l.expr(value)
	if alias := n.Child("alias"); alias != nil {
		x := l.expr(value)
		l.hide(alias.NamedChildren()...)
		init = append(init, &code.Stmt{
			Kind: code.StmtAssign, Op: "=", Declares: true, LHS: l.list(alias), Exprs: []*code.Expr{x},
			Span: l.span(alias.Start, guardEnd(n, value)),
		})
	}
	out.Cases = l.cases(n)
	return within(init, out)
}

// guardEnd is the end of x.(type).
func guardEnd(n, value *syntax.Node) int {
	end := 0
	if value != nil {
		end = value.End
		for _, c := range n.Children {
			if c.Type == ")" && c.Start >= end {
				return c.End
			}
		}
	}
	return end
}

// cases lowers the arms of a switch of any kind or of a select.
func (l *lowerer) cases(n *syntax.Node) []code.Case {
	var out []code.Case
	for _, c := range n.NamedChildren() {
		if !c.Is("expression_case", "type_case", "communication_case", "default_case") {
			continue
		}
		out = append(out, l.arm(c))
	}
	return out
}

// arm lowers one arm of a switch or a select. The break that ends it says nothing and is dropped.
func (l *lowerer) arm(n *syntax.Node) code.Case {
	defer l.scope()()
	arm := code.Case{Default: n.Is("default_case"), Span: l.head(n)}
	var body []*syntax.Node
	for _, c := range n.NamedChildren() {
		switch {
		case c.Field == "value":
			arm.Values = append(arm.Values, l.list(c)...)
		case c.Field == "type":
			arm.Values = append(arm.Values, l.caseType(c))
		case c.Field == "communication":
			l.comm(c, &arm)
		default:
			body = append(body, c)
		}
	}
	if k := len(body); k > 0 {
		switch last := body[k-1]; {
		case last.Is("fallthrough_statement"):
			arm.Falls = true
			body = body[:k-1]
		case last.Is("break_statement") && last.First("label_name") == nil:
			body = body[:k-1]
		}
	}
	arm.Body = append(arm.Body, l.stmts(body)...)
	return arm
}

// caseType is a type among the values of a type switch.
func (l *lowerer) caseType(n *syntax.Node) *code.Expr {
	if l.t.Text(n) == "nil" {
		return &code.Expr{Kind: code.Null, Span: l.t.Span(n)}
	}
	l.anonymous(n)
	return &code.Expr{Kind: code.Binding, Text: l.typeName(n), Span: l.t.Span(n)}
}

// comm lowers what an arm of a select waits for. What it receives is bound at the start of the arm.
func (l *lowerer) comm(n *syntax.Node, arm *code.Case) {
	v := &code.Expr{Kind: code.Binding, Span: l.t.Span(n)}
	switch left := n.Child("left"); {
	case n.Is("send_statement"):
		v.Args = []*code.Expr{l.send(n)}
	case left != nil:
		right := l.list(n.Child("right"))
		v.Args = right
		s := &code.Stmt{Kind: code.StmtAssign, Op: "=", Exprs: l.list(n.Child("right")), Span: l.t.Span(n)}
		between := string(l.t.Src[left.End:n.Child("right").Start])
		if s.Declares = strings.Contains(between, ":="); s.Declares {
			l.hide(left.NamedChildren()...)
		}
		s.LHS = l.list(left)
		arm.Body = append(arm.Body, s)
	default:
		v.Args = l.list(n.Child("right"))
	}
	arm.Values = []*code.Expr{v}
}

// head is the place of "case 'x':".
func (l *lowerer) head(n *syntax.Node) mcpaudit.Span {
	end := n.Start
	for _, c := range n.Children {
		if c.Type == ":" {
			end = c.End
			break
		}
	}
	return l.span(n.Start, end)
}
