//go:build cgo

package python

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// block lowers the statements of a module or an indented block. Comments leave none, so a body may be empty.
func (l *lowerer) block(n *syntax.Node) []*code.Stmt {
	var out []*code.Stmt
	for _, c := range kids(n) {
		out = append(out, l.stmt(c)...)
		out = append(out, l.errorsUpTo(c.End)...)
	}
	return out
}

// newStmt is a statement with the place of a node.
func (l *lowerer) newStmt(kind code.StmtKind, n *syntax.Node) *code.Stmt {
	return &code.Stmt{Kind: kind, Span: l.t.Span(n)}
}

// with returns the statement with its expressions, as the list that stmt returns.
func (l *lowerer) with(kind code.StmtKind, n *syntax.Node, exprs ...*code.Expr) []*code.Stmt {
	s := l.newStmt(kind, n)
	s.Exprs = exprs
	return []*code.Stmt{s}
}

// stmt lowers one statement to none (an import), one, or several (a loop and its else suite).
func (l *lowerer) stmt(n *syntax.Node) []*code.Stmt {
	switch n.Type {
	case "expression_statement":
		return l.expressionStmt(n)
	case "import_statement", "import_from_statement", "future_import_statement":
		return nil // see imports
	case "function_definition":
		return l.function(n, nil, n)
	case "class_definition":
		return l.classStmt(n, nil, n)
	case "decorated_definition":
		return l.decorated(n)
	case "return_statement":
		return l.with(code.StmtReturn, n, l.exprs(kids(n))...)
	case "raise_statement":
		return l.with(code.StmtThrow, n, l.exprs(flat(kids(n)))...)
	case "delete_statement":
		return l.with(code.StmtDelete, n, l.exprs(flat(kids(n)))...)
	case "break_statement":
		return l.with(code.StmtBreak, n)
	case "continue_statement":
		return l.with(code.StmtContinue, n)
	case "if_statement":
		return []*code.Stmt{l.ifStmt(n)}
	case "match_statement":
		return []*code.Stmt{l.match(n)}
	case "for_statement", "while_statement":
		return l.loop(n)
	case "try_statement":
		return []*code.Stmt{l.try(n)}
	case "with_statement":
		return []*code.Stmt{l.withStmt(n)}
	case "print_statement":
		return l.with(code.StmtExpr, n, l.print(n))
	case "block", "ERROR":
		return l.leftover(n)
	}
	// assert, global, nonlocal, pass, exec, type
	return l.with(code.StmtOther, n, l.exprs(kids(n))...)
}

// flat opens up the tuples of "del a, b", "except (A, B)", "with (a, b)" and of Python 2's "raise Error, text".
func flat(nodes []*syntax.Node) []*syntax.Node {
	var out []*syntax.Node
	for _, c := range nodes {
		if c.Is("expression_list", "tuple") {
			out = append(out, flat(kids(c))...)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// expressionStmt lowers what the grammar calls an expression statement: an assignment, an expression, or several
// joined by commas, which are a tuple that nobody keeps.
func (l *lowerer) expressionStmt(n *syntax.Node) []*code.Stmt {
	c := kids(n)
	if len(c) == 1 && !has(n, ",") {
		switch c[0].Type {
		case "assignment":
			if l.class != nil && l.attribute(c[0]) {
				return nil
			}
			return []*code.Stmt{l.assignment(c[0])}
		case "augmented_assignment":
			s := l.newStmt(code.StmtAssign, n)
			s.LHS = l.targets(c[0].Child("left"))
			s.Op = l.t.Text(c[0].Child("operator"))
			s.Exprs = []*code.Expr{l.expr(c[0].Child("right"))}
			return []*code.Stmt{s}
		}
		return l.with(code.StmtExpr, n, l.expr(c[0]))
	}
	tuple := l.new(code.Array, n)
	tuple.Args = l.exprs(c)
	return l.with(code.StmtExpr, n, tuple)
}

// assignment lowers "target: type = value" and its shorter forms. A type without a value only declares. Anything
// else declares nothing, since Python tells a new local name from an old one only by looking at the whole function.
func (l *lowerer) assignment(n *syntax.Node) *code.Stmt {
	s := l.newStmt(code.StmtAssign, n)
	left, right := n.Child("left"), n.Child("right")
	s.LHS, s.Op = l.targets(left), "="
	if typ := n.Child("type"); typ != nil && len(s.LHS) == 1 {
		s.LHS[0].Type = l.t.Text(typ)
	}
	if right == nil {
		s.Declares = true
		return s
	}
	s.Exprs = l.values(right, s.LHS)
	return s
}

// values splits "a, b = x, y" into its two assignments; any other value stays one.
func (l *lowerer) values(right *syntax.Node, targets []*code.Expr) []*code.Expr {
	e := l.expr(right)
	if len(targets) < 2 || e.Kind != code.Array || len(e.Args) != len(targets) {
		return []*code.Expr{e}
	}
	for i, v := range e.Args {
		if v.Kind == code.Spread || targets[i].Kind == code.Spread {
			return []*code.Expr{e}
		}
	}
	return e.Args
}

// print lowers the statement of Python 2 to the call of Python 3.
func (l *lowerer) print(n *syntax.Node) *code.Expr {
	e := l.new(code.Call, n)
	name := n.First("print")
	e.X = l.named(name)
	for _, c := range kids(n) {
		if c.Is("chevron") { // print >>file, x
			key := l.new(code.Name, c)
			key.Text = "file"
			e.Fields = append(e.Fields, code.Field{Key: key, Value: l.spread(c).Value})
			continue
		}
		e.Args = append(e.Args, l.expr(c))
	}
	return e
}

// ifStmt nests each elif in the Else of the one before.
func (l *lowerer) ifStmt(n *syntax.Node) *code.Stmt {
	head := l.newStmt(code.StmtIf, n)
	head.Cond = l.expr(n.Child("condition"))
	head.Body = l.block(n.Child("consequence"))
	last := head
	for _, c := range n.All("alternative") {
		if !c.Is("elif_clause") {
			last.Else = append(last.Else, l.block(c.Child("body"))...)
			continue
		}
		s := l.newStmt(code.StmtIf, c)
		s.Span.End = n.End
		s.Cond = l.expr(c.Child("condition"))
		s.Body = l.block(c.Child("consequence"))
		last.Else = []*code.Stmt{s}
		last = s
	}
	return head
}

// loop lowers for and while. The else suite runs after the loop, so it follows as a block.
func (l *lowerer) loop(n *syntax.Node) []*code.Stmt {
	s := l.newStmt(code.StmtLoop, n)
	if n.Is("for_statement") {
		s.LHS = l.targets(n.Child("left"))
		s.Cond = l.expr(n.Child("right"))
	} else {
		s.Cond = l.expr(n.Child("condition"))
	}
	s.Body = l.block(n.Child("body"))
	alt := n.Child("alternative")
	if alt == nil {
		return []*code.Stmt{s}
	}
	then := l.newStmt(code.StmtBlock, alt)
	then.Body = l.block(alt.Child("body"))
	return []*code.Stmt{s, then}
}

// try lowers try. The else suite runs only if the body got to its end, so it is the tail of Body.
func (l *lowerer) try(n *syntax.Node) *code.Stmt {
	s := l.newStmt(code.StmtTry, n)
	s.Body = l.block(n.Child("body"))
	for _, c := range kids(n) {
		switch c.Type {
		case "except_clause", "except_group_clause":
			s.Cases = append(s.Cases, l.except(c))
		case "else_clause":
			s.Body = append(s.Body, l.block(c.Child("body"))...)
		case "finally_clause":
			s.Else = append(s.Else, l.block(c.First("block"))...)
		}
	}
	return s
}

// except lowers one handler. The name after "as" is left out: nothing but the exception is ever bound to it, and
// that has no expression.
func (l *lowerer) except(n *syntax.Node) code.Case {
	c := code.Case{Span: l.head(n)}
	var types []*syntax.Node
	for _, k := range kids(n) {
		switch {
		case k.Is("block"):
			c.Body = append(c.Body, l.block(k)...)
		case k.Is("ERROR"): // becomes a statement of its own
		default:
			value, _ := alias(k)
			if value.Is("list_splat") { // except* as this grammar sees it
				value = first(value)
			}
			types = append(types, flat([]*syntax.Node{value})...)
		}
	}
	c.Values = l.exprs(types)
	c.Default = len(types) == 0
	return c
}

// head is the span of a clause up to its colon.
func (l *lowerer) head(n *syntax.Node) mcpaudit.Span {
	if colon := n.First(":"); colon != nil {
		return l.between(n, colon)
	}
	return l.t.Span(n)
}

// withStmt opens the context managers up to the first that is bound; from there on they are opened at the head of
// the body, each "as" by an assignment, so that each is opened once and in order.
func (l *lowerer) withStmt(n *syntax.Node) *code.Stmt {
	s := l.newStmt(code.StmtBlock, n)
	for _, item := range kids(n.First("with_clause")) {
		value := item.Child("value")
		if value == nil {
			value = item
		}
		for _, v := range flat([]*syntax.Node{value}) {
			opened, name := alias(v)
			e := l.expr(opened)
			switch {
			case name != nil:
				bind := l.newStmt(code.StmtAssign, v)
				bind.LHS, bind.Op, bind.Exprs = l.targets(name), "=", []*code.Expr{e}
				s.Body = append(s.Body, bind)
			case len(s.Body) > 0:
				s.Body = append(s.Body, l.with(code.StmtExpr, v, e)...)
			default:
				s.Exprs = append(s.Exprs, e)
			}
		}
	}
	s.Body = append(s.Body, l.block(n.Child("body"))...)
	return s
}

// isStmt reports whether the grammar's node is a statement.
func isStmt(n *syntax.Node) bool {
	return strings.HasSuffix(n.Type, "_statement") || strings.HasSuffix(n.Type, "_definition")
}
