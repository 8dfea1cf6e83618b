package mcpaudit

import (
	"cmp"
	"fmt"
	"slices"
)

// Options choose what an audit shows. They never change a verdict.
type Options struct {
	Persona       Persona    // default Regular
	MinConfidence Confidence // default Medium, for Auditor Low
	MinSeverity   Severity   // default none
	Spec          []Revision // pins the eras of every server
}

// Audit asks every pattern about every subject and returns exactly one Check per (pattern, subject), ordered by
// level descending, path, offset and pattern. A rule that panics is reported as an error together with the
// checks of all others.
func Audit(repo *Repo, patterns []*Pattern, opts Options) ([]Check, error) {
	if opts.Persona == 0 {
		opts.Persona = Regular
	}
	if opts.MinConfidence == 0 {
		opts.MinConfidence = Medium
		if opts.Persona == Auditor {
			opts.MinConfidence = Low
		}
	}
	if len(opts.Spec) > 0 {
		for _, s := range repo.Servers {
			s.Eras.Pin(opts.Spec)
			for _, r := range s.Routers {
				r.Eras.Pin(opts.Spec)
			}
		}
	}
	var checks []Check
	var failed error
	for _, p := range patterns {
		pass := &Pass{Pattern: p, Repo: repo}
		if err := run(pass); err != nil && failed == nil {
			failed = err
		}
		for i := range pass.checks {
			finish(&pass.checks[i], p, opts)
		}
		checks = append(checks, pass.checks...)
	}
	checks = merge(checks)
	slices.SortStableFunc(checks, order)
	return checks, failed
}

func run(p *Pass) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("run pattern %s: %v", p.Pattern.ID, r)
		}
	}()
	rule := p.Pattern.Rule
	if rule.Repo != nil {
		rule.Repo(p, p.Repo)
	}
	for _, s := range p.Repo.Servers {
		if rule.Server != nil {
			rule.Server(p, s)
		}
		if rule.Router != nil {
			for _, r := range s.Routers {
				rule.Router(p, s, r)
			}
		}
	}
	if rule.Client != nil {
		for _, c := range p.Repo.Clients {
			rule.Client(p, c)
		}
	}
	return nil
}

// finish derives what no rule and no reporter may decide: persona, level and status.
func finish(c *Check, p *Pattern, opts Options) {
	if c.Verdict != Failed {
		return
	}
	f := p.Fault(c.Fault)
	c.Persona, c.Trial = f.Persona, f.Trial
	if c.Confidence == 0 {
		c.Confidence = High
	}
	c.Level = level(f.Strength, f.Persona, c.Era, c.Confidence)
	shown := c.Persona
	if c.Trial {
		shown = max(shown, Pedantic)
	}
	c.Status = Active
	switch {
	case shown > opts.Persona:
		c.Status, c.HiddenBy = HiddenBy, "persona"
	case c.Confidence < opts.MinConfidence:
		c.Status, c.HiddenBy = HiddenBy, "confidence"
	case c.Severity < opts.MinSeverity:
		c.Status, c.HiddenBy = HiddenBy, "severity"
	}
}

// level is error for a broken MUST of an era that the program is known to serve, if we are sure; an unknown era
// or medium confidence costs one step; what only the catalogue wants is a note.
func level(s Strength, p Persona, e Era, c Confidence) Level {
	switch {
	case p > Regular || s == Wish:
		return Note
	case s == Should || e == EraUnknown || c < High:
		return Warning
	}
	return Error
}

// merge keeps one check per (pattern, subject): the wire wins over the code, then a finding over the rest, then
// the finding of the higher level, then the first place.
func merge(checks []Check) []Check {
	type key struct {
		id ID
		s  Subject
	}
	best := map[key]int{}
	var out []Check
	for _, c := range checks {
		k := key{c.Pattern, c.Subject}
		i, seen := best[k]
		if !seen {
			best[k] = len(out)
			out = append(out, c)
			continue
		}
		if stronger(&c, &out[i]) {
			c.Examined += out[i].Examined
			out[i] = c
		} else {
			out[i].Examined += c.Examined
		}
	}
	return out
}

func stronger(a, b *Check) bool {
	if x, y := heard(a), heard(b); x != y {
		return x
	}
	if x, y := rank(a), rank(b); x != y {
		return x > y
	}
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	return order(*a, *b) < 0
}

func heard(c *Check) bool {
	return c.Verdict != Undecided && slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Exchange != nil })
}

func rank(c *Check) int {
	return map[Verdict]int{Failed: 3, Undecided: 2, Passed: 1, NotApplicable: 0}[c.Verdict]
}

func order(a, b Check) int {
	if c := cmp.Compare(b.Level, a.Level); c != 0 {
		return c
	}
	if c := comparePlace(a.Primary(), b.Primary()); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(a.Pattern, b.Pattern),
		cmp.Compare(a.Subject.Server, b.Subject.Server),
		cmp.Compare(a.Subject.Router, b.Subject.Router),
		cmp.Compare(a.Subject.Name, b.Subject.Name),
		cmp.Compare(a.Fault, b.Fault),
	)
}

func comparePlace(a, b *Span) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}
