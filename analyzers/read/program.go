// Package read turns lowered code into the model: it finds where a program tells protocol methods apart, follows
// "ping" and a method that nobody knows through that place by evaluating it, and reads off how each is answered.
//
// It evaluates instead of matching shapes because a dispatcher has too many shapes. A switch, an if chain, an early
// reject by negated equals, an allow-list, a table, a prefix test and any mixture of them become the same thing
// once the method is a known string: some conditions are decided, the rest are tried both ways.
package read

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Program is all code that may be looked at together.
type Program struct {
	files   []*code.File
	byPath  map[string]*code.File
	byPkg   map[string][]*code.File
	bySym   map[string]*code.Func
	classes map[string][]*code.Class // by name
	methods map[*code.Class]map[string]*code.Func
	scopes  map[*code.File]*scope
	lambdas map[*code.File][]*code.Func // every function without a name, in source order
	load    func(path string) *code.File
	// packageDir finds the folder of the npm package of that name in the tree.
	packageDir func(name string) (string, bool)

	globals   map[*code.File]*binding
	instances map[*code.Class]value
	busy      map[any]bool
	openField map[string]bool
	modules   map[*code.File]*code.Func
	used      map[*code.File][]use
	missing   map[string]bool         // paths that load has no file for
	assigned  map[*code.Func][]string // variables that a function assigns to without declaring them
	stores    map[string][]lateStore  // see late
	stored    int                     // how many files stores covers
	calls     map[string][]site       // by the last name of what is called
	indexed   int                     // how many files calls covers
}

// NewProgram indexes files. load brings a further file of the tree by path, or nil; packageDir finds the folder of a
// package of the tree. Both may be nil.
func NewProgram(files []*code.File, load func(path string) *code.File, packageDir func(string) (string, bool)) *Program {
	p := &Program{
		byPath: map[string]*code.File{}, byPkg: map[string][]*code.File{}, bySym: map[string]*code.Func{},
		classes: map[string][]*code.Class{}, methods: map[*code.Class]map[string]*code.Func{},
		scopes: map[*code.File]*scope{}, lambdas: map[*code.File][]*code.Func{}, load: load, packageDir: packageDir,
		globals: map[*code.File]*binding{}, instances: map[*code.Class]value{}, busy: map[any]bool{},
		openField: map[string]bool{}, modules: map[*code.File]*code.Func{}, used: map[*code.File][]use{}, missing: map[string]bool{}, assigned: map[*code.Func][]string{}, calls: map[string][]site{},
		stores: map[string][]lateStore{},
	}
	for _, f := range files {
		p.add(f)
	}
	return p
}

// Files returns all files, those that were loaded on the way included.
func (p *Program) Files() []*code.File { return p.files }

func (p *Program) add(f *code.File) {
	if p.byPath[f.Path] != nil {
		return
	}
	p.byPath[f.Path] = f
	p.files = append(p.files, f)
	p.byPkg[f.Pkg] = append(p.byPkg[f.Pkg], f)
	for _, c := range f.Classes {
		c.File = f
		p.classes[c.Name] = append(p.classes[c.Name], c)
	}
	for _, fn := range f.Funcs {
		fn.File = f
		if fn.Sym != "" {
			p.bySym[fn.Sym] = fn
		}
	}
	p.scopes[f], p.lambdas[f] = buildScope(f)
}

// file returns a file of the tree, loading it if need be.
func (p *Program) file(name string) *code.File {
	if f := p.byPath[name]; f != nil {
		return f
	}
	if p.load == nil || p.missing[name] {
		return nil
	}
	f := p.load(name)
	if f == nil {
		p.missing[name] = true
		return nil
	}
	p.add(f)
	return f
}

// pkgFiles returns the files whose names are visible in f without an import, f first.
func (p *Program) pkgFiles(f *code.File) []*code.File {
	if f.Lang != "go" {
		return []*code.File{f}
	}
	out := []*code.File{f}
	for _, o := range p.byPkg[f.Pkg] {
		if o != f {
			out = append(out, o)
		}
	}
	return out
}

// target finds the file that an import of f names, or nil if it is outside the tree.
func (p *Program) target(f *code.File, module string) *code.File {
	switch f.Lang {
	case "typescript", "javascript":
		bases := []string{path.Join(path.Dir(f.Path), module)}
		if !strings.HasPrefix(module, ".") {
			bases = p.workspace(module)
		}
		for _, base := range bases {
			for _, c := range scriptCandidates(base) {
				if t := p.file(c); t != nil {
					return t
				}
			}
		}
	case "python":
		for _, base := range pythonCandidates(f.Path, module) {
			for _, c := range []string{base + ".py", base + "/__init__.py"} {
				if t := p.file(c); t != nil {
					return t
				}
			}
		}
	case "go":
		if fs := p.byPkg[module]; len(fs) > 0 {
			return fs[0]
		}
	}
	return nil
}

// workspace lists where a module may lie that another package of the tree exports. What its manifest calls the
// entry point is mostly a compiled file, so the usual places of the source are tried.
func (p *Program) workspace(module string) []string {
	if p.packageDir == nil {
		return nil
	}
	name, sub := module, ""
	parts := strings.SplitN(module, "/", 3)
	switch {
	case strings.HasPrefix(module, "@") && len(parts) == 3:
		name, sub = parts[0]+"/"+parts[1], parts[2]
	case !strings.HasPrefix(module, "@") && len(parts) > 1:
		name = parts[0]
		sub = strings.TrimPrefix(module, name+"/")
	}
	dir, ok := p.packageDir(name)
	if !ok {
		return nil
	}
	if sub != "" {
		return []string{path.Join(dir, "src", sub), path.Join(dir, sub)}
	}
	return []string{path.Join(dir, "src"), path.Join(dir, "src/index"), path.Join(dir, "index"), path.Join(dir, "lib/index")}
}

// scriptCandidates lists the files that an ES import may mean. A compiled ".js" is looked for as its source.
func scriptCandidates(base string) []string {
	out := []string{base}
	stem := base
	for _, ext := range []string{".js", ".mjs", ".cjs", ".jsx"} {
		if s, ok := strings.CutSuffix(base, ext); ok {
			stem = s
		}
	}
	for _, ext := range []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		out = append(out, stem+ext)
	}
	for _, ext := range []string{".ts", ".js", ".tsx", ".mjs"} {
		out = append(out, base+"/index"+ext)
	}
	return out
}

// pythonCandidates lists the paths without extension that a module name may mean, seen from a file: relative to
// the file, or below any folder above it (source roots are not known).
func pythonCandidates(from, module string) []string {
	dir := path.Dir(from)
	if rest := strings.TrimLeft(module, "."); rest != module {
		for range len(module) - len(rest) - 1 {
			dir = path.Dir(dir)
		}
		return []string{path.Join(dir, strings.ReplaceAll(rest, ".", "/"))}
	}
	rel := strings.ReplaceAll(module, ".", "/")
	var out []string
	for {
		out = append(out, path.Join(dir, rel), path.Join(dir, "src", rel))
		if dir == "." || dir == "/" {
			return out
		}
		dir = path.Dir(dir)
	}
}

// findFunc finds a plain function by name among the files.
func findFunc(files []*code.File, name string) *code.Func {
	for _, f := range files {
		for _, fn := range f.Funcs {
			if fn.Name == name && fn.Class == "" {
				return fn
			}
		}
	}
	return nil
}

func findClass(files []*code.File, name string) *code.Class {
	for _, f := range files {
		for _, c := range f.Classes {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// classNamed finds a class by the name that f knows it under.
func (p *Program) classNamed(f *code.File, name string) *code.Class {
	if i := strings.LastIndexAny(name, "./"); i >= 0 {
		name = name[i+1:]
	}
	if c := findClass(p.pkgFiles(f), name); c != nil {
		return c
	}
	for _, imp := range f.Imports {
		if imp.Local != name {
			continue
		}
		if t := p.target(f, imp.Module); t != nil {
			if c := findClass(p.pkgFiles(t), imp.Name); c != nil {
				return c
			}
		}
	}
	if cs := p.classes[name]; len(cs) == 1 && sameTree(cs[0].File.Path, f.Path) {
		return cs[0]
	}
	return nil
}

// sameTree reports whether two files share their first folder, which keeps packages of a monorepo apart.
func sameTree(a, b string) bool {
	x, _, _ := strings.Cut(a, "/")
	y, _, _ := strings.Cut(b, "/")
	return x == y
}

// method finds a method of a class or of the classes that it extends.
func (p *Program) method(c *code.Class, name string, depth int) *code.Func {
	if c == nil || depth > 4 {
		return nil
	}
	if p.methods[c] == nil {
		p.methods[c] = map[string]*code.Func{}
		for _, f := range p.pkgFiles(c.File) {
			for _, fn := range f.Funcs {
				if fn.Class == c.Name && p.methods[c][fn.Name] == nil {
					p.methods[c][fn.Name] = fn
				}
			}
		}
	}
	if fn := p.methods[c][name]; fn != nil {
		return fn
	}
	for _, b := range c.Bases {
		if base := p.classNamed(c.File, lastName(b)); base != nil && base != c {
			if fn := p.method(base, name, depth+1); fn != nil {
				return fn
			}
		}
	}
	for _, fld := range c.Fields {
		if fld.Embedded {
			if base := p.classNamed(c.File, strings.TrimPrefix(fld.Type, "*")); base != nil && base != c {
				if fn := p.method(base, name, depth+1); fn != nil {
					return fn
				}
			}
		}
	}
	return nil
}

// lastName is the last part of a dotted name.
func lastName(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name, code.Member, code.String:
		return e.Text
	case code.Index, code.Call: // Generic[T], mixin(Base)
		return lastName(e.X)
	}
	return ""
}

// dotted is the source-like spelling of a chain of names: "this.server.send"; "" for anything else. A call in the
// middle is kept as "f().x", so that a dotted name never says more than the source does.
func dotted(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name:
		return e.Text
	case code.Member:
		if x := dotted(e.X); x != "" {
			return x + "." + e.Text
		}
		return "?." + e.Text
	case code.Call:
		if x := dotted(e.X); x != "" {
			return x + "()"
		}
	case code.Await:
		return dotted(e.X)
	}
	return ""
}

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

// text returns the source of a span, cut to one line of at most 80 bytes, for messages.
func text(f *code.File, s mcpaudit.Span) string {
	if f == nil || s.Start < 0 || s.End > len(f.Src) || s.Start >= s.End {
		return ""
	}
	t := string(f.Src[s.Start:s.End])
	if i := strings.IndexAny(t, "\r\n"); i >= 0 {
		t = t[:i]
	}
	if len(t) > 80 {
		t = strings.ToValidUTF8(t[:77], "") + "..."
	}
	return t
}
