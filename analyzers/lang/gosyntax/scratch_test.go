//go:build cgo
package gosyntax
import (
	"testing"; "os"; "io/fs"; "strings"; "context"; "fmt"
	"github.com/google/go-cmp/cmp"
	"github.com/mcpaudit/mcpaudit/analyzers/golang"
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
		r, err := golang.Load(context.Background(), fsys, files, golang.Options{})
		if err != nil { t.Fatal(err) }
		same, differ, broken := 0,0,0
		for _, f := range append(r.Files, r.Support...) {
			if r.Partial[f] { continue }
			tree, gap := Go.Parse(context.Background(), f.Path, f.Src)
			if gap != nil { t.Error(gap); continue }
			plain := Go.Lower(tree)
			if len(tree.Gaps) > 0 { broken++; fmt.Println("gaps", f.Path, len(tree.Gaps)); continue }
			a, b := common(f, plain)
			if a == b { same++; continue }
			differ++
			if os.Getenv("V") != "" {
				la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
				n := 0
				for i := range la {
					if i >= len(lb) || la[i] != lb[i] { fmt.Printf("%s\n  - %.400s\n  + %.400s\n", f.Path, la[i], lb[min(i,len(lb)-1)]); n++; if n > 0 { break } }
				}
			}
		}
		fmt.Println(dir, "same", same, "differ", differ, "broken", broken)
		_ = cmp.Diff
	}
}
