//go:build cgo

package python

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// imports collects every import of the tree, those inside functions and conditions too, because an SDK is often
// imported only where it is needed.
func (l *lowerer) imports(n *syntax.Node, typeOnly bool) {
	switch n.Type {
	case "import_statement":
		for _, c := range n.All("name") {
			l.importModule(c, typeOnly)
		}
		return
	case "import_from_statement", "future_import_statement":
		l.importFrom(n, typeOnly)
		return
	}
	checked, unchecked := false, false
	if n.Is("if_statement", "elif_clause") {
		checked, unchecked = l.typeChecking(n.Child("condition"))
	}
	for _, c := range n.Children {
		only := typeOnly
		switch c.Field {
		case "consequence":
			only = only || checked
		case "alternative":
			only = only || unchecked
		}
		l.imports(c, only)
	}
}

// typeChecking tells "if TYPE_CHECKING" (true, false) and "if not TYPE_CHECKING" (false, true) from the rest.
func (l *lowerer) typeChecking(cond *syntax.Node) (checked, unchecked bool) {
	if cond.Is("not_operator") {
		unchecked, checked = l.typeChecking(cond.Child("argument"))
		return checked, unchecked
	}
	text := l.t.Text(cond)
	return text == "TYPE_CHECKING" || strings.HasSuffix(text, ".TYPE_CHECKING"), false
}

// importModule lowers one name of "import a.b, c as d". Without "as" the statement binds only the first part.
func (l *lowerer) importModule(n *syntax.Node, typeOnly bool) {
	imp := code.Import{Name: "*", TypeOnly: typeOnly, Span: l.t.Span(n)}
	if n.Is("aliased_import") {
		imp.Module = l.dotted(n.Child("name"))
		imp.Local = l.t.Text(n.Child("alias"))
	} else {
		imp.Module = l.dotted(n)
		imp.Local, _, _ = strings.Cut(imp.Module, ".")
	}
	l.file.Imports = append(l.file.Imports, imp)
}

// importFrom lowers "from m import a, b as c". The name of a submodule cannot be told from that of an attribute.
func (l *lowerer) importFrom(n *syntax.Node, typeOnly bool) {
	from := "__future__"
	if m := n.Child("module_name"); m != nil {
		from = l.dotted(m)
	}
	for _, c := range n.Children {
		imp := code.Import{Module: from, TypeOnly: typeOnly, Span: l.t.Span(c)}
		switch {
		case c.Is("wildcard_import"):
			imp.Name, imp.Local = "*", "*"
		case c.Field != "name":
			continue
		case c.Is("aliased_import"):
			imp.Name = l.dotted(c.Child("name"))
			imp.Local = l.t.Text(c.Child("alias"))
		default:
			imp.Name = l.dotted(c)
			imp.Local = imp.Name
		}
		l.file.Imports = append(l.file.Imports, imp)
	}
}

// imported returns the first import that binds a local name, or nil. Scopes are not told apart: a module that
// imports one name from two places is rare, and the callers only ask for names of the standard library.
func (l *lowerer) imported(local string) *code.Import {
	i := slices.IndexFunc(l.file.Imports, func(imp code.Import) bool { return imp.Local == local })
	if i < 0 {
		return nil
	}
	return &l.file.Imports[i]
}
