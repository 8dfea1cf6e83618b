package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

// TestIndex holds the index against the root package, which finds each position on its own.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "é", "日", "😀", "\n", "\r\n", "\r", "\t", "\xff", "\xe6\x97", "\ufeff", "\u0301"}
	for range 60 {
		var b strings.Builder
		for range random.IntN(900) {
			b.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		src := []byte(b.String())
		x := newIndex(src)
		for offset := -2; offset <= len(src)+2; offset++ {
			want := mcpaudit.PositionAt(src, offset)
			if diff := cmp.Diff(want, x.at(offset)); diff != "" {
				t.Fatalf("offset %d of %q: mismatch (-want +got)\n%s", offset, src, diff)
			}
			line, start := mcpaudit.LineAt(src, offset)
			from, to := x.line(offset)
			if from != start || to != start+len(line) {
				t.Fatalf("the line at %d of %q is %d..%d, want %d..%d", offset, src, from, to, start, start+len(line))
			}
		}
	}
}

// TestLongLine has the marks of the index do their work: far more code points than one stride, in one line.
func TestLongLine(t *testing.T) {
	src := []byte("x\n" + strings.Repeat("日a", 20*stride) + "!")
	x := newIndex(src)
	if len(x.marks) < 20 {
		t.Fatalf("%d marks for %d bytes", len(x.marks), len(src))
	}
	want := mcpaudit.Position{Line: 2, Column: 40*stride + 1}
	if diff := cmp.Diff(want, x.at(len(src)-1)); diff != "" {
		t.Errorf("mismatch (-want +got)\n%s", diff)
	}
}
