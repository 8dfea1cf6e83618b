//go:build cgo

package cases

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/patterns"
)

func run(t *testing.T, files []txtar.File, p *mcpaudit.Pattern) Result {
	t.Helper()
	r, err := Run(t.Context(), t.TempDir(), files, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCases runs every case of every pattern, and again with what must not change the verdict: other line ends, other
// names of constants.
func TestCases(t *testing.T) {
	for _, p := range patterns.All() {
		stem := strings.ReplaceAll(string(p.ID), "-", "")
		t.Run(stem, func(t *testing.T) {
			ar, err := txtar.ParseFile(filepath.Join("..", "..", "patterns", "testdata", stem+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			list, err := Split(ar, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					same(t, c, p)
					if t.Failed() {
						return // the variants would say the same again
					}
					same(t, c.Windows(), p)
					if other, ok := c.Renamed(); ok {
						same(t, other, p)
					}
				})
			}
			t.Run("below tests", func(t *testing.T) { silentInTests(t, list, p) })
		})
	}
}

func same(t *testing.T, c *Case, p *mcpaudit.Pattern) {
	t.Helper()
	r := run(t, c.Files, p)
	problems := c.Compare(r)
	for _, problem := range problems {
		t.Errorf("%s: %s", c.Name, problem)
	}
	if len(problems) > 0 {
		for i := range r.Checks {
			t.Logf("%s: said %s: %s", c.Name, r.Checks[i].Verdict, describe(&r.Checks[i]))
		}
	}
}

// silentInTests puts all cases below a folder for tests, where no server is anybody's.
func silentInTests(t *testing.T, list []*Case, p *mcpaudit.Pattern) {
	var files []txtar.File
	for i, c := range list {
		files = append(files, c.Below(fmt.Sprintf("tests/c%d", i))...)
	}
	for _, k := range run(t, files, p).Checks {
		place := "no place"
		if span := k.Primary(); span != nil {
			place = span.File
		}
		t.Errorf("%s: %s in a folder for tests: %s", place, k.Verdict, describe(&k))
	}
}

// TestPages runs the blocks of every page: what is shown as wrong must fire, what is shown as right must pass.
func TestPages(t *testing.T) {
	for _, p := range patterns.All() {
		t.Run(string(p.ID), func(t *testing.T) {
			list, err := Snippets(p.Doc, p)
			if err != nil {
				t.Fatal(err)
			}
			shown := map[string]int{}
			for _, s := range list {
				name := "after"
				if s.Before {
					name = "before"
					shown[s.Fault]++
				} else {
					shown[s.Fault]--
				}
				t.Run(s.Heading+" "+name, func(t *testing.T) {
					t.Parallel()
					if problem := s.Check(run(t, s.Files, p)); problem != "" {
						t.Errorf("%s.md:%d: %s", strings.ReplaceAll(string(p.ID), "-", ""), s.Line, problem)
					}
				})
			}
			if len(shown) == 0 {
				t.Error("the page shows nothing before and after")
			}
			for fault, n := range shown {
				if n != 0 {
					t.Errorf("fault %s: a Before without an After, or the other way round", fault)
				}
			}
		})
	}
}
