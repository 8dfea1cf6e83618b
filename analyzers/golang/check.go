package golang

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpaudit/mcpaudit"
)

// check type-checks a unit after what it imports. Errors are collected, never fatal; a panic of the type checker
// is noted in unit.detail and leaves the unit without types.
func (l *loader) check(u *unit) *packages.Package {
	if u.pkg != nil || u.detail != "" {
		return u.pkg
	}
	p := &packages.Package{
		ID: u.path, Name: u.name, PkgPath: u.path, Dir: u.dir, Fset: l.fset,
		Imports: map[string]*packages.Package{}, TypesSizes: types.SizesFor("gc", "amd64"),
	}
	for path, t := range u.imports {
		if q := l.check(t); q != nil {
			p.Imports[path] = q
		}
	}
	for _, s := range u.files {
		p.GoFiles = append(p.GoFiles, s.path)
		p.Syntax = append(p.Syntax, s.ast)
		if s.err != nil {
			p.Errors = append(p.Errors, packages.Error{Pos: s.path, Msg: s.err.Error(), Kind: packages.ParseError})
		}
	}
	// The rest of the driver takes these for the files that a compiler would see.
	p.CompiledGoFiles = p.GoFiles
	if why := l.inflated(p.Syntax); why != "" {
		u.reason, u.detail = mcpaudit.GapSize, why
		return nil
	}
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{
		FakeImportC: true, Sizes: p.TypesSizes, Importer: importer(p.Imports),
		Error: func(err error) {
			var te types.Error
			if !errors.As(err, &te) {
				return
			}
			p.IllTyped = true
			p.TypeErrors = append(p.TypeErrors, te)
			p.Errors = append(p.Errors, packages.Error{
				Pos: l.fset.PositionFor(te.Pos, false).String(), Msg: te.Msg, Kind: packages.TypeError,
			})
		},
	}
	p.Types, u.detail = typeCheck(&conf, u.path, l.fset, p.Syntax, p.TypesInfo)
	if p.Types == nil {
		u.reason = mcpaudit.GapCrash
		return nil
	}
	u.pkg = p
	return p
}

// typeCheck turns a panic of the type checker into a text.
func typeCheck(conf *types.Config, path string, fset *token.FileSet, files []*ast.File, info *types.Info) (pkg *types.Package, crash string) {
	defer func() {
		if r := recover(); r != nil {
			pkg, crash = nil, fmt.Sprintf("type-check %s: %v", path, r)
		}
	}()
	pkg, _ = conf.Check(path, fset, files, info) // the error was given to conf.Error
	return pkg, ""
}

// importer gives the packages of the tree. For all others it fails, upon which the type checker goes on with a
// package of which every member exists and has no type.
type importer map[string]*packages.Package

var errOutside = errors.New("not in the tree")

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i[path]; p != nil {
		return p.Types, nil
	}
	return nil, errOutside
}

// outside reports whether an error only says that an import is not in the tree.
func outside(err types.Error) bool { return strings.HasSuffix(err.Msg, "("+errOutside.Error()+")") }
