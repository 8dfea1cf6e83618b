//go:build cgo

package python

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// new is an expression with the place of a node.
func (l *lowerer) new(kind code.ExprKind, n *syntax.Node) *code.Expr {
	return &code.Expr{Kind: kind, Span: l.t.Span(n)}
}

// named is a Name spelt as in the source. It is for names that are no variables, such as keywords, and so never
// becomes "this".
func (l *lowerer) named(n *syntax.Node) *code.Expr {
	e := l.new(code.Name, n)
	e.Text = l.t.Text(n)
	return e
}

// identifier lowers a variable.
func (l *lowerer) identifier(n *syntax.Node) *code.Expr {
	e := l.named(n)
	if subject := l.bound[e.Text]; subject != nil {
		span := e.Span
		*e = *subject
		e.Span = span
	}
	if e.Text == l.receiver && e.Kind == code.Name {
		e.Text = "this"
	}
	return e
}

// expr lowers an expression. It never returns nil: what a syntax error left out is an Other without parts.
func (l *lowerer) expr(n *syntax.Node) *code.Expr {
	if n == nil || n.Missing {
		return l.new(code.Other, n)
	}
	switch n.Type {
	case "identifier":
		return l.identifier(n)
	case "dotted_name":
		return l.path(n)
	case "string", "concatenated_string":
		return l.str(n)
	case "integer", "float":
		e := l.new(code.Number, n)
		e.Text = strings.ReplaceAll(l.t.Text(n), "_", "")
		return e
	case "true", "false":
		e := l.new(code.Bool, n)
		e.Text = n.Type
		return e
	case "none":
		return l.new(code.Null, n)
	case "parenthesized_expression", "parenthesized_list_splat", "type":
		// Types are expressions only in "type X = T"; elsewhere their text is kept.
		if c := kids(n); len(c) == 1 {
			return l.expr(c[0])
		}
	case "attribute":
		e := l.new(code.Member, n)
		e.X, e.Text = l.expr(n.Child("object")), l.t.Text(n.Child("attribute"))
		return e
	case "subscript":
		return l.subscript(n)
	case "call":
		return l.call(n)
	case "list", "tuple", "set", "expression_list", "pattern_list", "tuple_pattern", "list_pattern":
		return l.array(n)
	case "dictionary":
		return l.dictionary(n)
	case "list_splat", "dictionary_splat", "list_splat_pattern", "dictionary_splat_pattern", "splat_pattern":
		if c := kids(n); len(c) == 1 {
			e := l.new(code.Spread, n)
			e.X = l.expr(c[0])
			return e
		}
	case "comparison_operator":
		return l.comparison(n)
	case "boolean_operator", "binary_operator":
		e := l.new(code.Binary, n)
		e.X, e.Y = l.expr(n.Child("left")), l.expr(n.Child("right"))
		e.Text = operator(n.Child("operator"))
		return e
	case "not_operator":
		e := l.new(code.Unary, n)
		e.Text, e.X = "!", l.expr(n.Child("argument"))
		return e
	case "unary_operator":
		e := l.new(code.Unary, n)
		e.Text, e.X = l.t.Text(n.Child("operator")), l.expr(n.Child("argument"))
		return e
	case "conditional_expression":
		if c := kids(n); len(c) == 3 { // then if cond else other
			e := l.new(code.Ternary, n)
			e.Args = []*code.Expr{l.expr(c[1]), l.expr(c[0]), l.expr(c[2])}
			return e
		}
	case "named_expression":
		e := l.new(code.Assign, n)
		e.X, e.Y = l.expr(n.Child("name")), l.expr(n.Child("value"))
		return e
	case "assignment":
		return l.chained(n)
	case "as_pattern": // "value as name" of a with; in an expression only after a syntax error
		value, name := alias(n)
		if name == nil {
			return l.other(n)
		}
		e := l.new(code.Assign, n)
		e.X, e.Y = l.target(name), l.expr(value)
		return e
	case "lambda", "lambda_within_for_in_clause":
		e := l.new(code.Lambda, n)
		e.Func = l.lambda(n)
		return e
	case "await", "yield":
		return l.await(n)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return l.comprehension(n)
	case "ERROR":
		return l.broken(n)
	}
	return l.other(n)
}

// operator spells the operators that have a C form like C.
func operator(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	switch n.Type {
	case "and":
		return "&&"
	case "or":
		return "||"
	case "is":
		return "=="
	case "is not", "<>":
		return "!="
	}
	return n.Type
}

// other keeps the parts of what has no form of its own.
func (l *lowerer) other(n *syntax.Node) *code.Expr {
	e := l.new(code.Other, n)
	e.Args = l.exprs(kids(n))
	return e
}

// exprs lowers each of the nodes.
func (l *lowerer) exprs(nodes []*syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, c := range nodes {
		out = append(out, l.expr(c))
	}
	return out
}

// array lowers lists, tuples and sets, which differ in nothing that a reader asks about.
func (l *lowerer) array(n *syntax.Node) *code.Expr {
	c := kids(n)
	if n.Is("tuple_pattern") && len(c) == 1 && !has(n, ",") { // only parentheses
		return l.expr(c[0])
	}
	e := l.new(code.Array, n)
	e.Args = l.exprs(c)
	return e
}

// path lowers the dotted name of a pattern or of an import.
func (l *lowerer) path(n *syntax.Node) *code.Expr {
	var e *code.Expr
	for _, c := range kids(n) {
		if e == nil {
			e = l.expr(c)
			continue
		}
		e = &code.Expr{Kind: code.Member, X: e, Text: l.t.Text(c), Span: l.between(n, c)}
	}
	if e == nil {
		return l.new(code.Other, n)
	}
	return e
}

// subscript lowers x[i]; the several indices of x[i, j] are one tuple.
func (l *lowerer) subscript(n *syntax.Node) *code.Expr {
	e := l.new(code.Index, n)
	e.X = l.expr(n.Child("value"))
	index := n.All("subscript")
	if len(index) == 1 {
		e.Args = l.exprs(index)
		return e
	}
	tuple := l.new(code.Array, n)
	if len(index) > 0 {
		tuple.Span = l.between(index[0], index[len(index)-1])
	}
	tuple.Args = l.exprs(index)
	e.Args = []*code.Expr{tuple}
	return e
}

// call lowers f(x, *xs, k=v, **kw). A generator may stand in place of the parentheses: any(x for x in xs).
func (l *lowerer) call(n *syntax.Node) *code.Expr {
	args := n.Child("arguments")
	if x := l.castOperand(n.Child("function"), args); x != nil {
		return l.expr(x)
	}
	e := l.new(code.Call, n)
	e.X = l.expr(n.Child("function"))
	if args.Is("generator_expression") {
		e.Args = []*code.Expr{l.expr(args)}
		return e
	}
	l.arguments(e, args)
	return e
}

// arguments sorts the arguments into Args and, where they have a keyword, Fields. What a syntax error left among
// them counts as a positional one.
func (l *lowerer) arguments(e *code.Expr, list *syntax.Node) {
	for _, c := range kids(list) {
		switch c.Type {
		case "keyword_argument":
			e.Fields = append(e.Fields, code.Field{Key: l.named(c.Child("name")), Value: l.expr(c.Child("value"))})
		case "dictionary_splat":
			e.Fields = append(e.Fields, l.spread(c))
		default:
			e.Args = append(e.Args, l.expr(c))
		}
	}
}

// spread lowers **x to a field without key. What a syntax error left in a dict becomes one too: after it, the dict
// may hold more keys than can be seen.
func (l *lowerer) spread(n *syntax.Node) code.Field {
	if c := kids(n); len(c) == 1 {
		return code.Field{Value: l.expr(c[0])}
	}
	return code.Field{Value: l.other(n)}
}

// castOperand returns the operand of typing.cast, which does nothing at run time, or nil for any other call. The
// import decides, because database libraries have a cast of their own whose arguments are the other way round.
func (l *lowerer) castOperand(fn, args *syntax.Node) *syntax.Node {
	imp := (*string)(nil)
	switch {
	case fn.Is("identifier"):
		if i := l.imported(l.t.Text(fn)); i != nil && i.Name == "cast" {
			imp = &i.Module
		}
	case fn.Is("attribute") && l.t.Text(fn.Child("attribute")) == "cast":
		if i := l.imported(l.t.Text(fn.Child("object"))); i != nil && i.Name == "*" {
			imp = &i.Module
		}
	}
	if imp == nil || *imp != "typing" && *imp != "typing_extensions" {
		return nil
	}
	c := kids(args)
	if !args.Is("argument_list") || len(c) != 2 || c[1].Is("keyword_argument", "list_splat", "dictionary_splat") {
		return nil
	}
	return c[1]
}

// dictionary lowers a dict display. A call of dict is left as it is: the name may have been bound to something else.
func (l *lowerer) dictionary(n *syntax.Node) *code.Expr {
	e := l.new(code.Object, n)
	for _, c := range kids(n) {
		switch c.Type {
		case "pair":
			e.Fields = append(e.Fields, code.Field{Key: l.key(c.Child("key")), Value: l.expr(c.Child("value"))})
		default: // dictionary_splat, or what a syntax error left
			e.Fields = append(e.Fields, l.spread(c))
		}
	}
	return e
}

// key lowers the key of a dict. Unlike in JavaScript a bare name is an expression to be looked up, so everything
// but a literal is wrapped in an Index without X and never looks like a plain key.
func (l *lowerer) key(n *syntax.Node) *code.Expr {
	k := l.expr(n)
	switch k.Kind {
	case code.String, code.Number, code.Bool, code.Null, code.Template:
		return k
	}
	return &code.Expr{Kind: code.Index, Args: []*code.Expr{k}, Span: k.Span}
}

// comparison lowers a chain: a < b < c is a < b && b < c, where both sides share the one b.
func (l *lowerer) comparison(n *syntax.Node) *code.Expr {
	var operands, ops []*syntax.Node
	for _, c := range n.Children {
		switch {
		case c.Field == "operators":
			ops = append(ops, c)
		case c.Named && c.Type != "comment" && c.Type != "line_continuation":
			operands = append(operands, c)
		}
	}
	if len(ops) == 0 || len(operands) != len(ops)+1 { // broken by a syntax error
		return l.other(n)
	}
	values := l.exprs(operands)
	var chain *code.Expr
	for i, op := range ops {
		pair := &code.Expr{Kind: code.Binary, X: values[i], Text: operator(op), Y: values[i+1]}
		pair.Span = l.between(operands[i], operands[i+1])
		if chain == nil {
			chain = pair
			continue
		}
		chain = &code.Expr{Kind: code.Binary, X: chain, Text: "&&", Y: pair, Span: l.between(operands[0], operands[i+1])}
	}
	return chain
}

// await lowers await, yield and yield from. A bare yield hands out None.
func (l *lowerer) await(n *syntax.Node) *code.Expr {
	e := l.new(code.Await, n)
	switch c := kids(n); len(c) {
	case 0:
		e.X = l.new(code.Null, n)
	case 1:
		e.X = l.expr(c[0])
	default:
		e.X = l.other(n)
	}
	return e
}

// comprehension keeps the parts in source order: what is built, then targets, what is iterated over, conditions.
func (l *lowerer) comprehension(n *syntax.Node) *code.Expr {
	e := l.new(code.Other, n)
	for _, c := range kids(n) {
		if c.Is("pair", "for_in_clause", "if_clause") {
			e.Args = append(e.Args, l.exprs(kids(c))...)
		} else {
			e.Args = append(e.Args, l.expr(c))
		}
	}
	return e
}

// chained lowers the inner assignment of a = b = v.
func (l *lowerer) chained(n *syntax.Node) *code.Expr {
	right := n.Child("right")
	if right == nil {
		return l.other(n)
	}
	e := l.new(code.Assign, n)
	e.X, e.Y = l.target(n.Child("left")), l.expr(right)
	return e
}

// target lowers what an assignment binds; a tuple or list of targets is a Binding. The grammar writes targets as
// patterns, but as plain tuples after "as" and in "for".
func (l *lowerer) target(n *syntax.Node) *code.Expr {
	parts := kids(n)
	switch {
	case n.Is("as_pattern_target", "parenthesized_expression") && len(parts) == 1:
		return l.target(parts[0])
	case n.Is("tuple", "tuple_pattern") && len(parts) == 1 && !has(n, ","):
		return l.target(parts[0])
	case n.Is("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
		e := l.new(code.Binding, n)
		for _, c := range parts {
			e.Args = append(e.Args, l.target(c))
		}
		return e
	}
	return l.expr(n)
}

// targets are the LHS of an assignment or a loop: several for a tuple of at least two, otherwise one.
func (l *lowerer) targets(n *syntax.Node) []*code.Expr {
	if n == nil {
		return nil
	}
	e := l.target(n)
	if e.Kind == code.Binding && len(e.Args) > 1 {
		return e.Args
	}
	return []*code.Expr{e}
}

// alias splits "value as name"; name is nil where there is none.
func alias(n *syntax.Node) (value, name *syntax.Node) {
	if n.Is("parenthesized_expression") && n.First("as_pattern") != nil {
		n = n.First("as_pattern")
	}
	if c := kids(n); n.Is("as_pattern") && len(c) > 1 {
		return c[0], c[len(c)-1]
	}
	return n, nil
}
