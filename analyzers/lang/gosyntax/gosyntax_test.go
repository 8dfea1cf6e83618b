//go:build cgo

package gosyntax

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func parse(t *testing.T, src string) *syntax.Tree {
	t.Helper()
	tree, gap := Go.Parse(context.Background(), "dir/a.go", []byte(src))
	if gap != nil {
		t.Fatalf("parse: %s", gap.Detail)
	}
	return tree
}

func TestCheck(t *testing.T) {
	if err := Go.Check(); err != nil {
		t.Fatal(err)
	}
}

func TestCaptures(t *testing.T) {
	const head = "package p\n\nfunc f(m string) {\n"
	for _, tt := range []struct {
		name, src        string
		imports, methods []string
	}{
		{"imports", "package p\n\nimport \"a\"\nimport (\n\tx \"b\"\n\t_ `c`\n\t. \"d\"\n)\n",
			[]string{`"a"`, `"b"`, "`c`", `"d"`}, nil},
		{"cases", head + "switch m { case \"initialize\", `tools/list`: case \"other\": }\n}\n",
			nil, []string{`"initialize"`, "`tools/list`"}},
		{"comparisons", head + `_ = m == "ping" || "tools/call" == m || m != "prompts/get" || m < "prompts/list"` + "\n_ = m + \"ping\"\n}\n",
			nil, []string{`"ping"`, `"tools/call"`, `"prompts/get"`}},
		{"keys", head + `_ = map[string]int{"resources/list": 1, "pinged": 2}
			_ = map[string]string{"method": "ping"}
			t["resources/read"] = 1` + "\n}\n",
			nil, []string{`"resources/list"`, `"resources/read"`}},
		{"first arguments", head + `on("server/discover", f); s.on("ping", f); on(f, "ping"); x := "ping"` + "\n}\n",
			nil, []string{`"server/discover"`, `"ping"`}},
		{"constants", "package p\n\nconst Ping = \"ping\"\nconst (\n\tA Method = \"notifications/initialized\"\n\tB, C = 1, \"prompts/list\"\n)\nvar v = \"ping\"\n",
			nil, []string{`"ping"`, `"notifications/initialized"`, `"prompts/list"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := parse(t, tt.src)
			if len(tree.Gaps) > 0 {
				t.Fatalf("the source has a syntax error: %v", tree.Gaps)
			}
			if diff := cmp.Diff(tt.imports, tree.Captured("import")); diff != "" {
				t.Errorf("imports (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.methods, tree.Captured("method")); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBroken: what stands around a syntax error is still there.
func TestBroken(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"in a body", "package p\n\nfunc f(m string) any {\n\tswitch m {\n\tcase \"ping\":\n\t\treturn )\n\t}\n}\n\nfunc g() { h() }\n",
			[]string{"func f(", `"ping"`, "func g("}},
		{"at the end", "package p\n\nfunc g() { h() }\n\nfunc f(m string) {\n\tif m == \"ping\" {\n\t\tanswer(m)\n",
			[]string{"func g(", `(m == "ping")`, "answer(m)"}},
		{"between functions", "package p\n\nfunc g() { h() }\n\n<<<<<<< ours\n\nfunc f() { k() }\n",
			[]string{"func g(", "h()", "func f(", "k()"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := parse(t, tt.src)
			f := Go.Lower(tree)
			if len(f.Gaps) == 0 {
				t.Error("the syntax error is no gap")
			}
			text := code.Print(f)
			for _, w := range tt.want {
				if !strings.Contains(text, w) {
					t.Errorf("%s is lost:\n%s", w, text)
				}
			}
		})
	}
}

// TestAmbiguous: f[k](x) is a call of a generic function or of an element of a table. What can be told apart in one
// file is.
func TestAmbiguous(t *testing.T) {
	for _, tt := range []struct{ decl, expr, want string }{
		{"", "f[string](x)", "f(x)"},
		{"", "f[[]T](x)", "f(x)"},
		{"", "f[A, B](x)", "f(x)"},
		{"", "f[Unknown](x, y)", "f(x, y)"},
		{"", "sdk.F[sdk.T](x)", "sdk.F(x)"},
		{"", "f[k](x)", "f[k](x)"},
		{"", "f[k](x, y)", "f[k](x, y)"},
		{"", "f[req.Method](x)", "f[req.Method](x)"},
		{"", "s.table[Ping](x)", "s.table[Ping](x)"},
		{"const Ping = \"ping\"", "f[Ping](x)", "f[Ping](x)"},
		{"var f = map[string]func(any){}", "f[Ping](x)", "f[Ping](x)"},
		{"type Ping struct{}", "f[Ping](x)", "f(x)"},
		{"", "a[b][c]", "a[b][c]"},
		{"", "a[b[c]]", "a[b[c]]"},
		{"", `f["ping"](x)`, `f["ping"](x)`},
	} {
		src := "package p\n\nimport \"example.org/sdk\"\n\n" + tt.decl + "\n\nfunc g(k, a, b, c string, x, y any, req Req, s *S) {\n\t_ = " + tt.expr + "\n}\n"
		text := code.Print(Go.Lower(parse(t, src)))
		if !strings.Contains(text, "  _ = "+tt.want+"\n") {
			t.Errorf("%s; %s: want %s in\n%s", tt.decl, tt.expr, tt.want, text)
		}
	}
}

func TestTypeCases(t *testing.T) {
	f := Go.Lower(parse(t, "package p\n\nfunc f(v any) {\n\tswitch v.(type) {\n\tcase *sdk.PingRequest, Reply[int], nil:\n\tdefault:\n\t}\n}\n"))
	var got []string
	for _, c := range f.Funcs[0].Body[0].Cases {
		for _, v := range c.Values {
			got = append(got, v.Text)
		}
	}
	if diff := cmp.Diff([]string{"sdk.PingRequest", "Reply", ""}, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

// FuzzLower: no source makes the lowering panic or point outside of the file.
func FuzzLower(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { check(t, src) })
}

// TestPieces cuts and splices the fixtures, which the fuzzer does only when it is run for long.
func TestPieces(t *testing.T) {
	list := seeds(t)
	for i, s := range list {
		other := list[(i+1)%len(list)]
		for at := 0; at < len(s); at += 17 {
			check(t, s[:at])
			check(t, s[at:])
			check(t, s[:at]+other[min(at, len(other)):])
		}
	}
}

func check(t *testing.T, src string) {
	t.Helper()
	tree, gap := Go.Parse(context.Background(), "a.go", []byte(src))
	if gap != nil {
		return
	}
	f := Go.Lower(tree)
	_ = code.Print(f)
	places(f) // slices the source
}
