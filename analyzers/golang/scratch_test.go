package golang

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func TestScratch(t *testing.T) {
	for _, dir := range strings.Split(os.Getenv("TREES"), ",") {
		fsys := os.DirFS(dir)
		var files []string
		fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil { return nil }
			if d.IsDir() && d.Name() == "vendor" { return fs.SkipDir }
			if !d.IsDir() && strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") {
				b, _ := fs.ReadFile(fsys, p)
				s := string(b)
				if strings.Contains(s, "tools/list") || strings.Contains(s, "modelcontextprotocol") || strings.Contains(s, "mcp-go") || strings.Contains(s, "mcp.ToolsList") {
					files = append(files, p)
				}
			}
			return nil
		})
		t0 := time.Now()
		r, err := Load(context.Background(), fsys, files, Options{Tests: os.Getenv("WITHTESTS") != ""})
		took := time.Since(t0)
		if err != nil {
			t.Error(dir, err)
			continue
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		good, errs, wanted := 0, 0, 0
		for _, p := range r.Packages {
			if p.Errors == 0 { good++ }
			errs += p.Errors
			if p.Wanted { wanted++ }
			if p.Errors > 0 && os.Getenv("V") != "" {
				fmt.Println("   ", p.Path, p.Errors, p.First)
			}
		}
		partial := len(r.Partial)
		fmt.Printf("%s: asked %d files %d support %d (partial %d) left %d gaps %d; packages %d (wanted %d) clean %d errors %d; %v heap %dMB\n", dir, len(files), len(r.Files), len(r.Support), partial, len(r.Left), len(r.Gaps), len(r.Packages), wanted, good, errs, took.Round(time.Millisecond), m.Sys>>20)
		for f, why := range r.Left { fmt.Println("   left", f, why) }
		for _, g := range r.Gaps { fmt.Println("   gap", g.Span.File, g.Reason, g.Detail) }
		for _, f := range append(append([]*code.File{}, r.Files...), r.Support...) {
			s := code.Print(f)
			if os.Getenv("PRINT") != "" && strings.HasSuffix(f.Path, os.Getenv("PRINT")) { fmt.Println(s) }
		}
	}
}
