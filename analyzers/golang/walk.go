package golang

import "github.com/mcpaudit/mcpaudit/analyzers/code"

// walker visits statements and expressions, lambdas included.
type walker struct {
	stmt func(*code.Stmt)
	expr func(*code.Expr)
}

func (w walker) stmts(list []*code.Stmt) {
	for _, s := range list {
		if w.stmt != nil {
			w.stmt(s)
		}
		w.exprs(s.LHS)
		w.exprs(s.Exprs)
		w.one(s.Cond)
		w.stmts(s.Body)
		w.stmts(s.Else)
		for _, c := range s.Cases {
			w.exprs(c.Values)
			w.one(c.Guard)
			w.stmts(c.Body)
		}
		w.fn(s.Func)
	}
}

func (w walker) fn(f *code.Func) {
	if f != nil {
		w.stmts(f.Body)
	}
}

func (w walker) exprs(list []*code.Expr) {
	for _, e := range list {
		w.one(e)
	}
}

func (w walker) one(e *code.Expr) {
	if e == nil {
		return
	}
	if w.expr != nil {
		w.expr(e)
	}
	w.one(e.X)
	w.one(e.Y)
	w.exprs(e.Args)
	for _, f := range e.Fields {
		w.one(f.Key)
		w.one(f.Value)
		w.one(f.Default)
	}
	w.fn(e.Func)
}

// size counts the statements of a function.
func size(f *code.Func) int {
	n := 0
	walker{stmt: func(*code.Stmt) { n++ }}.fn(f)
	return n
}

// symbols returns what the expressions of a function refer to, in order of appearance, repeats included.
func symbols(f *code.Func) []string {
	var out []string
	walker{expr: func(e *code.Expr) {
		if e.Sym != "" {
			out = append(out, e.Sym)
		}
	}}.fn(f)
	return out
}
