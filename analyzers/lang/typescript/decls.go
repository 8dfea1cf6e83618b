//go:build cgo

package typescript

import (
	"fmt"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// function lowers any function with a body: declarations, methods, arrows. It joins File.Funcs if a name leads to
// it.
func (l *lowering) function(n *syntax.Node, as name) *code.Func {
	f := &code.Func{
		Name: as.text, Class: as.class, Async: has(n, "async"), File: l.f, Span: l.span(n), NameSpan: as.span,
	}
	reachable := as.text != "" && !as.inner
	if own := child(n, "name"); own != nil && f.Name == "" && !n.Is("method_definition") {
		f.Name, f.NameSpan, reachable = l.text(own), l.span(own), true
	}
	if as.inner {
		f.Class = ""
	}
	body := child(n, "body")
	if f.NameSpan.File == "" {
		f.NameSpan = l.head(n, body)
	}
	if reachable {
		l.f.Funcs = append(l.f.Funcs, f)
	}
	defer func(class string) { l.class = class }(l.class)
	if n.Type != "arrow_function" {
		l.class = f.Class // an arrow keeps the this of what is around it
	}
	if p := child(n, "parameter"); p != nil {
		f.Params = []code.Param{l.param(p)}
	}
	for _, p := range child(n, "parameters").NamedChildren() {
		if !child(p, "pattern").Is("this") && !isComment(p) {
			f.Params = append(f.Params, l.param(p))
		}
	}
	if t := l.typeText(child(n, "return_type")); t != "" {
		f.Results = []string{t}
	}
	switch {
	case body.Is("statement_block"):
		f.Body = l.stmts(body.Children)
	case body != nil:
		f.Body = []*code.Stmt{{Kind: code.StmtReturn, Exprs: []*code.Expr{l.expr(body)}, Span: l.span(body)}}
	}
	return f
}

// head is the place of a function without a name: what stands before its body.
func (l *lowering) head(n, body *syntax.Node) mcpaudit.Span {
	s := l.span(n)
	if body != nil && body.Start > n.Start {
		s.End = n.Start + len(strings.TrimRight(string(l.t.Src[n.Start:body.Start]), " \t\r\n"))
	}
	return s
}

// typeText returns an annotation without its colon, on one line.
func (l *lowering) typeText(n *syntax.Node) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(l.text(n), ":")), " ")
}

func (l *lowering) param(n *syntax.Node) code.Param {
	var p code.Param
	for _, d := range n.All("decorator") {
		l.homeless = append(l.homeless, l.expr(d))
	}
	pattern := n
	switch n.Type {
	case "required_parameter", "optional_parameter":
		pattern = child(n, "pattern")
		p.Type = l.typeText(child(n, "type"))
		if v := child(n, "value"); v != nil {
			p.Default = l.expr(v)
		}
	case "assignment_pattern":
		pattern = child(n, "left")
		p.Default = l.expr(child(n, "right"))
	}
	if pattern.Is("rest_pattern") {
		p.Rest = true
		pattern = firstNamed(pattern)
	}
	switch {
	case pattern.Is("object_pattern"):
		p.Fields = l.patternFields(pattern)
	case pattern.Is("array_pattern"):
		for i, e := range l.elements(pattern) {
			p.Fields = append(p.Fields, elementField(i, e))
		}
	case pattern.Is("identifier"):
		p.Name = l.text(pattern)
	case pattern != nil:
		p.Fields = []code.Field{{Value: l.other(pattern, "", l.expr(pattern))}}
	}
	return p
}

// elementField makes a field with a number for a key of an element of an array pattern.
func elementField(i int, e *code.Expr) code.Field {
	switch e.Kind {
	case code.Spread:
		return code.Field{Value: e.X}
	case code.Assign:
		return code.Field{Key: index(i, e), Value: e.X, Default: e.Y}
	}
	return code.Field{Key: index(i, e), Value: e}
}

func index(i int, e *code.Expr) *code.Expr {
	return &code.Expr{Kind: code.Number, Text: fmt.Sprint(i), Span: e.Span}
}

// classExpr lowers a class that is a value.
func (l *lowering) classExpr(n *syntax.Node, as name) *code.Expr {
	c, rest := l.classBody(n, as, nil)
	e := l.other(n, "class", c.Bases...)
	if len(rest) > 0 {
		e.Args = append(e.Args[:len(e.Args):len(e.Args)], l.wrap(n, rest))
	}
	return e
}

// classStmt lowers a class declaration. What runs with it but is neither a method nor a field follows it.
func (l *lowering) classStmt(n *syntax.Node, as name, decorators []*code.Expr) []*code.Stmt {
	_, rest := l.classBody(n, as, decorators)
	return append([]*code.Stmt{{Kind: code.StmtClass, Span: l.span(n)}}, rest...)
}

func (l *lowering) classBody(n *syntax.Node, as name, decorators []*code.Expr) (*code.Class, []*code.Stmt) {
	c := &code.Class{Name: as.text, Span: l.span(n), File: l.f, Decorators: decorators}
	if own := child(n, "name"); own != nil && c.Name == "" {
		c.Name = l.text(own)
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("class@%d", n.Start) // no name of the language, so that methods have an owner
	}
	l.f.Classes = append(l.f.Classes, c)
	defer func(class string, homeless []*code.Expr) { l.class, l.homeless = class, homeless }(l.class, l.homeless)
	l.homeless = nil
	c.Decorators = append(c.Decorators, l.decorators(n)...)
	if h := n.First("class_heritage"); h != nil {
		c.Bases = l.bases(h)
	}
	l.class = c.Name
	var rest []*code.Stmt
	var pending []*code.Expr // decorators in front of the next member
	for _, m := range child(n, "body").NamedChildren() {
		switch m.Type {
		case "decorator":
			pending = append(pending, l.expr(m))
			continue
		case "method_definition":
			l.method(m, c, pending)
		case "public_field_definition", "field_definition":
			l.homeless = append(l.homeless, append(pending, l.decorators(m)...)...)
			l.field(m, c)
		case "class_static_block":
			rest = append(rest, &code.Stmt{
				Kind: code.StmtBlock, Body: l.stmts(child(m, "body").NamedChildren()), Span: l.span(m),
			})
		case "method_signature", "abstract_method_signature", "index_signature", "html_comment":
			l.homeless = append(l.homeless, pending...)
		default:
			rest = append(rest, l.stmt(m)...)
		}
		pending = nil
	}
	if all := append(l.homeless, pending...); len(all) > 0 {
		rest = append(rest, &code.Stmt{Kind: code.StmtOther, Exprs: all, Span: c.Span})
	}
	return c, rest
}

func (l *lowering) decorators(n *syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, d := range n.NamedChildren() {
		if d.Type == "decorator" {
			out = append(out, l.expr(d))
		}
	}
	return out
}

func (l *lowering) bases(h *syntax.Node) []*code.Expr {
	var out []*code.Expr
	for _, c := range h.NamedChildren() {
		switch c.Type {
		case "extends_clause":
			for _, v := range c.All("value") {
				out = append(out, l.expr(v))
			}
		case "implements_clause":
			for _, t := range c.NamedChildren() {
				out = append(out, l.typeName(t))
			}
		default:
			out = append(out, l.expr(c)) // JavaScript
		}
	}
	return out
}

// typeName turns the name of a type into an expression and forgets its arguments.
func (l *lowering) typeName(n *syntax.Node) *code.Expr {
	e := &code.Expr{Span: l.span(n)}
	switch {
	case n.Is("generic_type"):
		return l.typeName(child(n, "name"))
	case n.Is("nested_type_identifier"):
		e.Kind, e.X, e.Text = code.Member, l.expr(child(n, "module")), l.text(child(n, "name"))
	case n.Is("type_identifier", "identifier"):
		e.Kind, e.Text = code.Name, l.text(n)
	default:
		e.Text = l.typeText(n)
	}
	return e
}

// accessorOf returns "get" or "set" for an accessor. A method named get has the name in a field instead.
func accessorOf(method *syntax.Node) string {
	for _, c := range method.Children {
		if c.Field == "" && !c.Named && c.Is("get", "set") {
			return c.Type
		}
	}
	return ""
}

// memberName is the name of a class member: decoded if it is a string, the source in brackets if it is computed.
func (l *lowering) memberName(n *syntax.Node) string {
	key := l.key(n)
	if text := (code.Field{Key: key}).KeyText(); text != "" {
		return text
	}
	return l.text(n)
}

func (l *lowering) method(n *syntax.Node, c *code.Class, decorators []*code.Expr) {
	at := child(n, "name")
	as := name{text: l.memberName(at), class: c.Name, span: l.span(at)}
	if accessor := accessorOf(n); accessor != "" {
		as.text = accessor + " " + as.text
	}
	decorators = append(decorators, l.decorators(n)...)
	f := l.function(n, as)
	f.Decorators = decorators
	if as.text == "constructor" {
		l.parameterProperties(child(n, "parameters"), c)
	}
}

// parameterProperties makes fields of constructor(private readonly x: T).
func (l *lowering) parameterProperties(params *syntax.Node, c *code.Class) {
	for _, p := range params.NamedChildren() {
		at := child(p, "pattern")
		if at.Is("identifier") && (p.First("accessibility_modifier", "override_modifier") != nil || has(p, "readonly")) {
			c.Fields = append(c.Fields, code.ClassField{
				Name: l.text(at), Type: l.typeText(child(p, "type")), Span: l.span(p),
			})
		}
	}
}

func (l *lowering) field(n *syntax.Node, c *code.Class) {
	at := child(n, "name")
	if at == nil {
		at = child(n, "property") // JavaScript
	}
	f := code.ClassField{Name: l.memberName(at), Type: l.typeText(child(n, "type")), Span: l.span(n)}
	if v := child(n, "value"); v != nil {
		f.Value = l.value(v, name{text: f.Name, class: c.Name, fields: c.Name + "." + f.Name, span: l.span(at)})
	}
	c.Fields = append(c.Fields, f)
}

// enum lowers an enum to a class whose fields have the values that are written down; a counted member has none.
func (l *lowering) enum(n *syntax.Node) {
	c := &code.Class{Name: l.text(child(n, "name")), Enum: true, Span: l.span(n), File: l.f}
	l.f.Classes = append(l.f.Classes, c)
	for _, m := range child(n, "body").NamedChildren() {
		switch {
		case m.Type == "enum_assignment":
			at := child(m, "name")
			c.Fields = append(c.Fields, code.ClassField{
				Name: l.memberName(at), Value: l.expr(child(m, "value")), Span: l.span(m),
			})
		case m.Field == "name":
			c.Fields = append(c.Fields, code.ClassField{Name: l.memberName(m), Span: l.span(m)})
		}
	}
}

// iface lowers an interface to a class with the types of its members.
func (l *lowering) iface(n *syntax.Node) {
	c := &code.Class{Name: l.text(child(n, "name")), Span: l.span(n), File: l.f}
	l.f.Classes = append(l.f.Classes, c)
	if ext := n.First("extends_type_clause"); ext != nil {
		for _, t := range ext.All("type") {
			if t.Named {
				c.Bases = append(c.Bases, l.typeName(t))
			}
		}
	}
	for _, m := range child(n, "body").NamedChildren() {
		at := child(m, "name")
		if at == nil || !m.Is("property_signature", "method_signature") {
			continue
		}
		f := code.ClassField{Name: l.memberName(at), Type: l.typeText(child(m, "type")), Span: l.span(m)}
		if m.Type == "method_signature" {
			f.Type = l.typeText(child(m, "parameters")) + " => " + l.typeText(child(m, "return_type"))
		}
		c.Fields = append(c.Fields, f)
	}
}
