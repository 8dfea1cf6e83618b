//go:build cgo

package python

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// TestWhole checks that lowering loses no name and no literal of the golden sources.
func TestWhole(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		_, in := archive(t, file)
		tree := parse(t, "in.py", in)
		for _, l := range lost(tree, lower(tree)) {
			t.Errorf("%s: lost %s", file, l)
		}
	}
}

// sources yields the Python files below the folder that MCPAUDIT_BENCH_TREE names.
func sources(t testing.TB, fn func(name string, src []byte)) {
	dir := os.Getenv("MCPAUDIT_BENCH_TREE")
	if dir == "" {
		t.Skip("MCPAUDIT_BENCH_TREE names no tree")
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(Python.Extensions, filepath.Ext(name)) {
			return err
		}
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && len(src) < 500_000 {
			fn(name, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTree lowers real code, where there is some, and checks that nothing of it is lost.
func TestTree(t *testing.T) {
	files, broken := 0, 0
	sources(t, func(name string, src []byte) {
		files++
		tree, gap := Python.Parse(context.Background(), name, src)
		if gap != nil {
			t.Errorf("%s: %s: %s", name, gap.Reason, gap.Detail)
			return
		}
		if len(tree.Gaps) > 0 {
			broken++
		}
		f := lower(tree)
		if code.Print(f) == "" {
			t.Errorf("%s: empty dump", name)
		}
		for _, l := range lost(tree, f) {
			t.Errorf("%s: lost %s", name, l)
		}
	})
	t.Logf("%d files, %d with syntax errors", files, broken)
}

// FuzzLower feeds the golden sources, cut and glued together, and checks that every span lies in the source.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	var all []string
	for _, file := range files {
		_, in := archive(f, file)
		all = append(all, in)
	}
	for i, in := range all {
		f.Add(in)
		for step := 7; step < len(in); step += 1 + len(in)/12 {
			other := all[(i+step)%len(all)]
			f.Add(in[:step])
			f.Add(in[step:])
			f.Add(in[:step] + other[len(other)/3:])
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		tree, gap := Python.Parse(context.Background(), "in.py", []byte(src))
		if gap != nil {
			t.Skip()
		}
		file := lower(tree)
		code.Print(file)
		checkSpans(t, file)
		for _, l := range lost(tree, file) {
			t.Errorf("lost %s of %q", l, src)
		}
	})
}

func checkSpans(t *testing.T, f *code.File) {
	t.Helper()
	for span := range spans(f) {
		if span.Start < 0 || span.End < span.Start || span.End > len(f.Src) {
			t.Errorf("span %v lies outside the source of %d bytes", span, len(f.Src))
		}
	}
}

func BenchmarkLower(b *testing.B) {
	var trees []*syntax.Tree
	var size int64
	add := func(name string, src []byte) {
		if tree, gap := Python.Parse(context.Background(), name, src); gap == nil {
			trees = append(trees, tree)
			size += int64(len(src))
		}
	}
	if os.Getenv("MCPAUDIT_BENCH_TREE") != "" {
		sources(b, add)
	} else {
		_, in := archive(b, "testdata/router.txtar")
		add("in.py", []byte(strings.Repeat(in, 100)))
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, tree := range trees {
			lower(tree)
		}
	}
}
