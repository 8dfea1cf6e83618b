package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// coverage explains the silence: what was found out about each server that is no finding, and how it was talked to.
// Servers of tests and examples are left to the counts.
func (t *text) coverage() {
	repo := t.report.repo()
	groups := map[string][]*mcpaudit.Check{}
	var others []string // subjects that are no server of the model, in the order of the checks
	for i := range t.report.Checks {
		c := &t.report.Checks[i]
		if groups[c.Subject.Server] == nil && !hasServer(repo, c.Subject.Server) {
			others = append(others, c.Subject.Server)
		}
		groups[c.Subject.Server] = append(groups[c.Subject.Server], c)
	}
	for _, s := range repo.Servers {
		if s.OnlyTests() {
			continue
		}
		t.line(t.serverLine(s))
		for _, p := range t.conversations(s) {
			t.probe(p, s)
		}
		t.verdicts(groups[s.Name])
		delete(groups, s.Name) // a second server of that name is named, its verdicts stand under the first
	}
	for _, name := range others {
		t.line(t.otherLine(name))
		t.verdicts(groups[name])
	}
	for _, p := range t.untold(func(*mcpaudit.Probe) bool { return true }) {
		t.probe(p, nil)
	}
}

func hasServer(repo *mcpaudit.Repo, name string) bool {
	return slices.ContainsFunc(repo.Servers, func(s *mcpaudit.Server) bool { return s.Name == name })
}

func (t *text) serverLine(s *mcpaudit.Server) string {
	parts := []string{"server " + t.quote.Name(s.Name)}
	if span := firstSpan(s.Evidence); span != nil {
		parts = append(parts, t.place(*span, false))
	}
	if s.OnlyHeard() {
		parts = append(parts, "heard on the wire")
	} else {
		parts = append(parts, t.sdk(s.SDK))
	}
	if s.Eras.Era() == mcpaudit.EraUnknown && len(s.Eras.Revisions) == 0 {
		parts = append(parts, "era unknown")
	} else {
		parts = append(parts, t.quote.Visible(s.Eras.String()))
	}
	if len(s.Transports) == 0 {
		return strings.Join(append(parts, "transport unknown"), "  ")
	}
	names := make([]string, len(s.Transports))
	for i, tr := range s.Transports {
		names[i] = t.quote.Visible(string(tr))
	}
	return strings.Join(append(parts, strings.Join(names, ", ")), "  ")
}

func (t *text) sdk(s *mcpaudit.SDKRef) string {
	if s == nil {
		return "hand-written"
	}
	out := t.quote.Visible(s.Name)
	var at []string
	if s.Evidence != nil && s.Evidence.Span != nil {
		at = append(at, t.place(*s.Evidence.Span, false))
	}
	switch {
	case s.Version != "":
		out += " " + t.quote.Visible(s.Version)
	case s.Range != "":
		out += " " + t.quote.Visible(s.Range)
		at = append(at, "not resolved")
	default:
		at = append(at, "version unknown")
	}
	if len(at) > 0 {
		out += " (" + strings.Join(at, ", ") + ")"
	}
	return out
}

func (t *text) otherLine(name string) string {
	if name == "" {
		return "repository"
	}
	if slices.ContainsFunc(t.report.repo().Clients, func(c *mcpaudit.Client) bool { return c.Name == name }) {
		return "client " + t.quote.Name(name)
	}
	return "subject " + t.quote.Name(name)
}

// verdicts writes a line for each verdict that is no shown finding, or, in the short form, what matters most.
func (t *text) verdicts(checks []*mcpaudit.Check) {
	var silent []*mcpaudit.Check
	levels := map[mcpaudit.Level]int{}
	routers := map[string]bool{}
	for _, c := range checks {
		if !t.wire(c) {
			routers[c.Subject.Router] = true
		}
		if shown(c) {
			levels[c.Level]++
		} else {
			silent = append(silent, c)
		}
	}
	several := len(routers) > 1
	seen := counted(levelCounts(levels)...)
	switch {
	case len(checks) == 0:
		t.line("  no pattern asked about it")
	case t.options.Why:
		if seen != "" {
			t.line("  ", seen, ", see above")
		}
		slices.SortStableFunc(silent, func(a, b *mcpaudit.Check) int { return cmp.Compare(a.Pattern, b.Pattern) })
		for _, c := range silent {
			t.line(t.verdict(c, several))
		}
	case seen != "":
		t.line("  ", seen, ", see above", more(len(silent)))
	default:
		c := slices.MaxFunc(silent, func(a, b *mcpaudit.Check) int {
			return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(b.Pattern, a.Pattern))
		})
		t.line(t.verdict(c, several), more(len(silent)-1))
	}
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d more with --why)", n)
}

// wire reports whether the router of a check is no place in the source but a transport over which a server was heard.
func (t *text) wire(c *mcpaudit.Check) bool {
	repo, found := t.report.repo(), false
	if len(repo.Probes) == 0 {
		return false
	}
	for _, s := range repo.Servers {
		if s.Name != c.Subject.Server {
			continue
		}
		for _, r := range s.Routers {
			if r.Name == c.Subject.Router && r.Form != mcpaudit.FormWire {
				return false
			}
			found = found || r.Name == c.Subject.Router
		}
	}
	return found
}

// weight orders verdicts by what a reader must know first: that something is not known, then that something was
// hidden, then what holds. That an occasion never came up says less than all of them.
func weight(c *mcpaudit.Check) int {
	switch {
	case c.Reason == mcpaudit.ReasonOff:
		return 0
	case c.Reason == mcpaudit.ReasonNotSeen:
		return 1
	case c.Verdict == mcpaudit.Undecided:
		return 5
	case c.Verdict == mcpaudit.Failed:
		return 4
	case c.Verdict == mcpaudit.Passed:
		return 3
	}
	return 2
}

func (t *text) verdict(c *mcpaudit.Check, routers bool) string {
	word, message := c.Verdict.String(), t.quote.Visible(c.Message)
	switch {
	case c.Reason == mcpaudit.ReasonOff:
		word = "off"
	case c.Verdict == mcpaudit.Failed:
		word = string(c.Status)
		switch c.Status {
		case mcpaudit.Ignored:
			message = t.quote.Visible(c.Ignored.Reason) + " (" + t.place(c.Ignored.Span, false) + ")"
		case mcpaudit.HiddenBy:
			message += " (" + hiddenWord(c) + ")"
		}
	}
	about := ""
	if c.Subject.Kind == mcpaudit.KindTool {
		about += "tool " + t.quote.Name(c.Subject.Name) + ": "
	}
	if routers && c.Subject.Router != "" && !t.wire(c) {
		about += "router " + t.quote.Name(c.Subject.Router) + ": "
	}
	return fmt.Sprintf("  %-9s  %-14s  %s%s", t.quote.Visible(string(c.Pattern)), word, about, message)
}
