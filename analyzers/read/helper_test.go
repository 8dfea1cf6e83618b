package read

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang"
)

// goProgram loads one Go package with types, which needs no grammar. head is added if the source has no clause.
func goProgram(t *testing.T, files map[string]string) *Program {
	t.Helper()
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.com/a\n")}}
	var names []string
	for name, src := range files {
		if !strings.HasPrefix(src, "package ") {
			src = "package a\n" + src
		}
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
		names = append(names, name)
	}
	slices.Sort(names)
	res, err := golang.Load(context.Background(), fsys, names, golang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Left) > 0 || len(res.Gaps) > 0 {
		t.Fatalf("the fixture is broken: left %v, gaps %v", res.Left, res.Gaps)
	}
	return NewProgram(append(res.Files, res.Support...), nil, nil)
}

func funcNamed(t *testing.T, p *Program, name string) *code.Func {
	t.Helper()
	for _, f := range p.files {
		for _, fn := range f.Funcs {
			if fn.Name == name {
				return fn
			}
		}
	}
	t.Fatalf("the fixture has no function %s", name)
	return nil
}

// returned evaluates a function and describes what each way through it returns, sorted and each once.
func returned(t *testing.T, p *Program, name string) string {
	t.Helper()
	m := &machine{p: p}
	var out []string
	for _, f := range m.run(funcNamed(t, p, name)) {
		var vals []string
		for _, v := range f.vals {
			vals = append(vals, show(v))
		}
		s := strings.Join(vals, ", ")
		if f.kind == flowThrow {
			s = "throws " + s
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if m.over {
		out = append(out, "over")
	}
	slices.Sort(out)
	return strings.Join(out, " | ")
}

// show is what is known of a value: "?" is nothing, "!" is something that is not empty.
func show(v value) string {
	s := ""
	switch v.k {
	case unknown:
		if s = "?"; v.present {
			s = "!"
		}
	case str:
		s = fmt.Sprintf("%q", v.s)
	case number, boolean:
		s = v.s
	case null:
		s = "null"
	case undefined:
		s = "undefined"
	case object:
		var parts []string
		for _, k := range v.obj.keys {
			parts = append(parts, k+": "+show(v.obj.vals[k]))
		}
		if v.obj.open {
			parts = append(parts, "...")
		}
		s = "{" + strings.Join(parts, ", ") + "}"
	case array:
		var parts []string
		for _, e := range v.obj.elems {
			parts = append(parts, show(e))
		}
		if v.obj.open {
			parts = append(parts, "...")
		}
		s = "[" + strings.Join(parts, ", ") + "]"
	case function:
		s = "func"
	case class:
		s = "class"
	case module:
		s = "module"
	}
	if v.encoded {
		s = "text of " + s
	}
	return s
}

// soundCase is a function f of which the want says what it may return. Where wrong is set, f is known to return that
// by mistake: the test fails as soon as it does not, so that the mark is dropped.
type soundCase struct{ name, src, want, wrong string }

func (tt soundCase) check(t *testing.T, p *Program) {
	t.Helper()
	got := returned(t, p, "f")
	switch {
	case tt.wrong == "" && got != tt.want:
		t.Errorf("f returns %s, want %s", got, tt.want)
	case tt.wrong != "" && got == tt.want:
		t.Errorf("f returns %s as it ought to by now: drop the mark", got)
	case tt.wrong != "" && got != tt.wrong:
		t.Errorf("f returns %s, which is neither %s (right) nor %s (known)", got, tt.want, tt.wrong)
	}
}
