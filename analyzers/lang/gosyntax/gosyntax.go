//go:build cgo

// Package gosyntax lowers Go source by its syntax alone. It reads the files that analyzers/golang cannot type-check:
// those with a syntax error, those that a build constraint leaves out, and trees that are too broken. The shape of
// its result is that of analyzers/golang, without symbols and with constants left as names.
package gosyntax

import (
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang/gotext"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

//go:embed facts.scm
var queries embed.FS

// Go reads Go without a type checker.
var Go = &syntax.Language{
	Name: "go", Extensions: []string{".go"},
	Grammar: func() *sitter.Language { return golang.GetLanguage() }, Queries: queries, Lower: lower,
}

// lowerer lowers one file.
type lowerer struct {
	t    *syntax.Tree
	file *code.File
	// types are the type declarations of the file, values its variables, parameters and constants, and packages
	// its imports, all by name. They tell a generic function from an indexed table and a list from a struct, where
	// the syntax does not.
	types            map[string]*syntax.Node
	values, packages map[string]bool
	// recv is the receiver variable of the method that is being lowered, "" where another variable hides it.
	recv string
	// results holds, for every function around the statement, the names of its results; a bare return gives them.
	results [][]*syntax.Node
	errors  map[*syntax.Node]bool // ERROR nodes that were lowered
}

// lower reads the imports and what the file declares first: both decide how expressions are read.
func lower(t *syntax.Tree) *code.File {
	l := &lowerer{
		t: t, types: map[string]*syntax.Node{}, packages: map[string]bool{}, values: map[string]bool{},
		errors: map[*syntax.Node]bool{},
		file:   &code.File{Path: t.Path, Lang: t.Lang, Src: t.Src, Pkg: path.Dir(t.Path), Gaps: t.Gaps},
	}
	l.imports(t.Root)
	l.declarations(t.Root)
	l.file.Top = l.top(t.Root)
	if len(t.Gaps) > 0 {
		l.file.Top = append(l.file.Top, l.lost(t.Root)...)
	}
	slices.SortStableFunc(l.file.Funcs, func(a, b *code.Func) int { return a.Span.Start - b.Span.Start })
	slices.SortStableFunc(l.file.Classes, func(a, b *code.Class) int { return a.Span.Start - b.Span.Start })
	return l.file
}

// lost lowers the ERROR nodes that stand where no part of their parent is looked for.
func (l *lowerer) lost(n *syntax.Node) []*code.Stmt {
	if n.Type == "ERROR" && !l.errors[n] {
		return l.broken(n)
	}
	var out []*code.Stmt
	for _, c := range n.Children {
		out = append(out, l.lost(c)...)
	}
	return out
}

// broken keeps what an ERROR node holds: declarations as such, the rest as statements of unknown order.
func (l *lowerer) broken(n *syntax.Node) []*code.Stmt {
	l.errors[n] = true
	body := l.top(n)
	if len(body) == 0 {
		return nil
	}
	return []*code.Stmt{{Kind: code.StmtOther, Body: body, Span: l.t.Span(n)}}
}

// imports binds a name to every import, as the typed reader does for packages that are not at hand.
func (l *lowerer) imports(root *syntax.Node) {
	used := map[string]bool{}
	var specs []*syntax.Node
	var walk func(*syntax.Node)
	walk = func(n *syntax.Node) {
		switch n.Type {
		case "import_spec":
			specs = append(specs, n)
		case "selector_expression":
			if x := n.Child("operand"); x.Is("identifier") {
				used[l.t.Text(x)] = true
			}
		case "qualified_type":
			used[l.t.Text(n.Child("package"))] = true
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	for _, s := range specs {
		p := s.Child("path")
		module, err := strconv.Unquote(l.t.Text(p))
		if err != nil {
			continue
		}
		i := code.Import{Module: module, Name: "*", Span: l.t.Span(p)}
		switch name := l.t.Text(s.Child("name")); name {
		case "":
			i.Local = gotext.ImportName(module, func(n string) bool { return used[n] })
		case "_":
		default:
			i.Local = name
		}
		l.packages[i.Local] = true
		l.file.Imports = append(l.file.Imports, i)
	}
}

// declarations collects what the file declares. Scopes are not told apart; of two types with one name the one at the
// top counts.
func (l *lowerer) declarations(n *syntax.Node) {
	for _, c := range n.Children {
		switch c.Type {
		case "type_spec", "type_alias":
			name := l.t.Text(c.Child("name"))
			if l.types[name] == nil || n.Parent.Is("source_file") {
				l.types[name] = c.Child("type")
			}
		case "parameter_declaration", "variadic_parameter_declaration", "var_spec", "const_spec":
			for _, name := range named(c.All("name")) {
				l.values[l.t.Text(name)] = true
			}
		case "short_var_declaration", "range_clause":
			for _, name := range c.Child("left").NamedChildren() {
				if name.Is("identifier") {
					l.values[l.t.Text(name)] = true
				}
			}
		}
		l.declarations(c)
	}
}

// top lowers the declarations of a file. Functions go to the file, the rest is what runs when it is loaded.
func (l *lowerer) top(n *syntax.Node) []*code.Stmt {
	var out []*code.Stmt
	for _, c := range n.NamedChildren() {
		switch c.Type {
		case "package_clause", "import_declaration":
		case "function_declaration", "method_declaration":
			l.funcDecl(c)
		case "type_declaration":
			l.typeDecl(c)
		default:
			out = append(out, l.stmt(c)...)
		}
	}
	return out
}

// funcDecl: the receiver is no parameter; its type is the class, without pointer and type parameters.
func (l *lowerer) funcDecl(n *syntax.Node) {
	name := n.Child("name")
	f := &code.Func{Name: l.t.Text(name), File: l.file, Span: l.t.Span(n), NameSpan: l.t.Span(name)}
	if r := n.Child("receiver").First("parameter_declaration"); r != nil {
		f.Class = l.typeName(r.Child("type"))
		l.recv = l.t.Text(r.Child("name"))
	}
	l.signature(f, n)
	f.Body = l.body(n)
	l.recv = ""
	l.file.Funcs = append(l.file.Funcs, f)
}

// signature reads parameters and results of a function, a method or a function literal.
func (l *lowerer) signature(f *code.Func, n *syntax.Node) {
	f.Params = l.params(n.Child("parameters"))
	result := n.Child("result")
	switch {
	case result.Is("parameter_list"):
		for _, r := range l.params(result) {
			f.Results = append(f.Results, r.Type)
		}
	case result != nil:
		l.anonymous(result)
		f.Results = []string{l.text(result)}
	}
}

// params reads a list of parameters or results.
func (l *lowerer) params(list *syntax.Node) []code.Param {
	var out []code.Param
	for _, p := range list.NamedChildren() {
		typ := p.Child("type")
		if typ == nil {
			continue
		}
		l.anonymous(typ)
		text, names := l.text(typ), l.names(p)
		if all := named(p.All("name")); len(names) < len(all) {
			for _, t := range all[:len(all)-1] {
				out = append(out, code.Param{Type: l.text(t)})
			}
			text = gotext.OneLine(string(l.t.Src[all[len(all)-1].Start:typ.End]))
		}
		rest := p.Is("variadic_parameter_declaration")
		if len(names) == 0 {
			out = append(out, code.Param{Type: text, Rest: rest})
		}
		for _, n := range names {
			out = append(out, code.Param{Name: l.t.Text(n), Type: text, Rest: rest})
		}
	}
	return out
}

// names returns the names of one parameter declaration. The grammar reads "A, chan B" as two names and a type,
// where all is type.
func (l *lowerer) names(p *syntax.Node) []*syntax.Node {
	out := named(p.All("name"))
	if len(out) > 0 && l.t.Text(out[len(out)-1]) == "chan" {
		return nil
	}
	return out
}

// body lowers the body of a function. Parameters of a literal hide the receiver around it.
func (l *lowerer) body(n *syntax.Node) []*code.Stmt {
	defer l.scope()()
	var names []*syntax.Node
	for _, r := range n.Child("result").NamedChildren() {
		names = append(names, l.names(r)...)
	}
	if n.Is("func_literal") {
		for _, p := range n.Child("parameters").NamedChildren() {
			l.hide(l.names(p)...)
		}
		l.hide(names...)
	}
	l.results = append(l.results, names)
	defer func() { l.results = l.results[:len(l.results)-1] }()
	return l.block(n.Child("body"))
}

// scope opens a block; what hides the receiver in it does so until the returned function is called.
func (l *lowerer) scope() func() {
	recv := l.recv
	return func() { l.recv = recv }
}

// hide notes that names are declared; one that equals the receiver is another variable from there on.
func (l *lowerer) hide(names ...*syntax.Node) {
	for _, n := range names {
		if l.t.Text(n) == l.recv {
			l.recv = ""
		}
	}
}

// named drops the commas, to which the grammar gives the field of what they separate.
func named(list []*syntax.Node) []*syntax.Node {
	return slices.DeleteFunc(list, func(n *syntax.Node) bool { return !n.Named })
}

// text is the source of a node on one line.
func (l *lowerer) text(n *syntax.Node) string { return gotext.OneLine(l.t.Text(n)) }

func (l *lowerer) span(start, end int) mcpaudit.Span {
	return mcpaudit.Span{File: l.t.Path, Start: start, End: end}
}

// typeDecl: a struct is a class with fields, an interface a class without, and every other definition or alias a
// class whose base is the type that it names.
func (l *lowerer) typeDecl(n *syntax.Node) {
	for _, spec := range n.NamedChildren() {
		if !spec.Is("type_spec", "type_alias") {
			continue
		}
		c := &code.Class{Name: l.t.Text(spec.Child("name")), Span: l.t.Span(spec), File: l.file}
		l.file.Classes = append(l.file.Classes, c)
		switch t := unparen(spec.Child("type")); {
		case t.Is("struct_type"):
			l.structFields(c, t)
		case t.Is("interface_type"), t == nil:
		default:
			c.Bases = []*code.Expr{l.typeExpr(t)}
			l.anonymous(t)
		}
	}
}

// structFields: an embedded field has the name by which it is selected, the last part of its type.
func (l *lowerer) structFields(c *code.Class, t *syntax.Node) {
	for _, f := range t.First("field_declaration_list").NamedChildren() {
		typ := f.Child("type")
		if typ == nil {
			continue
		}
		l.anonymous(typ)
		tag, _ := strconv.Unquote(l.t.Text(f.Child("tag")))
		json, drop := gotext.JSONTag(tag)
		names := named(f.All("name"))
		for _, n := range names {
			c.Fields = append(c.Fields, code.ClassField{
				Name: l.t.Text(n), Type: l.text(typ), JSON: json, Drop: drop, Span: l.t.Span(f),
			})
		}
		if len(names) == 0 {
			name := l.typeName(typ)
			// The star of an embedded pointer is not part of the type node.
			text := gotext.OneLine(string(l.t.Src[f.Start:typ.End]))
			c.Fields = append(c.Fields, code.ClassField{
				Name: name[strings.LastIndexByte(name, '.')+1:], Type: text,
				JSON: json, Drop: drop, Embedded: true, Span: l.t.Span(f),
			})
		}
	}
}

// anonymous records the struct types inside a type as classes that are named by their source.
func (l *lowerer) anonymous(n *syntax.Node) {
	if n == nil {
		return
	}
	if n.Is("struct_type") {
		if len(n.First("field_declaration_list").NamedChildren()) > 0 {
			c := &code.Class{Name: l.text(n), Span: l.t.Span(n), File: l.file}
			l.file.Classes = append(l.file.Classes, c)
			l.structFields(c, n)
		}
		return
	}
	for _, c := range n.Children {
		l.anonymous(c)
	}
}

// unparen takes parentheses off. It is safe on nil, and nil for parentheses around nothing.
func unparen(n *syntax.Node) *syntax.Node {
	for n.Is("parenthesized_type", "parenthesized_expression") {
		kids := n.NamedChildren()
		if len(kids) == 0 {
			return nil
		}
		n = kids[0]
	}
	return n
}

// bare takes parentheses, pointers and type arguments off a type.
func bare(n *syntax.Node) *syntax.Node {
	for {
		n = unparen(n)
		switch {
		case n.Is("pointer_type"):
			kids := n.NamedChildren()
			if len(kids) == 0 {
				return n
			}
			n = kids[0]
		case n.Is("generic_type"):
			n = n.Child("type")
		default:
			return n
		}
	}
}

// typeName is how a type is named in a literal, a case or an embedded field: without pointer and type arguments.
func (l *lowerer) typeName(n *syntax.Node) string { return l.text(bare(n)) }

// typeExpr is a type where an expression stands: a base of a class.
func (l *lowerer) typeExpr(n *syntax.Node) *code.Expr {
	x := &code.Expr{Kind: code.Name, Text: l.typeName(n), Span: l.t.Span(n)}
	if !n.Is("type_identifier", "qualified_type", "pointer_type", "generic_type") {
		x.Kind = code.Other
	}
	return x
}
