//go:build cgo

package typescript

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// cases lowers the arms of a switch. An arm without statements lends its values to the next one.
func (l *lowering) cases(body *syntax.Node) []code.Case {
	var out []code.Case
	var values []*code.Expr // of arms that have been empty so far
	var open *syntax.Node   // the first of them
	byDefault := false
	arms := body.NamedChildren()
	for i, arm := range arms {
		if !arm.Is("switch_case", "switch_default") {
			// An error between arms may be part of any of them.
			out = append(out, code.Case{Body: l.stmt(arm), Falls: true, Span: l.span(arm)})
			continue
		}
		if open == nil {
			open = arm
		}
		if v := child(arm, "value"); v != nil {
			values = append(values, l.expr(v))
		}
		byDefault = byDefault || arm.Type == "switch_default"
		stmts, ended := l.arm(arm)
		last := i == len(arms)-1
		if len(stmts) == 0 && !ended && !last {
			continue
		}
		c := code.Case{Values: values, Default: byDefault, Body: stmts, Span: l.span(open)}
		c.Span.End = l.armHead(arm)
		c.Falls = !ended && !last && !ends(stmts)
		out = append(out, c)
		values, open, byDefault = nil, nil, false
	}
	if open != nil { // nothing but an error follows
		out = append(out, code.Case{Values: values, Default: byDefault, Falls: true, Span: l.span(open)})
	}
	return out
}

// arm lowers the statements of an arm without the break that ends it and without the braces around all of it.
// ended reports such a break.
func (l *lowering) arm(n *syntax.Node) (stmts []*code.Stmt, ended bool) {
	var list []*syntax.Node
	value := child(n, "value")
	for _, c := range n.Children {
		if c.Named && !isComment(c) && c != value {
			list = append(list, c)
		}
	}
	list, ended = dropBreak(list)
	for len(list) == 1 && list[0].Type == "statement_block" {
		var inner bool
		list, inner = dropBreak(list[0].NamedChildren())
		ended = ended || inner
	}
	return l.stmts(list), ended
}

func dropBreak(list []*syntax.Node) ([]*syntax.Node, bool) {
	if n := len(list); n > 0 && list[n-1].Type == "break_statement" && child(list[n-1], "label") == nil {
		return list[:n-1], true
	}
	return list, false
}

// armHead is where the colon of an arm ends.
func (l *lowering) armHead(n *syntax.Node) int {
	from := n.Start
	if v := child(n, "value"); v != nil {
		from = v.End
	}
	if i := strings.IndexByte(string(l.t.Src[from:n.End]), ':'); i >= 0 {
		return from + i + 1
	}
	return n.End
}

// ends reports whether control never runs off the end of the statements. It is true only if that is certain.
func ends(list []*code.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1]; s.Kind {
	case code.StmtReturn, code.StmtThrow, code.StmtContinue, code.StmtBreak:
		return true
	case code.StmtIf:
		return ends(s.Body) && ends(s.Else)
	case code.StmtBlock:
		return ends(s.Body)
	case code.StmtTry:
		if ends(s.Else) {
			return true
		}
		for _, c := range s.Cases {
			if !ends(c.Body) {
				return false
			}
		}
		return ends(s.Body)
	}
	return false
}
