package walk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
)

func languages(ext string) string {
	return map[string]string{".go": "go", ".py": "python", ".ts": "typescript", ".tsx": "typescript",
		".js": "javascript", ".mjs": "javascript", ".cs": "csharp"}[ext]
}

// plant writes a tree. A name that ends in a slash is an empty folder.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(full, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return root
}

func empty(names ...string) map[string]string {
	m := map[string]string{}
	for _, n := range names {
		m[n] = ""
	}
	return m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// git makes the tree a repository, or skips the test where there is no git.
func git(t *testing.T, root string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.org"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(gitEnv(os.Environ(), filepath.Dir(root)), "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func walk(t *testing.T, root string, opts Options) *Listing {
	t.Helper()
	opts.Languages = languages
	l, err := Walk(context.Background(), root, opts)
	must(t, err)
	return l
}

// summary is a listing in lines: files with their class, then the others, then gaps and counts.
func summary(l *Listing) string {
	var b strings.Builder
	for _, f := range l.Files {
		fmt.Fprintf(&b, "%s %s\n", f.Class, f.Path)
	}
	for _, p := range l.Aux {
		fmt.Fprintf(&b, "aux %s\n", p)
	}
	for _, g := range l.Gaps {
		fmt.Fprintf(&b, "gap %s %s\n", g.Reason, g.Span.File)
	}
	for _, reason := range slices.Sorted(keys(l.Counts.LeftOut)) {
		fmt.Fprintf(&b, "left %s %d\n", reason, l.Counts.LeftOut[reason])
	}
	return b.String()
}

func keys(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// The cases of testdata/classify.txtar are pairs "name/tree" and "name/want"; options stand in the comment lines
// of the tree, which begin with "#".
func TestClassify(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/classify.txtar")
	must(t, err)
	for i := 0; i+1 < len(ar.Files); i += 2 {
		name, want := path0(ar.Files[i].Name), string(ar.Files[i+1].Data)
		t.Run(name, func(t *testing.T) {
			var opts Options
			files := map[string]string{}
			for line := range strings.Lines(string(ar.Files[i].Data)) {
				line = strings.TrimSpace(line)
				key, arg, _ := strings.Cut(line, " ")
				switch key {
				case "":
				case "#path":
					opts.Paths = append(opts.Paths, arg)
				case "#exclude":
					opts.Exclude = append(opts.Exclude, arg)
				case "#tests":
					opts.IncludeTests = true
				case "#vendored":
					opts.IncludeVendored = true
				default:
					files[key] = arg
				}
			}
			root := plant(t, files)
			if diff := cmp.Diff(want, summary(walk(t, root, opts))); diff != "" {
				t.Errorf("without git (-want +got):\n%s", diff)
			}
			git(t, root, "init", "-q")
			if diff := cmp.Diff(want, summary(walk(t, root, opts))); diff != "" {
				t.Errorf("with git (-want +got):\n%s", diff)
			}
		})
	}
}

func path0(name string) string {
	head, _, _ := strings.Cut(name, "/")
	return head
}

// Our own reading of ignore files must agree with git's.
func TestIgnoreLikeGit(t *testing.T) {
	root := plant(t, map[string]string{
		".gitignore":      "\ufeff*.log\r\n/only-top.go\n!keep.log\nlogs/\nsrc/**/gen\na/**\nspaced.go   \n\\#odd.go\n\\!bang.go\nfoo/*.go\n**/deep/x.go\nz[0-9].go\n{a,b}.go\nq?.go\nbroken[\n",
		"src/.gitignore":  "!important.log\n/local.go\n",
		"out/.gitignore":  "*\n!.gitignore\n!kept.go\n",
		"logs/.gitignore": "!x.go\n",
		"keep/a.log":      "", "keep.log": "", "b.log": "", "sub/keep.log": "",
		"only-top.go": "", "sub/only-top.go": "", "logs/x.go": "", "src/logs": "", "src/a/b/gen/x.go": "", "src/gen/y.go": "",
		"a/b/c.go": "", "d/a/b.go": "", "spaced.go": "", "#odd.go": "", "!bang.go": "", "foo/x.go": "", "foo/bar/x.go": "",
		"m/n/deep/x.go": "", "deep/x.go": "", "z1.go": "", "zz.go": "", "a.go": "", "b.go": "", "{a,b}.go": "", "q.go": "", "qq.go": "",
		"src/important.log": "", "src/local.go": "", "src/deeper/local.go": "", "out/kept.go": "", "out/lost.go": "",
		"name with space.go": "", "broken[": "",
	})
	bare := summary(walk(t, root, Options{}))
	git(t, root, "init", "-q")
	if diff := cmp.Diff(summary(walk(t, root, Options{})), bare); diff != "" {
		t.Errorf("(-git +own):\n%s", diff)
	}
}

func TestGitListing(t *testing.T) {
	root := plant(t, map[string]string{
		".gitignore": "ignored/\n", "a.ts": "", "gone.ts": "", "ignored/b.ts": "", "forced/c.ts": "", "sub/x.ts": "", "dir/d.ts": "",
	})
	git(t, root, "init", "-q")
	git(t, root, "add", "a.ts", "gone.ts", "dir/d.ts")
	git(t, root, "add", "-f", "ignored/b.ts")
	must(t, os.Remove(filepath.Join(root, "gone.ts")))
	git(t, filepath.Join(root, "sub"), "init", "-q")
	git(t, filepath.Join(root, "sub"), "add", ".")
	git(t, filepath.Join(root, "sub"), "commit", "-qm", "x")
	// A folder that was replaced by a link after it was added leads out of the tree.
	away := plant(t, empty("d.ts"))
	must(t, os.RemoveAll(filepath.Join(root, "dir")))
	symlink(t, away, filepath.Join(root, "dir"))
	want := `source a.ts
source forced/c.ts
source ignored/b.ts
aux .gitignore
gap outside-root dir
gap outside-root dir/d.ts
left absent 1
left submodule 1
`
	if diff := cmp.Diff(want, summary(walk(t, root, Options{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Asked for by name, an ignored folder is read and so is the repository below.
	want = "source ignored/b.ts\nsource sub/x.ts\n"
	if diff := cmp.Diff(want, summary(walk(t, root, Options{Paths: []string{"ignored/...", "sub"}}))); diff != "" {
		t.Errorf("named (-want +got):\n%s", diff)
	}
}

// The configuration of a repository must not start anything, nor lead elsewhere.
func TestHostileGitConfig(t *testing.T) {
	root := plant(t, empty("a.ts", "b.ts"))
	elsewhere := plant(t, empty("secret.ts"))
	git(t, root, "init", "-q")
	git(t, root, "add", "a.ts")
	trace := filepath.Join(elsewhere, "ran")
	hook := filepath.Join(root, "hook.sh")
	must(t, os.WriteFile(hook, []byte("#!/bin/sh\ntouch '"+trace+"'\n"), 0o755))
	for key, value := range map[string]string{
		"core.fsmonitor": hook, "core.hooksPath": root, "core.worktree": elsewhere, "core.pager": hook,
		"filter.x.clean": hook, "core.sshCommand": hook, "alias.ls-files": "!" + hook,
	} {
		git(t, root, "--work-tree="+root, "config", key, value)
	}
	must(t, os.WriteFile(filepath.Join(root, "post-index-change"), []byte("#!/bin/sh\ntouch '"+trace+"'\n"), 0o755))
	t.Setenv("GIT_DIR", elsewhere)
	got := summary(walk(t, root, Options{}))
	want := "source a.ts\nsource b.ts\nsource hook.sh\naux post-index-change\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a program of the repository was started")
	}
}

func TestPaths(t *testing.T) {
	l := walk(t, plant(t, empty("z.json", "setup.py", "a.json", "node_modules/x.js")), Options{})
	if diff := cmp.Diff([]string{"a.json", "setup.py", "z.json"}, l.Paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWalkErrors(t *testing.T) {
	root := plant(t, empty("a.ts"))
	for _, tt := range []struct {
		opts Options
		want string
	}{
		{Options{Paths: []string{"nowhere"}}, "find nowhere: no such file"},
		{Options{Paths: []string{"../up"}}, "find ../up: it lies outside of"},
		{Options{Exclude: []string{"a["}}, `exclude "a[": not a valid glob`},
	} {
		if _, err := Walk(context.Background(), root, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Walk(%+v): error %v, want %q", tt.opts, err, tt.want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(done, root, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk after cancel: %v", err)
	}
}

func TestRoot(t *testing.T) {
	top := plant(t, empty("one/a/x.ts", "one/b/", "two/y.ts", "plain/p/q.ts", "plain/r/s.ts"))
	top, err := filepath.EvalSymlinks(top)
	must(t, err)
	git(t, filepath.Join(top, "one"), "init", "-q")
	git(t, filepath.Join(top, "two"), "init", "-q")
	for _, tt := range []struct {
		cwd     string
		paths   []string
		root    string
		rel     []string
		problem string
	}{
		{cwd: "one", root: "one", rel: []string{"."}},
		{cwd: "one", paths: []string{"./..."}, root: "one", rel: []string{"."}},
		{cwd: "one/a", paths: []string{"./..."}, root: "one", rel: []string{"a"}},
		{cwd: "one", paths: []string{"a", "a/", "a/...", "a/x.ts"}, root: "one", rel: []string{"a", "a", "a", "a/x.ts"}},
		{cwd: ".", paths: []string{"plain/p/q.ts", "plain/r/..."}, root: "plain", rel: []string{"p/q.ts", "r"}},
		{cwd: ".", paths: []string{"plain/p/q.ts"}, root: "plain/p", rel: []string{"q.ts"}},
		{cwd: ".", paths: []string{"one", "two"}, problem: "they belong to different repositories"},
		{cwd: ".", paths: []string{"one", "plain"}, problem: "they belong to different repositories"},
		{cwd: ".", paths: []string{"missing"}, problem: "scan missing: no such file"},
		{cwd: ".", paths: []string{"two/y.ts/..."}, problem: "scan two/y.ts/..."},
		{cwd: ".", paths: []string{""}, problem: "it is empty"},
	} {
		t.Chdir(filepath.Join(top, tt.cwd))
		root, rel, err := Root(tt.paths)
		if tt.problem != "" {
			if err == nil || !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("Root(%q): error %v, want %q", tt.paths, err, tt.problem)
			}
			continue
		}
		must(t, err)
		if diff := cmp.Diff(filepath.Join(top, tt.root), root); diff != "" {
			t.Errorf("Root(%q) (-want +got):\n%s", tt.paths, diff)
		}
		if diff := cmp.Diff(tt.rel, rel); diff != "" {
			t.Errorf("Root(%q) (-want +got):\n%s", tt.paths, diff)
		}
	}
}

// scan runs a scan and gives what reached the callback, ordered.
func scan(t *testing.T, l *Listing, n *Needles) []string {
	t.Helper()
	var mu sync.Mutex
	var got []string
	must(t, l.Scan(context.Background(), n, func(f File, src []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if int64(len(src)) != f.Size {
			t.Errorf("%s: %d bytes, listed with %d", f.Path, len(src), f.Size)
		}
		got = append(got, f.Path)
		return nil
	}))
	slices.Sort(got)
	return got
}

var marks = &Needles{Any: []string{"tools/list"}, Pairs: [][2]string{{"initialize", "jsonrpc"}}}

func TestScan(t *testing.T) {
	const hit = `case "tools/list":` + "\n"
	utf16 := "\xff\xfe" + strings.Join(strings.Split(hit, ""), "\x00") + "\x00"
	files := map[string]string{
		"hit.ts": hit, "miss.ts": "const a = 1\n", "pair.py": "initialize ... jsonrpc", "half.py": "initialize only",
		"crlf.ts": "\r\n" + strings.TrimSpace(hit) + "\r\n", "bom.ts": "\ufeff" + hit, "empty.ts": "",
		"utf16.ts": utf16, "video.ts": "G\x00\xff" + hit, "wide.ts": strings.Join(strings.Split(hit, ""), "\x00"),
		"nul.ts": hit + strings.Repeat("f();\n", 9) + "a = '\x00'", "nul-quiet.ts": strings.Repeat("f();\n", 9) + "a = '\x00'", "latin1.py": "# caf\xe9\n" + hit, "latin1-quiet.py": "# caf\xe9\n",
		"zig.zig": hit, "quiet.zig": "none",
		"gen.go": "// Code generated by nobody. DO NOT EDIT.\n" + hit, "gen.ts": "/**\n * @generated\n */\n" + hit,
		"mail.ts":      "// write to x@generated.example\n" + hit,
		"squeezed.js":  hit + strings.Repeat("x", 3000),
		"picture.js":   hit + "const p = '" + strings.Repeat("x", 3000) + "'\n" + strings.Repeat("f();\n", 100),
		"longline.js":  hit + strings.Repeat("a();\n", 100_000) + strings.Repeat("x", maxLine+1),
		"test/x.zig":   hit,
		"smoke.sh":     "curl -d '" + hit + "'",
		"quiet.sh":     "make",
		"ask.PS1":      hit,
		"test/x.sh":    hit,
		"data.json":    hit,
		"tools-es.cjs": hit, // no language for it here
	}
	for _, jobs := range []int{1, 7} {
		l := walk(t, plant(t, files), Options{Jobs: jobs})
		got := scan(t, l, marks)
		want := []string{"bom.ts", "crlf.ts", "hit.ts", "mail.ts", "pair.py", "picture.js"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("jobs %d (-want +got):\n%s", jobs, diff)
		}
		wantGaps := []mcpaudit.Gap{
			{Span: mcpaudit.Span{File: "latin1.py"}, Lang: "python", Reason: "encoding", Detail: "invalid UTF-8 at byte 5"},
			{Span: mcpaudit.Span{File: "longline.js"}, Lang: "javascript", Reason: "long-line", Detail: "line 100002 has 1048577 bytes, the limit is 1048576"},
			{Span: mcpaudit.Span{File: "nul.ts"}, Lang: "typescript", Reason: "encoding", Detail: "NUL at byte 69"},
			{Span: mcpaudit.Span{File: "tools-es.cjs"}, Reason: "language", Detail: "JavaScript"},
			{Span: mcpaudit.Span{File: "utf16.ts"}, Lang: "typescript", Reason: "encoding", Detail: "UTF-16 with a byte order mark"},
			{Span: mcpaudit.Span{File: "video.ts"}, Lang: "typescript", Reason: "encoding", Detail: "NUL at byte 1"},
			{Span: mcpaudit.Span{File: "wide.ts"}, Lang: "typescript", Reason: "encoding", Detail: "NUL at byte 1"},
			{Span: mcpaudit.Span{File: "zig.zig"}, Reason: "language", Detail: "Zig"},
		}
		if diff := cmp.Diff(wantGaps, l.Gaps); diff != "" {
			t.Errorf("jobs %d: gaps (-want +got):\n%s", jobs, diff)
		}
		wantLeft := map[string]int{Generated: 2, Minified: 1, "test": 2, Shell: 2}
		if diff := cmp.Diff(wantLeft, l.Counts.LeftOut); diff != "" {
			t.Errorf("jobs %d: left out (-want +got):\n%s", jobs, diff)
		}
		if diff := cmp.Diff([]string{"ask.PS1", "smoke.sh"}, l.Shells); diff != "" {
			t.Errorf("jobs %d: shells (-want +got):\n%s", jobs, diff)
		}
		if want := len(files) - 4; l.Counts.Read != want { // data.json, utf16.ts, video.ts, wide.ts
			t.Errorf("jobs %d: read %d files, want %d", jobs, l.Counts.Read, want)
		}
	}
}

func TestScanLarge(t *testing.T) {
	root := plant(t, map[string]string{
		"full.ts":  "tools/list" + strings.Repeat("\n", maxSize-10),
		"gen.ts":   "// @generated\n" + strings.Repeat("a();\n", maxSize/5),
		"wide.js":  strings.Repeat(strings.Repeat("x", 5000)+"\n", maxSize/5000+1),
		"large.py": strings.Repeat("a()\n", maxSize/4+1),
		"large.c":  strings.Repeat("a()\n", maxSize/4+1),
	})
	f, err := os.Create(filepath.Join(root, "sparse.go"))
	must(t, err)
	must(t, f.Truncate(50<<20))
	must(t, f.Close())
	l := walk(t, root, Options{})
	if diff := cmp.Diff([]string{"full.ts"}, scan(t, l, marks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []mcpaudit.Gap{
		{Span: mcpaudit.Span{File: "large.py"}, Lang: "python", Reason: "size", Detail: "2097156 bytes, the limit is 2097152"},
		{Span: mcpaudit.Span{File: "sparse.go"}, Lang: "go", Reason: "size", Detail: "52428800 bytes, the limit is 2097152"},
	}
	if diff := cmp.Diff(want, l.Gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{Generated: 1, Minified: 1}, l.Counts.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func TestScanVanished(t *testing.T) {
	root := plant(t, map[string]string{"a.ts": "tools/list", "b.ts": "tools/list"})
	l := walk(t, root, Options{})
	must(t, os.Remove(filepath.Join(root, "a.ts")))
	if diff := cmp.Diff([]string{"b.ts"}, scan(t, l, marks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []mcpaudit.Gap{{Span: mcpaudit.Span{File: "a.ts"}, Lang: "typescript", Reason: "unreadable", Detail: "vanished during the scan"}}
	if diff := cmp.Diff(want, l.Gaps); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func TestScanStops(t *testing.T) {
	l := walk(t, plant(t, map[string]string{"a.ts": "tools/list"}), Options{})
	enough := errors.New("enough")
	if err := l.Scan(context.Background(), marks, func(File, []byte) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("Scan: %v, want the callback's error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Scan(ctx, marks, func(File, []byte) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Scan after cancel: %v", err)
	}
}

// The two-byte window must find what a plain search finds, whatever the alignment.
func FuzzNeedles(f *testing.F) {
	f.Add("abcabc tools/list", "abca", "list", "tools/", "zz")
	f.Add("aaaa", "aa", "aaa", "a", "aaaa")
	f.Add("", "", "x", "y", "z")
	f.Fuzz(func(t *testing.T, text, a, b, c, d string) {
		if max(len(a), len(b), len(c), len(d)) > 200 {
			t.Skip()
		}
		n := &Needles{Any: []string{a, b}, Pairs: [][2]string{{c, d}, {a, c}}}
		has := func(s string) bool { return strings.Contains(text, s) }
		want := has(a) || has(b) || has(c) && has(d) || has(a) && has(c)
		if got := n.compile().match([]byte(text)); got != want {
			t.Errorf("match(%q) with %+v = %v, want %v", text, n, got, want)
		}
	})
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	must(t, os.Symlink(target, name))
}
