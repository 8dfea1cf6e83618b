//go:build cgo

// Package typescript lowers TypeScript and JavaScript to analyzers/code. Both have one lowering: the grammar of
// JavaScript is a part of that of TypeScript but for a few names.
//
// What the neutral form has no place for is spelt as follows.
//
//   - export default x is the assignment exports.default = x, export = x is module.exports = x, and
//     export { a as b } is exports.b = a, as if the module had been compiled to CommonJS. Other exports leave no
//     trace: an exported name is a name of the module.
//   - export * from "m" is an Import with Name "*" and Local "*".
//   - A function that is the value of a name, of exports.name, of a class field or of a member of an object that
//     has a name is in File.Funcs under that name. Class is then the class or the path of the object:
//     const table = {list() {}} gives table.list. An anonymous default export has the name "default".
//   - Getters and setters of a class are named "get x" and "set x", because this.x does not denote the function.
//     In an object literal they are an Other "get" or "set" around the Lambda.
//   - The loose x == null of a name or a chain of members is x == null || x == undefined, x != null likewise. Of
//     anything else it is only x == null.
//   - A negative number is a Number: -32601.
//   - for (k in o) loops over an Other "in" around o, which is not what for (v of o) yields.
//   - The start of for (init; test; step) stands before the Loop, both in one block; the step ends the body.
//   - The variable of a catch clause is declared without a value at the start of the handler.
//   - break and continue with a label have the label in Exprs[0].
//   - Types and signatures without a body are no statements; an interface is a Class without functions.
package typescript

import (
	"cmp"
	"embed"
	"path"
	"slices"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

//go:embed common.scm
var commonQueries embed.FS

//go:embed common.scm typescript.scm
var typescriptQueries embed.FS

// TypeScript reads plain TypeScript, where <T>x is a type assertion.
var TypeScript = &syntax.Language{
	Name: "typescript", Extensions: []string{".ts", ".mts", ".cts"},
	Grammar: func() *sitter.Language { return typescript.GetLanguage() }, Queries: typescriptQueries, Lower: lower,
}

// TSX reads TypeScript with JSX, where <T>x opens an element.
var TSX = &syntax.Language{
	Name: "typescript", Extensions: []string{".tsx"},
	Grammar: func() *sitter.Language { return tsx.GetLanguage() }, Queries: typescriptQueries, Lower: lower,
}

// JavaScript reads JavaScript with or without JSX, ES modules and CommonJS alike.
var JavaScript = &syntax.Language{
	Name: "javascript", Extensions: []string{".js", ".jsx", ".mjs", ".cjs"},
	Grammar: func() *sitter.Language { return javascript.GetLanguage() }, Queries: commonQueries, Lower: lower,
}

// lowering is the state of one file.
type lowering struct {
	t     *syntax.Tree
	f     *code.File
	class string                // what "this" is an instance of, "" if nobody knows
	loads map[*syntax.Node]bool // calls of require and import that an Import already stands for
	// homeless collects decorators of fields and parameters until their class is done.
	homeless []*code.Expr
	errors   map[*syntax.Node]bool // ERROR nodes that were lowered
}

func lower(t *syntax.Tree) *code.File {
	f := &code.File{
		Path: t.Path, Lang: t.Lang, Src: t.Src, Gaps: t.Gaps,
		Pkg: strings.TrimSuffix(t.Path, path.Ext(t.Path)),
	}
	l := &lowering{t: t, f: f, loads: map[*syntax.Node]bool{}, errors: map[*syntax.Node]bool{}}
	f.Top = l.stmts(t.Root.Children)
	if len(t.Gaps) > 0 {
		f.Top = append(f.Top, l.lost(t.Root)...)
	}
	slices.SortStableFunc(f.Funcs, func(a, b *code.Func) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	slices.SortStableFunc(f.Classes, func(a, b *code.Class) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	slices.SortStableFunc(f.Imports, func(a, b code.Import) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return f
}

// lost lowers the ERROR nodes that stand where no part of their parent is looked for.
func (l *lowering) lost(n *syntax.Node) []*code.Stmt {
	if l.errors[n] {
		return nil
	}
	if n.Type == "ERROR" {
		return l.stmt(n)
	}
	var out []*code.Stmt
	for _, c := range n.Children {
		out = append(out, l.lost(c)...)
	}
	return out
}

// text returns the source of a node.
func (l *lowering) text(n *syntax.Node) string { return l.t.Text(n) }

func (l *lowering) span(n *syntax.Node) mcpaudit.Span { return l.t.Span(n) }

// child returns the first named child in a field: a field may begin with a keyword or a bracket.
func child(n *syntax.Node, field string) *syntax.Node {
	for _, c := range n.All(field) {
		if c.Named && !isComment(c) {
			return c
		}
	}
	return nil
}

func isComment(n *syntax.Node) bool { return n.Is("comment", "html_comment") }

// has reports whether a keyword or an operator is a child of the node.
func has(n *syntax.Node, token string) bool {
	for _, c := range n.Children {
		if !c.Named && c.Type == token {
			return true
		}
	}
	return false
}
