//go:build cgo

package gosyntax

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang"
	"github.com/mcpaudit/mcpaudit/internal/trees"
)

// TestInStep lowers the sources of the typed reader both ways. What only a type checker can know is taken out of
// both results; the rest, places included, is the same.
func TestInStep(t *testing.T) {
	files, err := filepath.Glob("../../golang/testdata/lower/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test cases: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree := fstest.MapFS{}
			var sources []string
			for _, f := range ar.Files {
				tree[f.Name] = &fstest.MapFile{Data: f.Data}
				if strings.HasSuffix(f.Name, ".go") {
					sources = append(sources, f.Name)
				}
			}
			inStep(t, tree, sources)
		})
	}
}

// seeds returns the Go sources of all cases.
func seeds(t testing.TB) []string {
	return trees.Sources(t, "../../golang/testdata/lower/*.txtar", ".go")
}

func inStep(t *testing.T, tree fs.FS, sources []string) {
	t.Helper()
	r, err := golang.Load(context.Background(), tree, sources, golang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, why := range r.Left {
		t.Errorf("%s has no types: %s", name, why)
	}
	for _, typed := range r.Files {
		parsed, gap := Go.Parse(context.Background(), typed.Path, typed.Src)
		if gap != nil {
			t.Fatalf("parse %s: %s", typed.Path, gap.Detail)
		}
		plain := Go.Lower(parsed)
		if diff := cmp.Diff(common(typed, plain)); diff != "" {
			t.Errorf("%s: typed and untyped differ (-typed +untyped):\n%s", typed.Path, diff)
		}
	}
}

// common prints both files without symbols. A constant that the type checker folded becomes its source in both.
func common(typed, plain *code.File) (string, string) {
	folded := map[mcpaudit.Span]string{}
	editor{expr: func(e *code.Expr) *code.Expr {
		if e.Src != "" {
			folded[e.Span] = e.Src
		}
		return e
	}}.file(typed)
	unfold := editor{expr: func(e *code.Expr) *code.Expr {
		if src, ok := folded[e.Span]; ok {
			return &code.Expr{Kind: code.Other, Text: src, Span: e.Span}
		}
		e.Sym = ""
		return e
	}}
	var out []string
	for _, f := range []*code.File{typed, plain} {
		unfold.file(f)
		f.Pkg, f.Typed = "", false
		for _, fn := range f.Funcs {
			fn.Sym = ""
		}
		for _, c := range f.Classes {
			c.Sym = ""
		}
		out = append(out, code.Print(f)+places(f))
	}
	return out[0], out[1]
}

// places lists the place of every node in source order of the tree.
func places(f *code.File) string {
	var b strings.Builder
	note := func(what string, s mcpaudit.Span) {
		text := string(f.Src[s.Start:s.End])
		line, _, _ := strings.Cut(text, "\n")
		pos := mcpaudit.PositionAt(f.Src, s.Start)
		b.WriteString(strings.Join([]string{what, line, itoa(pos.Line), itoa(pos.Column), itoa(s.End - s.Start), "\n"}, " "))
	}
	for _, i := range f.Imports {
		note("import", i.Span)
	}
	for _, c := range f.Classes {
		note("class", c.Span)
		for _, m := range c.Fields {
			note("field", m.Span)
		}
	}
	e := editor{expr: func(x *code.Expr) *code.Expr { note(fmt.Sprintf("expr %d %s", x.Kind, x.Text), x.Span); return x }}
	e.stmt = func(s *code.Stmt) { note("stmt", s.Span) }
	e.arm = func(c *code.Case) { note("case", c.Span) }
	e.fn = func(fn *code.Func) { note("func", fn.Span); note("name", fn.NameSpan) }
	e.file(f)
	return b.String()
}
