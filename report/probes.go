package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// fewExercises is how many exercises that were not done are named without --why, for each reason.
const fewExercises = 3

// untold returns the probes that match and that no line tells of yet; from now on one does.
func (t *text) untold(match func(*mcpaudit.Probe) bool) []*mcpaudit.Probe {
	var matching, left []*mcpaudit.Probe
	for _, p := range t.probes {
		if match(p) {
			matching = append(matching, p)
		} else {
			left = append(left, p)
		}
	}
	t.probes = left
	return matching
}

// conversations returns the probes whose answers a server gave. A server that was only heard has one, its own;
// several may have been put beside one source.
func (t *text) conversations(s *mcpaudit.Server) []*mcpaudit.Probe {
	if !slices.ContainsFunc(s.Routers, func(r *mcpaudit.Router) bool { return r.Form == mcpaudit.FormWire }) {
		return nil
	}
	alone, found := s.OnlyHeard(), false
	return t.untold(func(p *mcpaudit.Probe) bool {
		if p.Server != s.Name || (p.Twin == "") != alone || alone && found {
			return false
		}
		found = true
		return true
	})
}

// probe tells of one conversation and of what was not tried in it. above is the server whose line stands above, or nil.
func (t *text) probe(p *mcpaudit.Probe, above *mcpaudit.Server) {
	indent := ""
	if above != nil {
		indent = "  "
	}
	if p.Failure != "" {
		t.line(indent, "not probed: ", t.quote.Name(p.Target), ": ", t.quote.Visible(p.Failure))
	} else {
		t.line(indent, "probed ", strings.Join(t.probed(p, above), "  "))
	}
	t.notTried(p, indent)
}

func (t *text) probed(p *mcpaudit.Probe, above *mcpaudit.Server) []string {
	parts := []string{t.quote.Name(p.Target)}
	if above == nil && p.Server != "" {
		parts = append(parts, "server "+t.quote.Name(p.Server))
	}
	// The line of a server that was only heard says both already, unless the user has pinned its eras.
	said := above != nil && above.OnlyHeard()
	if p.Transport != "" && !said {
		parts = append(parts, t.quote.Visible(string(p.Transport)))
	}
	var eras mcpaudit.Eras
	for _, r := range p.Revisions {
		eras.Add(r, mcpaudit.Evidence{})
	}
	if len(eras.Revisions) > 0 && !(said && eras.String() == above.Eras.String()) {
		parts = append(parts, t.quote.Visible(eras.String()))
	}
	if p.Samples > 0 {
		parts = append(parts, fmt.Sprintf("ping %s, other requests %s (medians of %d)", milliseconds(p.Median), milliseconds(p.Control), p.Samples))
	}
	switch {
	case strings.HasPrefix(p.Twin, "by "):
		parts = append(parts, "source found "+t.quote.Visible(p.Twin))
	case p.Twin != "":
		parts = append(parts, "source "+t.quote.Visible(p.Twin))
	}
	return parts
}

// notTried names what could not be done, by reason. What was left undone because there was no conversation needs no line
// of its own in the short form.
func (t *text) notTried(p *mcpaudit.Probe, indent string) {
	var reasons []string
	names := map[string][]string{}
	for _, e := range p.NotRun {
		if names[e.Why] == nil {
			reasons = append(reasons, e.Why)
		}
		names[e.Why] = append(names[e.Why], t.quote.Visible(e.Name))
	}
	for _, why := range reasons {
		if p.Failure != "" && why == p.Failure && !t.options.Why {
			continue
		}
		list, rest := names[why], ""
		if n := len(list) - fewExercises; n > 0 && !t.options.Why {
			list, rest = list[:fewExercises], fmt.Sprintf(" (%d more)", n)
		}
		t.line(indent, "not tried: ", strings.Join(list, ", "), rest, ": ", t.quote.Visible(cmp.Or(why, "no reason is known")))
	}
}

// milliseconds writes a time in the unit in which people speak of pings.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	}
	return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
}
