package read

import (
	"slices"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// scope is a function (or the file) and what is declared in it, for names that evaluation has not bound.
type scope struct {
	fn       *code.Func // nil for the file
	parent   *scope
	children []*scope
	decls    map[string]*code.Expr // declared exactly once, with this value; nil value: more than once
	funcs    map[string]*code.Func
}

// buildScope links the functions of a file by nesting and collects those without a name.
func buildScope(f *code.File) (*scope, []*code.Func) {
	b := &scopeBuilder{}
	root := &scope{decls: map[string]*code.Expr{}, funcs: map[string]*code.Func{}}
	b.seen = map[*code.Func]bool{}
	b.stmts(root, f.Top)
	for _, fn := range f.Funcs {
		if fn.Class != "" || !b.seen[fn] {
			b.fn(root, fn)
		}
	}
	named := map[*code.Func]bool{}
	for _, fn := range f.Funcs {
		named[fn] = true
	}
	b.lambdas = slices.DeleteFunc(b.lambdas, func(fn *code.Func) bool { return named[fn] })
	for _, fn := range b.lambdas {
		fn.File = f
	}
	return root, b.lambdas
}

type scopeBuilder struct {
	seen    map[*code.Func]bool
	lambdas []*code.Func
}

func (b *scopeBuilder) fn(parent *scope, fn *code.Func) {
	if fn == nil || b.seen[fn] {
		return
	}
	b.seen[fn] = true
	b.lambdas = append(b.lambdas, fn)
	s := &scope{fn: fn, parent: parent, decls: map[string]*code.Expr{}, funcs: map[string]*code.Func{}}
	parent.children = append(parent.children, s)
	b.stmts(s, fn.Body)
}

func (b *scopeBuilder) stmts(s *scope, list []*code.Stmt) {
	for _, st := range list {
		if st == nil {
			continue
		}
		if st.Kind == code.StmtFunc && st.Func != nil {
			s.funcs[st.Func.Name] = st.Func
			b.fn(s, st.Func)
		}
		if st.Kind == code.StmtAssign && len(st.LHS) == 1 && len(st.Exprs) == 1 && st.LHS[0] != nil && st.LHS[0].Kind == code.Name {
			name := st.LHS[0].Text
			if _, twice := s.decls[name]; twice {
				s.decls[name] = nil
			} else {
				s.decls[name] = st.Exprs[0]
			}
		}
		eachExpr(st, func(e *code.Expr) {
			if e.Kind == code.Lambda && e.Func != nil {
				b.fn(s, e.Func)
			}
		})
		for _, body := range bodies(st) {
			b.stmts(s, body)
		}
	}
}

// find returns the scope of a function, or nil.
func (s *scope) find(fn *code.Func) *scope {
	if s.fn == fn {
		return s
	}
	for _, c := range s.children {
		if r := c.find(fn); r != nil {
			return r
		}
	}
	return nil
}

// bodies returns the statement lists inside a statement.
func bodies(st *code.Stmt) [][]*code.Stmt {
	out := [][]*code.Stmt{st.Body, st.Else}
	for _, c := range st.Cases {
		out = append(out, c.Body)
	}
	return out
}

// eachExpr calls fn for every expression of one statement, outermost first, but not for those of the statements
// inside it nor for the bodies of lambdas.
func eachExpr(st *code.Stmt, fn func(*code.Expr)) {
	for _, list := range [][]*code.Expr{st.LHS, st.Exprs, {st.Cond}} {
		for _, e := range list {
			walkExpr(e, fn)
		}
	}
	for _, c := range st.Cases {
		for _, v := range c.Values {
			walkExpr(v, fn)
		}
		walkExpr(c.Guard, fn)
	}
}

func walkExpr(e *code.Expr, fn func(*code.Expr)) {
	if e == nil {
		return
	}
	fn(e)
	walkExpr(e.X, fn)
	walkExpr(e.Y, fn)
	for _, a := range e.Args {
		walkExpr(a, fn)
	}
	for _, f := range e.Fields {
		walkExpr(f.Key, fn)
		walkExpr(f.Value, fn)
		walkExpr(f.Default, fn)
	}
}

// eachStmt calls fn for every statement of a list, nested ones included, but not for those of nested functions.
func eachStmt(list []*code.Stmt, fn func(*code.Stmt)) {
	for _, st := range list {
		if st == nil {
			continue
		}
		fn(st)
		for _, b := range bodies(st) {
			eachStmt(b, fn)
		}
	}
}
