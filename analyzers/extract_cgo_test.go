//go:build cgo

package analyzers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpaudit/mcpaudit"
)

// mixed is a tree of all languages with helpers in files of their own, gaps and copies.
func mixed() map[string]string {
	files := map[string]string{"go.mod": "module example.com/a\n", "package.json": `{"name": "n", "version": "1.0.0"}`}
	for i := range 6 {
		d := fmt.Sprintf("s%d/", i)
		files[d+"main.go"] = goServer
		files[d+"server.ts"] = "import { PING } from \"./names\";\n" + strings.Replace(tsServer, `case "ping"`, "case PING", 1)
		files[d+"names.ts"] = "export const PING = \"ping\";\n"
		files[d+"server.py"] = pyServer
		files[d+"broken.py"] = "def f(:\n    x = 'tools/list'\n"
		files[d+"broken.ts"] = "const x = 'tools/list' as ;\nfunction {\n"
		files[d+"x/a.go"] = "package x\n\nfunc f( {\nvar x = \"tools/list\"\n"
		files[d+"big.rb"] = "m = 'tools/list'\n"
	}
	return files
}

// TestExtractSame: how many goroutines read the tree changes nothing, nor does the run.
func TestExtractSame(t *testing.T) {
	dir := plant(t, mixed())
	var want *mcpaudit.Repo
	for _, jobs := range []int{1, 8, 8, 1, 8, 3} {
		got := extract(t, dir, func(o *Options) { o.Jobs = jobs })
		if want == nil {
			want = got
			if len(got.Servers) != 18 || len(got.Gaps) == 0 {
				t.Fatalf("found %s, want 18 servers and some gaps", found(got))
			}
			continue
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("with %d jobs (-one +other):\n%s", jobs, diff)
		}
	}
}

// TestExtractStopped: a context that ends while files are parsed ends the run.
func TestExtractStopped(t *testing.T) {
	dir := plant(t, mixed())
	for _, jobs := range []int{1, 8} {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		repo, err := Extract(ctx, Options{Paths: []string{dir}, Jobs: jobs, Progress: func(int, int) {
			calls++
			cancel()
		}})
		if calls == 0 || !errors.Is(err, context.Canceled) || repo != nil {
			t.Errorf("%d jobs, %d calls: got %v and a repo %t, want Canceled and none", jobs, calls, err, repo != nil)
		}
		cancel()
	}
}

func TestExtractProgress(t *testing.T) {
	dir := plant(t, mixed())
	last, total := 0, 0
	extract(t, dir, func(o *Options) {
		o.Jobs = 4
		o.Progress = func(done, of int) {
			if done != last+1 || total != 0 && of != total {
				t.Errorf("%d of %d after %d of %d", done, of, last, total)
			}
			last, total = done, of
		}
	})
	if last == 0 || last != total {
		t.Errorf("the last call said %d of %d", last, total)
	}
}

// TestExtractOdd: one odd file beside a server changes nothing about the server.
func TestExtractOdd(t *testing.T) {
	deep := strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000)
	list := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for _, tt := range []struct{ name, file, src, want string }{
		{"truncated TypeScript", "a.ts", tsServer[:len(tsServer)/2], "a.ts: parse"},
		{"truncated Python", "a.py", pyServer[:len(pyServer)-30], "a.py: parse"},
		{"truncated Go", "x/a.go", strings.Replace(goServer, "package main", "package x", 1)[:len(goServer)/2], "x/a.go: parse"},
		{"nested parentheses in TypeScript", "a.ts", "const a = \"tools/list\"\nconst x = \n" + breakLines(deep), "a.ts: depth"},
		{"nested arrays in Python", "a.py", "a = 'tools/list'\nx = \\\n" + breakLines(list), "a.py: depth"},
		{"nested parentheses in Python", "a.py", "a = 'tools/list'\nx = (\n" + breakLines(deep) + ")\n", "a.py: depth"},
		{"a binary", "a.ts", "\x7fELF\x00\x01\x02tools/list\x00\xff\xfe", "a.ts: encoding"},
		{"invalid UTF-8", "a.ts", "// tools/list \xff\xfe\n", "a.ts: encoding"},
		{"UTF-16", "a.ts", "\xff\xfet\x00o\x00o\x00l\x00s\x00/\x00l\x00i\x00s\x00t\x00", "a.ts: encoding"},
		{"an empty file", "a.ts", "", ""},
		{"another language", "a.rb", "m = 'tools/list'\n", "a.rb: language"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := extract(t, plant(t, map[string]string{"good.ts": tsServer, tt.file: tt.src}))
			good := 0
			for _, s := range r.Servers {
				if s.Evidence[0].Span.File == "good.ts" {
					good++
				}
			}
			if good != 1 {
				t.Errorf("the good server was found %d times", good)
			}
			got := ""
			for _, g := range r.Gaps {
				if g.Span.File != tt.file {
					t.Errorf("gap %+v is about another file", g)
				}
				got = g.Span.File + ": " + g.Reason // of several syntax errors one will do
			}
			if got != tt.want {
				t.Errorf("gap %q, want %q", got, tt.want)
			}
		})
	}
}

// breakLines cuts a long line, which would be a gap of its own.
func breakLines(s string) string {
	var b strings.Builder
	for len(s) > 100 {
		b.WriteString(s[:100] + "\n")
		s = s[100:]
	}
	return b.String() + s + "\n"
}

// TestExtractDeepGo: deep nesting in Go is read by the type checker's parser, or is a gap.
func TestExtractDeepGo(t *testing.T) {
	deep := "var x = " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + "\n"
	r := extract(t, plant(t, map[string]string{"go.mod": "module example.com/a\n", "main.go": goServer, "deep/a.go": "package deep\n\nvar a = \"tools/list\"\n" + deep}))
	if !strings.HasPrefix(found(r), "go") {
		t.Errorf("found %s, want the server in Go", found(r))
	}
}

// TestExtractSpecial: what is no regular file is never opened.
func TestExtractSpecial(t *testing.T) {
	dir := plant(t, map[string]string{"good.ts": tsServer, "d/x.txt": ""})
	big, err := os.Create(filepath.Join(dir, "big.ts"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = big.WriteString("const a = 'tools/list';\n"); err == nil {
		err = big.Truncate(50 << 20) // sparse
	}
	if err2 := big.Close(); err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for link, to := range map[string]string{"loop": ".", "d/up": "..", "self.ts": "self.ts", "gone.ts": "missing.ts"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	pipe(t, filepath.Join(dir, "pipe.ts"))
	r := extract(t, dir)
	got := found(r)
	if !strings.HasPrefix(got, "typescript, ") || strings.Count(got, "typescript") != 1 {
		t.Errorf("found %s, want the good server once", got)
	}
	for _, want := range []string{"big.ts: size", "self.ts: not-regular", "gone.ts: unreadable", "pipe.ts: not-regular"} {
		if !strings.Contains(got, want) {
			t.Errorf("found %s, want %s too", got, want)
		}
	}
}

// TestExtractLineEnds: CRLF and a byte order mark change no verdict, and places count the bytes of the file as it is.
func TestExtractLineEnds(t *testing.T) {
	shape := func(files map[string]string) string {
		r := extract(t, plant(t, files))
		var out []string
		for _, s := range r.Servers {
			for _, rt := range s.Routers {
				ping := rt.Route("ping")
				if ping == nil {
					t.Fatalf("%s: no route for ping", s.Lang)
				}
				e := rt.Evidence.Span
				line, _ := mcpaudit.LineAt(r.Sources[e.File], e.Start)
				out = append(out, fmt.Sprintf("%s %s line %d %q: %s", s.Lang, s.Eras, mcpaudit.PositionAt(r.Sources[e.File], e.Start).Line, line, ping.Outcomes[0].Channel))
			}
		}
		return strings.Join(out, "\n")
	}
	plain := map[string]string{"go.mod": "module example.com/a\n", "main.go": goServer, "t/server.ts": "\n" + tsServer, "p/server.py": "\n" + pyServer}
	windows := map[string]string{}
	for name, src := range plain {
		windows[name] = "\ufeff" + strings.ReplaceAll(src, "\n", "\r\n")
	}
	want := shape(plain)
	if strings.Count(want, "\n") != 2 {
		t.Fatalf("found %s, want three servers", want)
	}
	if diff := cmp.Diff(want, shape(windows)); diff != "" {
		t.Errorf("(-plain +windows):\n%s", diff)
	}
}

// TestExtractOnDemand: a helper that holds no marker itself is read because a server imports it, and counted.
func TestExtractOnDemand(t *testing.T) {
	files := map[string]string{
		"server.ts": "import { PING } from \"./names.js\";\n" + strings.Replace(tsServer, `case "ping"`, "case PING", 1),
		"names.ts":  "export const PING = \"ping\";\n",
		"other.ts":  "export const x = 1;\n",
	}
	r := extract(t, plant(t, files))
	if len(r.Servers) != 1 || r.Servers[0].Routers[0].Route("ping") == nil {
		t.Fatalf("the constant of the other file was not followed: %+v", r.Servers)
	}
	if r.Counts.Parsed != 2 || r.Counts.Languages["typescript"] != 2 || r.Sources["names.ts"] == nil {
		t.Errorf("counts %+v, want two parsed files", r.Counts)
	}
}
