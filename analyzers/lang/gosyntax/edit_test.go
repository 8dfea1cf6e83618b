//go:build cgo

package gosyntax

import (
	"strconv"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func itoa(n int) string { return strconv.Itoa(n) }

// editor rebuilds the expressions of a file, the outer ones first, and visits what holds them.
type editor struct {
	expr func(*code.Expr) *code.Expr
	stmt func(*code.Stmt)
	arm  func(*code.Case)
	fn   func(*code.Func)
}

func (w editor) file(f *code.File) {
	for _, c := range f.Classes {
		w.exprs(c.Bases)
	}
	for _, fn := range f.Funcs {
		w.function(fn)
	}
	w.stmts(f.Top)
}

func (w editor) function(f *code.Func) {
	if f == nil {
		return
	}
	if w.fn != nil {
		w.fn(f)
	}
	w.stmts(f.Body)
}

func (w editor) stmts(list []*code.Stmt) {
	for _, s := range list {
		if w.stmt != nil {
			w.stmt(s)
		}
		// const ( A = iota; B ): the value of B has the place of its name, and no source.
		if len(s.LHS) > 0 && len(s.Exprs) > 0 && s.LHS[0].Span == s.Exprs[0].Span {
			s.Exprs = nil
		}
		w.exprs(s.LHS)
		w.exprs(s.Exprs)
		s.Cond = w.one(s.Cond)
		w.stmts(s.Body)
		w.stmts(s.Else)
		for i := range s.Cases {
			if w.arm != nil {
				w.arm(&s.Cases[i])
			}
			w.exprs(s.Cases[i].Values)
			w.stmts(s.Cases[i].Body)
		}
		w.function(s.Func)
	}
}

func (w editor) exprs(list []*code.Expr) {
	for i := range list {
		list[i] = w.one(list[i])
	}
}

func (w editor) one(e *code.Expr) *code.Expr {
	if e == nil {
		return nil
	}
	e = w.expr(e)
	e.X, e.Y = w.one(e.X), w.one(e.Y)
	w.exprs(e.Args)
	for i, f := range e.Fields {
		e.Fields[i].Key, e.Fields[i].Value = w.one(f.Key), w.one(f.Value)
	}
	w.function(e.Func)
	return e
}
