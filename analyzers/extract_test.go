package analyzers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// goServer is a server by hand in Go, which is read without a grammar.
const goServer = `package main

type msg struct {
	ID     any
	Method string
}

func route(m msg) map[string]any {
	switch m.Method {
	case "initialize":
		return map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{"protocolVersion": "2025-06-18"}}
	case "tools/list":
		return map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{"tools": []any{}}}
	case "ping":
		return map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": -32601, "message": "unknown"}}
}

func main() { route(msg{}) }
`

const tsServer = `export function handle(msg: any) {
  switch (msg.method) {
    case "initialize": return { jsonrpc: "2.0", id: msg.id, result: { protocolVersion: "2025-06-18" } };
    case "tools/list": return { jsonrpc: "2.0", id: msg.id, result: { tools: [] } };
    case "ping": return { jsonrpc: "2.0", id: msg.id, result: {} };
    default: return { jsonrpc: "2.0", id: msg.id, error: { code: -32601, message: "unknown" } };
  }
}
`

const pyServer = `def handle(msg):
    if msg["method"] == "initialize":
        return {"jsonrpc": "2.0", "id": msg["id"], "result": {"protocolVersion": "2025-06-18"}}
    if msg["method"] == "tools/list":
        return {"jsonrpc": "2.0", "id": msg["id"], "result": {"tools": []}}
    if msg["method"] == "ping":
        return {"jsonrpc": "2.0", "id": msg["id"], "result": {}}
    return {"jsonrpc": "2.0", "id": msg["id"], "error": {"code": -32601, "message": "unknown"}}
`

// plant writes a tree into a folder of its own.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func extract(t testing.TB, dir string, change ...func(*Options)) *mcpaudit.Repo {
	t.Helper()
	opts := Options{Paths: []string{dir}}
	for _, c := range change {
		c(&opts)
	}
	repo, err := Extract(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range repo.Gaps {
		if g.Reason == mcpaudit.GapCrash {
			t.Errorf("crash: %s: %s", g.Span.File, g.Detail)
		}
	}
	for _, s := range repo.Servers {
		for _, e := range s.Evidence {
			if e.Span != nil && len(repo.Sources[e.Span.File]) < e.Span.End {
				t.Errorf("server %s: %+v is outside the %d bytes that are kept", s.Name, *e.Span, len(repo.Sources[e.Span.File]))
			}
		}
	}
	return repo
}

// found lists the servers by language and the gaps by file and reason.
func found(r *mcpaudit.Repo) string {
	var out []string
	for _, s := range r.Servers {
		out = append(out, s.Lang)
	}
	for _, g := range r.Gaps {
		out = append(out, g.Span.File+": "+g.Reason)
	}
	return strings.Join(out, ", ")
}

// TestExtractNothing: where no server is, there is none, and the counts say what was looked at.
func TestExtractNothing(t *testing.T) {
	for _, tt := range []struct {
		name         string
		files        map[string]string
		listed, read int
		left         string
		parsed       int
		found        string
	}{
		{"an empty tree", nil, 0, 0, "", 0, ""},
		{"nothing about MCP", map[string]string{"main.go": "package main\nfunc main() {}\n"}, 1, 1, "", 0, ""},
		{"tests only", map[string]string{"route_test.go": goServer}, 1, 1, "test", 0, ""},
		{"no language that is read", map[string]string{"server.rb": `case m when "tools/list"`, "a.rs": `"tools/list"`}, 2, 2, "", 0, "a.rs: language, server.rb: language"},
		{"a word of MCP in plain text", map[string]string{"README.md": "tools/list\n", "go.mod": "module example.com/a\n"}, 2, 0, "", 0, ""},
		{"only a mention", map[string]string{"a.go": "package a\n\n// tools/list is a method.\nvar x = \"tools/list\"\n"}, 1, 1, "", 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := extract(t, plant(t, tt.files))
			if got := found(r); got != tt.found {
				t.Errorf("found %q, want %q", got, tt.found)
			}
			if len(r.Servers)+len(r.Clients) > 0 {
				t.Errorf("servers %v, clients %v, want none", r.Servers, r.Clients)
			}
			if r.Counts.Files != tt.listed || r.Counts.Read != tt.read || r.Counts.Parsed != tt.parsed || tt.left != "" && r.Counts.LeftOut[tt.left] == 0 {
				t.Errorf("counts %+v, want %d listed, %d read, %d parsed and something left out for %q", r.Counts, tt.listed, tt.read, tt.parsed, tt.left)
			}
		})
	}
}

func TestExtractTests(t *testing.T) {
	dir := plant(t, map[string]string{"go.mod": "module example.com/a\n", "main_test.go": goServer})
	if r := extract(t, dir, func(o *Options) { o.IncludeTests = true }); len(r.Servers) != 1 {
		t.Errorf("with tests included: %d servers, want 1", len(r.Servers))
	}
	if r := extract(t, dir); len(r.Servers) != 0 {
		t.Errorf("without: %d servers, want none", len(r.Servers))
	}
}

func TestExtractInput(t *testing.T) {
	dir := plant(t, map[string]string{"a.go": goServer})
	for _, tt := range []struct {
		name string
		opts Options
	}{
		{"no such path", Options{Paths: []string{filepath.Join(dir, "missing")}}},
		{"no such path below", Options{Paths: []string{filepath.Join(dir, "missing", "...")}}},
		{"one of two does not exist", Options{Paths: []string{dir, filepath.Join(dir, "missing.go")}}},
		{"a broken glob", Options{Paths: []string{dir}, Exclude: []string{"[a"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			repo, err := Extract(context.Background(), tt.opts)
			if !errors.Is(err, ErrInput) || repo != nil {
				t.Errorf("got %v and a repo %t, want ErrInput and none", err, repo != nil)
			}
		})
	}
}

func TestExtractCancelled(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/a\n", "main.go": goServer, "b/b.go": strings.Replace(goServer, "package main", "package b", 1)}
	dir := plant(t, files)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if repo, err := Extract(ctx, Options{Paths: []string{dir}}); !errors.Is(err, context.Canceled) || repo != nil {
		t.Errorf("before the start: got %v and a repo %t, want Canceled and none", err, repo != nil)
	}
	// In the middle: after each stage. The last one is over by then, and its result is whole.
	for _, stage := range []string{"list", "search", "parse", "manifests"} {
		ctx, cancel := context.WithCancel(context.Background())
		reached := false
		repo, err := Extract(ctx, Options{Paths: []string{dir}, Timing: func(s string, _ time.Duration) {
			if s == stage {
				reached = true
				cancel()
			}
		}})
		if !reached || !errors.Is(err, context.Canceled) || errors.Is(err, ErrInput) || repo != nil {
			t.Errorf("after %s (reached %t): got %v and a repo %t, want Canceled and none", stage, reached, err, repo != nil)
		}
		cancel()
	}
}

// TestExtractHooks: the hooks see every stage once, in order.
func TestExtractHooks(t *testing.T) {
	dir := plant(t, map[string]string{"go.mod": "module example.com/a\n", "main.go": goServer})
	var stages []string
	said := false
	extract(t, dir, func(o *Options) {
		o.Timing = func(s string, _ time.Duration) { stages = append(stages, s) }
		o.Verbose = func(string, ...any) { said = true }
	})
	if want := []string{"list", "search", "parse", "manifests", "evaluate"}; !slices.Equal(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
	if !said {
		t.Error("nothing was said of the packages")
	}
}

// TestExtractVanished: a file that is gone between the listing and the search is a gap, and the rest is read.
func TestExtractVanished(t *testing.T) {
	dir := plant(t, map[string]string{"go.mod": "module example.com/a\n", "main.go": goServer, "b/b.go": "package b\n\nvar x = \"tools/list\"\n"})
	r := extract(t, dir, func(o *Options) {
		o.Timing = func(s string, _ time.Duration) {
			if s == "list" {
				if err := os.Remove(filepath.Join(dir, "b", "b.go")); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if got, want := found(r), "go, b/b.go: unreadable"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestExtractRunsNothing plants whatever build tools, editors and version control would run.
func TestExtractRunsNothing(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "ran")
	touch := "touch " + marker
	dir := plant(t, map[string]string{
		"go.mod":                       "module example.com/a\n\ngo 1.99.0\n\ntoolchain go1.99.0-" + "local\n\nrequire example.com/outside v1.0.0\n",
		"main.go":                      "//go:generate " + touch + "\n" + goServer + "\n// #cgo CFLAGS: -fplugin=" + marker + "\n",
		"cgo.go":                       "package main\n\n// #cgo pkg-config: --define-prefix=" + marker + "\n// #include \"x.h\"\nimport \"C\"\n\nconst list = \"tools/list\"\n",
		"vendor/modules.txt":           "# broken\n",
		"go.work":                      "go 1.99.0\n\nuse .\n",
		"Makefile":                     "all:\n\t" + touch + "\n",
		"package.json":                 `{"name": "a", "scripts": {"preinstall": "` + touch + `", "prepare": "` + touch + `"}, "dependencies": {"@modelcontextprotocol/sdk": "file:` + marker + `"}}`,
		".npmrc":                       "script-shell=" + marker + "\n",
		"server.ts":                    tsServer,
		"server.py":                    pyServer,
		"conftest.py":                  "open(" + `"` + marker + `"` + ", 'w')\n",
		"sitecustomize.py":             "open(" + `"` + marker + `"` + ", 'w')\n",
		"setup.py":                     "open(" + `"` + marker + `"` + ", 'w')  # tools/list\n",
		".git/config":                  "[core]\n\tfsmonitor = " + touch + "\n\tpager = " + touch + "\n\tsshCommand = " + touch + "\n[filter \"x\"]\n\tclean = " + touch + "\n\tsmudge = " + touch + "\n[diff]\n\texternal = " + touch + "\n",
		".git/HEAD":                    "ref: refs/heads/main\n",
		".git/hooks/post-index-change": "#!/bin/sh\n" + touch + "\n",
		".gitattributes":               "* filter=x\n",
		".envrc":                       touch + "\n",
	})
	for _, d := range []string{".git/objects", ".git/refs/heads"} { // a repository that git accepts
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// git lists the files. Nothing else of what a user has installed has any business here.
	bin := t.TempDir()
	for _, name := range []string{"go", "gcc", "cc", "clang", "pkg-config", "node", "npm", "npx", "pip", "python", "python3", "make"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n: > "+marker+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r := extract(t, dir)
	if len(r.Servers) == 0 {
		t.Errorf("the server was not read: %s", found(r))
	}
	if _, err := os.Stat(marker); !os.IsNotExist(err) {
		t.Errorf("something of the tree was run: %v", err)
	}
}
