//go:build cgo

package typescript

import (
	"slices"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func (l *lowering) addImport(n *syntax.Node, module, name, local string, typeOnly bool) {
	l.f.Imports = append(l.f.Imports, code.Import{
		Module: module, Name: name, Local: local, TypeOnly: typeOnly, Span: l.span(n),
	})
}

// importStmt lowers every form of the import statement.
func (l *lowering) importStmt(n *syntax.Node) {
	typeOnly := has(n, "type")
	if req := n.First("import_require_clause"); req != nil {
		l.addImport(n, l.stringText(child(req, "source")), "*", l.text(req.First("identifier")), typeOnly)
		return
	}
	module := l.stringText(child(n, "source"))
	clause := n.First("import_clause")
	if clause == nil {
		l.addImport(n, module, "", "", typeOnly)
		return
	}
	for _, c := range clause.NamedChildren() {
		switch c.Type {
		case "identifier":
			l.addImport(c, module, "default", l.text(c), typeOnly)
		case "namespace_import":
			l.addImport(c, module, "*", l.text(c.First("identifier")), typeOnly)
		case "named_imports":
			specs := c.NamedChildren()
			if len(specs) == 0 {
				l.addImport(n, module, "", "", typeOnly) // import {} from "m" loads m
			}
			for _, s := range specs {
				l.specifier(s, module, typeOnly)
			}
		}
	}
}

// specifier lowers one name of import {…} from or export {…} from.
func (l *lowering) specifier(n *syntax.Node, module string, typeOnly bool) {
	if !n.Is("import_specifier", "export_specifier") {
		return
	}
	name := l.exportName(child(n, "name"))
	local := name
	if alias := child(n, "alias"); alias != nil {
		local = l.exportName(alias)
	}
	l.addImport(n, module, name, local, typeOnly || has(n, "type") || has(n, "typeof"))
}

// exportName is the name of an export, which may be spelt as a string.
func (l *lowering) exportName(n *syntax.Node) string {
	if n.Is("string") {
		return l.stringText(n)
	}
	return l.text(n)
}

// reexport lowers export … from "m".
func (l *lowering) reexport(n *syntax.Node, source *syntax.Node) {
	module := l.stringText(source)
	// The grammar takes the word in export type * from "m" for an error.
	typeOnly := has(n, "type") || l.text(n.First("ERROR")) == "type"
	if ns := n.First("namespace_export"); ns != nil {
		local := ""
		if names := ns.NamedChildren(); len(names) > 0 {
			local = l.exportName(names[0])
		}
		l.addImport(n, module, "*", local, typeOnly)
		return
	}
	if clause := n.First("export_clause"); clause != nil {
		for _, s := range clause.NamedChildren() {
			l.specifier(s, module, typeOnly)
		}
		return
	}
	l.addImport(n, module, "*", "*", typeOnly)
}

// interop names the helpers that compilers wrap around require. They keep what a name of the module denotes.
var interop = []string{"__importDefault", "__importStar", "_interopRequireDefault", "_interopRequireWildcard"}

// loadedModule finds the require("m") or import("m") that a value consists of, with the member that is taken of
// it, if any.
func (l *lowering) loadedModule(n *syntax.Node) (call *syntax.Node, module, member string) {
	for {
		n = bareNode(n)
		switch {
		case n.Is("await_expression"):
			n = firstNamed(n)
		case n.Is("member_expression") && member == "":
			member = l.text(child(n, "property"))
			n = child(n, "object")
		case n.Is("call_expression"):
			args := child(n, "arguments").NamedChildren()
			if len(args) == 0 {
				return nil, "", ""
			}
			if slices.Contains(interop, l.text(child(n, "function"))) {
				n = args[0]
				continue
			}
			if module, ok := l.load(n); ok {
				return n, module, member
			}
			return nil, "", ""
		default:
			return nil, "", ""
		}
	}
}

// load tells the module of require("m") and import("m").
func (l *lowering) load(call *syntax.Node) (module string, ok bool) {
	fn := child(call, "function")
	if !fn.Is("import") && !(fn.Is("identifier") && l.text(fn) == "require") {
		return "", false
	}
	args := child(call, "arguments").NamedChildren()
	if len(args) == 0 {
		return "", false
	}
	e := l.literal(args[0])
	if e == nil || e.Kind != code.String {
		return "", false
	}
	return e.Text, true
}

// bindModule records the imports of target = require("m") in all its forms. What it cannot bind to a name stays
// unbound; the call itself then becomes an import for its effects.
func (l *lowering) bindModule(target, value *syntax.Node) {
	if target == nil || value == nil {
		return
	}
	call, module, member := l.loadedModule(value)
	if call == nil {
		return
	}
	if target.Is("identifier") {
		name := "*"
		if member != "" {
			name = member
		}
		l.loads[call] = true
		l.addImport(call, module, name, l.text(target), false)
		return
	}
	if !target.Is("object_pattern") || member != "" {
		return
	}
	for _, f := range l.patternFields(target) {
		name := "*" // a rest element holds the module without the other names
		if f.Key != nil {
			name = f.KeyText()
		}
		local := ""
		if f.Value.Kind == code.Name {
			local = f.Value.Text
		}
		if name != "" {
			l.loads[call] = true
			l.addImport(call, module, name, local, false)
		}
	}
}
