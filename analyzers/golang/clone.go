package golang

import "github.com/mcpaudit/mcpaudit/analyzers/code"

// cloneFunc copies a function deeply and makes it part of another file, which may be nil: a fact must not drag the
// file of its function along.
func cloneFunc(f *code.Func, file *code.File) *code.Func {
	if f == nil {
		return nil
	}
	g := *f
	g.File = file
	g.Params = nil
	for _, p := range f.Params {
		p.Default, p.Fields = cloneExpr(p.Default, file), cloneFields(p.Fields, file)
		g.Params = append(g.Params, p)
	}
	g.Body = cloneStmts(f.Body, file)
	g.Decorators = cloneExprs(f.Decorators, file)
	return &g
}

func cloneClass(c *code.Class, file *code.File) *code.Class {
	d := *c
	d.File = file
	d.Bases, d.Decorators = cloneExprs(c.Bases, file), cloneExprs(c.Decorators, file)
	d.Fields = nil
	for _, f := range c.Fields {
		f.Value = cloneExpr(f.Value, file)
		d.Fields = append(d.Fields, f)
	}
	return &d
}

// The functions below copy every pointer: two packages that import one function must not share what a reader may
// change.
func cloneStmts(list []*code.Stmt, file *code.File) []*code.Stmt {
	var out []*code.Stmt
	for _, s := range list {
		t := *s
		t.LHS, t.Exprs = cloneExprs(s.LHS, file), cloneExprs(s.Exprs, file)
		t.Cond, t.Func = cloneExpr(s.Cond, file), cloneFunc(s.Func, file)
		t.Body, t.Else = cloneStmts(s.Body, file), cloneStmts(s.Else, file)
		t.Cases = nil
		for _, c := range s.Cases {
			c.Values, c.Guard = cloneExprs(c.Values, file), cloneExpr(c.Guard, file)
			c.Body = cloneStmts(c.Body, file)
			t.Cases = append(t.Cases, c)
		}
		out = append(out, &t)
	}
	return out
}

func cloneExprs(list []*code.Expr, file *code.File) []*code.Expr {
	var out []*code.Expr
	for _, e := range list {
		out = append(out, cloneExpr(e, file))
	}
	return out
}

func cloneExpr(e *code.Expr, file *code.File) *code.Expr {
	if e == nil {
		return nil
	}
	f := *e
	f.X, f.Y = cloneExpr(e.X, file), cloneExpr(e.Y, file)
	f.Args, f.Fields = cloneExprs(e.Args, file), cloneFields(e.Fields, file)
	f.Func = cloneFunc(e.Func, file)
	return &f
}

func cloneFields(list []code.Field, file *code.File) []code.Field {
	var out []code.Field
	for _, f := range list {
		out = append(out, code.Field{
			Key: cloneExpr(f.Key, file), Value: cloneExpr(f.Value, file), Default: cloneExpr(f.Default, file),
		})
	}
	return out
}
