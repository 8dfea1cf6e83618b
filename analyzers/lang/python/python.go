//go:build cgo

// Package python lowers Python, 2 and 3, to analyzers/code.
//
// What differs from the source, and why:
//
//   - A class body is split up. Attributes become Class.Fields and methods File.Funcs, those under a condition too,
//     because as statements they would bind names of the module; everything else that runs there is a StmtBlock
//     after the StmtClass, whose Span is that of the Class.
//   - Import statements become File.Imports and leave no statement behind. "from m import *" has Name and Local "*".
//   - The tuple on the left of an assignment becomes several LHS, as in Go; the one of a single name ("x, = y")
//     is a Binding, because LHS [x] would say that x is y.
//   - A case that matches everything is the Default only if it has no guard. With one it has neither Values nor
//     Default: the guard alone decides.
//   - "a = b = v" is an assignment to a of the expression b = v.
package python

import (
	"embed"
	"path"
	"slices"
	"strings"

	grammar "github.com/smacker/go-tree-sitter/python"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

//go:embed facts.scm
var queries embed.FS

// Python is the language of .py files. Stubs (.pyi) hold no behaviour and are left out.
var Python = &syntax.Language{
	Name:       "python",
	Extensions: []string{".py", ".pyw"},
	Grammar:    grammar.GetLanguage,
	Queries:    queries,
	Lower:      lower,
}

// lowerer holds the file and what the place that is being lowered means for names.
type lowerer struct {
	t    *syntax.Tree
	file *code.File
	// class is set while the statements of a class body run, not inside its methods.
	class *code.Class
	// receiver is what the enclosing method calls its first parameter, or "".
	receiver string
	// bound are the names that stand for a subject inside the guard of a case.
	bound map[string]*code.Expr
	// errors are the ERROR nodes that no statement has taken in yet, in source order.
	errors []*syntax.Node
}

func lower(t *syntax.Tree) *code.File {
	l := &lowerer{t: t, file: &code.File{
		Path: t.Path, Lang: t.Lang, Src: t.Src, Pkg: module(t.Path), Gaps: slices.Clone(t.Gaps),
	}}
	if len(t.Gaps) > 0 {
		l.findErrors(t.Root)
	}
	// Imports come first: whether cast or Enum is the one of the standard library decides how code is lowered.
	l.imports(t.Root, false)
	if t.Root.Is("module") {
		l.file.Top = l.block(t.Root)
	} else {
		l.file.Top = l.leftover(t.Root)
	}
	return l.file
}

// module is the path without extension; a package is the folder of its __init__.py.
func module(file string) string {
	m := strings.TrimSuffix(file, path.Ext(file))
	if m == "__init__" {
		return ""
	}
	return strings.TrimSuffix(m, "/__init__")
}

// kids are the named children without comments and without the backslashes that continue lines.
func kids(n *syntax.Node) []*syntax.Node {
	if n == nil {
		return nil
	}
	out := make([]*syntax.Node, 0, len(n.Children))
	for _, c := range n.Children {
		if c.Named && c.Type != "comment" && c.Type != "line_continuation" {
			out = append(out, c)
		}
	}
	return out
}

// first is the first of kids, or nil.
func first(n *syntax.Node) *syntax.Node {
	if c := kids(n); len(c) > 0 {
		return c[0]
	}
	return nil
}

// has reports whether a token stands among the children.
func has(n *syntax.Node, token string) bool { return n.First(token) != nil }

// dotted is the text of a dotted name without the blanks and comments that may stand in it.
func (l *lowerer) dotted(n *syntax.Node) string {
	if n == nil || len(n.Children) == 0 {
		return l.t.Text(n)
	}
	var b strings.Builder
	for _, c := range n.Children {
		if c.Type != "comment" && c.Type != "line_continuation" {
			b.WriteString(l.dotted(c))
		}
	}
	return b.String()
}

// between is the span from the start of one node to the end of another.
func (l *lowerer) between(from, to *syntax.Node) mcpaudit.Span {
	return mcpaudit.Span{File: l.t.Path, Start: from.Start, End: to.End}
}
