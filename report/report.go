// Package report writes what an audit found. Every format is one file and one [Writer].
//
// A writer renders: it does not filter, sort, decide a level or read files, and it leaves the report as it was. All
// writers get the same report, so no format can change the verdict. Equal reports give equal bytes; nothing that
// is written depends on the clock, the host or the order of a map.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// Report is all that a writer may know. It is complete and is never changed.
type Report struct {
	Tool     Tool
	Verdict  Verdict
	Root     Root
	Repo     *mcpaudit.Repo      // nil if the run ended before anything was read
	Patterns []*mcpaudit.Pattern // those that ran
	Checks   []mcpaudit.Check    // in the order of mcpaudit.Audit
	Ignores  Ignores
	Baseline *Baseline // nil if there is none
}

// Tool says who wrote the report.
type Tool struct{ Name, Version string }

// Verdict is the answer of the whole run.
type Verdict struct {
	Exit     int
	Reason   string         // "clean", "findings", "usage", "internal", "nothing-analysed", "probe-incomplete" ...
	FailOn   mcpaudit.Level // the lowest level that gives exit 1; 0 is never
	Analysed bool           // a server or a client was found and could be read
	Probe    string         // "none", "complete" or "incomplete"
	Partial  bool           // only some of the patterns or paths were asked for
}

// Root says what was scanned. Prefix is the path of the root of the scan inside the repository, "" if they are
// the same.
type Root struct {
	VCS, Revision string
	Dirty         bool
	Prefix        string
}

// Ignores are the directives that silenced nothing. Those that did are found in the checks.
type Ignores struct{ Unused, Expired, Invalid []mcpaudit.Ignore }

// Baseline is the list of accepted findings that the run was held against. Matches are found in the checks.
type Baseline struct {
	Path  string
	Stale []BaselineEntry
}

// BaselineEntry is an accepted finding that is no longer there.
type BaselineEntry struct {
	Fingerprint string
	Pattern     mcpaudit.ID
	Path        string
}

// Writer writes a report in one format.
type Writer func(io.Writer, *Report) error

var formats = []struct {
	name  string
	write Writer
}{
	{"text", func(w io.Writer, r *Report) error { return Text(w, r, TextOptions{}) }},
	{"json", JSON},
	{"json-v1", JSON},
}

// Formats lists the names that Get knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Get returns the writer of a format. The error is an *UnknownFormatError.
func Get(name string) (Writer, error) {
	for _, f := range formats {
		if f.name == name {
			return f.write, nil
		}
	}
	return nil, &UnknownFormatError{Name: name, Known: Formats()}
}

// UnknownFormatError says that there is no such format.
type UnknownFormatError struct {
	Name  string
	Known []string
}

func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("unknown format %q, want one of %s", e.Name, strings.Join(e.Known, ", "))
}

// repo returns the model, which is empty if nothing was read.
func (r *Report) repo() *mcpaudit.Repo {
	if r.Repo == nil {
		return &mcpaudit.Repo{}
	}
	return r.Repo
}

// pattern returns the pattern of a check; verify makes sure that there is one.
func (r *Report) pattern(id mcpaudit.ID) *mcpaudit.Pattern {
	i := slices.IndexFunc(r.Patterns, func(p *mcpaudit.Pattern) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return r.Patterns[i]
}

// verify refuses a report that would be rendered wrongly. Audit never makes one.
func (r *Report) verify() error {
	for _, c := range r.Checks {
		switch {
		case r.pattern(c.Pattern) == nil:
			return fmt.Errorf("verify the report: %s has a verdict but is not among the patterns that ran", c.Pattern)
		case c.Verdict == mcpaudit.Failed && (c.Level == 0 || c.Status == "" || c.Fault == ""):
			return fmt.Errorf("verify the report: a finding of %s has no level, status or fault", c.Pattern)
		case c.Verdict == mcpaudit.Failed && c.Status == mcpaudit.Ignored && c.Ignored == nil:
			return fmt.Errorf("verify the report: a finding of %s is ignored by nothing", c.Pattern)
		}
	}
	return nil
}

// shown reports whether a check is a finding that counts. All that counts is shown.
func shown(c *mcpaudit.Check) bool {
	return c.Verdict == mcpaudit.Failed && c.Status == mcpaudit.Active
}

// firstSpan returns the first place in the source, or nil.
func firstSpan(evidence []mcpaudit.Evidence) *mcpaudit.Span {
	for _, e := range evidence {
		if e.Span != nil && e.Role != mcpaudit.Hidden {
			return e.Span
		}
	}
	return nil
}
