package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// nothing says what was looked at in vain. Without it a run that read nothing would look like a clean one.
func (t *text) nothing() {
	if t.report.Repo == nil {
		t.line("nothing was analysed: the run ended before anything was read")
		t.blank()
		return
	}
	repo := t.report.repo()
	c := repo.Counts
	failed := t.untold(func(p *mcpaudit.Probe) bool { return p.Server == "" })
	why := "no MCP server or client was found"
	switch {
	case c.Files == 0 && len(failed) > 0:
		why = "no server could be talked to"
	case c.Files == 0:
		why = "there are no files"
	case len(repo.Servers)+len(repo.Clients) > 0:
		why = "no MCP server or client could be read"
	}
	if c.Files > 0 && len(failed) > 0 {
		why += ", and none could be talked to"
	}
	t.line("nothing was analysed: ", why)
	for _, p := range failed {
		t.probe(p, nil)
	}
	if c.Files == 0 && len(failed) > 0 {
		t.blank()
		return // there was a server to talk to, and nothing to look at
	}
	looked := fmt.Sprintf("looked at: %d of %s", c.Read, plural(c.Files, "file"))
	if c.Parsed > 0 {
		looked += fmt.Sprintf("; %d parsed", c.Parsed)
		if by := t.byName(c.Languages); by != "" {
			looked += " (" + by + ")"
		}
	}
	t.line(looked)
	if by := t.byName(c.LeftOut); by != "" {
		t.line("left out: ", by)
	}
	t.blank()
}

// tail counts everything, above all what is not shown.
func (t *text) tail() {
	repo := t.report.repo()
	n := count(t.report.Checks)
	findings := counted(levelCounts(n.levels)...)
	switch {
	case findings != "":
	case t.report.Verdict.Analysed:
		findings = "no findings"
	default:
		findings = "nothing analysed"
	}
	parts := []string{findings}
	if len(n.hiddenWords) > 0 {
		total := 0
		for _, k := range n.hiddenWords {
			total += k
		}
		parts = append(parts, fmt.Sprintf("%d hidden (%s)", total, t.byName(n.hiddenWords)))
	}
	if n.ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", n.ignored))
	}
	if n.baselined > 0 {
		parts = append(parts, fmt.Sprintf("%d baselined", n.baselined))
	}
	tests := 0
	for _, s := range repo.Servers {
		if s.OnlyTests() {
			tests++
		}
	}
	servers := plural(len(repo.Servers), "server")
	if tests > 0 {
		servers += fmt.Sprintf(" (%d in tests or examples)", tests)
	}
	looked := []string{plural(repo.Counts.Read, "file"), servers}
	if len(repo.Clients) > 0 {
		looked = append(looked, plural(len(repo.Clients), "client"))
	}
	if len(repo.Probes) > 0 {
		looked = append(looked, plural(len(repo.Probes), "probe"))
	}
	looked = append(looked, plural(len(repo.Gaps), "gap"))
	parts = append(parts, strings.Join(looked, ", "))
	if by := t.byName(repo.Counts.LeftOut); by != "" {
		parts = append(parts, "left out: "+by)
	}
	if t.report.Verdict.Probe == "incomplete" {
		parts = append(parts, "probe incomplete")
	}
	if t.report.Verdict.Partial {
		parts = append(parts, "partial run")
	}
	t.line(strings.Join(parts, "; "))
}

// byName lists counts: "2 pedantic, 1 low confidence", the largest first.
func (t *text) byName(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, n := range names {
		if counts[n] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[n], t.quote.Visible(n)))
		}
	}
	return strings.Join(parts, ", ")
}

// numbered is a count and what is counted.
type numbered struct {
	n    int
	what string
}

func levelCounts(levels map[mcpaudit.Level]int) []numbered {
	var out []numbered
	for _, l := range []mcpaudit.Level{mcpaudit.Error, mcpaudit.Warning, mcpaudit.Note} {
		out = append(out, numbered{levels[l], l.String()})
	}
	return out
}

// counted lists what is not zero: "1 error, 2 warnings".
func counted(counts ...numbered) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, plural(c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
