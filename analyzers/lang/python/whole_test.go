//go:build cgo

package python

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// lost lists the names and literals of the source that no expression of the lowered file stands for. What has a
// place of its own without a span (types, parameters, imports, names of classes and attributes) is not looked for.
func lost(t *syntax.Tree, f *code.File) []string {
	c := spans(f)
	var out []string
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if unspanned(n) || n.Missing {
			return
		}
		if n.Is("identifier", "string", "concatenated_string", "integer", "float", "true", "false", "none") && !c[t.Span(n)] && !attribute(t, c, n) {
			out = append(out, fmt.Sprintf("%d: %s %q in %s", n.Start, n.Type, t.Text(n), n.Parent.Type))
		}
		if n.Is("concatenated_string") { // one expression, whose parts are only looked at for what they embed
			for _, s := range n.Children {
				for _, k := range s.Children {
					visit(k)
				}
			}
			return
		}
		children := n.Children
		if n.Is("call") && strings.HasSuffix(t.Text(n.Child("function")), "cast") && !c[t.Span(n)] {
			children = kids(n.Child("arguments"))[1:] // a cast vanishes but for its operand
		}
		for _, k := range children {
			visit(k)
		}
	}
	visit(t.Root)
	return out
}

func unspanned(n *syntax.Node) bool {
	p := n.Parent
	switch {
	case p == nil:
		return false
	case n.Is("import_statement", "import_from_statement", "future_import_statement", "type", "type_parameter"):
		return true
	case p.Is("class_definition", "function_definition") && n.Field == "name":
		return true
	case p.Is("parameters", "lambda_parameters") && n.Is("identifier"),
		p.Is("default_parameter", "typed_default_parameter") && n.Field == "name",
		p.Is("typed_parameter", "list_splat_pattern", "dictionary_splat_pattern") && n.Is("identifier"):
		return true
	case p.Is("class_pattern") && n == first(p), n.Is("string", "concatenated_string") && p.Is("expression_statement"):
		return true // the class of a pattern is text; a string that stands alone may be documentation
	case p.Is("as_pattern_target") && p.Parent.Parent.Is("except_clause", "except_group_clause"):
		return true
	case p.Is("keyword_argument") && n.Field == "name" && p.Parent.Parent.Is("class_definition"):
		return true
	}
	return false
}

// attribute reports whether a name is the target of an assignment that became a field of a class.
func attribute(t *syntax.Tree, c covered, n *syntax.Node) bool {
	for n.Field == "left" || n.Parent.Is("pattern_list", "tuple_pattern", "list_pattern") {
		n = n.Parent
		for n.Parent.Is("assignment") { // a = b = 1 is one field each, of the whole
			n = n.Parent
		}
		if n.Is("assignment") && c[t.Span(n)] {
			return true
		}
	}
	return false
}

// spans collects the spans of all expressions and class fields; for a member also that of its last name.
func spans(f *code.File) covered {
	c := covered{}
	c.walk(reflect.ValueOf(f))
	return c
}

type covered map[mcpaudit.Span]bool

func (c covered) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if e, ok := v.Interface().(*code.Expr); ok {
			c[e.Span] = true
			if e.Kind == code.Member {
				c[mcpaudit.Span{File: e.Span.File, Start: e.Span.End - len(e.Text), End: e.Span.End}] = true
			}
		}
		c.walk(v.Elem())
	case reflect.Struct:
		if f, ok := v.Interface().(code.ClassField); ok {
			c[f.Span] = true
		}
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "File" { // of a Func or Class: the way back
				c.walk(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				c.walk(v.Index(i))
			}
		}
	}
}
