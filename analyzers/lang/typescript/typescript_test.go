//go:build cgo

package typescript

import (
	"context"
	"flag"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

var update = flag.Bool("update", false, "rewrite the wanted dumps")

var languages = []*syntax.Language{TypeScript, TSX, JavaScript}

func languageOf(file string) *syntax.Language {
	for _, l := range languages {
		if slices.Contains(l.Extensions, path.Ext(file)) {
			return l
		}
	}
	return nil
}

func parse(t testing.TB, file, src string) (*syntax.Tree, *code.File) {
	t.Helper()
	l := languageOf(file)
	if l == nil {
		t.Fatalf("no language reads %s", file)
	}
	tree, gap := l.Parse(context.Background(), file, []byte(src))
	if gap != nil {
		t.Fatalf("parse %s: %s %s", file, gap.Reason, gap.Detail)
	}
	return tree, l.Lower(tree)
}

func TestGrammarsAndQueries(t *testing.T) {
	for _, l := range languages {
		if err := l.Check(); err != nil {
			t.Errorf("%s %v: %v", l.Name, l.Extensions, err)
		}
	}
}

// TestLower compares dumps. In an archive every source file is followed by its dump in NAME.want.
func TestLower(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			wants := map[string]string{}
			for _, f := range a.Files {
				wants[f.Name] = string(f.Data)
			}
			out := &txtar.Archive{Comment: a.Comment}
			for _, f := range a.Files {
				if strings.HasSuffix(f.Name, ".want") {
					continue
				}
				_, lowered := parse(t, f.Name, string(f.Data))
				sound(t, lowered)
				got := code.Print(lowered)
				out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
				if diff := cmp.Diff(wants[f.Name+".want"], got); diff != "" && !*update {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// sound checks what every reader relies on: no nil in a list, the members that a kind promises, spans inside the
// file, and functions that know their file.
func sound(t testing.TB, f *code.File) {
	t.Helper()
	s := &soundness{t: t, f: f, seen: map[uintptr]bool{}}
	s.walk(reflect.ValueOf(f.Top))
	s.walk(reflect.ValueOf(f.Funcs))
	s.walk(reflect.ValueOf(f.Classes))
	s.walk(reflect.ValueOf(f.Imports))
}

type soundness struct {
	t    testing.TB
	f    *code.File
	seen map[uintptr]bool
}

func (s *soundness) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if e := v.Index(i); e.Kind() == reflect.Pointer && e.IsNil() {
				s.t.Fatalf("nil in a list of %s", v.Type())
			}
			s.walk(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() || s.seen[v.Pointer()] {
			return
		}
		s.seen[v.Pointer()] = true
		switch x := v.Interface().(type) {
		case *code.File:
			return
		case *code.Expr:
			s.expr(x)
		case *code.Func:
			if x.File != s.f {
				s.t.Fatalf("function %q of another file", x.Name)
			}
		}
		s.walk(v.Elem())
	case reflect.Struct:
		if span, ok := v.Interface().(mcpaudit.Span); ok {
			if span.File != s.f.Path || span.Start < 0 || span.End < span.Start || span.End > len(s.f.Src) {
				s.t.Fatalf("span %+v outside of %s", span, s.f.Path)
			}
			return
		}
		for i := range v.NumField() {
			s.walk(v.Field(i))
		}
	}
}

func (s *soundness) expr(e *code.Expr) {
	want := map[code.ExprKind]bool{
		code.Member: e.X != nil, code.Index: len(e.Args) == 1, code.Call: e.X != nil, code.Lambda: e.Func != nil,
		code.Binary: e.X != nil && e.Y != nil, code.Unary: e.X != nil, code.Ternary: len(e.Args) == 3,
		code.Await: e.X != nil, code.Spread: e.X != nil, code.Assign: e.X != nil && e.Y != nil,
	}
	if ok, checked := want[e.Kind]; checked && !ok {
		s.t.Fatalf("expression of kind %d lacks a member: %q", e.Kind, s.f.Src[e.Span.Start:e.Span.End])
	}
	for _, f := range e.Fields {
		if f.Value == nil {
			s.t.Fatalf("field without a value in %q", s.f.Src[e.Span.Start:e.Span.End])
		}
	}
}
