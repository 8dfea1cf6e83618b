package main

import (
	"fmt"
	"os"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mcpaudit/mcpaudit/analyzers/golang"
)

func main() {
	a := &analysis.Analyzer{Name: "x", Doc: "x", Requires: []*analysis.Analyzer{golang.Analyzer}, ResultType: reflect.TypeFor[int](), Run: func(p *analysis.Pass) (any, error) {
		f := p.ResultOf[golang.Analyzer].(*golang.Facts)
		fmt.Fprintln(os.Stderr, p.Pkg.Path(), len(f.Files), "helpers", len(f.Helpers), "types", len(f.Types), f.Gaps)
		for i, h := range f.Helpers { if i < 5 { fmt.Fprintln(os.Stderr, "  ", h.Sym) } }
		return 0, nil
	}}
	unitchecker.Main(a)
}
