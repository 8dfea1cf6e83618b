//go:build cgo

package python

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// classStmt lowers a class. A nested class is named without the outer one, as its methods are. What its body does
// beside defining attributes, methods and classes follows the StmtClass as a block.
func (l *lowerer) classStmt(n *syntax.Node, decorators []*code.Expr, whole *syntax.Node) []*code.Stmt {
	c := &code.Class{
		Name: l.t.Text(n.Child("name")), Decorators: decorators, Span: l.t.Span(whole), File: l.file,
	}
	var args code.Expr
	l.arguments(&args, n.Child("superclasses"))
	c.Bases = args.Args
	c.Enum = slices.ContainsFunc(c.Bases, l.enum)
	l.file.Classes = append(l.file.Classes, c)

	s := l.newStmt(code.StmtClass, whole)
	for _, f := range args.Fields { // metaclass=M
		s.Exprs = append(s.Exprs, &code.Expr{Kind: code.Other, Args: []*code.Expr{f.Value}, Span: f.Value.Span})
	}
	outer := l.class
	l.class = c
	rest := slices.DeleteFunc(l.block(n.Child("body")), idle)
	l.class = outer
	out := []*code.Stmt{s}
	if len(rest) > 0 {
		b := l.newStmt(code.StmtBlock, n.Child("body"))
		b.Body = rest
		out = append(out, b)
	}
	return out
}

// idle reports whether a statement of a class body is a documentation string, pass or an ellipsis.
func idle(s *code.Stmt) bool {
	switch {
	case s.Kind == code.StmtExpr:
		return s.Exprs[0].Kind == code.String || s.Exprs[0].Kind == code.Other && len(s.Exprs[0].Args) == 0
	case s.Kind == code.StmtOther:
		return len(s.Exprs) == 0 && len(s.Body) == 0
	}
	return false
}

// attribute adds the names that an assignment in a class body binds. It reports whether they are all of it: after
//
//	a: int = 1      a has a type and a value
//	a = b = {}      both have the value
//	a, b = 1, 2     each has its own
//	a, b = pair()   each has a part of an unknown value
//	table[k] = v    nothing is added, the statement has to stay
func (l *lowerer) attribute(n *syntax.Node) bool {
	var targets []*syntax.Node
	value := n
	for value.Is("assignment") { // a = b = 1
		targets = append(targets, value.Child("left"))
		value = value.Child("right")
	}
	var names []*syntax.Node
	single := true
	for _, t := range targets {
		if t.Is("pattern_list", "tuple_pattern", "list_pattern") {
			single = false
			names = append(names, kids(t)...)
		} else {
			names = append(names, t)
		}
	}
	for _, t := range names {
		if !t.Is("identifier") {
			return false
		}
	}
	var values []*code.Expr
	if value != nil {
		v := l.expr(value)
		switch {
		case single:
			for range names {
				values = append(values, v)
			}
		case len(targets) == 1 && v.Kind == code.Array && len(v.Args) == len(names) &&
			!slices.ContainsFunc(v.Args, func(e *code.Expr) bool { return e.Kind == code.Spread }):
			values = v.Args
		default: // one value is shared out among several names: known only as a part of it
			for range names {
				values = append(values, &code.Expr{Kind: code.Other, Args: []*code.Expr{v}, Span: v.Span})
			}
		}
	}
	typ := n.Child("type")
	for i, t := range names {
		f := code.ClassField{Name: l.t.Text(t), Span: l.t.Span(n), JSON: l.alias(n)}
		if typ != nil {
			f.Type = l.t.Text(typ)
		}
		if values != nil {
			f.Value = values[i]
		}
		l.class.Fields = append(l.class.Fields, f)
	}
	return true
}

// alias finds the name on the wire in a call of pydantic's Field, which may be the value or, inside Annotated, a
// part of the type. What is written to the wire has priority over what is read.
func (l *lowerer) alias(n *syntax.Node) string {
	found := map[string]string{}
	l.fieldCalls(n, found)
	if name := found["serialization_alias"]; name != "" {
		return name
	}
	return found["alias"]
}

// fieldCalls collects the keywords that are strings of every call of Field below a node. A lambda is a default
// that is computed later and says nothing about the attribute itself.
func (l *lowerer) fieldCalls(n *syntax.Node, found map[string]string) {
	if n.Is("lambda") {
		return
	}
	if fn := n.Child("function"); n.Is("call") && fn != nil {
		name := l.t.Text(fn)
		if name == "Field" || strings.HasSuffix(name, ".Field") {
			for _, c := range kids(n.Child("arguments")) {
				if c.Is("keyword_argument") && c.Child("value").Is("string", "concatenated_string") {
					if v := l.expr(c.Child("value")); v.Kind == code.String {
						found[l.t.Text(c.Child("name"))] = v.Text
					}
				}
			}
		}
	}
	for _, c := range n.Children {
		l.fieldCalls(c, found)
	}
}

// enum reports whether a base makes a class an enumeration: one of the standard library's, or one of this file.
// Projects often import StrEnum from a shim of their own, so those names count wherever they come from.
func (l *lowerer) enum(base *code.Expr) bool {
	if base.Kind != code.Name && base.Kind != code.Member {
		return false
	}
	name, from := base.Text, ""
	if base.Kind == code.Name {
		if slices.ContainsFunc(l.file.Classes, func(c *code.Class) bool { return c.Enum && c.Name == name }) {
			return true
		}
		if i := l.imported(name); i != nil {
			name, from = i.Name, i.Module
		}
	} else if i := l.imported(base.X.Text); i != nil && base.X.Kind == code.Name {
		from = i.Module
	}
	switch name {
	case "Enum", "IntEnum", "StrEnum":
		return true
	case "Flag", "IntFlag", "ReprEnum":
		return from == "enum"
	}
	return false
}
