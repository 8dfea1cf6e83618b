//go:build cgo

package gosyntax

import (
	"go/token"
	"slices"
	"strconv"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang/gotext"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func (l *lowerer) exprs(list []*syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, n := range list {
		out = append(out, l.expr(n))
	}
	return out
}

// list lowers an expression_list, or the one expression that stands for it.
func (l *lowerer) list(n *syntax.Node) []*code.Expr {
	switch {
	case n == nil:
		return nil
	case n.Is("expression_list"):
		return l.exprs(n.NamedChildren())
	}
	return []*code.Expr{l.expr(n)}
}

// expr lowers an expression and never returns nil, not even for a nil node.
func (l *lowerer) expr(n *syntax.Node) *code.Expr {
	switch {
	case n == nil:
		return &code.Expr{Kind: code.Other, Span: l.t.Span(nil)}
	case n.Is("parenthesized_expression", "parenthesized_type", "pointer_type", "literal_element"):
		if kids := n.NamedChildren(); len(kids) == 1 {
			return l.expr(kids[0])
		}
	case n.Is("type_assertion_expression"):
		return l.expr(n.Child("operand"))
	}
	x := l.plain(n)
	if x.Span.File == "" { // an operand that stays has its own place
		x.Span = l.t.Span(n)
	}
	return x
}

// plain lowers by the type of the node. An operand that stays in the place of the whole keeps its own span.
func (l *lowerer) plain(n *syntax.Node) *code.Expr {
	if x := l.literal(n); x != nil {
		return x
	}
	switch n.Type {
	case "nil":
		return &code.Expr{Kind: code.Null}
	case "true", "false":
		return &code.Expr{Kind: code.Bool, Text: n.Type}
	case "identifier", "blank_identifier", "iota", "type_identifier", "package_identifier", "field_identifier":
		name := l.t.Text(n)
		if l.recv != "" && name == l.recv {
			return &code.Expr{Kind: code.Name, Text: "this"}
		}
		return &code.Expr{Kind: code.Name, Text: name}
	case "selector_expression":
		return &code.Expr{Kind: code.Member, X: l.expr(n.Child("operand")), Text: l.t.Text(n.Child("field"))}
	case "qualified_type":
		return &code.Expr{Kind: code.Member, X: l.expr(n.Child("package")), Text: l.t.Text(n.Child("name"))}
	case "generic_type": // where no type can stand, the grammar's name for a[b]
		return l.instance(n.Child("type"), n.Child("type_arguments").NamedChildren(), n.End, false)
	case "type_instantiation_expression":
		return l.instantiation(n)
	case "index_expression":
		if n.Child("operand") != nil && n.Child("index") != nil {
			called := n.Parent.Is("call_expression") && n.Field == "function"
			return l.instance(n.Child("operand"), []*syntax.Node{n.Child("index")}, n.End, called)
		}
	case "slice_expression", "keyed_element":
		return &code.Expr{Kind: code.Other, Args: l.exprs(n.NamedChildren())}
	case "call_expression":
		return l.call(n)
	case "type_conversion_expression":
		return l.conversion(n)
	case "unary_expression":
		return l.unary(n)
	case "binary_expression":
		return &code.Expr{
			Kind: code.Binary, X: l.expr(n.Child("left")), Text: l.t.Text(n.Child("operator")), Y: l.expr(n.Child("right")),
		}
	case "composite_literal":
		l.anonymous(n.Child("type"))
		return l.composite(n, n.Child("body"), n.Child("type"))
	case "literal_value":
		return l.composite(n, n, nil)
	case "func_literal":
		f := &code.Func{File: l.file, Span: l.t.Span(n), NameSpan: l.span(n.Start, n.Start+len("func"))}
		l.signature(f, n)
		f.Body = l.body(n)
		return &code.Expr{Kind: code.Lambda, Func: f}
	case "variadic_argument":
		if kids := n.NamedChildren(); len(kids) == 1 {
			return &code.Expr{Kind: code.Spread, X: l.expr(kids[0])}
		}
	case "array_type", "slice_type", "map_type", "channel_type", "function_type", "struct_type", "interface_type":
		return &code.Expr{Kind: code.Other, Text: l.text(n)}
	}
	// An unknown node, most often an ERROR, keeps its parts.
	l.errors[n] = true
	x := &code.Expr{Kind: code.Other, Args: l.exprs(n.NamedChildren())}
	if len(x.Args) == 0 {
		x.Text = l.text(n)
	}
	return x
}

// literal returns the value of a basic literal or of a negated number.
func (l *lowerer) literal(n *syntax.Node) *code.Expr {
	kinds := map[string]token.Token{
		"interpreted_string_literal": token.STRING, "raw_string_literal": token.STRING, "rune_literal": token.CHAR,
		"int_literal": token.INT, "float_literal": token.FLOAT, "imaginary_literal": token.IMAG,
	}
	if kind, ok := kinds[n.Type]; ok {
		return gotext.BasicLit(kind, l.t.Text(n))
	}
	if n.Is("unary_expression") && l.t.Text(n.Child("operator")) == "-" {
		if kind, ok := kinds[typeOf(n.Child("operand"))]; ok && kind != token.STRING {
			if x := gotext.BasicLit(kind, l.t.Text(n.Child("operand"))); x != nil {
				x.Text = "-" + x.Text
				return x
			}
		}
	}
	return nil
}

// typeOf is safe on nil.
func typeOf(n *syntax.Node) string {
	if n == nil {
		return ""
	}
	return n.Type
}

// unary: the address of a thing and the thing behind an address are lowered to the thing.
func (l *lowerer) unary(n *syntax.Node) *code.Expr {
	x := l.expr(n.Child("operand"))
	switch op := l.t.Text(n.Child("operator")); op {
	case "&", "*":
		return x
	case "<-":
		return &code.Expr{Kind: code.Await, X: x}
	default:
		return &code.Expr{Kind: code.Unary, Text: op, X: x}
	}
}

// isType reports whether an operand in brackets can only be a type, as far as one file can tell.
func (l *lowerer) isType(n *syntax.Node) bool {
	n = unparen(n)
	switch {
	case n.Is("identifier", "type_identifier"):
		name := l.t.Text(n)
		return gotext.Predeclared(name) || l.types[name] != nil && !l.values[name]
	case n.Is("generic_type"):
		return l.isType(n.Child("type"))
	case n.Is("index_expression", "type_instantiation_expression"):
		return l.isType(n.NamedChildren()[0])
	}
	return n.Is("array_type", "slice_type", "map_type", "channel_type", "function_type", "struct_type",
		"interface_type", "pointer_type")
}

// instance lowers x[a] and x[a, b]: x alone if a is a type, else an element of x. In front of arguments the two look
// the same, and a name that the file does not declare is taken for a type there; but a variable and a field are
// never generic. The type checker knows better.
func (l *lowerer) instance(base *syntax.Node, args []*syntax.Node, end int, called bool) *code.Expr {
	x := l.expr(base)
	for i, a := range args {
		if kids := a.NamedChildren(); a.Is("type_elem") && len(kids) == 1 {
			args[i] = kids[0]
		}
	}
	if len(args) != 1 || l.isType(args[0]) || called && l.generic(base) && !l.value(args[0]) {
		return x
	}
	return &code.Expr{Kind: code.Index, X: x, Args: []*code.Expr{l.expr(args[0])}, Span: l.span(base.Start, end)}
}

// generic reports whether an operand may be a generic function.
func (l *lowerer) generic(n *syntax.Node) bool {
	switch n = unparen(n); {
	case n.Is("identifier", "type_identifier"):
		return !l.values[l.t.Text(n)]
	case n.Is("selector_expression", "qualified_type"):
		return l.packages[l.t.Text(n.NamedChildren()[0])]
	}
	return false
}

// value reports whether the file declares an operand as a variable, a parameter or a constant.
func (l *lowerer) value(n *syntax.Node) bool {
	switch n = unparen(n); {
	case n.Is("identifier", "type_identifier"):
		return l.values[l.t.Text(n)]
	case n.Is("selector_expression", "qualified_type"):
		return !l.packages[l.t.Text(n.NamedChildren()[0])]
	case n.Is("generic_type"):
		return l.value(n.Child("type"))
	}
	return true
}

// mayBeType tells new(T) from new(value), which Go has since 1.26.
func (l *lowerer) mayBeType(n *syntax.Node) bool {
	n = unparen(n)
	if n.Is("identifier", "type_identifier", "selector_expression", "qualified_type") {
		return !l.value(n)
	}
	return l.isType(n)
}

// instantiation lowers what the grammar calls a generic type wherever it sees a[b] and could not rule that out; in
// an expression it is nearly always an element of a.
func (l *lowerer) instantiation(n *syntax.Node) *code.Expr {
	kids := n.NamedChildren()
	if len(kids) == 0 {
		return &code.Expr{Kind: code.Other, Text: l.text(n)}
	}
	return l.instance(kids[0], kids[1:], n.End, false)
}

// call lowers f(x) and []byte(x); a conversion to a type without a name is a call of its text. The first argument
// of make and new is a type.
func (l *lowerer) call(n *syntax.Node) *code.Expr {
	fn := n.Child("function")
	x := &code.Expr{Kind: code.Call}
	if t := unparen(fn); t.Is("array_type", "slice_type", "map_type", "channel_type", "function_type", "struct_type", "interface_type") {
		l.anonymous(t)
		x.X = &code.Expr{Kind: code.Name, Text: l.typeName(t), Span: l.t.Span(fn)}
	} else {
		x.X = l.expr(fn)
	}
	if args := n.Child("type_arguments"); args != nil && fn != nil {
		x.X = l.instance(fn, args.NamedChildren(), args.End, true)
	}
	for i, a := range n.Child("arguments").NamedChildren() {
		if name := l.t.Text(fn); i == 0 && (name == "make" || name == "new" && l.mayBeType(a)) {
			l.anonymous(a)
			x.Args = append(x.Args, &code.Expr{Kind: code.Other, Text: l.text(a), Span: l.t.Span(a)})
			continue
		}
		x.Args = append(x.Args, l.expr(a))
	}
	return x
}

// conversion lowers T(x). The grammar takes f[k](x) for one as well.
func (l *lowerer) conversion(n *syntax.Node) *code.Expr {
	t := n.Child("type")
	x := &code.Expr{Kind: code.Call, Args: []*code.Expr{l.expr(n.Child("operand"))}}
	switch {
	case t.Is("generic_type"):
		x.X = l.instance(t.Child("type"), t.Child("type_arguments").NamedChildren(), t.End, true)
	case unparen(t).Is("type_identifier", "qualified_type", "pointer_type", "generic_type"):
		x.X = l.expr(bare(t))
	default:
		l.anonymous(t)
		x.X = &code.Expr{Kind: code.Name, Text: l.typeName(t), Span: l.t.Span(t)}
	}
	return x
}

// literalKind is what a composite literal makes. It is unknown for types of other files.
type literalKind int

const (
	unknownLiteral literalKind = iota
	structLiteral
	mapLiteral
	arrayLiteral
)

// composite lowers T{...}. typ is nil, or the type that the enclosing literal gives to an element without one.
func (l *lowerer) composite(n, body, typ *syntax.Node) *code.Expr {
	x := &code.Expr{Kind: code.Object, Span: l.t.Span(n)}
	if typ != nil {
		x.Type = l.typeName(typ)
	}
	kind, under := l.kind(typ)
	elts := body.NamedChildren()
	// An array with keys, as tables of names by number have them, is an object, so that no key is lost.
	keyed := slices.ContainsFunc(elts, func(e *syntax.Node) bool { return e.Is("keyed_element") })
	if kind == arrayLiteral && !keyed {
		x.Kind = code.Array
	}
	key, elem := under.Child("key"), under.Child("value")
	if kind == arrayLiteral {
		key, elem = nil, under.Child("element")
	}
	for i, e := range elts {
		if !e.Is("keyed_element") {
			v := l.element(e, elem)
			if x.Kind == code.Array {
				x.Args = append(x.Args, v)
				continue
			}
			k := &code.Expr{Kind: code.Name, Text: l.position(i, kind, under), Span: l.span(e.Start, e.Start)}
			x.Fields = append(x.Fields, code.Field{Key: k, Value: v})
			continue
		}
		kids := e.NamedChildren()
		if len(kids) != 2 {
			x.Fields = append(x.Fields, code.Field{Value: l.expr(e)})
			continue
		}
		x.Fields = append(x.Fields, code.Field{Key: l.key(kids[0], kind, key), Value: l.element(kids[1], elem)})
	}
	return x
}

// position is the key of the i-th element of a struct literal without keys.
func (l *lowerer) position(i int, kind literalKind, under *syntax.Node) string {
	if kind == structLiteral {
		var c code.Class
		saved := l.file.Classes
		l.structFields(&c, under)
		l.file.Classes = saved
		if i < len(c.Fields) {
			return c.Fields[i].Name
		}
	}
	return "#" + strconv.Itoa(i)
}

// key lowers the key of a map or of a struct. Where the type is unknown, a bare name is the name of a field.
func (l *lowerer) key(n *syntax.Node, kind literalKind, typ *syntax.Node) *code.Expr {
	id := n
	if kids := n.NamedChildren(); n.Is("literal_element") && len(kids) == 1 {
		id = kids[0]
	}
	if id.Is("identifier") && (kind == structLiteral || kind == unknownLiteral) {
		return &code.Expr{Kind: code.Name, Text: l.t.Text(id), Span: l.t.Span(id)}
	}
	x := l.element(n, typ)
	switch x.Kind {
	case code.String, code.Number, code.Bool:
		return x
	}
	return &code.Expr{Kind: code.Index, Args: []*code.Expr{x}, Span: x.Span}
}

// element lowers a part of a literal, which may leave out a type that the whole implies.
func (l *lowerer) element(n, typ *syntax.Node) *code.Expr {
	if kids := n.NamedChildren(); n.Is("literal_element") && len(kids) == 1 {
		n = kids[0]
	}
	if n.Is("literal_value") {
		return l.composite(n, n, typ)
	}
	return l.expr(n)
}

// kind follows a type to its definition in the same file.
func (l *lowerer) kind(typ *syntax.Node) (literalKind, *syntax.Node) {
	for range 8 { // a chain of definitions; a circle ends here too
		typ = bare(typ)
		switch {
		case typ.Is("map_type"):
			return mapLiteral, typ
		case typ.Is("array_type", "slice_type", "implicit_length_array_type"):
			return arrayLiteral, typ
		case typ.Is("struct_type"):
			return structLiteral, typ
		case typ.Is("type_identifier") && l.types[l.t.Text(typ)] != nil:
			typ = l.types[l.t.Text(typ)]
		default:
			return unknownLiteral, nil
		}
	}
	return unknownLiteral, nil
}
