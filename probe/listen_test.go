package probe_test

import (
	"slices"
	"testing"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/patterns"
	"github.com/mcpaudit/mcpaudit/probe"
)

// listen probes a target and returns what the catalogue says of it, in the words of mcptest.Behaviour.Expect.
func listen(t *testing.T, target probe.Target, opts probe.Options) (verdicts []string, res *probe.Result) {
	t.Helper()
	res, err := probe.Run(t.Context(), target, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Probe.Complete() {
		verdicts = append(verdicts, "incomplete")
	}
	if res.Server == nil {
		return verdicts, res
	}
	repo := &mcpaudit.Repo{}
	if _, err := repo.Join(res.Server, ""); err != nil {
		t.Fatal(err)
	}
	checks, err := mcpaudit.Audit(repo, patterns.All(), mcpaudit.Options{Persona: mcpaudit.Auditor})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		switch {
		case c.Verdict == mcpaudit.Undecided && c.Reason == mcpaudit.ReasonNotTest:
			verdicts = append(verdicts, "incomplete")
		case c.Pattern == "ab-001839" && c.Verdict == mcpaudit.Failed:
			verdicts = append(verdicts, "fail:"+c.Fault)
		case c.Pattern == "ab-001839" && c.Verdict != mcpaudit.Undecided:
			verdicts = append(verdicts, c.Verdict.String())
		case c.Verdict == mcpaudit.Failed:
			verdicts = append(verdicts, string(c.Pattern)+"/"+c.Fault)
		}
	}
	return slices.Compact(verdicts), res
}
