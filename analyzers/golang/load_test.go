package golang

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// tree unpacks an archive and returns the names of its Go files too.
func tree(t *testing.T, archive string) (fstest.MapFS, []string) {
	t.Helper()
	out := fstest.MapFS{}
	var files []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		out[f.Name] = &fstest.MapFile{Data: f.Data}
		if strings.HasSuffix(f.Name, ".go") {
			files = append(files, f.Name)
		}
	}
	return out, files
}

// cases returns the values of all cases of all switches, resolved or not.
func cases(f *code.File) []string {
	var out []string
	w := walker{stmt: func(s *code.Stmt) {
		for _, c := range s.Cases {
			for _, v := range c.Values {
				out = append(out, fmt.Sprintf("%s %s", map[code.ExprKind]string{
					code.String: "string", code.Number: "number", code.Member: "member", code.Name: "name",
					code.Binding: "type",
				}[v.Kind], v.Text))
			}
		}
	}}
	for _, fn := range f.Funcs {
		w.fn(fn)
	}
	return out
}

// TestImports says from where the constant of a case is taken in trees of several shapes.
func TestImports(t *testing.T) {
	const router = "\nfunc route(m string) {\n\tswitch m {\n\tcase proto.Ping:\n\t}\n}\n"
	const proto = "package proto\n\nconst Ping = \"ping\"\n"
	for _, tt := range []struct{ name, archive, want string }{
		{"a package of the module", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto.go --
` + proto, "string ping"},
		{"a module in a folder", `
-- sub/go.mod --
module example.com/a
-- sub/main.go --
package main
import "example.com/a/proto"
` + router + `
-- sub/proto/proto.go --
` + proto, "string ping"},
		{"another module of the tree", `
-- one/go.mod --
module example.com/one
-- one/main.go --
package main
import "example.com/two/proto"
` + router + `
-- two/go.mod --
module example.com/two
-- two/proto/proto.go --
` + proto, "string ping"},
		{"a nested module takes its folder from the outer one", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/go.mod --
module example.com/a/proto
-- proto/proto.go --
` + proto, "string ping"},
		{"replaced by a folder", `
-- app/go.mod --
module example.com/app
replace example.org/lib => ../lib
-- app/main.go --
package main
import "example.org/lib/proto"
` + router + `
-- lib/proto/proto.go --
` + proto, "string ping"},
		{"replaced by the workspace", `
-- go.work --
go 1.26
use ./app
replace example.org/lib => ./lib
-- app/go.mod --
module example.com/app
-- app/main.go --
package main
import "example.org/lib/proto"
` + router + `
-- lib/proto/proto.go --
` + proto, "string ping"},
		{"replaced by a folder outside", `
-- go.mod --
module example.com/app
replace example.org/lib => ../lib
-- main.go --
package main
import "example.org/lib/proto"
` + router + `
-- lib/proto/proto.go --
` + proto, "member Ping"},
		{"no module", `
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto.go --
` + proto, "member Ping"},
		{"a copied dependency is outside", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/b/proto"
` + router + `
-- vendor/example.com/b/go.mod --
module example.com/b
-- vendor/example.com/b/proto/proto.go --
` + proto, "member Ping"},
		{"a broken go.mod", `
-- go.mod --
modul example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto.go --
` + proto, "member Ping"},
		{"a dot import", `
-- go.mod --
module example.com/a
-- main.go --
package main
import . "example.com/a/proto"
` + strings.ReplaceAll(router, "proto.", "") + `
-- proto/proto.go --
` + proto, "string ping"},
		{"a constant for another system", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto_windows.go --
package proto
const Ping = "other"
-- proto/proto_linux.go --
package proto
const Ping = "ping"
`, "string ping"},
		{"a constant in a test", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto.go --
package proto
-- proto/proto_test.go --
` + proto, "member Ping"},
		{"imports in a circle", `
-- go.mod --
module example.com/a
-- main.go --
package main
import "example.com/a/proto"
` + router + `
-- proto/proto.go --
package proto
import "example.com/a/b"
const Ping = b.Ping
-- b/b.go --
package b
import "example.com/a/proto"
const Ping = "ping"
var other = proto.Ping
`, "string ping"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys, files := tree(t, tt.archive)
			i := slices.IndexFunc(files, func(f string) bool { return strings.HasSuffix(f, "main.go") })
			r := load(t, fsys, files[i:i+1], Options{})
			if len(r.Files) != 1 {
				t.Fatalf("got %d files, left %v", len(r.Files), r.Left)
			}
			if diff := cmp.Diff([]string{tt.want}, cases(r.Files[0])); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLeft says which files are not typed, and which of them are gaps.
func TestLeft(t *testing.T) {
	deep := strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000)
	grow := "package p\n\nconst a0 = \"0123456789\"\n"
	for i := range 60 {
		grow += fmt.Sprintf("const a%d = a%d + a%d\n", i+1, i, i)
	}
	for _, tt := range []struct {
		name, archive string
		opts          Options
		files         []string
		left          map[string]string
		gaps          []string
	}{
		{name: "build constraints and tests", archive: `
-- a.go --
package p
-- b_windows.go --
package p
-- c.go --
//go:build ignore

package main
-- d_test.go --
package p
`, files: []string{"a.go"}, left: map[string]string{
			"b_windows.go": "excluded by a build constraint", "c.go": "excluded by a build constraint",
			"d_test.go": "test file",
		}},
		{name: "tests when asked", archive: `
-- a.go --
package p
-- a_test.go --
package p
-- x_test.go --
package p_test
`, opts: Options{Tests: true}, files: []string{"a.go", "a_test.go", "x_test.go"}},
		{name: "a syntax error", archive: `
-- a.go --
package p

func f() {
-- b.go --
package p
`, files: []string{"b.go"}, left: map[string]string{"a.go": "syntax error"}, gaps: []string{"a.go parse"}},
		{name: "no package clause", archive: `
-- a.go --
func f() {}
`, left: map[string]string{"a.go": "not readable as Go"}, gaps: []string{"a.go parse"}},
		{name: "two programs in one folder", archive: `
-- a.go --
package main

func main() { run() }

func run() {}
-- b.go --
package main

func main() { run() }

func run() {}
-- c.go --
package main

func init() {}
-- d.go --
package main

func init() {}
`, files: []string{"c.go", "d.go"}, left: map[string]string{
			"a.go": "declares run, as does another file of package main",
			"b.go": "declares run, as does another file of package main",
		}},
		{name: "two packages in one folder", archive: `
-- a.go --
package a
-- b.go --
package b
`, files: []string{"a.go", "b.go"}},
		{name: "nested too deep", archive: "-- a.go --\npackage p\n\nvar x = " + deep + "\n",
			left: map[string]string{"a.go": "not readable as Go"}, gaps: []string{"a.go depth"}},
		{name: "a constant of astronomic length", archive: "-- a.go --\n" + grow,
			left: map[string]string{"a.go": "constant a17 is longer than 1048576 bytes"}, gaps: []string{"a.go size"}},
		{name: "too much source", archive: "-- a.go --\npackage p\n-- b.go --\npackage p\n", opts: Options{MaxBytes: 12},
			files: []string{"a.go"}, left: map[string]string{"b.go": "more source than the limit of one load"}},
		{name: "type errors", archive: `
-- a.go --
package p

import "nowhere/at/all"

func f() int { return missing + all.X("a") + "b" }

func f() {}
`, files: []string{"a.go"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys, files := tree(t, tt.archive)
			r := load(t, fsys, files, tt.opts)
			var got, gaps []string
			for _, f := range r.Files {
				got = append(got, f.Path)
			}
			for _, g := range r.Gaps {
				gaps = append(gaps, g.Span.File+" "+g.Reason)
			}
			if diff := cmp.Diff(tt.files, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if tt.left == nil {
				tt.left = map[string]string{}
			}
			if diff := cmp.Diff(tt.left, r.Left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.gaps, gaps); diff != "" {
				t.Errorf("gaps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadMissing(t *testing.T) {
	r := load(t, fstest.MapFS{"a.go": {Data: []byte("package p\n")}}, []string{"b.go", "x/c.go"}, Options{})
	if diff := cmp.Diff(map[string]string{"b.go": "not found", "x/c.go": "not found"}, r.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Load(ctx, fstest.MapFS{"a.go": {Data: []byte("package p\n")}}, []string{"a.go"}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a load after the end of its context gives %v", err)
	}
}

const helpers = `
-- go.mod --
module example.com/h
-- main.go --
package main

import "example.com/h/rpc"

func route(m string, c *rpc.Conn) {
	switch m {
	case "ping":
		c.Answer(rpc.Empty())
	default:
		c.Fail(-32601)
	}
	same()
}
-- same.go --
package main

var table = map[string]int{}

func same() {}
-- rpc/rpc.go --
package rpc

import "example.com/h/shape"

type Conn struct{ out chan Reply }

type Reply struct {
	Result shape.Result ` + "`json:\"result\"`" + `
}

type Unused struct{}

func (c *Conn) Answer(r Reply) { c.out <- r }

func (c *Conn) Fail(code int) {
	big := 0
	BIG
}

func Empty() Reply { return hidden() }

func hidden() Reply { return wrap(shape.New()) }

func wrap(r shape.Result) Reply { return Reply{Result: r} }

func Other() {}
-- shape/shape.go --
package shape

type Result struct {
	Extra string ` + "`json:\"extra,omitempty\"`" + `
}

func New() Result { return Result{} }
`

// TestSupport: the small functions and the types behind a call are there, through packages and through unexported
// functions; large and unused ones are not. The rest of the own package is there as a whole.
func TestSupport(t *testing.T) {
	fsys, _ := tree(t, strings.Replace(helpers, "BIG", strings.Repeat("big++\n", maxHelper), 1))
	r := load(t, fsys, []string{"main.go"}, Options{})
	got := map[string][]string{}
	for _, f := range r.Support {
		if want := f.Path != "same.go"; r.Partial[f] != want {
			t.Errorf("%s: partial is %v, want %v", f.Path, r.Partial[f], want)
		}
		names := []string{}
		for _, fn := range f.Funcs {
			names = append(names, fn.Name)
			if fn.File != f {
				t.Errorf("function %s belongs to another file", fn.Sym)
			}
		}
		for _, c := range f.Classes {
			names = append(names, c.Name)
			if c.File != f {
				t.Errorf("type %s belongs to another file", c.Sym)
			}
		}
		if string(f.Src) != string(fsys[f.Path].Data) || !f.Typed {
			t.Errorf("%s has no source or no types", f.Path)
		}
		got[f.Path] = names
	}
	want := map[string][]string{
		"rpc/rpc.go":     {"Answer", "Empty", "hidden", "wrap", "Conn", "Reply"},
		"same.go":        {"same"},
		"shape/shape.go": {"New", "Result"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("support (-want +got):\n%s", diff)
	}
}

func TestPackages(t *testing.T) {
	fsys, _ := tree(t, `
-- go.mod --
module example.com/p
-- main.go --
package main

import (
	"fmt"
	"example.com/p/lib"
)

func main() { fmt.Println(lib.X, lib.Y) }
-- lib/lib.go --
package lib

const X = 1
`)
	r := load(t, fsys, []string{"main.go"}, Options{})
	want := []Package{
		{Path: "example.com/p", Dir: ".", Files: 1, Outside: 1, Errors: 1, First: "main.go:8:38: undefined: lib.Y", Wanted: true},
		{Path: "example.com/p/lib", Dir: "lib", Files: 1},
	}
	if diff := cmp.Diff(want, r.Packages); diff != "" {
		t.Errorf("packages (-want +got):\n%s", diff)
	}
}

// TestOrder: a load gives the same result every time.
func TestOrder(t *testing.T) {
	fsys, files := tree(t, helpers)
	print := func() string {
		r := load(t, fsys, files[:1], Options{})
		var b strings.Builder
		for _, f := range slices.Concat(r.Files, r.Support) {
			b.WriteString(code.Print(f))
		}
		fmt.Fprint(&b, slices.Sorted(maps.Keys(r.Left)), r.Gaps, r.Packages)
		return b.String()
	}
	first := print()
	for range 5 {
		if diff := cmp.Diff(first, print()); diff != "" {
			t.Fatalf("two loads differ (-first +later):\n%s", diff)
		}
	}
}

// TestLineDirective: a comment must not lead to places in files that are not meant.
func TestLineDirective(t *testing.T) {
	src := "package p\n\n//line /etc/other.go:1\nfunc f() { g() }\n"
	r := load(t, fstest.MapFS{"a.go": {Data: []byte(src)}}, []string{"a.go"}, Options{})
	at := strings.Index(src, "f()")
	if diff := cmp.Diff(mcpaudit.Span{File: "a.go", Start: at, End: at + 1}, r.Files[0].Funcs[0].NameSpan); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}
