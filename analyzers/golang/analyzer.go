package golang

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Analyzer lowers the files of one package. It reports nothing; its result is *Facts.
var Analyzer = newAnalyzer(nil)

// maxHelper is the number of statements up to which a function is carried to the packages that call it. Answers
// are built by small functions; large ones would make the facts as big as the source.
const maxHelper = 30

// newAnalyzer makes the analyzer over another source of text than the driver's, which reads the disk.
func newAnalyzer(read func(name string) ([]byte, error)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             "mcpfacts",
		Doc:              "lower Go source to the neutral code from which MCP servers are read",
		RunDespiteErrors: true,
		ResultType:       reflect.TypeFor[*Facts](),
		FactTypes:        []analysis.Fact{new(Helper), new(Type)},
		Run: func(pass *analysis.Pass) (any, error) {
			r := read
			if r == nil {
				r = pass.ReadFile
			}
			return run(pass, r)
		},
	}
}

// Facts is the result of Analyzer for one package.
type Facts struct {
	Files []*code.File // every file of the package, lowered
	// Helpers and Types are the small functions and the types of imported packages that the files refer to, and
	// those that these refer to in turn, by symbol. Their File holds nothing but them.
	Helpers []*code.Func
	Types   []*code.Class
	Gaps    []mcpaudit.Gap
}

// Helper is the fact that a small function carries: its lowered form and the small functions below it that facts of
// their own would not bring to an importer, because they are not exported or belong to a package further away.
type Helper struct{ Funcs []*code.Func }

// AFact marks Helper as a fact.
func (*Helper) AFact() {}

func (h *Helper) String() string {
	var names []string
	for _, f := range h.Funcs {
		names = append(names, f.Sym)
	}
	return "mcpfacts(" + strings.Join(names, " ") + ")"
}

// GobEncode leaves the files of the functions out.
func (h *Helper) GobEncode() ([]byte, error) {
	var list []*code.Func
	for _, f := range h.Funcs {
		list = append(list, cloneFunc(f, nil))
	}
	return encode(list)
}

// GobDecode is the reverse of GobEncode. The functions have no File.
func (h *Helper) GobDecode(data []byte) error { return decode(data, &h.Funcs) }

// Type is the fact that a type carries: its lowered form and the types of its fields, by symbol.
type Type struct {
	Class *code.Class
	Parts []string
}

// AFact marks Type as a fact.
func (*Type) AFact() {}

func (t *Type) String() string { return "mcpfacts(" + t.Class.Sym + ")" }

type plainType Type

// GobEncode leaves the file of the class out.
func (t *Type) GobEncode() ([]byte, error) {
	return encode(plainType{cloneClass(t.Class, nil), t.Parts})
}

// GobDecode is the reverse of GobEncode. The class has no File.
func (t *Type) GobDecode(data []byte) error { return decode(data, (*plainType)(t)) }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

// run never fails: a panic in one package must not keep the packages that import it from being read.
func run(pass *analysis.Pass, read func(string) ([]byte, error)) (facts *Facts, err error) {
	facts = &Facts{}
	defer func() {
		if r := recover(); r != nil {
			var file string
			if len(pass.Files) > 0 {
				file = pass.Fset.File(pass.Files[0].FileStart).Name()
			}
			facts = &Facts{Gaps: []mcpaudit.Gap{{
				Span: mcpaudit.Span{File: file}, Lang: "go", Reason: mcpaudit.GapCrash,
				Detail: fmt.Sprintf("lower %s: %v", pass.Pkg.Path(), r),
			}}}
		}
	}()
	for _, f := range pass.Files {
		name := pass.Fset.File(f.FileStart).Name()
		src, err := read(name)
		if err != nil {
			facts.Gaps = append(facts.Gaps, mcpaudit.Gap{
				Span: mcpaudit.Span{File: name}, Lang: "go", Reason: mcpaudit.GapUnreadable, Detail: err.Error(),
			})
			continue
		}
		facts.Files = append(facts.Files, lowerFile(pass.Fset, f, name, src, pass.Pkg, pass.TypesInfo))
	}
	funcs, classes := inherited(pass)
	export(pass, facts.Files, funcs)
	collect(pass, facts, funcs, classes)
	return facts, nil
}

// inherited returns the facts of imported packages by symbol. What comes along with another function is the same
// as what comes by itself, so it does not matter which of the two is kept.
func inherited(pass *analysis.Pass) (map[string]*code.Func, map[string]*Type) {
	funcs, classes := map[string]*code.Func{}, map[string]*Type{}
	for _, f := range pass.AllObjectFacts() {
		switch fact := f.Fact.(type) {
		case *Helper:
			for _, fn := range fact.Funcs {
				funcs[fn.Sym] = fn
			}
		case *Type:
			classes[fact.Class.Sym] = fact
		}
	}
	return funcs, classes
}

// export attaches facts to the functions and types of the package.
func export(pass *analysis.Pass, files []*code.File, imported map[string]*code.Func) {
	small := map[string]*code.Func{}
	classes := map[string]*code.Class{}
	for _, f := range files {
		for _, fn := range f.Funcs {
			if fn.Sym != "" && size(fn) <= maxHelper {
				small[fn.Sym] = fn
			}
		}
		for _, c := range f.Classes {
			if c.Sym != "" {
				classes[c.Sym] = c
			}
		}
	}
	objects := func(d ast.Decl, visit func(types.Object)) {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if o := pass.TypesInfo.Defs[d.Name]; o != nil {
				visit(o)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok {
					if o := pass.TypesInfo.Defs[ts.Name]; o != nil {
						visit(o)
					}
				}
			}
		}
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			objects(d, func(o types.Object) {
				switch o := o.(type) {
				case *types.Func:
					if fn := small[funcSym(o)]; fn != nil {
						pass.ExportObjectFact(o, &Helper{below(fn, small, imported)})
					}
				case *types.TypeName:
					if c := classes[objectSym(o)]; c != nil {
						pass.ExportObjectFact(o, &Type{c, parts(o)})
					}
				}
			})
		}
	}
}

// below returns a function and the small ones that it calls, as far as an importer does not learn of them anyway:
// drivers pass on facts of exported functions to direct importers only.
func below(f *code.Func, own, imported map[string]*code.Func) []*code.Func {
	const limit = 8
	out := []*code.Func{f}
	for i := 0; i < len(out); i++ {
		for _, s := range symbols(out[i]) {
			g := imported[s]
			if o := own[s]; o != nil && o.Class == "" && !ast.IsExported(o.Name) {
				g = o
			}
			if g != nil && !slices.Contains(out, g) && len(out) < limit {
				out = append(out, g)
			}
		}
	}
	return out
}

// parts returns the symbols of the named types that a struct holds in its fields.
func parts(o *types.TypeName) []string {
	var out []string
	if s, ok := o.Type().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if n := namedSym(f.Type()); n != "" {
				out = append(out, n)
			}
		}
	}
	return out
}

// collect adds the facts of imported packages that the files refer to.
func collect(pass *analysis.Pass, facts *Facts, funcs map[string]*code.Func, classes map[string]*Type) {
	seen := map[string]bool{}
	var want []string
	for _, f := range facts.Files {
		w := walker{expr: func(e *code.Expr) { want = append(want, e.Sym) }}
		w.stmts(f.Top)
		for _, fn := range f.Funcs {
			w.fn(fn)
		}
		for _, c := range f.Classes {
			w.exprs(c.Bases)
		}
	}
	for _, f := range pass.Files {
		want = append(want, typeNames(pass.TypesInfo, f)...)
	}
	for len(want) > 0 {
		s := want[0]
		want = want[1:]
		if s == "" || seen[s] {
			continue
		}
		seen[s] = true
		if f := funcs[s]; f != nil {
			facts.Helpers = append(facts.Helpers, f)
			want = append(want, symbols(f)...)
		}
		if c := classes[s]; c != nil {
			facts.Types = append(facts.Types, c.Class)
			want = append(want, c.Parts...)
		}
	}
	adopt(facts)
}

// typeNames returns the symbols of the types that a file names: parameters, results and fields have no Expr that
// could carry one.
func typeNames(info *types.Info, f *ast.File) []string {
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o, ok := info.Uses[id].(*types.TypeName); ok {
				out = append(out, objectSym(o))
			}
		}
		return true
	})
	return out
}

// adopt gives the imported functions and types files of their own, which hold nothing else, and puts them in order.
// A function of a fact is shared by all packages that import it; what is changed is a copy.
func adopt(facts *Facts) {
	files := map[string]*code.File{}
	file := func(s mcpaudit.Span, sym, local string) *code.File {
		f := files[s.File]
		if f == nil {
			f = &code.File{Path: s.File, Lang: "go", Typed: true, Pkg: strings.TrimSuffix(sym, "."+local)}
			files[s.File] = f
		}
		return f
	}
	for i, fn := range facts.Helpers {
		local := fn.Name
		if fn.Class != "" {
			local = fn.Class + "." + fn.Name
		}
		f := file(fn.Span, fn.Sym, local)
		facts.Helpers[i] = cloneFunc(fn, f)
		f.Funcs = append(f.Funcs, facts.Helpers[i])
	}
	for i, c := range facts.Types {
		f := file(c.Span, c.Sym, c.Name)
		facts.Types[i] = cloneClass(c, f)
		f.Classes = append(f.Classes, facts.Types[i])
	}
	slices.SortFunc(facts.Helpers, func(a, b *code.Func) int { return strings.Compare(a.Sym, b.Sym) })
	slices.SortFunc(facts.Types, func(a, b *code.Class) int { return strings.Compare(a.Sym, b.Sym) })
	for _, f := range files {
		slices.SortFunc(f.Funcs, func(a, b *code.Func) int { return a.Span.Start - b.Span.Start })
		slices.SortFunc(f.Classes, func(a, b *code.Class) int { return a.Span.Start - b.Span.Start })
	}
}
