package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
	"github.com/mcpaudit/mcpaudit/report"
	"github.com/mcpaudit/mcpaudit/report/quote"
)

// scan is one audit: read the tree, talk to the servers, ask the patterns, write the reports, exit with the verdict. A
// probe alone reads no tree.
func (a *app) scan(ctx context.Context, p *plan) error {
	clock := newStopwatch(p.timings)
	if wantProgress(p.progress, isTerminal(a.stderr), p.quiet, a.env) {
		a.ui.bar = newProgress(a.stderr, time.Now)
	}
	repo, err := a.read(ctx, p, clock)
	a.ui.endProgress()
	if err != nil {
		return err
	}
	a.warnOfPins(repo, p.audit.Spec)
	if len(p.targets) > 0 {
		start := time.Now()
		if err := a.talk(ctx, p, repo); err != nil {
			return err
		}
		clock.stage("probe", time.Since(start))
	}

	start := time.Now()
	checks, auditErr := mcpaudit.Audit(repo, clock.patterns(p.patterns), p.audit)
	clock.stage("audit", time.Since(start))

	code := p.verdict(repo, checks)
	if auditErr != nil {
		code = worst(code, exitInternal)
	}
	rep := newReport(code)
	rep.Verdict.FailOn, rep.Verdict.Analysed, rep.Verdict.Partial = p.failAt, !nothing(repo), p.partial
	rep.Repo, rep.Patterns, rep.Checks = repo, p.patterns, checks
	if len(p.targets) > 0 {
		rep.Verdict.Probe = "complete"
		if incomplete(repo, checks) {
			rep.Verdict.Probe = "incomplete"
		}
	}
	// People know which revision they look at. Git reads the state of every file for an answer.
	if slices.ContainsFunc(p.outputs, func(o output) bool { return o.format != "text" }) {
		start = time.Now()
		if len(p.paths) > 0 {
			rep.Root = rootOf(ctx, repo.Root)
		}
		clock.stage("git", time.Since(start))
	}

	start = time.Now()
	text, paths := a.textOptions(p), newShownPaths(repo.Root)
	text.Rel = paths.show
	writeErr := a.write(ctx, rep, p.outputs, text)
	clock.stage("report", time.Since(start))
	paths.note(a.ui)
	clock.print(a.ui)

	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case auditErr != nil && writeErr != nil:
		a.ui.error(auditErr)
		return writeErr
	case writeErr != nil:
		return writeErr
	case auditErr != nil:
		return &exitError{code: exitInternal, err: auditErr}
	}
	if rep.Verdict.Probe == "incomplete" {
		a.sayIncomplete(repo, checks)
	}
	if nothing(repo) && len(repo.Probes) == 0 {
		a.sayNothing(repo, p.allowEmpty)
	}
	a.code = code
	return nil
}

// read reads the tree, if there is one to read.
func (a *app) read(ctx context.Context, p *plan, clock *stopwatch) (*mcpaudit.Repo, error) {
	if len(p.paths) == 0 {
		return &mcpaudit.Repo{Sources: map[string][]byte{}}, nil
	}
	repo, err := a.extract(ctx, analyzers.Options{
		Paths:           p.paths,
		Exclude:         p.exclude,
		IncludeTests:    p.includeTests,
		IncludeVendored: p.includeVendored,
		Jobs:            p.jobs,
		Verbose:         a.verbosef(p),
		Progress:        a.ui.drawProgress,
		Timing:          clock.stage,
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, analyzers.ErrInput):
		return nil, &exitError{code: exitUsage, err: err, hints: commandHints(p.paths, p.commands)}
	case err != nil:
		return nil, &exitError{code: exitInternal, err: err}
	}
	return repo, nil
}

// verdict is the exit code of what was found. Hidden, ignored and baselined findings never count.
func (p *plan) verdict(repo *mcpaudit.Repo, checks []mcpaudit.Check) int {
	for _, c := range checks {
		if c.Verdict == mcpaudit.Failed && c.Status == mcpaudit.Active && p.failAt != 0 && c.Level >= p.failAt && !p.noFail {
			return exitFindings
		}
	}
	switch {
	case incomplete(repo, checks):
		return exitIncomplete
	case nothing(repo) && !p.allowEmpty:
		return exitNothing
	}
	return exitClean
}

// nothing reports whether no pattern had anything to look at. That is not a pass.
func nothing(repo *mcpaudit.Repo) bool {
	return len(repo.Servers) == 0 && len(repo.Clients) == 0
}

// sayNothing says what was looked at, so that the reader can tell a wrong path from a language that is missing.
func (a *app) sayNothing(repo *mcpaudit.Repo, allowed bool) {
	c := repo.Counts
	msg := fmt.Sprintf("no MCP server or client found: listed files: %d, read: %d, parsed because they may hold MCP code: %d", c.Files, c.Read, c.Parsed)
	var hints []string
	if n := c.LeftOut["test"] + c.LeftOut["example"] + c.LeftOut["docs"]; n > 0 {
		hints = append(hints, fmt.Sprintf("left out as tests, examples or documentation: %d; --include-tests reads them", n))
	}
	if n := c.LeftOut["vendored"]; n > 0 {
		hints = append(hints, fmt.Sprintf("left out as vendored: %d; --include-vendored reads them", n))
	}
	gaps := map[string]int{}
	for _, g := range repo.Gaps {
		gaps[g.Reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(gaps)) {
		hints = append(hints, fmt.Sprintf("not read for the reason %q: %d", reason, gaps[reason]))
	}
	if gaps[mcpaudit.GapLanguage] > 0 && !buildInfo().CGO {
		hints = append(hints, "this binary was built without cgo and reads Go only")
	}
	if allowed {
		a.ui.warningf("%s", msg)
	} else {
		a.ui.error(&exitError{code: exitNothing, err: errors.New(msg)})
	}
	if !a.ui.quiet || !allowed {
		for _, h := range hints {
			a.ui.hint(h)
		}
	}
}

// verbosef says on stderr what is read and decided, if anybody asked for it.
func (a *app) verbosef(p *plan) func(string, ...any) {
	if !p.verbose {
		return nil
	}
	return a.ui.notef
}

// textOptions are those of stdout; a file gets neither colour nor paths from the current folder.
func (a *app) textOptions(p *plan) report.TextOptions {
	return report.TextOptions{
		Color: report.WantColor(p.color, a.env, isTerminal(a.stdout.w)),
		Why:   p.why,
		Quiet: p.quiet,
		CI:    a.env("CI") != "",
	}
}

// warnOfPins names the servers whose code says something else than --spec. The pin wins all the same: the user
// may know what the code does not say.
func (a *app) warnOfPins(repo *mcpaudit.Repo, spec []mcpaudit.Revision) {
	if len(spec) == 0 {
		return
	}
	var pinned mcpaudit.Eras
	for _, r := range spec {
		pinned.Add(r, mcpaudit.Evidence{})
	}
	for _, s := range repo.Servers {
		if s.Eras.Legacy == mcpaudit.Yes && pinned.Legacy != mcpaudit.Yes || s.Eras.Modern == mcpaudit.Yes && pinned.Modern != mcpaudit.Yes {
			a.ui.warningf("--spec contradicts the code of server %s, which serves %s", quote.Name(s.Name), quote.Visible(s.Eras.String()))
		}
	}
}

// commandHints looks for a mistyped command among the paths that are not there.
func commandHints(paths, names []string) []string {
	for _, p := range paths {
		if strings.ContainsAny(p, `/\`) {
			continue
		}
		if _, err := os.Stat(p); errors.Is(err, fs.ErrNotExist) {
			if hint := didYouMean(p, names); hint != "" {
				return []string{hint}
			}
		}
	}
	return nil
}
