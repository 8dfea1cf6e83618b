// Package bench measures whole extractions; see README.md.
package bench

import (
	"context"
	"os"
	"testing"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
	"github.com/mcpaudit/mcpaudit/patterns"
)

// tree is the folder of MCPAUDIT_BENCH_TREE, or the small one that is always there.
func tree(b *testing.B) string {
	dir := os.Getenv("MCPAUDIT_BENCH_TREE")
	if dir == "" {
		dir = "../testdata/quickstart"
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		b.Fatalf("MCPAUDIT_BENCH_TREE is %q, which is no folder", dir)
	}
	return dir
}

func extract(b *testing.B, dir string) *mcpaudit.Repo {
	b.Helper()
	repo, err := analyzers.Extract(context.Background(), analyzers.Options{Paths: []string{dir}})
	if err != nil {
		b.Fatal(err)
	}
	if repo.Counts.Read == 0 {
		b.Fatalf("nothing was read in %s", dir)
	}
	return repo
}

// BenchmarkExtract reads a tree and builds its model. The metrics tell a run that read much from one that read
// little: a time alone would praise a change that loses files.
func BenchmarkExtract(b *testing.B) {
	dir := tree(b)
	var repo *mcpaudit.Repo
	b.ReportAllocs()
	for b.Loop() {
		repo = extract(b, dir)
	}
	b.ReportMetric(float64(repo.Counts.Read), "read")
	b.ReportMetric(float64(repo.Counts.Parsed), "parsed")
	b.ReportMetric(float64(len(repo.Servers)), "servers")
}

// BenchmarkAudit asks every pattern about a model that is there.
func BenchmarkAudit(b *testing.B) {
	repo := extract(b, tree(b))
	all := patterns.All()
	var checks []mcpaudit.Check
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if checks, err = mcpaudit.Audit(repo, all, mcpaudit.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(checks)), "checks")
}

// BenchmarkNeedles is the part of every start that derives the literals from the SDKs.
func BenchmarkNeedles(b *testing.B) {
	for b.Loop() {
		if len(analyzers.Needles().Any) == 0 {
			b.Fatal("there are no literals")
		}
	}
}
