package golang

import (
	"fmt"
	"go/ast"
	"go/token"
)

// maxConstText bounds the text of one string constant, in bytes of source that goes into it.
const maxConstText = 1 << 20

// maxConstRounds bounds the search for a fixed point; a chain of constants that is longer counts as too long.
const maxConstRounds = 200

// inflated guards the type checker, which joins string constants without a limit: forty lines of "a = b + b" make
// a text of a terabyte. It adds up lengths by bare name over everything that was loaded, which is too much where
// two scopes use one name, and never too little. It returns what is wrong, or "".
func (l *loader) inflated(files []*ast.File) string {
	consts, sums := concatenations(files)
	for round := 0; ; round++ {
		changed := ""
		for _, c := range consts {
			n := l.constSize(c.value)
			if n > maxConstText {
				return fmt.Sprintf("constant %s is longer than %d bytes", c.name, maxConstText)
			}
			if n > l.sizes[c.name] {
				l.sizes[c.name], changed = n, c.name
			}
		}
		if changed == "" {
			break
		}
		if round == maxConstRounds {
			return fmt.Sprintf("constant %s is defined by too many others", changed)
		}
	}
	for _, s := range sums {
		if l.constSize(s) > maxConstText {
			return fmt.Sprintf("a constant expression is longer than %d bytes", maxConstText)
		}
	}
	return ""
}

// constDef is a constant with the expression that it is defined by.
type constDef struct {
	name  string
	value ast.Expr
}

// concatenations returns the named constants and the outermost sums.
func concatenations(files []*ast.File) (consts []constDef, sums []ast.Expr) {
	inner := map[ast.Expr]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				if n.Tok != token.CONST {
					break
				}
				for _, s := range n.Specs {
					vs, ok := s.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for i, v := range vs.Values {
						if i < len(vs.Names) {
							consts = append(consts, constDef{vs.Names[i].Name, v})
						}
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.ADD {
					if !inner[n] {
						sums = append(sums, n)
					}
					inner[ast.Unparen(n.X)], inner[ast.Unparen(n.Y)] = true, true
				}
			}
			return true
		})
	}
	return consts, sums
}

// constSize is an upper bound of the text of a constant expression, and 0 for whatever cannot be a string.
func (l *loader) constSize(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.constSize(e.X)
	case *ast.BasicLit:
		return len(e.Value)
	case *ast.Ident:
		return l.sizes[e.Name]
	case *ast.SelectorExpr:
		return l.sizes[e.Sel.Name]
	case *ast.CallExpr: // a conversion keeps the text
		if len(e.Args) == 1 {
			return l.constSize(e.Args[0])
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return l.constSize(e.X) + l.constSize(e.Y)
		}
	}
	return 0
}
