//go:build cgo

package typescript

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// sources returns the sources of all archives by name.
func sources(t testing.TB) map[string]string {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	out := map[string]string{}
	for _, file := range archives {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if !strings.HasSuffix(f.Name, ".want") {
				out[path.Join(strings.TrimSuffix(filepath.Base(file), ".txtar"), f.Name)] = string(f.Data)
			}
		}
	}
	return out
}

// lowerAny lowers a source that may be broken in any way and checks that the result can be relied on.
func lowerAny(t testing.TB, file, src string) {
	t.Helper()
	tree, gap := languageOf(file).Parse(context.Background(), file, []byte(src))
	if gap != nil {
		return // the whole file is a gap
	}
	f := languageOf(file).Lower(tree)
	sound(t, f)
	if len(f.Gaps) != len(tree.Gaps) {
		t.Fatalf("%d gaps of %d", len(f.Gaps), len(tree.Gaps))
	}
	if code.Print(f) == "" {
		t.Fatal("an empty dump")
	}
}

// TestBroken lowers every source cut off at many places and with a piece missing in the middle.
func TestBroken(t *testing.T) {
	for file, src := range sources(t) {
		step := max(1, len(src)/60)
		for i := 0; i < len(src); i += step {
			lowerAny(t, file, src[:i])
			lowerAny(t, file, src[i:])
			lowerAny(t, file, src[:i]+src[min(len(src), i+7*step):])
		}
	}
}

// FuzzLower splices two halves of anything.
func FuzzLower(f *testing.F) {
	for _, src := range sources(f) {
		f.Add(src, src, uint16(len(src)/2), uint16(len(src)/3))
	}
	f.Fuzz(func(t *testing.T, a, b string, i, j uint16) {
		src := a[:min(int(i), len(a))] + b[min(int(j), len(b)):]
		for _, file := range []string{"a.ts", "a.tsx", "a.js"} {
			lowerAny(t, file, src)
		}
	})
}

func BenchmarkLower(b *testing.B) {
	src := strings.Repeat(sources(b)["switch/a.ts"]+sources(b)["classes/a.ts"]+sources(b)["functions/objects.js"], 50)
	tree, _ := parse(b, "a.ts", src)
	b.Run("lower", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			TypeScript.Lower(tree)
		}
	})
	b.Run("parse and lower", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			parse(b, "a.ts", src)
		}
	})
}
