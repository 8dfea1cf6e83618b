package read

import "github.com/mcpaudit/mcpaudit/analyzers/code"

// site is one call of a function.
type site struct {
	in   *code.Func
	call *code.Expr
}

// callers finds the calls that mean a function: by its symbol where types are known, else by name in the same file
// or package, through an import of its file, or as a method of an object whose class cannot be told.
func (p *Program) callers(fn *code.Func) []site {
	if fn.Name == "" || fn.File == nil {
		return nil
	}
	p.index()
	var out []site
	for _, c := range p.calls[fn.Name] {
		if c.in.File.Lang != fn.File.Lang && !(script(c.in.File.Lang) && script(fn.File.Lang)) {
			continue
		}
		if p.means(c.in, c.call.X, fn) {
			out = append(out, c)
		}
	}
	return out
}

// index lists the calls of the files that were added since the last time.
func (p *Program) index() {
	for ; p.indexed < len(p.files); p.indexed++ {
		f := p.files[p.indexed]
		fns := append(append([]*code.Func{p.module(f)}, f.Funcs...), p.lambdas[f]...)
		for _, g := range fns {
			eachStmt(g.Body, func(s *code.Stmt) {
				eachExpr(s, func(e *code.Expr) {
					if e.Kind == code.Call && e.X != nil {
						n := lastName(e.X)
						if n != "" {
							p.calls[n] = append(p.calls[n], site{g, e})
						}
						// import { handle as dispatch }: the call is one of handle too.
						if imp := imported(f, e.X); imp != nil && imp.Name != "" && imp.Name != n {
							p.calls[imp.Name] = append(p.calls[imp.Name], site{g, e})
						}
					}
				})
			})
		}
	}
}

// imported is the import that gave a plain name to a file.
func imported(f *code.File, x *code.Expr) *code.Import {
	if x.Kind != code.Name {
		return nil
	}
	for i, imp := range f.Imports {
		if imp.Local == x.Text {
			return &f.Imports[i]
		}
	}
	return nil
}

func script(lang string) bool { return lang == "typescript" || lang == "javascript" }

func (p *Program) means(g *code.Func, x *code.Expr, fn *code.Func) bool {
	imp := imported(g.File, x)
	if lastName(x) != fn.Name {
		return imp != nil && imp.Name == fn.Name && fn.Class == "" && p.target(g.File, imp.Module) == fn.File
	}
	if x.Sym != "" && fn.Sym != "" {
		return x.Sym == fn.Sym
	}
	near := g.File == fn.File || g.File.Lang == "go" && g.File.Pkg == fn.File.Pkg
	switch x.Kind {
	case code.Name:
		if fn.Class != "" {
			return false
		}
		if near {
			return true
		}
		return imp != nil && p.target(g.File, imp.Module) == fn.File
	case code.Member:
		if x.X != nil && x.X.Kind == code.Name && x.X.Text == "this" && g.Class != "" && fn.Class != "" {
			return g.Class == fn.Class || p.inherits(g, fn)
		}
		if near {
			return true
		}
		// server.handle(msg): some file that imports the one that declares it.
		for _, imp := range g.File.Imports {
			if p.target(g.File, imp.Module) == fn.File {
				return true
			}
		}
	}
	return false
}

// inherits reports whether the method that g would call on itself is fn.
func (p *Program) inherits(g, fn *code.Func) bool {
	c := p.classNamed(g.File, g.Class)
	return c != nil && p.method(c, fn.Name, 0) == fn
}
