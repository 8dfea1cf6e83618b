//go:build cgo

package python

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

var update = flag.Bool("update", false, "rewrite the wanted output of the golden tests")

func parse(t testing.TB, name, src string) *syntax.Tree {
	t.Helper()
	tree, gap := Python.Parse(context.Background(), name, []byte(src))
	if gap != nil {
		t.Fatalf("parse %s: %s: %s", name, gap.Reason, gap.Detail)
	}
	return tree
}

func TestCheck(t *testing.T) {
	if err := Python.Check(); err != nil {
		t.Fatal(err)
	}
}

// TestGolden compares the dump of in.py in each archive with its section "want", which -update rewrites.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d golden files (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, in := archive(t, file)
			got := code.Print(lower(parse(t, "in.py", in)))
			want := &a.Files[1]
			if *update {
				want.Data = []byte(got)
				writeArchive(t, file, a)
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("lowered differently (-want +got):\n%s", diff)
			}
		})
	}
}

// archive reads a golden file and returns its source as well.
func archive(t testing.TB, file string) (*txtar.Archive, string) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) != 2 || a.Files[0].Name != "in.py" || a.Files[1].Name != "want" {
		t.Fatalf("%s: want the sections in.py and want", file)
	}
	return a, string(a.Files[0].Data)
}

func writeArchive(t testing.TB, file string, a *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
