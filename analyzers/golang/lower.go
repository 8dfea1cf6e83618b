package golang

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang/gotext"
)

// lowerer lowers one file. The untyped twin is in analyzers/lang/gosyntax; a test there holds both to the same
// result, so a change of shape is made in both.
type lowerer struct {
	file *code.File
	tok  *token.File
	info *types.Info
	// recv is the receiver variable of the method that is being lowered; its uses are spelt "this".
	recv types.Object
	// results holds, for every function around the statement, the names of its results; a bare return gives them.
	results [][]*ast.Ident
}

// lowerFile lowers the declarations of one file. Functions and types go to lists of their own, in source order; what
// is left, constants and variables, is what runs when the package is loaded.
func lowerFile(fset *token.FileSet, f *ast.File, path string, src []byte, pkg *types.Package, info *types.Info) *code.File {
	l := &lowerer{
		file: &code.File{Path: path, Lang: "go", Src: src, Pkg: pkg.Path(), Typed: true},
		tok:  fset.File(f.FileStart),
		info: info,
	}
	for _, spec := range f.Imports {
		l.importSpec(spec)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			l.funcDecl(d)
		case *ast.GenDecl:
			l.file.Top = append(l.file.Top, l.genDecl(d, true)...)
		}
	}
	slices.SortStableFunc(l.file.Funcs, func(a, b *code.Func) int { return a.Span.Start - b.Span.Start })
	slices.SortStableFunc(l.file.Classes, func(a, b *code.Class) int { return a.Span.Start - b.Span.Start })
	return l.file
}

// importSpec: an import without a name is bound to the name of the package, which the loader has guessed where the
// package is not at hand, and a dot import to ".". A blank import binds nothing.
func (l *lowerer) importSpec(spec *ast.ImportSpec) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	i := code.Import{Module: path, Name: "*", Span: l.span(spec.Path)}
	switch {
	case spec.Name != nil && spec.Name.Name != "_":
		i.Local = spec.Name.Name
	case spec.Name == nil:
		if p, ok := l.info.Implicits[spec].(*types.PkgName); ok {
			i.Local = p.Name()
		}
	}
	l.file.Imports = append(l.file.Imports, i)
}

// offset is bounded by the source, because a tree with syntax errors has positions behind its end.
func (l *lowerer) offset(p token.Pos) int {
	if !p.IsValid() || l.tok == nil {
		return 0
	}
	return min(l.tok.Offset(p), len(l.file.Src))
}

// span ignores //line directives, which may name any file.
func (l *lowerer) span(n ast.Node) mcpaudit.Span {
	return l.between(n.Pos(), n.End())
}

func (l *lowerer) between(from, to token.Pos) mcpaudit.Span {
	start := l.offset(from)
	return mcpaudit.Span{File: l.file.Path, Start: start, End: max(start, l.offset(to))}
}

// text is the source of a node on one line.
func (l *lowerer) text(n ast.Node) string {
	s := l.span(n)
	return gotext.OneLine(string(l.file.Src[s.Start:s.End]))
}

// funcDecl: the receiver is no parameter; its type is the class, without pointer and type parameters.
//
//	func (s *Server[T]) handle(m string)   is   Server.handle(m: string)
func (l *lowerer) funcDecl(d *ast.FuncDecl) {
	f := &code.Func{Name: d.Name.Name, File: l.file, Span: l.span(d), NameSpan: l.span(d.Name)}
	if d.Recv != nil && len(d.Recv.List) > 0 {
		r := d.Recv.List[0]
		f.Class = l.typeName(r.Type)
		if len(r.Names) > 0 {
			l.recv = l.info.Defs[r.Names[0]]
		}
	}
	if fn, ok := l.info.Defs[d.Name].(*types.Func); ok {
		f.Sym = funcSym(fn)
	}
	if d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "_") {
		f.Sym = "" // several may have the name
	}
	l.signature(f, d.Type)
	f.Body = l.body(d.Type, d.Body)
	l.recv = nil
	l.file.Funcs = append(l.file.Funcs, f)
}

// signature gives every name a parameter of its own, and every result its type, named or not.
//
//	(a, b int, rest ...string) (x, y error)   is   (a: int, b: int, ...rest: string) -> error, error
func (l *lowerer) signature(f *code.Func, t *ast.FuncType) {
	for _, p := range fields(t.Params) {
		typ, rest := p.Type, false
		if e, ok := typ.(*ast.Ellipsis); ok && e.Elt != nil {
			typ, rest = e.Elt, true
		}
		l.anonymous(typ)
		if len(p.Names) == 0 {
			f.Params = append(f.Params, code.Param{Type: l.text(typ), Rest: rest})
		}
		for _, n := range p.Names {
			f.Params = append(f.Params, code.Param{Name: n.Name, Type: l.text(typ), Rest: rest})
		}
	}
	for _, r := range fields(t.Results) {
		l.anonymous(r.Type)
		for range max(1, len(r.Names)) {
			f.Results = append(f.Results, l.text(r.Type))
		}
	}
}

// fields is nil for a list that is not there.
func fields(list *ast.FieldList) []*ast.Field {
	if list == nil {
		return nil
	}
	return list.List
}

// body lowers the body of a function, which is missing where another language implements it.
func (l *lowerer) body(t *ast.FuncType, b *ast.BlockStmt) []*code.Stmt {
	var names []*ast.Ident
	for _, r := range fields(t.Results) {
		names = append(names, r.Names...)
	}
	l.results = append(l.results, names)
	defer func() { l.results = l.results[:len(l.results)-1] }()
	if b == nil {
		return nil
	}
	return l.stmts(b.List)
}

// genDecl lowers const, var and type. A declaration without a value keeps the type of its variables and says
// nothing of their value: their address may be taken, and what the address is used for is not followed.
func (l *lowerer) genDecl(d *ast.GenDecl, top bool) []*code.Stmt {
	var out []*code.Stmt
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			out = append(out, l.valueSpec(spec))
		case *ast.TypeSpec:
			l.typeSpec(spec, top)
			if !top {
				out = append(out, &code.Stmt{Kind: code.StmtClass, Span: l.span(spec)})
			}
		}
	}
	return out
}

// valueSpec lowers one line of const or var. The type is kept with each name, since a variable without a value
// has nothing else that says what it is.
func (l *lowerer) valueSpec(spec *ast.ValueSpec) *code.Stmt {
	s := &code.Stmt{Kind: code.StmtAssign, Op: "=", Declares: true, Span: l.span(spec)}
	if spec.Type != nil {
		l.anonymous(spec.Type)
	}
	for _, n := range spec.Names {
		x := &code.Expr{Kind: code.Name, Text: n.Name, Sym: objectSym(l.info.Defs[n]), Span: l.span(n)}
		if spec.Type != nil {
			x.Type = l.text(spec.Type)
		}
		s.LHS = append(s.LHS, x)
	}
	for _, v := range spec.Values {
		s.Exprs = append(s.Exprs, l.expr(v))
	}
	l.constants(spec, s)
	return s
}

// constants puts the value of each constant in the place of its expression. In const ( A = iota; B ) both names
// share the expression of A, so that what the type checker says of it is the value of the last one.
func (l *lowerer) constants(spec *ast.ValueSpec, s *code.Stmt) {
	var values []*code.Expr
	for i, n := range spec.Names {
		c, ok := l.info.Defs[n].(*types.Const)
		if !ok {
			return
		}
		x := constExpr(c.Val())
		switch {
		case x == nil && i < len(s.Exprs):
			x = s.Exprs[i]
		case x == nil:
			return
		case i >= len(spec.Values):
			x.Src, x.Span = n.Name, l.span(n)
		default:
			if lit := literal(ast.Unparen(spec.Values[i])); lit != nil || s.Exprs[i].Kind == code.Bool && s.Exprs[i].Src == "" {
				x = s.Exprs[i]
				break
			}
			x.Src, x.Sym, x.Span = l.text(ast.Unparen(spec.Values[i])), l.typeSym(spec.Values[i]), s.Exprs[i].Span
		}
		values = append(values, x)
	}
	s.Exprs = values
}

// typeSpec: a struct is a class with fields, an interface a class without, and every other definition or alias a
// class whose base is the type that it names. A local type has no symbol: several functions may have one.
func (l *lowerer) typeSpec(spec *ast.TypeSpec, top bool) {
	c := &code.Class{Name: spec.Name.Name, Span: l.span(spec), File: l.file}
	if top {
		c.Sym = objectSym(l.info.Defs[spec.Name])
	}
	l.file.Classes = append(l.file.Classes, c)
	switch t := ast.Unparen(spec.Type).(type) {
	case *ast.StructType:
		l.structFields(c, t)
	case *ast.InterfaceType:
	default:
		c.Bases = []*code.Expr{l.typeExpr(t)}
		l.anonymous(t)
	}
}

// structFields: an embedded field has the name by which it is selected, the last part of its type.
func (l *lowerer) structFields(c *code.Class, t *ast.StructType) {
	for _, f := range fields(t.Fields) {
		l.anonymous(f.Type)
		tag := ""
		if f.Tag != nil {
			tag, _ = strconv.Unquote(f.Tag.Value)
		}
		json, drop := gotext.JSONTag(tag)
		for _, n := range f.Names {
			c.Fields = append(c.Fields, code.ClassField{
				Name: n.Name, Type: l.text(f.Type), JSON: json, Drop: drop, Span: l.span(f),
			})
		}
		if len(f.Names) == 0 {
			name := l.typeName(f.Type)
			c.Fields = append(c.Fields, code.ClassField{
				Name: name[strings.LastIndexByte(name, '.')+1:], Type: l.text(f.Type),
				JSON: json, Drop: drop, Embedded: true, Span: l.span(f),
			})
		}
	}
}

// anonymous records the struct types inside a type expression as classes that are named by their source, which
// is also the Type of a literal of such a struct.
func (l *lowerer) anonymous(t ast.Expr) {
	ast.Inspect(t, func(n ast.Node) bool {
		st, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		if len(fields(st.Fields)) > 0 {
			c := &code.Class{Name: l.text(st), Span: l.span(st), File: l.file}
			l.file.Classes = append(l.file.Classes, c)
			l.structFields(c, st)
		}
		return false
	})
}

// named takes pointers and type arguments off a type.
func named(t ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.ParenExpr:
		return named(t.X)
	case *ast.StarExpr:
		return named(t.X)
	case *ast.IndexExpr:
		return named(t.X)
	case *ast.IndexListExpr:
		return named(t.X)
	}
	return t
}

// typeName is how a type is named in a literal, a case or an embedded field: without pointer and type arguments.
func (l *lowerer) typeName(t ast.Expr) string { return l.text(named(t)) }

// typeSym is the symbol of the named type behind pointers and type arguments, or "".
func (l *lowerer) typeSym(t ast.Expr) string {
	switch t := named(t).(type) {
	case *ast.Ident:
		return objectSym(l.info.Uses[t])
	case *ast.SelectorExpr:
		return l.selectorSym(t)
	}
	return ""
}

// typeExpr is a type where an expression stands: a base of a class, the operand of make.
func (l *lowerer) typeExpr(t ast.Expr) *code.Expr {
	x := &code.Expr{Kind: code.Name, Text: l.typeName(t), Sym: l.typeSym(t), Span: l.span(t)}
	switch ast.Unparen(t).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.IndexListExpr:
	default:
		x.Kind = code.Other
	}
	return x
}

// funcSym is "import/path.Name" or "import/path.Type.Name".
func funcSym(f *types.Func) string {
	if f.Pkg() == nil {
		return ""
	}
	f = f.Origin()
	if r := f.Signature().Recv(); r != nil {
		owner := namedSym(r.Type())
		if owner == "" {
			return ""
		}
		return owner + "." + f.Name()
	}
	if f.Parent() != nil && f.Parent() != f.Pkg().Scope() {
		return ""
	}
	return f.Pkg().Path() + "." + f.Name()
}

// namedSym is the symbol of a named type or of the one that a pointer points to.
func namedSym(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return objectSym(n.Obj())
	}
	return ""
}

// objectSym is the symbol of an object that is declared at the top of a package; local objects have none.
func objectSym(o types.Object) string {
	switch o := o.(type) {
	case nil:
		return ""
	case *types.PkgName:
		return o.Imported().Path()
	case *types.Func:
		return funcSym(o)
	}
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// maxConst bounds the text of a folded constant: concatenation lets a few lines of source name a text of any size.
const maxConst = 1 << 16

// constExpr turns a constant into a literal, or returns nil for one that has no form here.
func constExpr(v constant.Value) *code.Expr {
	switch v.Kind() {
	case constant.String:
		if s := constant.StringVal(v); len(s) <= maxConst {
			return &code.Expr{Kind: code.String, Text: s}
		}
	case constant.Bool:
		return &code.Expr{Kind: code.Bool, Text: v.String()}
	case constant.Int:
		if s := v.ExactString(); len(s) <= maxConst {
			return &code.Expr{Kind: code.Number, Text: s}
		}
	case constant.Float:
		if i := constant.ToInt(v); i.Kind() == constant.Int && len(i.ExactString()) < 20 {
			return &code.Expr{Kind: code.Number, Text: i.ExactString()}
		}
		f, _ := constant.Float64Val(v)
		return &code.Expr{Kind: code.Number, Text: strconv.FormatFloat(f, 'g', -1, 64)}
	}
	return nil
}
