package golang

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

var update = flag.Bool("update", false, "rewrite the expected dumps")

// TestLower lowers the sources of each case and compares the dumps. A case is a tree; "want" is what is expected
// of its Go files, in the order of their paths.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test cases: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, sources, want := fstest.MapFS{}, []string(nil), -1
			for i, f := range ar.Files {
				if f.Name == "want" {
					want = i
					continue
				}
				tree[f.Name] = &fstest.MapFile{Data: f.Data}
				if strings.HasSuffix(f.Name, ".go") {
					sources = append(sources, f.Name)
				}
			}
			got := dump(t, tree, sources)
			if *update {
				if want < 0 {
					want, ar.Files = len(ar.Files), append(ar.Files, txtar.File{Name: "want"})
				}
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want < 0 {
				t.Fatal("the case says nothing of what is expected")
			}
			if diff := cmp.Diff(string(ar.Files[want].Data), got); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func dump(t *testing.T, tree fstest.MapFS, sources []string) string {
	t.Helper()
	r := load(t, tree, sources, Options{})
	for name, why := range r.Left {
		t.Errorf("%s was left out: %s", name, why)
	}
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(code.Print(f))
	}
	return b.String()
}

func load(t *testing.T, tree fstest.MapFS, files []string, opts Options) *Result {
	t.Helper()
	r, err := Load(context.Background(), tree, files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
