package mcpaudit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

// fault keys of the pattern that the tests below audit with: one for each way to come to a level.
var faults = []mcpaudit.Fault{
	{Key: "must", Persona: mcpaudit.Regular, Strength: mcpaudit.Must},
	{Key: "should", Persona: mcpaudit.Regular, Strength: mcpaudit.Should},
	{Key: "wish", Persona: mcpaudit.Regular, Strength: mcpaudit.Wish},
	{Key: "pedantic", Persona: mcpaudit.Pedantic, Strength: mcpaudit.Must},
	{Key: "auditor", Persona: mcpaudit.Auditor, Strength: mcpaudit.Must},
	{Key: "trial", Persona: mcpaudit.Regular, Strength: mcpaudit.Must, Trial: true},
}

func at(file string, start int) []mcpaudit.Evidence {
	return []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: file, Start: start, End: start + 1}, "")}
}

func wire() []mcpaudit.Evidence {
	return []mcpaudit.Evidence{{Role: mcpaudit.Primary, Exchange: &mcpaudit.Exchange{Scenario: "ping"}}}
}

func failed(fault string, change ...func(*mcpaudit.Check)) mcpaudit.Check {
	c := mcpaudit.Check{
		Fault: fault, Verdict: mcpaudit.Failed, Reason: mcpaudit.ReasonFault, Message: "it is wrong",
		Subject: mcpaudit.Subject{Server: "s", Kind: mcpaudit.KindMethod, Name: "ping"}, Era: mcpaudit.Legacy,
		Confidence: mcpaudit.High, Evidence: at("a", 1), Examined: 1,
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

func said(v mcpaudit.Verdict, msg string, change ...func(*mcpaudit.Check)) mcpaudit.Check {
	return failed("", append([]func(*mcpaudit.Check){func(c *mcpaudit.Check) {
		c.Verdict, c.Reason, c.Message, c.Evidence = v, mcpaudit.ReasonOwnCode, msg, nil
	}}, change...)...)
}

// audit reports the checks from one rule.
func audit(t *testing.T, opts mcpaudit.Options, checks ...mcpaudit.Check) []mcpaudit.Check {
	t.Helper()
	p := &mcpaudit.Pattern{ID: "ab-000001", Severity: mcpaudit.SeverityMedium, Faults: faults}
	p.Rule.Repo = func(pass *mcpaudit.Pass, _ *mcpaudit.Repo) {
		for _, c := range checks {
			pass.Report(c)
		}
	}
	out, err := mcpaudit.Audit(&mcpaudit.Repo{}, []*mcpaudit.Pattern{p}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLevel(t *testing.T) {
	for _, tt := range []struct {
		fault string
		era   mcpaudit.Era
		conf  mcpaudit.Confidence
		want  mcpaudit.Level
	}{
		{"must", mcpaudit.Legacy, mcpaudit.High, mcpaudit.Error},
		{"must", mcpaudit.Dual, mcpaudit.Certain, mcpaudit.Error},
		{"must", mcpaudit.Modern, mcpaudit.High, mcpaudit.Error},
		{"must", mcpaudit.EraUnknown, mcpaudit.High, mcpaudit.Warning},
		{"must", mcpaudit.Legacy, mcpaudit.Medium, mcpaudit.Warning},
		{"must", mcpaudit.Legacy, mcpaudit.Low, mcpaudit.Warning},
		{"must", mcpaudit.EraUnknown, mcpaudit.Low, mcpaudit.Warning},
		{"must", mcpaudit.Legacy, 0, mcpaudit.Error}, // a rule that does not say is sure
		{"should", mcpaudit.Legacy, mcpaudit.Certain, mcpaudit.Warning},
		{"wish", mcpaudit.Legacy, mcpaudit.Certain, mcpaudit.Note},
		{"pedantic", mcpaudit.Legacy, mcpaudit.Certain, mcpaudit.Note},
		{"auditor", mcpaudit.Legacy, mcpaudit.Certain, mcpaudit.Note},
		{"trial", mcpaudit.Legacy, mcpaudit.High, mcpaudit.Error},
	} {
		got := audit(t, mcpaudit.Options{}, failed(tt.fault, func(c *mcpaudit.Check) { c.Era, c.Confidence = tt.era, tt.conf }))
		if len(got) != 1 || got[0].Level != tt.want {
			t.Errorf("%s, %s, confidence %s: got %v, want %s", tt.fault, tt.era, tt.conf, got[0].Level, tt.want)
		}
	}
	if got := audit(t, mcpaudit.Options{}, said(mcpaudit.Passed, "fine"))[0]; got.Level != 0 || got.Status != "" {
		t.Errorf("a pass has level %s and status %q", got.Level, got.Status)
	}
}

func TestHidden(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault string
		conf  mcpaudit.Confidence
		opts  mcpaudit.Options
		want  string // "" is active
	}{
		{"regular", "must", mcpaudit.Medium, mcpaudit.Options{}, ""},
		{"low confidence", "must", mcpaudit.Low, mcpaudit.Options{}, "confidence"},
		{"low confidence for pedants", "must", mcpaudit.Low, mcpaudit.Options{Persona: mcpaudit.Pedantic}, "confidence"},
		{"low confidence for auditors", "must", mcpaudit.Low, mcpaudit.Options{Persona: mcpaudit.Auditor}, ""},
		{"auditors who want to be sure", "must", mcpaudit.Medium, mcpaudit.Options{Persona: mcpaudit.Auditor, MinConfidence: mcpaudit.High}, "confidence"},
		{"pedantic", "pedantic", mcpaudit.High, mcpaudit.Options{}, "persona"},
		{"pedantic for pedants", "pedantic", mcpaudit.High, mcpaudit.Options{Persona: mcpaudit.Pedantic}, ""},
		{"auditor for pedants", "auditor", mcpaudit.High, mcpaudit.Options{Persona: mcpaudit.Pedantic}, "persona"},
		{"on trial", "trial", mcpaudit.High, mcpaudit.Options{}, "persona"},
		{"on trial for pedants", "trial", mcpaudit.High, mcpaudit.Options{Persona: mcpaudit.Pedantic}, ""},
		{"severity", "must", mcpaudit.High, mcpaudit.Options{MinSeverity: mcpaudit.SeverityHigh}, "severity"},
		{"its own severity", "must", mcpaudit.High, mcpaudit.Options{MinSeverity: mcpaudit.SeverityMedium}, ""},
		{"persona before the rest", "auditor", mcpaudit.Low, mcpaudit.Options{MinSeverity: mcpaudit.SeverityHigh}, "persona"},
	} {
		got := audit(t, tt.opts, failed(tt.fault, func(c *mcpaudit.Check) { c.Confidence = tt.conf }))[0]
		status := mcpaudit.Active
		if tt.want != "" {
			status = mcpaudit.HiddenBy
		}
		if got.Status != status || got.HiddenBy != tt.want {
			t.Errorf("%s: got %s by %q, want %s by %q", tt.name, got.Status, got.HiddenBy, status, tt.want)
		}
		// What is hidden keeps its verdict.
		if got.Verdict != mcpaudit.Failed || got.Level == 0 || got.Severity != mcpaudit.SeverityMedium || got.Pattern != "ab-000001" {
			t.Errorf("%s: the check is %+v", tt.name, got)
		}
	}
}

// TestMerge: one verdict for each subject, whoever spoke first.
func TestMerge(t *testing.T) {
	onWire := func(c *mcpaudit.Check) {
		if c.Evidence = wire(); c.Verdict == mcpaudit.Passed {
			c.Refuted = []string{"must"}
		}
	}
	place := func(file string, start int) func(*mcpaudit.Check) {
		return func(c *mcpaudit.Check) { c.Evidence = at(file, start) }
	}
	for _, tt := range []struct {
		name string
		a, b mcpaudit.Check
		want string // message, or fault
	}{
		{"a finding outranks a pass", failed("must"), said(mcpaudit.Passed, "fine"), "must"},
		{"a finding outranks doubt", failed("must"), said(mcpaudit.Undecided, "who knows"), "must"},
		{"doubt outranks a pass", said(mcpaudit.Undecided, "who knows"), said(mcpaudit.Passed, "fine"), "who knows"},
		{"a pass outranks what does not apply", said(mcpaudit.Passed, "fine"), said(mcpaudit.NotApplicable, "no"), "fine"},
		{"a pass on the wire beats a finding in the code", said(mcpaudit.Passed, "heard", onWire), failed("must"), "heard; the source reads otherwise (must), and the wire wins"},
		{"a pass on the wire says nothing of what was not tried", said(mcpaudit.Passed, "heard", onWire), failed("should"), "should"},
		{"a pass on the wire confirms one in the code", said(mcpaudit.Passed, "heard", onWire), said(mcpaudit.Passed, "read"), "read; heard"},
		{"a pass on the wire ends doubt", said(mcpaudit.Passed, "heard", onWire), said(mcpaudit.Undecided, "who knows"), "heard"},
		{"another fault on the wire", failed("should", onWire), failed("must"), "should"},
		{"a finding on the wire beats a pass in the code", failed("must", onWire), said(mcpaudit.Passed, "fine"), "must"},
		{"doubt on the wire says nothing", failed("must"), said(mcpaudit.Undecided, "not heard", onWire), "must"},
		{"the higher level", failed("must"), failed("should"), "must"},
		{"the first place", failed("must", place("a", 9)), failed("must", place("b", 1)), "must a 9"},
		{"the first place in a file", failed("must", place("a", 3)), failed("must", place("a", 7)), "must a 3"},
	} {
		for i, list := range [][]mcpaudit.Check{{tt.a, tt.b}, {tt.b, tt.a}} {
			got := audit(t, mcpaudit.Options{Persona: mcpaudit.Auditor}, list...)
			if len(got) != 1 {
				t.Errorf("%s: %d checks, want one", tt.name, len(got))
				continue
			}
			c := got[0]
			text := c.Message
			if c.Verdict == mcpaudit.Failed {
				text = c.Fault
				if strings.Count(tt.want, " ") == 2 {
					text = fmt.Sprintf("%s %s %d", c.Fault, c.Primary().File, c.Primary().Start)
				}
			}
			if text != tt.want || c.Examined != 2 {
				t.Errorf("%s, order %d: got %q with %d examined, want %q with 2", tt.name, i, text, c.Examined, tt.want)
			}
		}
	}
	// Another router, tool or pattern is another subject.
	other := failed("must", func(c *mcpaudit.Check) { c.Subject.Router = "r2" })
	if got := audit(t, mcpaudit.Options{}, failed("must"), other); len(got) != 2 {
		t.Errorf("two routers: %d checks, want two", len(got))
	}
}

func TestOrder(t *testing.T) {
	with := func(name, file string, start int) func(*mcpaudit.Check) {
		return func(c *mcpaudit.Check) { c.Subject.Name, c.Evidence = name, at(file, start) }
	}
	nowhere := func(name string) func(*mcpaudit.Check) {
		return func(c *mcpaudit.Check) { c.Subject.Name = name }
	}
	list := []mcpaudit.Check{
		said(mcpaudit.Passed, "x", nowhere("7 pass")),
		failed("wish", with("6 note", "a", 1)),
		failed("should", with("5 warning", "a", 0)),
		failed("must", with("3 b", "b", 0)),
		failed("must", with("2 a later", "a", 10)),
		failed("must", with("1 a", "a", 9)),
		failed("must", with("4 wire", "", 0), func(c *mcpaudit.Check) { c.Evidence = wire() }),
		said(mcpaudit.Passed, "x", nowhere("8 pass")),
	}
	for range len(list) {
		list = append(list[1:], list[0])
		var got []string
		for _, c := range audit(t, mcpaudit.Options{}, list...) {
			got = append(got, c.Subject.Name)
		}
		want := []string{"1 a", "2 a later", "3 b", "4 wire", "5 warning", "6 note", "7 pass", "8 pass"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// TestReport: a mistake in a rule is an error that names the pattern, and costs no other pattern its checks.
func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    mcpaudit.Check
		want string
	}{
		{"no message", failed("must", func(c *mcpaudit.Check) { c.Message = "" }), "has no reason"},
		{"no reason", said(mcpaudit.Passed, "fine", func(c *mcpaudit.Check) { c.Reason = "" }), "has no reason"},
		{"an unknown fault", failed("typo"), `fault "typo" is not in the pattern`},
		{"no place", failed("must", func(c *mcpaudit.Check) { c.Evidence = nil }), "has no primary place"},
		{"only a related place", failed("must", func(c *mcpaudit.Check) { c.Evidence[0].Role = mcpaudit.Related }), "has no primary place"},
		{"a place that is empty", failed("must", func(c *mcpaudit.Check) { c.Evidence = []mcpaudit.Evidence{{}} }), "has no primary place"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wrong := &mcpaudit.Pattern{ID: "ab-000001", Faults: faults, Rule: mcpaudit.Rule{Repo: func(p *mcpaudit.Pass, _ *mcpaudit.Repo) {
				p.Report(said(mcpaudit.Passed, "before"))
				p.Report(tt.c)
				p.Report(said(mcpaudit.Passed, "after"))
			}}}
			right := &mcpaudit.Pattern{ID: "ab-000002", Faults: faults, Rule: mcpaudit.Rule{Repo: func(p *mcpaudit.Pass, _ *mcpaudit.Repo) {
				p.Report(failed("must"))
			}}}
			checks, err := mcpaudit.Audit(&mcpaudit.Repo{}, []*mcpaudit.Pattern{wrong, right}, mcpaudit.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "run pattern ab-000001") {
				t.Errorf("got %v, want %q and the pattern", err, tt.want)
			}
			var got []string
			for _, c := range checks {
				got = append(got, string(c.Pattern)+" "+c.Message)
			}
			if diff := cmp.Diff([]string{"ab-000002 it is wrong", "ab-000001 before"}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	boom := &mcpaudit.Pattern{ID: "ab-000003", Rule: mcpaudit.Rule{Repo: func(*mcpaudit.Pass, *mcpaudit.Repo) {
		var none []int
		_ = none[len(none)]
	}}}
	if _, err := mcpaudit.Audit(&mcpaudit.Repo{}, []*mcpaudit.Pattern{boom}, mcpaudit.Options{}); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("got %v, want what went wrong", err)
	}
}

// TestHooks: a rule sees everything it asks for, once each, and nothing else.
func TestHooks(t *testing.T) {
	repo := &mcpaudit.Repo{
		Servers: []*mcpaudit.Server{{Name: "a", Routers: []*mcpaudit.Router{{Name: "r1"}, {Name: "r2"}}}, {Name: "b"}},
		Clients: []*mcpaudit.Client{{Name: "c"}},
	}
	var got []string
	saw := func(what string) { got = append(got, what) }
	p := &mcpaudit.Pattern{ID: "ab-000001", Rule: mcpaudit.Rule{
		Repo:   func(*mcpaudit.Pass, *mcpaudit.Repo) { saw("repo") },
		Server: func(_ *mcpaudit.Pass, s *mcpaudit.Server) { saw("server " + s.Name) },
		Router: func(_ *mcpaudit.Pass, s *mcpaudit.Server, r *mcpaudit.Router) { saw("router " + s.Name + " " + r.Name) },
		Client: func(_ *mcpaudit.Pass, c *mcpaudit.Client) { saw("client " + c.Name) },
	}}
	checks, err := mcpaudit.Audit(repo, []*mcpaudit.Pattern{p, {ID: "ab-000002"}}, mcpaudit.Options{})
	if err != nil || len(checks) > 0 {
		t.Errorf("got %v and %v, want neither", checks, err)
	}
	want := []string{"repo", "server a", "router a r1", "router a r2", "server b", "client c"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSpec(t *testing.T) {
	repo := &mcpaudit.Repo{Servers: []*mcpaudit.Server{{
		Eras:    mcpaudit.Eras{Legacy: mcpaudit.Yes},
		Routers: []*mcpaudit.Router{{Eras: mcpaudit.Eras{Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes}}},
	}}}
	if _, err := mcpaudit.Audit(repo, nil, mcpaudit.Options{Spec: []mcpaudit.Revision{"2026-07-28"}}); err != nil {
		t.Fatal(err)
	}
	if s := repo.Servers[0]; s.Eras.Era() != mcpaudit.Modern || s.Routers[0].Eras.Era() != mcpaudit.Modern {
		t.Errorf("got %s and %s, want modern twice", s.Eras, s.Routers[0].Eras)
	}
}

// TestCombine: a finding that was read and heard is one finding, at the place in the code, with what was heard beside it.
func TestCombine(t *testing.T) {
	read := failed("must", func(c *mcpaudit.Check) {
		c.Evidence, c.Hints, c.Confidence = at("a.go", 7), []string{"mend it"}, mcpaudit.Medium
		c.Fixes = []mcpaudit.Fix{{Title: "mend"}}
	})
	heard := failed("must", func(c *mcpaudit.Check) { c.Evidence, c.Message, c.Confidence = wire(), "heard", mcpaudit.Certain })
	for _, list := range [][]mcpaudit.Check{{read, heard}, {heard, read}} {
		got := audit(t, mcpaudit.Options{}, list...)
		if len(got) != 1 {
			t.Fatalf("%d checks, want one", len(got))
		}
		c := got[0]
		if c.Message != read.Message || len(c.Hints) != 1 || len(c.Fixes) != 1 || c.Primary() == nil || c.Primary().Start != 7 {
			t.Errorf("the finding is not the one of the code: %+v", c)
		}
		if c.Confidence != mcpaudit.Certain || c.Level != mcpaudit.Error {
			t.Errorf("what was heard does not make it sure: %s, %s", c.Confidence, c.Level)
		}
		if n := len(c.Evidence); n != 2 || c.Evidence[1].Exchange == nil || c.Evidence[1].Role != mcpaudit.Related {
			t.Errorf("the exchange is not related evidence: %+v", c.Evidence)
		}
	}
	// A fault that only the wire shows still has a place: that of the code which was examined.
	router := said(mcpaudit.Passed, "read", func(c *mcpaudit.Check) { c.Evidence = at("b.go", 3); c.Evidence[0].Role = mcpaudit.Related })
	c := audit(t, mcpaudit.Options{}, heard, router)[0]
	if c.Primary() == nil || c.Primary().File != "b.go" || c.Fault != "must" {
		t.Errorf("a finding of the wire has no place in the code: %+v", c)
	}
}
