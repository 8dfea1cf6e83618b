package golang

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// TestFactsTravel encodes and decodes every fact between two packages, as a driver with separate processes does,
// and expects the same result.
func TestFactsTravel(t *testing.T) {
	fsys, _ := tree(t, helpers)
	facts := func(opts *checker.Options) *Facts {
		mods, err := findModules(fsys)
		if err != nil {
			t.Fatal(err)
		}
		l := newLoader(fsys, mods, Options{})
		u := l.folder(".")[0]
		l.resolve(u)
		a := newAnalyzer(func(name string) ([]byte, error) { return fsys.ReadFile(name) })
		graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{l.check(u)}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := graph.Roots[0].Err; err != nil {
			t.Fatal(err)
		}
		return graph.Roots[0].Result.(*Facts)
	}
	near, far := facts(nil), facts(&checker.Options{SanityCheck: true})
	if len(near.Helpers) < 4 || len(near.Types) < 3 {
		t.Fatalf("%d functions and %d types came along", len(near.Helpers), len(near.Types))
	}
	// Gob does not tell an empty list from none, and the files are circular.
	opts := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(&code.File{})}
	if diff := cmp.Diff(near.Helpers, far.Helpers, opts); diff != "" {
		t.Errorf("functions (-near +far):\n%s", diff)
	}
	if diff := cmp.Diff(near.Types, far.Types, opts); diff != "" {
		t.Errorf("types (-near +far):\n%s", diff)
	}
	for _, f := range far.Helpers {
		if f.File == nil || f.File.Path != f.Span.File {
			t.Errorf("function %s has no file", f.Sym)
		}
	}
}

func TestValidate(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{Analyzer}); err != nil {
		t.Error(err)
	}
}

// TestPanic: a panic while one package is lowered becomes a gap, and is no error that would stop its importers.
func TestPanic(t *testing.T) {
	fsys, _ := tree(t, helpers)
	mods, err := findModules(fsys)
	if err != nil {
		t.Fatal(err)
	}
	l := newLoader(fsys, mods, Options{})
	u := l.folder(".")[0]
	l.resolve(u)
	p := l.check(u)
	facts, err := run(&analysis.Pass{
		Analyzer: Analyzer, Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo,
	}, func(string) ([]byte, error) { panic("boom") })
	if err != nil {
		t.Fatal(err)
	}
	want := []mcpaudit.Gap{{
		Span: mcpaudit.Span{File: "main.go"}, Lang: "go", Reason: mcpaudit.GapCrash, Detail: "lower example.com/h: boom",
	}}
	if diff := cmp.Diff(want, facts.Gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}
