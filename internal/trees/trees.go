// Package trees reads the trees that tests keep in txtar archives.
package trees

import (
	"path"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Sources returns what the files with an extension (".go") hold, in all archives that match a glob. Finding no archive
// fails the test: it would test nothing.
func Sources(t testing.TB, glob, ext string) []string {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no test cases: %v", err)
	}
	var out []string
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if path.Ext(f.Name) == ext {
				out = append(out, string(f.Data))
			}
		}
	}
	return out
}
