//go:build cgo

package python

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// TestFacts looks at what facts.scm finds, and at what it must not.
func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		capture, src string
		want         []string
	}{
		{"import", "import mcp, a.b as c", []string{"mcp", "a.b"}},
		{"import", "from mcp.server import Server", []string{"mcp.server"}},
		{"import", "from . import x\nfrom ..a.b import y", []string{".", "..a.b"}},
		{"import", "def f():\n  if x:\n    from fastmcp import *", []string{"fastmcp"}},
		{"method", `if m == "ping" or 'tools/list' != m: pass`, []string{`"ping"`, `'tools/list'`}},
		{"method", `if m in ("initialize", """ping"""): pass`, []string{`"initialize"`, `"""ping"""`}},
		{"method", `x = ["prompts/get"], {"prompts/list"}`, []string{`"prompts/get"`, `"prompts/list"`}},
		{"method", `t = {"resources/read": read, b"ping": pong}`, []string{`"resources/read"`, `b"ping"`}},
		{"method", `t["server/discover"] = f`, []string{`"server/discover"`}},
		{"method", `@on("notifications/initialized")` + "\ndef f(): pass", []string{`"notifications/initialized"`}},
		{"method", "match m:\n case 'ping': pass\n case 'tools/call' | 'resources/list': pass",
			[]string{"'ping'", "'tools/call'", "'resources/list'"}},
		{"method", "match m:\n case {'method': 'ping'}: pass\n case R(method='tools/list'): pass",
			[]string{"'ping'", "'tools/list'"}},
		{"method", `send({"method": "ping"})`, nil},
		{"method", `f(m, "ping")`, nil},
		{"method", `f(method="ping")`, nil},
		{"method", `m == "pings" or m == "tools/list2" or m == "x ping"`, nil},
		{"method", `m = "ping"`, nil},
	} {
		got := parse(t, "in.py", tt.src+"\n").Captured(tt.capture)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("@%s of %s (-want +got):\n%s", tt.capture, tt.src, diff)
		}
	}
}

func TestModule(t *testing.T) {
	for file, want := range map[string]string{
		"server.py": "server", "src/app/server.py": "src/app/server", "src/app/__init__.py": "src/app",
		"__init__.py": "", "gui.pyw": "gui", "src/my__init__.py": "src/my__init__",
	} {
		if got := lower(parse(t, file, "x = 1\n")).Pkg; got != want {
			t.Errorf("the module of %s is %q, want %q", file, got, want)
		}
	}
}

// TestSpans looks at the places that people will be shown.
func TestSpans(t *testing.T) {
	const src = "@on('x')\nasync def serve(m):\n" +
		"    match m:\n        case 'ping' | 'health' if ok : return {}\n        case _:\n            pass\n" +
		"    if a: pass\n    elif b < c < d: pass\n    else: pass\n"
	f := lower(parse(t, "in.py", src))
	fn := f.Funcs[0]
	sw, cond := fn.Body[0], fn.Body[1]
	elif := cond.Else[0]
	for _, tt := range []struct {
		start, end int
		want       string
	}{
		{fn.NameSpan.Start, fn.NameSpan.End, "serve"},
		{fn.Span.Start, fn.Span.Start + 8, "@on('x')"},
		{sw.Cases[0].Span.Start, sw.Cases[0].Span.End, "case 'ping' | 'health' if ok :"},
		{sw.Cases[0].Values[1].Span.Start, sw.Cases[0].Values[1].Span.End, "'health'"},
		{sw.Cases[1].Span.Start, sw.Cases[1].Span.End, "case _:"},
		{elif.Span.Start, elif.Span.End, "elif b < c < d: pass\n    else: pass"},
		{elif.Cond.Span.Start, elif.Cond.Span.End, "b < c < d"},
		{elif.Cond.Y.Span.Start, elif.Cond.Y.Span.End, "c < d"},
	} {
		if got := src[tt.start:tt.end]; got != tt.want {
			t.Errorf("span of %q is %q", tt.want, got)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, tt := range []struct {
		src  string
		kind code.ExprKind
		want string
	}{
		{`"a\r\n\t\a\b\f\v\\\'\""`, code.String, "a\r\n\t\a\b\f\v\\'\""},
		{`"\x41\u0042\U00000043\104\7"`, code.String, "ABCD\a"},
		{`"\q\8"`, code.String, `\q\8`},
		{`"\x4"`, code.Template, ""},
		{`"x\N{BULLET}y"`, code.Template, ""},
		{`b"\xff\u0041"`, code.String, "\xff\\u0041"},
		{`R"\n"`, code.String, `\n`},
		{`f"{{{x}}}"`, code.Template, "{"},
		{`f"\x41{{}}"`, code.String, "A{}"},
		{`"{{x}}"`, code.String, "{{x}}"},
		{"'''a\r\nb'''", code.String, "a\nb"},
		{"'a\\\r\nb'", code.String, "ab"},
		{`"ping" f"/{x}" "z"`, code.Template, "ping/"},
	} {
		e := lower(parse(t, "in.py", tt.src+"\n")).Top[0].Exprs[0]
		if e.Kind != tt.kind || e.Text != tt.want {
			t.Errorf("%s is lowered to kind %d %q, want %d %q", tt.src, e.Kind, e.Text, tt.kind, tt.want)
		}
		if e.Kind == code.Template && len(e.Args) == 0 {
			t.Errorf("%s has no holes", tt.src)
		}
	}
}

// TestClassPattern looks at the parts that the dump leaves out.
func TestClassPattern(t *testing.T) {
	f := lower(parse(t, "in.py", "match m:\n case types.Ping(first, id=x): pass\n"))
	e := f.Top[0].Cases[0].Values[0]
	if e.Kind != code.Binding || e.Text != "types.Ping" || len(e.Args) != 1 || e.Args[0].Text != "first" ||
		len(e.Fields) != 1 || e.Fields[0].KeyText() != "id" {
		t.Errorf("got %+v", e)
	}
}

// TestGarbage guards against time that grows with the square of the number of syntax errors.
func TestGarbage(t *testing.T) {
	f := lower(parse(t, "in.py", strings.Repeat("x = ? $ 1 2\nif y:\n  z ! ) w\n", 3000)+"def last(): pass\n"))
	if len(f.Gaps) < 3000 || len(f.Funcs) != 1 {
		t.Errorf("%d gaps and %d functions", len(f.Gaps), len(f.Funcs))
	}
}
