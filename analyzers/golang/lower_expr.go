package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang/gotext"
)

func (l *lowerer) exprs(list []ast.Expr) []*code.Expr {
	var out []*code.Expr
	for _, e := range list {
		out = append(out, l.expr(e))
	}
	return out
}

// expr lowers an expression and never returns nil. A constant becomes its value and keeps its source in Src.
func (l *lowerer) expr(e ast.Expr) *code.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return l.expr(x.X)
	case *ast.StarExpr:
		return l.expr(x.X)
	case *ast.TypeAssertExpr:
		return l.expr(x.X)
	}
	if x := literal(e); x != nil {
		x.Span = l.span(e)
		return x
	}
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil && !l.plainBool(e) {
		if x := constExpr(tv.Value); x != nil {
			x.Src, x.Sym, x.Span = l.text(e), l.typeSym(e), l.span(e)
			return x
		}
	}
	x := l.plain(e)
	if x.Span.File == "" { // an operand that stays has its own place
		x.Span = l.span(e)
	}
	return x
}

// plainBool reports whether an expression is true or false itself.
func (l *lowerer) plainBool(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && (id.Name == "true" || id.Name == "false") && l.info.Uses[id] == types.Universe.Lookup(id.Name)
}

// literal returns the value of a basic literal or of a negated number.
func literal(e ast.Expr) *code.Expr {
	switch e := e.(type) {
	case *ast.BasicLit:
		return gotext.BasicLit(e.Kind, e.Value)
	case *ast.UnaryExpr:
		if b, ok := e.X.(*ast.BasicLit); ok && e.Op == token.SUB {
			if x := gotext.BasicLit(b.Kind, b.Value); x != nil && x.Kind == code.Number {
				x.Text = "-" + x.Text
				return x
			}
		}
	}
	return nil
}

// plain lowers what is no constant. An operand that stays in the place of the whole keeps its own span.
func (l *lowerer) plain(e ast.Expr) *code.Expr {
	switch e := e.(type) {
	case *ast.Ident:
		return l.ident(e)
	case *ast.SelectorExpr:
		return &code.Expr{Kind: code.Member, X: l.expr(e.X), Text: e.Sel.Name, Sym: l.selectorSym(e)}
	case *ast.IndexExpr:
		if l.isType(e.Index) {
			return l.expr(e.X) // a generic function or type with its argument
		}
		return &code.Expr{Kind: code.Index, X: l.expr(e.X), Args: []*code.Expr{l.expr(e.Index)}}
	case *ast.IndexListExpr:
		return l.expr(e.X)
	case *ast.SliceExpr:
		x := &code.Expr{Kind: code.Other, Args: []*code.Expr{l.expr(e.X)}}
		for _, a := range []ast.Expr{e.Low, e.High, e.Max} {
			if a != nil {
				x.Args = append(x.Args, l.expr(a))
			}
		}
		return x
	case *ast.CallExpr:
		return l.call(e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			return l.expr(e.X)
		case token.ARROW:
			return &code.Expr{Kind: code.Await, X: l.expr(e.X)}
		}
		return &code.Expr{Kind: code.Unary, Text: e.Op.String(), X: l.expr(e.X)}
	case *ast.BinaryExpr:
		return &code.Expr{Kind: code.Binary, X: l.expr(e.X), Text: e.Op.String(), Y: l.expr(e.Y)}
	case *ast.CompositeLit:
		return l.composite(e, nil)
	case *ast.FuncLit:
		f := &code.Func{File: l.file, Span: l.span(e), NameSpan: l.between(e.Pos(), e.Pos()+token.Pos(len("func")))}
		l.signature(f, e.Type)
		f.Body = l.body(e.Type, e.Body)
		return &code.Expr{Kind: code.Lambda, Func: f}
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return &code.Expr{Kind: code.Other, Text: l.text(e)}
	case *ast.KeyValueExpr:
		return &code.Expr{Kind: code.Other, Args: []*code.Expr{l.expr(e.Key), l.expr(e.Value)}}
	case *ast.Ellipsis:
		if e.Elt != nil {
			return &code.Expr{Kind: code.Other, Args: []*code.Expr{l.expr(e.Elt)}}
		}
	}
	return &code.Expr{Kind: code.Other, Text: l.text(e)}
}

// ident: nil, true and false are names in Go, which a program may give another meaning.
func (l *lowerer) ident(e *ast.Ident) *code.Expr {
	o := l.info.ObjectOf(e)
	if o == nil || o.Parent() == types.Universe {
		switch e.Name {
		case "nil":
			return &code.Expr{Kind: code.Null}
		case "true", "false":
			return &code.Expr{Kind: code.Bool, Text: e.Name}
		}
	}
	// Arguments of a call that has no type may be left out of the check; then only the name is there.
	if l.recv != nil && (o == l.recv || o == nil && e.Name == l.recv.Name()) {
		return &code.Expr{Kind: code.Name, Text: "this"}
	}
	return &code.Expr{Kind: code.Name, Text: e.Name, Sym: objectSym(o)}
}

// isType tells the type argument of a generic function from the index of a table.
func (l *lowerer) isType(e ast.Expr) bool {
	tv, ok := l.info.Types[e]
	return ok && tv.IsType() || isTypeSyntax(e)
}

// isTypeSyntax reports whether an expression can only be a type.
func isTypeSyntax(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isTypeSyntax(e.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return false
}

// selectorSym resolves x.Sel: a member of a package, be it in the tree or not, a method or a field.
func (l *lowerer) selectorSym(e *ast.SelectorExpr) string {
	if id, ok := e.X.(*ast.Ident); ok {
		if p, ok := l.info.Uses[id].(*types.PkgName); ok {
			return p.Imported().Path() + "." + e.Sel.Name
		}
	}
	sel := l.info.Selections[e]
	if sel == nil {
		return ""
	}
	if f, ok := sel.Obj().(*types.Func); ok {
		return funcSym(f)
	}
	if owner := fieldOwner(sel); owner != "" {
		return owner + "." + e.Sel.Name
	}
	return ""
}

// fieldOwner follows a selection through embedded fields to the type that declares the field.
func fieldOwner(sel *types.Selection) string {
	t := sel.Recv()
	path := sel.Index()
	for _, i := range path[:len(path)-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return ""
		}
		t = s.Field(i).Type()
	}
	return namedSym(t)
}

// call lowers calls and conversions alike, as the syntax does; a conversion to a type without a name is a call of
// its text.
//
//	[]byte(x)        is   Call(Name "[]byte", x)
//	f(a, rest...)    is   Call(f, a, Spread rest)
func (l *lowerer) call(e *ast.CallExpr) *code.Expr {
	x := &code.Expr{Kind: code.Call}
	if isTypeSyntax(e.Fun) {
		l.anonymous(e.Fun)
		x.X = &code.Expr{Kind: code.Name, Text: l.typeName(e.Fun), Span: l.span(e.Fun)}
	} else if i, ok := ast.Unparen(e.Fun).(*ast.IndexExpr); ok && l.unknownMember(i.X) && l.unknownMember(i.Index) {
		x.X = l.expr(i.X) // pkg.F[other.T](…): a table of functions is hardly ever exported
	} else {
		x.X = l.expr(e.Fun)
	}
	for i, a := range e.Args {
		arg := l.argument(e, i, a)
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			arg = &code.Expr{Kind: code.Spread, X: arg, Span: l.between(a.Pos(), e.Ellipsis+3)}
		}
		x.Args = append(x.Args, arg)
	}
	return x
}

// unknownMember reports whether an expression is a member of a package that is not in the tree,
// or a pointer to one.
func (l *lowerer) unknownMember(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = l.info.Uses[id].(*types.PkgName)
	return ok && l.info.Uses[s.Sel] == nil
}

// argument lowers the type that make and new take as a type.
func (l *lowerer) argument(e *ast.CallExpr, i int, a ast.Expr) *code.Expr {
	id, ok := e.Fun.(*ast.Ident)
	if i > 0 || !ok || id.Name != "make" && id.Name != "new" {
		return l.expr(a)
	}
	if id.Name == "new" && !l.isType(a) {
		if t := l.info.TypeOf(a); t != nil && t != types.Typ[types.Invalid] {
			return l.expr(a) // new(value), since Go 1.26
		}
	}
	l.anonymous(a)
	return &code.Expr{Kind: code.Other, Text: l.text(a), Sym: l.typeSym(a), Span: l.span(a)}
}

// literalKind is what a composite literal makes. It is unknown for types outside the tree.
type literalKind int

const (
	unknownLiteral literalKind = iota
	structLiteral
	mapLiteral
	arrayLiteral
)

// composite lowers T{...}. elided is the type that the enclosing literal gives to an element that names none.
func (l *lowerer) composite(e *ast.CompositeLit, elided ast.Expr) *code.Expr {
	typ := e.Type
	if typ == nil {
		typ = elided
	} else {
		l.anonymous(typ)
	}
	kind, st := l.literalKind(e, typ)
	x := &code.Expr{Kind: code.Object, Span: l.span(e)}
	if typ != nil {
		x.Type, x.Sym = l.typeName(typ), l.typeSym(typ)
	} else if t := l.info.TypeOf(e); t != nil {
		x.Sym = namedSym(t)
		x.Type = x.Sym[strings.LastIndexByte(x.Sym, '.')+1:]
	}
	// An array with keys, as tables of names by number have them, is an object, so that no key is lost.
	keyed := slices.ContainsFunc(e.Elts, func(el ast.Expr) bool {
		_, ok := el.(*ast.KeyValueExpr)
		return ok
	})
	keyType, elem := elementTypes(typ)
	if kind == arrayLiteral && !keyed {
		x.Kind = code.Array
	}
	for i, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			v := l.element(el, elem)
			if x.Kind == code.Array {
				x.Args = append(x.Args, v)
				continue
			}
			x.Fields = append(x.Fields, code.Field{Key: l.position(el, i, st), Value: v})
			continue
		}
		x.Fields = append(x.Fields, code.Field{Key: l.key(kv.Key, kind, keyType), Value: l.element(kv.Value, elem)})
	}
	return x
}

// position is the key of the i-th element of a struct literal without keys.
func (l *lowerer) position(el ast.Expr, i int, st *types.Struct) *code.Expr {
	name := "#" + strconv.Itoa(i)
	if st != nil && i < st.NumFields() {
		name = st.Field(i).Name()
	}
	return &code.Expr{Kind: code.Name, Text: name, Span: l.between(el.Pos(), el.Pos())}
}

// key lowers the key of a map or of a struct. Where the type is unknown, a bare name is the name of a field.
func (l *lowerer) key(k ast.Expr, kind literalKind, keyType ast.Expr) *code.Expr {
	if id, ok := k.(*ast.Ident); ok && (kind == structLiteral || kind == unknownLiteral) {
		return &code.Expr{Kind: code.Name, Text: id.Name, Span: l.span(k)}
	}
	x := l.element(k, keyType)
	switch x.Kind {
	case code.String, code.Number, code.Bool:
		return x
	}
	return &code.Expr{Kind: code.Index, Args: []*code.Expr{x}, Span: x.Span}
}

// element lowers a part of a literal, which may leave out a type that the whole implies.
func (l *lowerer) element(e ast.Expr, elided ast.Expr) *code.Expr {
	if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
		return l.composite(c, elided)
	}
	return l.expr(e)
}

// elementTypes returns the types that the literals inside a literal of the type may leave out.
func elementTypes(t ast.Expr) (key, elem ast.Expr) {
	switch t := t.(type) {
	case *ast.ArrayType:
		return nil, t.Elt
	case *ast.MapType:
		return t.Key, t.Value
	}
	return nil, nil
}

// literalKind looks at the type that is written before it asks the type checker, who knows nothing of a map of
// types that are not at hand.
func (l *lowerer) literalKind(e *ast.CompositeLit, typ ast.Expr) (literalKind, *types.Struct) {
	for {
		if s, ok := typ.(*ast.StarExpr); ok {
			typ = s.X // the element of a []*T may be written {…}
		} else if p, ok := typ.(*ast.ParenExpr); ok {
			typ = p.X
		} else {
			break
		}
	}
	switch typ.(type) {
	case *ast.MapType:
		return mapLiteral, nil
	case *ast.ArrayType:
		return arrayLiteral, nil
	}
	t := l.info.TypeOf(e)
	if t == nil {
		return unknownLiteral, nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return structLiteral, u
	case *types.Map:
		return mapLiteral, nil
	case *types.Slice, *types.Array:
		return arrayLiteral, nil
	}
	return unknownLiteral, nil
}
