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
				if r.Form != FormWire { // what was heard is no claim
					r.Eras.Pin(opts.Spec)
				}
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
		merged := merge(pass.checks)
		for i := range merged {
			place(&merged[i], repo)
			finish(&merged[i], p, opts) // what was heard and read is surer than what was read
		}
		checks = append(checks, merged...)
	}
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

// merge keeps one check per subject of a pattern. What was heard and what was read become one; of several that were read,
// or heard, the finding wins over the rest, then the higher level, then the first place.
func merge(checks []Check) []Check {
	type key struct {
		s     Subject
		heard bool
	}
	best := map[key]int{}
	var out []Check
	for _, c := range checks {
		k := key{c.Subject, heard(&c)}
		i, seen := best[k]
		if !seen {
			best[k] = len(out)
			out = append(out, c)
			continue
		}
		examined := c.Examined + out[i].Examined
		if stronger(&c, &out[i]) {
			out[i] = c
		}
		out[i].Examined = examined
	}
	var joined []Check
	for i, c := range out {
		read, hasRead := best[key{c.Subject, false}]
		wire, hasHeard := best[key{c.Subject, true}]
		switch {
		case !hasRead || !hasHeard:
			joined = append(joined, c)
		case i == min(read, wire):
			joined = append(joined, combine(out[read], out[wire]))
		}
	}
	return joined
}

// combine makes one check of what was read and what was heard about a subject. The wire wins where it was asked; the code
// is where a reader goes, so its place comes first.
func combine(code, wire Check) Check {
	examined := code.Examined + wire.Examined
	untried := code.Verdict == Failed && wire.Verdict != Failed && !slices.Contains(wire.Refuted, code.Fault)
	if wire.Verdict == Undecided || untried {
		code.Evidence = append(slices.Clone(code.Evidence), related(wire.Evidence)...)
		code.Examined = examined
		return code
	}
	out := wire
	out.Examined = examined
	switch {
	case wire.Verdict == Failed && code.Verdict == Failed:
		if wire.Fault == code.Fault {
			out.Message, out.Hints, out.Fixes = code.Message, code.Hints, code.Fixes
		}
		out.Evidence = append(slices.Clone(code.Evidence), related(wire.Evidence)...)
	case wire.Verdict == Failed:
		// The code gave no reason to complain, but it is still the place to look at.
		places := slices.Clone(code.Evidence)
		if i := slices.IndexFunc(places, func(e Evidence) bool { return e.Span != nil && e.Role != Hidden }); i >= 0 {
			places[i].Role = Primary
			out.Evidence = append(places, related(wire.Evidence)...)
		}
	case code.Verdict == Failed:
		out.Message += "; the source reads otherwise (" + code.Fault + "), and the wire wins"
		out.Evidence = append(slices.Clone(wire.Evidence), related(code.Evidence)...)
	default:
		if code.Verdict == Passed {
			out.Message, out.Reason = code.Message+"; "+wire.Message, code.Reason
		}
		out.Evidence = append(slices.Clone(code.Evidence), related(wire.Evidence)...)
	}
	return out
}

// place gives a finding that was heard only the best place that its server has in the source: where it is made, or the
// manifest that names it.
func place(c *Check, repo *Repo) {
	if c.Verdict != Failed || c.Primary() != nil {
		return
	}
	for _, s := range repo.Servers {
		if s.Name != c.Subject.Server {
			continue
		}
		for _, e := range s.Evidence {
			if e.Span != nil && e.Role != Hidden {
				e.Role = Primary
				c.Evidence = append([]Evidence{e}, related(c.Evidence)...)
				return
			}
		}
	}
}

func related(evidence []Evidence) []Evidence {
	out := slices.Clone(evidence)
	for i := range out {
		if out[i].Role == Primary {
			out[i].Role = Related
		}
	}
	return out
}

func stronger(a, b *Check) bool {
	if x, y := rank(a), rank(b); x != y {
		return x > y
	}
	if a.Level != b.Level {
		return a.Level > b.Level
	}
	return order(*a, *b) < 0
}

// heard reports whether a check rests on an answer of a running server.
func heard(c *Check) bool {
	return slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Exchange != nil })
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
