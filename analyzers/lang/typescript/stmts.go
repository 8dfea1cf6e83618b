//go:build cgo

package typescript

import (
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

var (
	// statements are the nodes that stmt knows.
	statements = set("statement_block", "expression_statement", "variable_declaration", "lexical_declaration",
		"function_declaration", "generator_function_declaration", "class_declaration", "abstract_class_declaration",
		"if_statement", "switch_statement", "for_statement", "for_in_statement", "while_statement", "do_statement",
		"try_statement", "with_statement", "break_statement", "continue_statement", "return_statement",
		"throw_statement", "labeled_statement", "export_statement", "import_statement", "import_alias",
		"enum_declaration", "interface_declaration", "internal_module", "module", "ambient_declaration",
		"debugger_statement", "empty_statement", "hash_bang_line", "type_alias_declaration", "function_signature",
		"method_definition", "public_field_definition", "field_definition", "variable_declarator", "switch_case",
		"switch_default", "switch_body", "catch_clause", "finally_clause", "else_clause", "class_body")
	// types are nodes that leave nothing behind at run time.
	types = set("type_annotation", "type_parameters", "type_arguments", "predefined_type", "type_identifier",
		"generic_type", "union_type", "intersection_type", "object_type", "array_type", "tuple_type",
		"function_type", "literal_type", "conditional_type", "lookup_type", "type_query", "index_type_query",
		"readonly_type", "parenthesized_type", "nested_type_identifier", "accessibility_modifier",
		"override_modifier", "optional_chain", "asserts_annotation", "type_predicate_annotation", "regex_flags",
		"string_fragment", "escape_sequence", "jsx_text")
)

func isStmt(n *syntax.Node) bool { return statements[n.Type] }

func (l *lowering) stmts(list []*syntax.Node) []*code.Stmt {
	var out []*code.Stmt
	for _, n := range list {
		if n.Named && !isComment(n) {
			out = append(out, l.stmt(n)...)
		}
	}
	return out
}

// body lowers the statement that another one governs; the braces vanish.
func (l *lowering) body(n *syntax.Node) []*code.Stmt {
	if n == nil {
		return nil
	}
	if n.Type == "statement_block" {
		return l.stmts(n.Children)
	}
	return l.stmt(n)
}

// stmt lowers one statement. Several declarators or several expressions in a row give several statements, a type
// or an absent node gives none.
func (l *lowering) stmt(n *syntax.Node) []*code.Stmt {
	if n == nil {
		return nil
	}
	s := &code.Stmt{Span: l.span(n)}
	switch n.Type {
	case "expression_statement":
		return l.exprStmt(firstNamed(n), n)
	case "variable_declaration", "lexical_declaration":
		return l.declaration(n)
	case "function_declaration", "generator_function_declaration":
		at := child(n, "name")
		s.Kind, s.Func = code.StmtFunc, l.function(n, name{text: l.text(at), span: l.span(at)})
	case "class_declaration", "abstract_class_declaration":
		return l.classStmt(n, name{}, nil)
	case "enum_declaration":
		l.enum(n)
		s.Kind = code.StmtClass
	case "interface_declaration":
		l.iface(n)
		return nil
	case "type_alias_declaration", "function_signature", "empty_statement", "hash_bang_line":
		return nil
	case "ambient_declaration":
		l.ambient(n)
		return nil
	case "import_statement":
		l.importStmt(n)
		return nil
	case "import_alias":
		s.Kind, s.Op, s.Declares = code.StmtAssign, "=", true
		if parts := l.exprs(n.NamedChildren()); len(parts) == 2 {
			s.LHS, s.Exprs = parts[:1], parts[1:]
		} else {
			s = &code.Stmt{Kind: code.StmtOther, Exprs: parts, Span: s.Span}
		}
	case "export_statement":
		return l.export(n)
	case "internal_module", "module":
		s.Kind, s.Body = code.StmtBlock, l.body(child(n, "body"))
	case "statement_block":
		s.Kind, s.Body = code.StmtBlock, l.stmts(n.Children)
	case "if_statement":
		s.Kind, s.Cond = code.StmtIf, l.expr(child(n, "condition"))
		s.Body = l.body(child(n, "consequence"))
		if alt := child(n, "alternative"); alt != nil {
			s.Else = l.body(firstNamed(alt))
		}
	case "switch_statement":
		s.Kind, s.Cond = code.StmtSwitch, l.expr(child(n, "value"))
		s.Cases = l.cases(child(n, "body"))
	case "for_statement":
		return l.forLoop(n, s)
	case "for_in_statement":
		s.Kind, s.Cond, s.LHS = code.StmtLoop, l.expr(child(n, "right")), []*code.Expr{l.expr(child(n, "left"))}
		if l.text(n.Child("operator")) == "in" {
			s.Cond = l.other(child(n, "right"), "in", s.Cond)
		}
		s.Body = l.body(child(n, "body"))
	case "while_statement", "do_statement":
		s.Kind, s.Cond, s.Body = code.StmtLoop, l.expr(child(n, "condition")), l.body(child(n, "body"))
	case "try_statement":
		l.try(n, s)
	case "with_statement":
		s.Kind, s.Exprs = code.StmtBlock, []*code.Expr{l.expr(child(n, "object"))}
		s.Body = l.body(child(n, "body"))
	case "labeled_statement":
		return l.stmt(child(n, "body"))
	case "return_statement", "throw_statement":
		s.Kind = code.StmtReturn
		if n.Type == "throw_statement" {
			s.Kind = code.StmtThrow
		}
		s.Exprs = l.exprs(n.NamedChildren())
	case "break_statement", "continue_statement":
		s.Kind = code.StmtBreak
		if n.Type == "continue_statement" {
			s.Kind = code.StmtContinue
		}
		if label := child(n, "label"); label != nil {
			s.Exprs = []*code.Expr{l.expr(label)}
		}
	default:
		return l.otherStmt(n, s)
	}
	return []*code.Stmt{s}
}

// otherStmt keeps what cannot be lowered, such as the inside of a syntax error.
func (l *lowering) otherStmt(n *syntax.Node, s *code.Stmt) []*code.Stmt {
	if isComment(n) || types[n.Type] {
		return nil
	}
	if n.Type == "ERROR" {
		l.errors[n] = true
	}
	if !isStmt(n) && n.Type != "ERROR" {
		s.Exprs = []*code.Expr{l.expr(n)}
		return []*code.Stmt{s}
	}
	for _, c := range n.NamedChildren() {
		switch {
		case types[c.Type] || isComment(c):
		case isStmt(c):
			s.Body = append(s.Body, l.stmt(c)...)
		default:
			s.Exprs = append(s.Exprs, l.expr(c))
		}
	}
	return []*code.Stmt{s}
}

// exprStmt lowers an expression that is a statement; outer is the statement around it.
func (l *lowering) exprStmt(n, outer *syntax.Node) []*code.Stmt {
	if n == nil {
		return nil
	}
	s := &code.Stmt{Kind: code.StmtExpr, Span: l.span(outer)}
	switch n = bareNode(n); {
	case n.Is("internal_module", "module"):
		return l.stmt(n)
	case n.Is("assignment_expression"):
		left, right := child(n, "left"), child(n, "right")
		s.Declares = has(n, "using")
		l.assign(s, left, "=", right)
	case n.Is("augmented_assignment_expression"):
		l.assign(s, child(n, "left"), l.text(n.Child("operator")), child(n, "right"))
	case n.Is("sequence_expression"):
		var out []*code.Stmt
		for _, c := range n.NamedChildren() {
			out = append(out, l.exprStmt(c, c)...)
		}
		return out
	case n.Is("unary_expression") && l.text(n.Child("operator")) == "delete":
		s.Kind, s.Exprs = code.StmtDelete, []*code.Expr{l.expr(child(n, "argument"))}
	default:
		s.Exprs = []*code.Expr{l.expr(n)}
	}
	return []*code.Stmt{s}
}

func (l *lowering) assign(s *code.Stmt, left *syntax.Node, op string, right *syntax.Node) {
	l.bindModule(left, right)
	s.Kind, s.Op = code.StmtAssign, op
	s.LHS, s.Exprs = []*code.Expr{l.expr(left)}, []*code.Expr{l.value(right, l.target(left))}
}

func (l *lowering) declaration(n *syntax.Node) []*code.Stmt {
	var out []*code.Stmt
	for _, d := range n.NamedChildren() {
		if d.Type != "variable_declarator" {
			out = append(out, l.stmt(d)...)
			continue
		}
		target, v := child(d, "name"), child(d, "value")
		s := &code.Stmt{Kind: code.StmtAssign, Op: "=", Declares: true, Span: l.span(d)}
		s.LHS = []*code.Expr{l.expr(target)}
		if v != nil {
			l.bindModule(target, v)
			var as name
			if target.Is("identifier") {
				as = l.local(target)
			}
			s.Exprs = []*code.Expr{l.value(v, as)}
		}
		out = append(out, s)
	}
	return out
}

// ambient keeps the enums, interfaces and classes that declare announces. Their values exist elsewhere, so
// nothing runs here.
func (l *lowering) ambient(n *syntax.Node) {
	for _, c := range n.NamedChildren() {
		if c.Is("enum_declaration", "interface_declaration", "class_declaration", "abstract_class_declaration") {
			l.stmt(c)
		}
	}
}

// exportsMember is exports.name, or module.exports for "".
func (l *lowering) exportsMember(n *syntax.Node, property string) *code.Expr {
	e := &code.Expr{Kind: code.Member, Text: property, Span: l.span(n)}
	if property == "" {
		e.X, e.Text = &code.Expr{Kind: code.Name, Text: "module", Span: e.Span}, "exports"
		return e
	}
	e.X = &code.Expr{Kind: code.Name, Text: "exports", Span: e.Span}
	return e
}

func (l *lowering) export(n *syntax.Node) []*code.Stmt {
	if source := child(n, "source"); source != nil {
		l.reexport(n, source)
		return nil
	}
	assign := func(property string, v *code.Expr) *code.Stmt {
		return &code.Stmt{
			Kind: code.StmtAssign, Op: "=", Span: l.span(n),
			LHS: []*code.Expr{l.exportsMember(n, property)}, Exprs: []*code.Expr{v},
		}
	}
	isDefault := has(n, "default")
	if d := child(n, "declaration"); d != nil {
		var out []*code.Stmt
		if d.Is("class_declaration", "abstract_class_declaration") {
			as := name{}
			if child(d, "name") == nil {
				as = defaultName()
			}
			out = l.classStmt(d, as, l.decorators(n))
		} else {
			out = l.stmt(d)
		}
		if at := child(d, "name"); isDefault && at != nil && !d.Is("interface_declaration", "function_signature") {
			out = append(out, assign("default", &code.Expr{Kind: code.Name, Text: l.text(at), Span: l.span(at)}))
		}
		return out
	}
	if v := child(n, "value"); v != nil {
		as := defaultName()
		if bareNode(v).Is("function_expression", "generator_function", "class") && child(bareNode(v), "name") != nil {
			as = l.local(child(bareNode(v), "name"))
		}
		return []*code.Stmt{assign("default", l.value(v, as))}
	}
	if clause := n.First("export_clause"); clause != nil {
		return l.exportClause(clause, has(n, "type"))
	}
	if has(n, "=") {
		if v := firstNamed(n); v != nil {
			return []*code.Stmt{assign("", l.value(v, defaultName()))}
		}
	}
	if has(n, "namespace") {
		return nil // export as namespace X names a global for scripts
	}
	return l.otherStmt(n, &code.Stmt{Span: l.span(n)})
}

// exportClause lowers export {a, b as c}. Only the renamed ones say anything new.
func (l *lowering) exportClause(clause *syntax.Node, typeOnly bool) []*code.Stmt {
	var out []*code.Stmt
	for _, s := range clause.NamedChildren() {
		alias := child(s, "alias")
		if alias == nil || typeOnly || has(s, "type") {
			continue
		}
		out = append(out, &code.Stmt{
			Kind: code.StmtAssign, Op: "=", Span: l.span(s),
			LHS:   []*code.Expr{l.exportsMember(alias, l.exportName(alias))},
			Exprs: []*code.Expr{l.expr(child(s, "name"))},
		})
	}
	return out
}

// forLoop lowers for (init; test; step) body.
func (l *lowering) forLoop(n *syntax.Node, loop *code.Stmt) []*code.Stmt {
	var before []*code.Stmt
	if init := child(n, "initializer"); init != nil && init.Type != "empty_statement" {
		if isStmt(init) {
			before = l.stmt(init)
		} else {
			before = l.exprStmt(init, init)
		}
	}
	loop.Kind = code.StmtLoop
	if cond := child(n, "condition"); cond != nil && cond.Type != "empty_statement" {
		if cond.Type == "expression_statement" {
			cond = firstNamed(cond)
		}
		loop.Cond = l.expr(cond)
	}
	loop.Body = l.body(child(n, "body"))
	if step := child(n, "increment"); step != nil {
		loop.Body = append(loop.Body, l.exprStmt(step, step)...)
	}
	if len(before) == 0 {
		return []*code.Stmt{loop}
	}
	return []*code.Stmt{{Kind: code.StmtBlock, Body: append(before, loop), Span: loop.Span}}
}

func (l *lowering) try(n *syntax.Node, s *code.Stmt) {
	s.Kind, s.Body = code.StmtTry, l.body(child(n, "body"))
	if h := child(n, "handler"); h != nil {
		c := code.Case{Default: true, Span: l.span(h)}
		if p := child(h, "parameter"); p != nil {
			c.Span.End = p.End
			c.Body = append(c.Body, &code.Stmt{
				Kind: code.StmtAssign, Op: "=", Declares: true, LHS: []*code.Expr{l.expr(p)}, Span: l.span(p),
			})
		}
		c.Body = append(c.Body, l.body(child(h, "body"))...)
		s.Cases = []code.Case{c}
	}
	if f := child(n, "finalizer"); f != nil {
		s.Else = l.body(child(f, "body"))
	}
}
