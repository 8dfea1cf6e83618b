package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/probe"
	"github.com/mcpaudit/mcpaudit/report/quote"
	"github.com/spf13/cobra"
)

// probeCommand talks to running servers. With --repo it is a scan of that folder with a probe.
func (a *app) probeCommand() *cobra.Command {
	var f scanFlags
	var repo, file string
	cmd := &cobra.Command{
		Use:   "probe [flags] [--repo DIR] URL... | -- COMMAND [ARG...]",
		Short: "Talk to a running server and audit what it answers",
		Long: `probe starts a server, or connects to one, speaks raw JSON-RPC with it and audits what it hears: over stdio,
Streamable HTTP and HTTP+SSE, in every revision that the server speaks. It calls no tool unless --allow-calls or --call
says so, and does nothing to a server of another machine that some server has been seen to die of.

A COMMAND is started as it stands, without a shell, in a process group of its own and with an environment that holds
PATH, HOME, TMPDIR, LANG and what --env adds. It is killed as a group in the end. It is started some seventeen times,
because each era and each broken message has a connection of its own; --scenario ping/integer starts it once or twice.
There is no sandbox: probe what you would run anyway.

With --repo DIR the source of the server is read too, and both make one finding: the place is in the code, the proof is
what was heard.`,
		Example: `  mcpaudit probe -- node dist/index.js
  mcpaudit probe --header-env Authorization=AUTH https://example.org/mcp
  mcpaudit probe --repo . -- ./server --stdio
  mcpaudit probe --targets servers.txt -j 4`,
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&repo, "repo", "", "read the source of the server in `DIR` too")
	fs.StringVar(&file, "targets", "", "probe every line of `FILE`: a URL, a plain command, or a JSON array of its arguments")
	f.reporting(fs)
	f.running.declare(fs)
	f.reading(fs)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		urls, command := splitAtDash(cmd, args)
		list, err := targets(urls, command, file)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return usagef("usage: mcpaudit probe URL, or mcpaudit probe -- COMMAND [ARG...]", "there is nothing to probe")
		}
		var paths []string
		if repo != "" {
			paths = []string{repo}
		}
		return a.start(cmd, &f, paths, list)
	}
	return cmd
}

// splitAtDash divides the arguments at "--".
func splitAtDash(cmd *cobra.Command, args []string) (before, after []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// talk probes all targets, some of them at a time, and puts what was heard into the repository, in the order of the
// targets.
func (a *app) talk(ctx context.Context, p *plan, repo *mcpaudit.Repo) error {
	results := make([]*probe.Result, len(p.targets))
	errs := make([]error, len(p.targets))
	at := make(chan int)
	var wg sync.WaitGroup
	jobs := p.jobs
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	for range min(jobs, len(p.targets)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range at {
				results[i], errs[i] = a.probe(ctx, p.targets[i], p.probing)
			}
		}()
	}
	for i := range p.targets {
		at <- i
	}
	close(at)
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range errs {
		if errors.Is(err, probe.ErrInput) {
			return &exitError{code: exitUsage, err: err}
		}
		if err != nil {
			return &exitError{code: exitInternal, err: err}
		}
	}
	for i, r := range results {
		if r.Server != nil {
			how, err := repo.Join(r.Server, p.running.server)
			if err != nil {
				return usagef("the coverage lines of a scan show the names", "%w", err)
			}
			r.Probe.Server, r.Probe.Twin = r.Server.Name, how
			if how == "" {
				anchor(repo, r.Server, p.targets[i])
			}
		}
		repo.Probes = append(repo.Probes, r.Probe)
		if p.verbose {
			a.ui.notef("probed %s over %s: %d exercises", quote.Name(r.Probe.Target), r.Probe.Transport, r.Probe.Ran)
		}
	}
	return a.writeTranscript(p, results)
}

// probe is one probe, whose panic must not take the others with it.
func (a *app) probe(ctx context.Context, t probe.Target, o probe.Options) (res *probe.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("probe %s: internal failure: %v", t.String(), r)
		}
	}()
	return probe.Run(ctx, t, o)
}

// sayIncomplete says in one line what exit code 4 stands for. The report has all of it.
func (a *app) sayIncomplete(repo *mcpaudit.Repo, checks []mcpaudit.Check) {
	why := ""
	for _, p := range repo.Probes {
		target := quote.Name(p.Target)
		switch {
		case why != "":
		case p.Failure != "":
			why = fmt.Sprintf("probe %s: %s", target, p.Failure)
		case len(p.NotRun) > 0:
			more := ""
			if n := len(p.NotRun) - 1; n > 0 {
				more = fmt.Sprintf(" and %d more", n)
			}
			why = fmt.Sprintf("probe %s: %s%s could not be tried: %s", target, p.NotRun[0].Name, more, p.NotRun[0].Why)
		}
	}
	for _, c := range checks {
		if why == "" && notTestable(&c) {
			why = fmt.Sprintf("probe server %s: %s", quote.Name(c.Subject.Server), c.Message)
		}
	}
	a.ui.error(&exitError{code: exitIncomplete, err: errors.New(why)})
}

func (a *app) writeTranscript(p *plan, results []*probe.Result) error {
	if p.running.transcript == "" {
		return nil
	}
	err := writeFile(p.running.transcript, func(w io.Writer) error {
		for _, r := range results {
			for i := range r.Records {
				r.Records[i].Target = r.Probe.Target
			}
			if err := probe.WriteTranscript(w, r.Records); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return usagef("", "write the transcript to %q: %w", p.running.transcript, err)
	}
	return nil
}

// incomplete reports whether something that applies could not be tried out, or was tried out and could not be judged.
func incomplete(repo *mcpaudit.Repo, checks []mcpaudit.Check) bool {
	for _, p := range repo.Probes {
		if !p.Complete() {
			return true
		}
	}
	for _, c := range checks {
		if notTestable(&c) {
			return true
		}
	}
	return false
}

func notTestable(c *mcpaudit.Check) bool {
	return c.Verdict == mcpaudit.Undecided && c.Reason == mcpaudit.ReasonNotTest
}
