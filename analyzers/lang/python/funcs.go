//go:build cgo

package python

import (
	"slices"
	"strconv"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// decorated lowers a function or a class together with its decorators, whose span then includes them.
func (l *lowerer) decorated(n *syntax.Node) []*code.Stmt {
	var decorators []*code.Expr
	for _, c := range n.Children {
		if c.Is("decorator") {
			decorators = append(decorators, l.exprs(kids(c))...)
		}
	}
	def := n.Child("definition")
	switch {
	case def.Is("function_definition"):
		return l.function(def, decorators, n)
	case def.Is("class_definition"):
		return l.classStmt(def, decorators, n)
	}
	return l.with(code.StmtOther, n, decorators...)
}

// function lowers a definition; whole includes its decorators. A method leaves no statement behind: its name is
// not one of the module.
func (l *lowerer) function(n *syntax.Node, decorators []*code.Expr, whole *syntax.Node) []*code.Stmt {
	name := n.Child("name")
	f := &code.Func{
		Name: l.t.Text(name), Decorators: decorators, Async: has(n, "async"), File: l.file,
		Span: l.t.Span(whole), NameSpan: l.t.Span(name),
	}
	l.file.Funcs = append(l.file.Funcs, f)
	if r := n.Child("return_type"); r != nil {
		f.Results = []string{l.t.Text(r)}
	}
	receiver := ""
	params := kids(n.Child("parameters"))
	if l.class != nil {
		f.Class = l.class.Name
		// The first parameter is the receiver whatever it is called; "def f(*args)" takes it as args[0] and has none.
		if !slices.ContainsFunc(decorators, static) && len(params) > 0 {
			if receiver = l.paramName(params[0]); receiver != "" {
				params = params[1:]
			}
		}
	}
	f.Params = l.params(params)
	l.inside(receiver, f.Params, func() { f.Body = l.block(n.Child("body")) })
	if f.Class != "" {
		return nil
	}
	s := l.newStmt(code.StmtFunc, whole)
	s.Func = f
	return []*code.Stmt{s}
}

// static reports whether a decorator takes the receiver away from a method.
func static(d *code.Expr) bool {
	return (d.Kind == code.Name || d.Kind == code.Member) && d.Text == "staticmethod"
}

// inside lowers the body of a function. A function without a receiver of its own still sees the one of the method
// around it, unless a parameter hides it.
func (l *lowerer) inside(receiver string, params []code.Param, body func()) {
	class, outer := l.class, l.receiver
	l.class = nil
	if receiver != "" {
		l.receiver = receiver
	} else if slices.ContainsFunc(params, func(p code.Param) bool { return p.Name == outer }) {
		l.receiver = ""
	}
	body()
	l.class, l.receiver = class, outer
}

// lambda lowers to a function whose one statement returns the expression.
func (l *lowerer) lambda(n *syntax.Node) *code.Func {
	f := &code.Func{File: l.file, Span: l.t.Span(n), NameSpan: l.t.Span(n.First("lambda"))}
	f.Params = l.params(kids(n.Child("parameters")))
	body := n.Child("body")
	l.inside("", f.Params, func() { f.Body = l.with(code.StmtReturn, body, l.expr(body)) })
	return f
}

// paramName returns the name of a parameter that takes one positional argument, or "".
func (l *lowerer) paramName(n *syntax.Node) string {
	switch {
	case n.Is("identifier"):
		return l.t.Text(n)
	case n.Is("default_parameter", "typed_default_parameter") && n.Child("name").Is("identifier"):
		return l.t.Text(n.Child("name"))
	case n.Is("typed_parameter") && first(n).Is("identifier"):
		return l.t.Text(first(n))
	}
	return ""
}

// params lowers parameters. Both *args and **kw are rest parameters, by their names alone; the marks / and * that
// only divide the list vanish.
func (l *lowerer) params(nodes []*syntax.Node) []code.Param {
	var out []code.Param
	for _, n := range nodes {
		p := code.Param{Name: l.paramName(n)}
		if typ := n.Child("type"); typ != nil {
			p.Type = l.t.Text(typ)
		}
		if v := n.Child("value"); v != nil {
			p.Default = l.expr(v)
		}
		inner := n
		if n.Is("typed_parameter") {
			inner = first(n)
		} else if name := n.Child("name"); name != nil {
			inner = name
		}
		switch {
		case n.Is("positional_separator", "keyword_separator", "ERROR"):
			continue
		case inner.Is("list_splat_pattern", "dictionary_splat_pattern"):
			p.Rest = true
			if c := kids(inner); len(c) > 0 {
				p.Name = l.t.Text(c[0])
			}
		case inner.Is("tuple_pattern"): // Python 2
			for i, c := range kids(inner) {
				key := l.new(code.Number, c)
				key.Text = strconv.Itoa(i)
				p.Fields = append(p.Fields, code.Field{Key: key, Value: l.target(c)})
			}
		}
		out = append(out, p)
	}
	return out
}
