package walk

import (
	"context"
	"os"
	"testing"
)

// Any tree will do; without one there is nothing to measure.
func tree(b *testing.B) string {
	dir := os.Getenv("MCPAUDIT_BENCH_TREE")
	if dir == "" {
		b.Skip("MCPAUDIT_BENCH_TREE names no tree")
	}
	return dir
}

// Absent literals of the usual length: what a tree without MCP costs.
var absent = &Needles{
	Any:   []string{"t0ols/list", "t0ols/call", "model-c0ntext", "fastmcp0", "mcp.server0"},
	Pairs: [][2]string{{"initialize0", "jsonrpc0"}},
}

func BenchmarkWalk(b *testing.B) {
	dir := tree(b)
	for b.Loop() {
		if _, err := Walk(context.Background(), dir, Options{Languages: languages}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	l, err := Walk(context.Background(), tree(b), Options{Languages: languages})
	if err != nil {
		b.Fatal(err)
	}
	var size int64
	for _, f := range l.Files {
		size += f.Size
	}
	b.SetBytes(size)
	b.ReportMetric(float64(len(l.Files)), "files")
	for b.Loop() {
		if err := l.Scan(context.Background(), absent, func(File, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	src, err := os.ReadFile("classify.go")
	if err != nil {
		b.Fatal(err)
	}
	f := absent.compile()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if f.match(src) {
			b.Fatal("this file holds a needle that should be absent")
		}
	}
}
