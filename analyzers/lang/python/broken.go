//go:build cgo

package python

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// The parser puts an ERROR node around what it had to skip, anywhere in the tree and mostly where no production
// expects one. Whoever meets one lowers it; the rest follow the statement that they lie in, so that the right
// function keeps them.

// findErrors lists the ERROR nodes, an outer one before those inside it.
func (l *lowerer) findErrors(n *syntax.Node) {
	if n.Is("ERROR") && n.Parent != nil {
		l.errors = append(l.errors, n)
	}
	for _, c := range n.Children {
		l.findErrors(c)
	}
}

// take marks an ERROR node as lowered.
func (l *lowerer) take(n *syntax.Node) {
	if i := slices.Index(l.errors, n); i >= 0 {
		l.errors = slices.Delete(l.errors, i, i+1)
	}
}

// errorsUpTo lowers the ERROR nodes before the offset that nothing has taken in.
func (l *lowerer) errorsUpTo(end int) []*code.Stmt {
	var out []*code.Stmt
	for len(l.errors) > 0 && l.errors[0].End <= end {
		out = append(out, l.leftover(l.errors[0])...)
	}
	return out
}

// broken lowers an ERROR in the place of an expression. One that holds statements is left to errorsUpTo, because
// an expression cannot keep them.
func (l *lowerer) broken(n *syntax.Node) *code.Expr {
	if holdsStmts(n) {
		return l.new(code.Other, n)
	}
	l.take(n)
	return l.other(n)
}

func holdsStmts(n *syntax.Node) bool {
	return isStmt(n) || n.Is("block") || isSuite(n) || n.Is("ERROR") && slices.ContainsFunc(n.Children, holdsStmts)
}

// isSuite reports whether a clause holds a block, unlike the clauses inside expressions.
func isSuite(n *syntax.Node) bool {
	return strings.HasSuffix(n.Type, "_clause") && n.First("block") != nil
}

// leftover lowers a node that stands where the grammar has no place for it: its statements to Body, what else it
// holds to Exprs.
func (l *lowerer) leftover(n *syntax.Node) []*code.Stmt {
	l.take(n)
	s := l.newStmt(code.StmtOther, n)
	l.scatter(s, n)
	if len(s.Exprs) == 0 && len(s.Body) == 0 {
		return nil
	}
	return []*code.Stmt{s}
}

func (l *lowerer) scatter(s *code.Stmt, n *syntax.Node) {
	for _, c := range kids(n) {
		switch {
		case isStmt(c):
			s.Body = append(s.Body, l.stmt(c)...)
		case c.Is("block", "ERROR") || isSuite(c):
			l.take(c)
			l.scatter(s, c)
		case c.Is("string_start", "string_content", "string_end", "escape_sequence", "import_prefix", "type_conversion"):
			// Shreds of a token have nothing inside.
		default:
			s.Exprs = append(s.Exprs, l.expr(c))
		}
		s.Body = append(s.Body, l.errorsUpTo(c.End)...)
	}
}
