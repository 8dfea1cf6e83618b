package manifest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
)

var wanted = []string{"@modelcontextprotocol/sdk", "fastmcp", "mcp", "fast-agent-mcp", "example.org/go-mcp", "example.org/go-mcp/v2"}

// Each file of testdata is a tree. The lines of its comment that begin with "?" are questions: an ecosystem and a
// name for Resolve, "name" for ServerName, then a file. The file "want" has an answer a line, with the text at the
// offset, which proves the offset; gaps follow.
func TestResolve(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fsys, paths, want := fstest.MapFS{}, []string{}, ""
			for _, f := range ar.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
				paths = append(paths, f.Name)
			}
			set, gaps := Read(fsys, paths, wanted)
			var got strings.Builder
			for line := range strings.Lines(string(ar.Comment)) {
				q := strings.Fields(line)
				switch {
				case len(q) == 3 && q[0] == "?" && q[1] == "name":
					name, ok := set.ServerName(q[2])
					fmt.Fprintf(&got, "%s %v\n", name, ok)
				case len(q) == 4 && q[0] == "?":
					fmt.Fprintln(&got, answer(set, fsys, q[1], q[2], q[3]))
				}
			}
			for _, g := range gaps {
				fmt.Fprintf(&got, "gap %s %s: %s\n", g.Reason, g.Span.File, g.Detail)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func answer(set *Set, fsys fstest.MapFS, eco, names, file string) string {
	d, ok := set.Resolve(eco, strings.Split(names, ","), file)
	if !ok {
		return "none"
	}
	out := fmt.Sprintf("%s version=%q range=%q", d.Name, d.Version, d.Range)
	if d.Dev {
		out += " dev"
	}
	src := fsys[d.Path].Data
	line, _, _ := bytes.Cut(src[d.Offset:], []byte("\n"))
	out += fmt.Sprintf(" %s:%d: %.34s", d.Path, mcpaudit.PositionAt(src, d.Offset).Line, line)
	if d.Note != "" {
		out += " (" + d.Note + ")"
	}
	return out
}

func TestReadLimits(t *testing.T) {
	fsys := fstest.MapFS{
		"big/package.json":    {Data: bytes.Repeat([]byte(" "), maxSize+1)},
		"dir/package.json/":   {Mode: 0o755},
		"pyproject.toml":      {Data: []byte("\ufeff[project]\r\nname = \"bom\"\r\ndependencies = [\"mcp==1.2\"]\r\n")},
		"deep/package.json":   {Data: []byte(`{"mcp":` + strings.Repeat("[", 1_000_000))},
		"deep/uv.lock":        {Data: []byte(`mcp = ` + strings.Repeat("[", 1_000_000))},
		"deep/deno.json":      {Data: []byte(`{"mcp":` + strings.Repeat(`{"a":`, 1_000_000))},
		"deep/pnpm-lock.yaml": {Data: []byte("mcp: " + strings.Repeat("[", 1_000_000))},
	}
	set, gaps := Read(fsys, []string{"big/package.json", "dir/package.json", "pyproject.toml", "gone/go.mod",
		"deep/package.json", "deep/uv.lock", "deep/deno.json", "deep/pnpm-lock.yaml"}, wanted)
	var got []string
	for _, g := range gaps {
		got = append(got, g.Reason+" "+g.Span.File)
	}
	want := []string{"size big/package.json", "parse deep/deno.json", "parse deep/package.json", "parse deep/pnpm-lock.yaml",
		"parse deep/uv.lock", "not-regular dir/package.json", "unreadable gone/go.mod"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(`mcp version="1.2" range="==1.2" pyproject.toml:3: "mcp==1.2"]`+"\r", answer(set, fsys, PyPI, "mcp", "a/b.py")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name, _ := set.ServerName("a/b.py"); name != "bom" {
		t.Errorf("ServerName = %q, want bom", name)
	}
}

func TestScript(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []Dependency
	}{
		{"usual", "#!/usr/bin/env -S uv run\n# /// script\n# requires-python = \">=3.12\"\n# dependencies = [\n#     \"httpx\",\n#     \"mcp[cli]==1.6.0\",\n# ]\n# ///\nimport mcp\n",
			[]Dependency{{Ecosystem: PyPI, Name: "httpx"}, {Ecosystem: PyPI, Name: "mcp", Version: "1.6.0", Range: "==1.6.0"}}},
		{"one line, CRLF", "\ufeff# /// script\r\n#\r\n# dependencies = [\"FastMCP>=2\"]\r\n# ///\r\n",
			[]Dependency{{Ecosystem: PyPI, Name: "fastmcp", Range: ">=2"}}},
		{"not closed", "# /// script\n# dependencies = [\"mcp\"]\nimport x\n", nil},
		{"another block", "# /// other\n# dependencies = [\"mcp\"]\n# ///\n", nil},
		{"not TOML", "# /// script\n# dependencies = [\n# ///\n", nil},
		{"none", "import mcp\n", nil},
	} {
		got := Script([]byte(tt.src))
		for i := range got {
			// The offset leads to the string, whose name may be spelt in another way.
			at := strings.ToLower(tt.src[got[i].Offset:])
			if !strings.HasPrefix(at, `"`+got[i].Name) {
				t.Errorf("%s: offset of %s leads to %.12q", tt.name, got[i].Name, at)
			}
			got[i].Offset = 0
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestRequirement(t *testing.T) {
	for _, tt := range []struct{ text, name, rng, version string }{
		{"mcp", "mcp", "", ""},
		{"mcp == 1.2.0", "mcp", "== 1.2.0", "1.2.0"},
		{"mcp===1.2.0rc1", "mcp", "===1.2.0rc1", "1.2.0rc1"},
		{"mcp==1.*", "mcp", "==1.*", ""},
		{"mcp==1.2,!=1.3", "mcp", "==1.2,!=1.3", ""},
		{"mcp (>=1.2)", "mcp", ">=1.2", ""},
		{"Fast__MCP.x [a,b] >=2 ; os_name=='nt'", "fast-mcp-x", ">=2", ""},
		{"mcp;python_version<'4'", "mcp", "", ""},
		{"mcp from somewhere", "", "", ""},
		{"./local/mcp", "", "", ""},
		{"https://example.org/mcp.whl", "", "", ""},
		{"", "", "", ""},
	} {
		name, rng, version, _, _ := parseRequirement(tt.text)
		got := [3]string{name, rng, version}
		if diff := cmp.Diff([3]string{tt.name, tt.rng, tt.version}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// Whatever a manifest holds, reading it and asking about it ends, does not panic, and points into the file.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if readerOf(file.Name) != nil {
				f.Add(filepath.Base(file.Name), file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if readerOf(name) == nil || strings.Contains(name, "/") {
			t.Skip()
		}
		fsys := fstest.MapFS{name: {Data: src}}
		set, gaps := Read(fsys, []string{name}, wanted)
		for _, g := range gaps {
			// guard is for what we do not foresee; what a fuzzer finds belongs into a reader.
			if strings.Contains(g.Detail, "the parser failed") {
				t.Error(g.Detail)
			}
		}
		for _, eco := range []string{NPM, PyPI, Go} {
			for _, w := range wanted {
				if d, ok := set.Resolve(eco, []string{w}, "a/b.py"); ok && (d.Offset < 0 || d.Offset >= len(src) || d.Path != name) {
					t.Errorf("%s points to %s:%d of %d bytes", w, d.Path, d.Offset, len(src))
				}
			}
		}
		set.ServerName("a/b.py")
		for _, d := range Script(src) {
			if d.Offset < 0 || d.Offset > len(src) {
				t.Errorf("script: %s points to %d of %d bytes", d.Name, d.Offset, len(src))
			}
		}
	})
}
