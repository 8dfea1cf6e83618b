//go:build cgo

package typescript

import (
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// firstNamed returns the first named child that is no comment, or nil.
func firstNamed(n *syntax.Node) *syntax.Node {
	if list := n.NamedChildren(); len(list) > 0 {
		return list[0]
	}
	return nil
}

// bareNode takes off what vanishes: parentheses, assertions, type arguments. A parenthesis around several
// expressions stays.
func bareNode(n *syntax.Node) *syntax.Node {
	for {
		switch {
		case n.Is("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression",
			"instantiation_expression"):
			inner := firstNamed(n)
			if inner == nil {
				return n
			}
			n = inner
		case n.Is("type_assertion"):
			list := n.NamedChildren()
			if len(list) < 2 {
				return n
			}
			n = list[len(list)-1]
		case n.Is("sequence_expression"):
			// Compilers write (0, m.f)(x) to call f without a receiver.
			list := n.NamedChildren()
			if len(list) != 2 || list[0].Type != "number" {
				return n
			}
			n = list[1]
		default:
			return n
		}
	}
}

func (l *lowering) exprs(list []*syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, n := range list {
		out = append(out, l.expr(n))
	}
	return out
}

// other keeps parts of something that has no form of its own.
func (l *lowering) other(n *syntax.Node, text string, parts ...*code.Expr) *code.Expr {
	return &code.Expr{Kind: code.Other, Text: text, Args: parts, Span: l.span(n)}
}

// expr lowers an expression. The result is never nil: what error recovery has left out is an empty Other.
func (l *lowering) expr(n *syntax.Node) *code.Expr { return l.value(n, name{}) }

// value lowers the expression that a name is bound to.
func (l *lowering) value(n *syntax.Node, as name) *code.Expr {
	if n == nil || n.Missing {
		return l.other(n, "")
	}
	if n = bareNode(n); n.Missing {
		return l.other(n, "")
	}
	if e := l.literal(n); e != nil {
		return e
	}
	e := &code.Expr{Span: l.span(n)}
	switch n.Type {
	case "identifier", "this", "super", "private_property_identifier", "shorthand_property_identifier", "import",
		"property_identifier", "shorthand_property_identifier_pattern", "statement_identifier":
		e.Kind, e.Text = code.Name, l.text(n)
		if e.Text == "undefined" {
			e.Kind, e.Text = code.Undefined, ""
		}
	case "member_expression", "nested_identifier":
		e.Kind, e.X, e.Text = code.Member, l.expr(child(n, "object")), l.text(child(n, "property"))
	case "subscript_expression":
		e.Kind, e.X, e.Args = code.Index, l.expr(child(n, "object")), []*code.Expr{l.expr(child(n, "index"))}
	case "call_expression":
		l.call(n, e)
	case "new_expression":
		e.Kind, e.New, e.X = code.Call, true, l.expr(child(n, "constructor"))
		e.Args = l.exprs(child(n, "arguments").NamedChildren())
	case "object":
		e.Kind, e.Fields = code.Object, l.objectFields(n, as)
	case "array":
		e.Kind, e.Args = code.Array, l.elements(n)
	case "object_pattern":
		e.Kind, e.Fields = code.Binding, l.patternFields(n)
	case "array_pattern":
		e.Kind, e.Args = code.Binding, l.elements(n)
	case "arrow_function", "function_expression", "function", "generator_function":
		e.Kind, e.Func = code.Lambda, l.function(n, as)
	case "class":
		return l.classExpr(n, as)
	case "binary_expression":
		l.binary(n, e)
	case "unary_expression":
		l.unary(n, e)
	case "update_expression":
		return l.other(n, l.text(n.Child("operator")), l.expr(child(n, "argument")))
	case "ternary_expression":
		e.Kind = code.Ternary
		for _, field := range []string{"condition", "consequence", "alternative"} {
			e.Args = append(e.Args, l.expr(child(n, field)))
		}
	case "await_expression", "yield_expression":
		e.Kind, e.X = code.Await, &code.Expr{Kind: code.Undefined, Span: e.Span}
		if x := firstNamed(n); x != nil {
			e.X = l.expr(x)
		}
	case "spread_element", "rest_pattern":
		e.Kind, e.X = code.Spread, l.expr(firstNamed(n))
	case "assignment_expression", "assignment_pattern", "object_assignment_pattern":
		left, right := child(n, "left"), child(n, "right")
		e.Kind, e.X, e.Y = code.Assign, l.expr(left), l.value(right, l.target(left))
	case "augmented_assignment_expression":
		// x += y used as a value is x = x + y.
		left, op := child(n, "left"), l.text(n.Child("operator"))
		sum := &code.Expr{Kind: code.Binary, Text: op[:max(0, len(op)-1)], Span: e.Span}
		sum.X, sum.Y = l.expr(left), l.expr(child(n, "right"))
		e.Kind, e.X, e.Y = code.Assign, l.expr(left), sum
	case "sequence_expression":
		return l.other(n, ",", l.exprs(n.NamedChildren())...)
	case "meta_property":
		return l.other(n, l.text(n))
	case "decorator":
		return l.expr(firstNamed(n))
	case "jsx_element", "jsx_self_closing_element", "jsx_fragment":
		return l.other(n, "jsx", l.embedded(n)...)
	case "ERROR":
		l.errors[n] = true
		return l.other(n, "", l.parts(n)...)
	default:
		return l.other(n, "", l.parts(n)...)
	}
	return e
}

// parts lowers the children of a node of which nothing else is known.
func (l *lowering) parts(n *syntax.Node) []*code.Expr {
	if types[n.Type] {
		return nil
	}
	var out []*code.Expr
	var body []*code.Stmt
	for _, c := range n.NamedChildren() {
		switch {
		case types[c.Type] || isComment(c):
		case isStmt(c):
			body = append(body, l.stmt(c)...)
		default:
			out = append(out, l.expr(c))
		}
	}
	if len(body) > 0 {
		out = append(out, l.wrap(n, body))
	}
	return out
}

// wrap keeps statements where only an expression can stand.
func (l *lowering) wrap(n *syntax.Node, body []*code.Stmt) *code.Expr {
	return &code.Expr{Kind: code.Lambda, Span: l.span(n), Func: &code.Func{
		Body: body, File: l.f, Span: l.span(n), NameSpan: l.span(n),
	}}
}

func (l *lowering) call(n *syntax.Node, e *code.Expr) {
	e.Kind, e.X = code.Call, l.expr(child(n, "function"))
	args := child(n, "arguments")
	if args.Is("template_string") {
		e.Args = []*code.Expr{l.expr(args)} // tag`text`
		return
	}
	if module, ok := l.load(n); ok && !l.loads[n] {
		l.addImport(n, module, "", "", false)
	}
	e.Args = l.exprs(args.NamedChildren())
}

// operators that the neutral form spells in another way.
var operators = map[string]string{"===": "==", "!==": "!="}

func (l *lowering) binary(n *syntax.Node, e *code.Expr) {
	op := l.text(n.Child("operator"))
	e.Kind, e.Text = code.Binary, op
	if plain, ok := operators[op]; ok {
		e.Text = plain
	}
	e.X, e.Y = l.expr(child(n, "left")), l.expr(child(n, "right"))
	switch op {
	case "==":
		nullish(e, "||")
	case "!=":
		nullish(e, "&&")
	}
}

// nullish spells out that the loose x == null is true of undefined too, because the neutral == is the strict one.
// What does something when it is evaluated is left alone: it must not seem to run twice.
func nullish(e *code.Expr, join string) {
	x, y := e.X, e.Y
	if x.Kind == code.Null || x.Kind == code.Undefined {
		x, y = y, x
	}
	if y.Kind != code.Null && y.Kind != code.Undefined || !inert(x) {
		return
	}
	one, other := *e, *e
	one.X, one.Y = x, &code.Expr{Kind: code.Null, Span: y.Span}
	other.X, other.Y = x, &code.Expr{Kind: code.Undefined, Span: y.Span}
	*e = code.Expr{Kind: code.Binary, Text: join, X: &one, Y: &other, Span: e.Span}
}

// inert reports whether an expression is a name or a chain of members.
func inert(e *code.Expr) bool {
	switch e.Kind {
	case code.Name:
		return true
	case code.Member:
		return inert(e.X)
	case code.Index:
		return inert(e.X) && (e.Args[0].Kind == code.String || e.Args[0].Kind == code.Number || inert(e.Args[0]))
	}
	return false
}

func (l *lowering) unary(n *syntax.Node, e *code.Expr) {
	op, arg := l.text(n.Child("operator")), child(n, "argument")
	e.Kind, e.Text, e.X = code.Unary, op, l.expr(arg)
	switch {
	case op == "void" && e.X.Kind == code.Number:
		*e = code.Expr{Kind: code.Undefined, Span: e.Span}
	case op == "-" && e.X.Kind == code.Number && e.X.Text != "" && e.X.Text[0] != '-':
		*e = code.Expr{Kind: code.Number, Text: "-" + e.X.Text, Span: e.Span} // an error code such as -32601
	}
}

// elements lowers an array or an array pattern. A hole is Undefined in an array and an empty Other in a pattern,
// so that the places of the others stay right.
func (l *lowering) elements(n *syntax.Node) []*code.Expr {
	hole := code.Undefined
	if n.Type == "array_pattern" {
		hole = code.Other
	}
	var out []*code.Expr
	filled := false
	for _, c := range n.Children {
		switch {
		case isComment(c):
		case c.Type == ",":
			if !filled {
				out = append(out, &code.Expr{Kind: hole, Span: l.span(c)})
			}
			filled = false
		case c.Named:
			out = append(out, l.expr(c))
			filled = true
		}
	}
	return out
}

// key lowers the key of a member. A computed key that is a plain name is an Index without X, so that nobody
// takes the name for the key.
func (l *lowering) key(n *syntax.Node) *code.Expr {
	if !n.Is("computed_property_name") {
		return l.plainName(n)
	}
	e := l.expr(firstNamed(n))
	if e.Kind == code.Name {
		e = &code.Expr{Kind: code.Index, Args: []*code.Expr{e}, Span: l.span(n)}
	}
	return e
}

// plainName is a name that is a word, even if the word is undefined.
func (l *lowering) plainName(n *syntax.Node) *code.Expr {
	if n.Is("string", "number") {
		return l.expr(n)
	}
	return &code.Expr{Kind: code.Name, Text: l.text(n), Span: l.span(n)}
}

// objectFields lowers the members of an object literal. Functions among them belong to the path of the object.
func (l *lowering) objectFields(n *syntax.Node, as name) []code.Field {
	var out []code.Field
	for _, c := range n.NamedChildren() {
		switch c.Type {
		case "pair":
			key := l.key(child(c, "key"))
			out = append(out, code.Field{Key: key, Value: l.value(child(c, "value"), as.member(key))})
		case "shorthand_property_identifier":
			out = append(out, code.Field{Key: l.plainName(c), Value: l.expr(c)})
		case "method_definition":
			key := l.key(child(c, "name"))
			out = append(out, code.Field{Key: key, Value: l.methodValue(c, as.member(key))})
		case "spread_element":
			out = append(out, code.Field{Value: l.expr(firstNamed(c))})
		case "object_assignment_pattern":
			left := child(c, "left")
			out = append(out, code.Field{Key: l.plainName(left), Value: l.expr(left), Default: l.expr(child(c, "right"))})
		case "html_comment":
		default:
			out = append(out, code.Field{Value: l.other(c, "", l.expr(c))}) // unknown members may be anything
		}
	}
	return out
}

// methodValue lowers a method of an object literal. What a getter or a setter stands for is not its function.
func (l *lowering) methodValue(n *syntax.Node, as name) *code.Expr {
	accessor := accessorOf(n)
	if accessor != "" {
		as.text = accessor + " " + as.text
	}
	fn := &code.Expr{Kind: code.Lambda, Func: l.function(n, as), Span: l.span(n)}
	if accessor != "" {
		return l.other(n, accessor, fn)
	}
	return fn
}

// patternFields lowers {a, b: c, d = 1, ...rest}.
func (l *lowering) patternFields(n *syntax.Node) []code.Field {
	var out []code.Field
	for _, c := range n.NamedChildren() {
		switch c.Type {
		case "shorthand_property_identifier_pattern":
			out = append(out, code.Field{Key: l.plainName(c), Value: l.expr(c)})
		case "object_assignment_pattern":
			f := l.withDefault(c)
			if left := child(c, "left"); left.Is("shorthand_property_identifier_pattern") {
				f.Key = l.plainName(left)
			}
			out = append(out, f)
		case "pair_pattern":
			f := l.withDefault(child(c, "value"))
			f.Key = l.key(child(c, "key"))
			out = append(out, f)
		case "rest_pattern":
			out = append(out, code.Field{Value: l.expr(firstNamed(c))})
		case "html_comment":
		default:
			out = append(out, code.Field{Value: l.other(c, "", l.expr(c))})
		}
	}
	return out
}

// withDefault splits a = b into the value and the default of a field.
func (l *lowering) withDefault(n *syntax.Node) code.Field {
	if n.Is("assignment_pattern", "object_assignment_pattern") {
		return code.Field{Value: l.expr(child(n, "left")), Default: l.expr(child(n, "right"))}
	}
	return code.Field{Value: l.expr(n)}
}

// embedded lowers the expressions inside JSX: attributes, spreads and children.
func (l *lowering) embedded(n *syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, c := range n.NamedChildren() {
		switch c.Type {
		case "jsx_expression":
			for _, e := range c.NamedChildren() {
				out = append(out, l.expr(e))
			}
		case "jsx_opening_element", "jsx_attribute":
			out = append(out, l.embedded(c)...)
		case "jsx_element", "jsx_self_closing_element", "jsx_fragment", "ERROR":
			out = append(out, l.expr(c))
		}
	}
	return out
}
