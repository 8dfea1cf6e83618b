package report

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit"
)

func jsonReport(r *Report) jsonDocument {
	repo := r.repo()
	f := newFiles(r)
	n := count(r.Checks)
	failOn := "never"
	if r.Verdict.FailOn != 0 {
		failOn = r.Verdict.FailOn.String()
	}
	doc := jsonDocument{
		Schema:  schemaURL,
		Version: 1,
		Tool:    jsonTool{r.Tool.Name, r.Tool.Version},
		Verdict: jsonVerdict{r.Verdict.Exit, r.Verdict.Reason, failOn, r.Verdict.Analysed, r.Verdict.Probe,
			r.Verdict.Partial},
		Root:     jsonRoot{r.Root.VCS, r.Root.Revision, r.Root.Dirty, str(r.Root.Prefix)},
		Servers:  []jsonServer{},
		Probes:   []jsonProbe{},
		Findings: []jsonFinding{},
		Coverage: []jsonCoverage{},
		Gaps:     []jsonGap{},
		Ignores: jsonIgnores{len(n.ignores), f.jsonIgnores(r.Ignores.Unused), f.jsonIgnores(r.Ignores.Expired),
			f.jsonIgnores(r.Ignores.Invalid)},
		Counts: jsonCounts{
			Error: n.levels[mcpaudit.Error], Warning: n.levels[mcpaudit.Warning], Note: n.levels[mcpaudit.Note],
			Hidden:  jsonHidden{n.hidden["persona"], n.hidden["confidence"], n.hidden["severity"]},
			Ignored: n.ignored, Baselined: n.baselined, Files: repo.Counts.Read, Gaps: len(repo.Gaps),
		},
	}
	for _, s := range repo.Servers {
		doc.Servers = append(doc.Servers, f.jsonServer(s))
	}
	for _, p := range repo.Probes {
		doc.Probes = append(doc.Probes, jsonProbeOf(p))
	}
	prints := Fingerprints(repo, r.Root.Prefix, r.Checks)
	for i := range r.Checks {
		c := &r.Checks[i]
		doc.Coverage = append(doc.Coverage, f.jsonCoverage(c))
		if c.Verdict == mcpaudit.Failed {
			doc.Findings = append(doc.Findings, f.jsonFinding(c, r.pattern(c.Pattern), prints[i]))
		}
	}
	for _, g := range repo.Gaps {
		doc.Gaps = append(doc.Gaps, jsonGap{str(g.Span.File), g.Lang, g.Reason, str(g.Detail)})
	}
	if b := r.Baseline; b != nil {
		doc.Baseline = &jsonBaseline{str(b.Path), n.baselined, []jsonStale{}}
		for _, e := range b.Stale {
			doc.Baseline.Stale = append(doc.Baseline.Stale, jsonStale{e.Fingerprint, string(e.Pattern), str(e.Path)})
		}
	}
	return doc
}

func (f *files) jsonServer(s *mcpaudit.Server) jsonServer {
	out := jsonServer{Name: str(s.Name), Language: s.Lang, Eras: []string{}, Revisions: strs(s.Eras.Revisions),
		Transports: strs(s.Transports), Evidence: []jsonPlace{}, OnlyHeard: s.OnlyHeard()}
	if s.Eras.Legacy == mcpaudit.Yes {
		out.Eras = append(out.Eras, mcpaudit.Legacy.String())
	}
	if s.Eras.Modern == mcpaudit.Yes {
		out.Eras = append(out.Eras, mcpaudit.Modern.String())
	}
	if s.SDK != nil {
		out.SDK = &jsonSDK{Name: str(s.SDK.Name), Version: str(s.SDK.Version)}
		if e := s.SDK.Evidence; e != nil {
			out.SDK.Evidence = f.jsonPlace(e.Span)
		}
	}
	for _, e := range s.Evidence {
		if e.Span != nil && e.Role != mcpaudit.Hidden {
			out.Evidence = append(out.Evidence, *f.jsonPlace(e.Span))
		}
	}
	return out
}

func jsonProbeOf(p *mcpaudit.Probe) jsonProbe {
	out := jsonProbe{Target: str(p.Target), Server: str(p.Server), Transport: str(string(p.Transport)), Revisions: strs(p.Revisions),
		Complete: p.Complete(), Ran: p.Ran, NotRun: []jsonExercise{}, Failure: str(p.Failure), Source: str(p.Twin)}
	for _, e := range p.NotRun {
		out.NotRun = append(out.NotRun, jsonExercise{str(e.Name), str(e.Why)})
	}
	if p.Samples > 0 {
		out.Ping = &jsonTiming{fractions(p.Median), fractions(p.Control), p.Samples}
	}
	return out
}

// fractions are milliseconds down to the microsecond. What is finer is noise.
func fractions(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (f *files) jsonFinding(c *mcpaudit.Check, p *mcpaudit.Pattern, print string) jsonFinding {
	out := jsonFinding{
		ID: string(c.Pattern), Fault: c.Fault, Slug: strings.TrimPrefix(p.Slug, "mcp-server."), Title: p.Title,
		Level: c.Level.String(), Severity: c.Severity.String(), Confidence: c.Confidence.String(),
		Persona: c.Persona.String(), Status: string(c.Status), Era: c.Era.String(), Subject: subject(c.Subject),
		Message: str(c.Message), Hints: strs(c.Hints), Locations: []jsonLocation{}, Exchanges: []jsonExchange{},
		Fixes: []jsonFix{}, Refs: strs(p.Refs), Help: helpURL(c.Pattern),
	}
	if print != "" {
		out.Fingerprint = &print
	}
	if c.Ignored != nil {
		ignore := f.jsonIgnore(*c.Ignored)
		out.Ignore = &ignore
	}
	for _, e := range c.Evidence {
		if e.Role == mcpaudit.Hidden {
			continue
		}
		if e.Span != nil {
			role := "primary"
			if e.Role == mcpaudit.Related {
				role = "related"
			}
			out.Locations = append(out.Locations, jsonLocation{role, str(e.Span.File), f.jsonPosition(e.Span.File, e.Span.Start),
				f.jsonPosition(e.Span.File, e.Span.End), str(e.Note)})
		}
		if e.Exchange != nil {
			out.Exchanges = append(out.Exchanges, exchange(e.Exchange))
		}
	}
	for _, x := range c.Fixes {
		if fix, ok := jsonFixOf(x); ok {
			out.Fixes = append(out.Fixes, fix)
		}
	}
	return out
}

// jsonFixOf refuses a fix that JSON cannot carry byte for byte. No fix is better than one that writes other bytes.
func jsonFixOf(x mcpaudit.Fix) (jsonFix, bool) {
	fix := jsonFix{str(x.Title), "review", []jsonEdit{}}
	if x.Safe {
		fix.Safety = "safe"
	}
	for _, e := range x.Edits {
		if !utf8.ValidString(e.Span.File) || !utf8.ValidString(e.Text) {
			return jsonFix{}, false
		}
		fix.Edits = append(fix.Edits, jsonEdit{e.Span.File, e.Span.Start, e.Span.End, e.Text})
	}
	return fix, true
}

func (f *files) jsonCoverage(c *mcpaudit.Check) jsonCoverage {
	span := c.Primary()
	if span == nil {
		span = firstSpan(c.Evidence)
	}
	return jsonCoverage{subject(c.Subject), string(c.Pattern), c.Fault, c.Verdict.String(), c.Reason, c.Examined,
		str(c.Message), f.jsonPlace(span)}
}

func subject(s mcpaudit.Subject) jsonSubject {
	return jsonSubject{str(s.Server), string(s.Kind), str(s.Name), str(s.Router)}
}

func exchange(x *mcpaudit.Exchange) jsonExchange {
	out := jsonExchange{Scenario: str(x.Scenario), Transport: x.Transport, Revision: str(x.Revision), Sent: raw(x.Sent),
		Received: []any{}, TookMs: x.Took.Milliseconds(), Status: x.Status, Repeat: str(x.Repeat)}
	for _, m := range x.Received {
		out.Received = append(out.Received, raw(m))
	}
	return out
}

func raw(b []byte) jsonRaw {
	if utf8.Valid(b) {
		return jsonText{string(b)}
	}
	return jsonBase64{b}
}

func (f *files) jsonIgnore(i mcpaudit.Ignore) jsonIgnore {
	return jsonIgnore{str(i.Span.File), f.jsonPosition(i.Span.File, i.Span.Start).Line, str(i.Reason)}
}

func (f *files) jsonIgnores(in []mcpaudit.Ignore) []jsonIgnore {
	out := make([]jsonIgnore, len(in))
	for i, x := range in {
		out[i] = f.jsonIgnore(x)
	}
	return out
}

// jsonPlace is nil for no place.
func (f *files) jsonPlace(s *mcpaudit.Span) *jsonPlace {
	if s == nil {
		return nil
	}
	return &jsonPlace{str(s.File), f.jsonPosition(s.File, s.Start).Line}
}

func (f *files) jsonPosition(path string, offset int) jsonPosition {
	x := f.index(path)
	if x == nil {
		return jsonPosition{Byte: offset}
	}
	p := x.at(offset)
	return jsonPosition{&p.Line, &p.Column, offset}
}
