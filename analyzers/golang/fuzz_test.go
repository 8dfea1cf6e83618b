package golang

import (
	"testing"
	"testing/fstest"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/internal/trees"
)

func seeds(t testing.TB) []string { return trees.Sources(t, "testdata/lower/*.txtar", ".go") }

// FuzzLoad: no source makes Load fail or the lowering panic. A panic would be caught and become a gap.
func FuzzLoad(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(survives)
}

// TestPieces cuts and splices the fixtures, which the fuzzer does only when it is run for long.
func TestPieces(t *testing.T) {
	list := seeds(t)
	for i, s := range list {
		other := list[(i+1)%len(list)]
		for at := 0; at < len(s); at += 17 {
			survives(t, s[:at])
			survives(t, s[:at]+other[min(at, len(other)):])
		}
	}
}

func survives(t *testing.T, src string) {
	t.Helper()
	r := load(t, fstest.MapFS{"a.go": {Data: []byte(src)}, "go.mod": {Data: []byte("module example.com/a\n")}}, []string{"a.go"}, Options{})
	for _, g := range r.Gaps {
		if g.Reason == mcpaudit.GapCrash {
			t.Errorf("%s\n%s", g.Detail, src)
		}
	}
	for _, f := range r.Files {
		_ = code.Print(f)
	}
	if len(r.Files) == 0 && r.Left["a.go"] == "" {
		t.Errorf("the file is neither read nor left\n%s", src)
	}
}
