package main

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/patterns"
	"github.com/mcpaudit/mcpaudit/probe"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// scanFlags are the flags of scan as they were typed. Repeated flags accumulate.
type scanFlags struct {
	formats         []string
	failOn          string
	persona         string
	pedantic        bool
	minConfidence   string
	minSeverity     string
	only, skip      []string
	spec            []string
	why             bool
	includeTests    bool
	includeVendored bool
	exclude         []string
	allowEmpty      bool
	noFail          bool
	jobs            int
	timings         bool
	quiet, verbose  bool
	color           string
	progress        string
	running         probeFlags
}

// scanFlags declares the flags on a command and makes it scan.
func (a *app) scanFlags(cmd *cobra.Command) {
	var f scanFlags
	fs := cmd.Flags()
	fs.SortFlags = false
	f.reporting(fs)
	f.reading(fs)
	fs.BoolVar(&f.running.probe, "probe", false, "talk to the server that the command behind -- starts, too")
	fs.StringArrayVar(&f.running.urls, "probe-url", nil, "talk to the server at `URL`, too; repeatable")
	f.running.declare(fs)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var command []string
		if f.running.probe {
			args, command = splitAtDash(cmd, args)
			if len(command) == 0 {
				return usagef("write mcpaudit PATH --probe -- COMMAND [ARG...]", "--probe has no command behind --")
			}
		}
		list, err := targets(f.running.urls, command, "")
		if err != nil {
			return err
		}
		if len(args) == 0 {
			args = []string{"./..."}
		}
		return a.start(cmd, &f, args, list)
	}
}

// reporting declares the flags about what is asked and shown.
func (f *scanFlags) reporting(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.formats, "format", nil, "write `NAME[=FILE]`, to stdout without a file; repeatable (default text)")
	fs.StringVar(&f.failOn, "fail-on", "warning", "lowest level that gives exit code 1: `error, warning, note or never`")
	fs.StringVar(&f.persona, "persona", "regular", "who asks: `regular, pedantic or auditor`")
	fs.BoolVar(&f.pedantic, "pedantic", false, "short for --persona pedantic")
	fs.StringVar(&f.minConfidence, "min-confidence", "", "show findings from `low, medium, high or certain` on (default medium, for auditors low)")
	fs.StringVar(&f.minSeverity, "min-severity", "", "show findings from `low, medium, high or critical` on")
	fs.StringSliceVar(&f.only, "only", nil, "run only these patterns: `ID,...`")
	fs.StringSliceVar(&f.skip, "skip", nil, "run all but these patterns: `ID,...`")
	fs.StringSliceVar(&f.spec, "spec", nil, "the protocol revisions that the servers claim, and that a probe offers: `REV,...` (default inferred)")
	fs.BoolVar(&f.why, "why", false, "say for every pattern and server why there is a finding or none")
	fs.BoolVar(&f.noFail, "no-fail", false, "exit with 0 instead of 1 where there are findings")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "read `N` files, and probe N servers, at a time (default one per processor)")
	fs.BoolVar(&f.timings, "timings", false, "say on stderr how long each stage and pattern took")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print findings and errors only")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "say on stderr what is read and decided")
	fs.StringVar(&f.color, "color", "auto", "`auto, always or never`")
	fs.StringVar(&f.progress, "progress", "auto", "`auto or never`")
}

// reading declares the flags about which files are read.
func (f *scanFlags) reading(fs *pflag.FlagSet) {
	fs.BoolVar(&f.includeTests, "include-tests", false, "read tests, examples and documentation too")
	fs.BoolVar(&f.includeVendored, "include-vendored", false, "read vendored code too")
	fs.StringArrayVar(&f.exclude, "exclude", nil, "leave out what matches `GLOB`; repeatable")
	fs.BoolVar(&f.allowEmpty, "allow-empty", false, "exit with 0 instead of 3 where there is nothing to analyse")
}

// start checks the flags and runs.
func (a *app) start(cmd *cobra.Command, f *scanFlags, paths []string, list []probe.Target) error {
	a.verbose, a.ui.quiet = f.verbose, f.quiet
	if err := noEmptyFlag(cmd.Flags()); err != nil {
		return err
	}
	p, err := f.plan(paths)
	if err != nil {
		return err
	}
	p.commands, p.targets = commandNames(cmd.Root()), list
	if p.probing, err = f.running.options(a, cmd.Flags()); err != nil {
		return err
	}
	p.probing.Revisions = p.audit.Spec
	if len(list) == 0 {
		if name := probeFlagWithoutProbe(cmd.Flags()); name != "" {
			return usagef("add --probe -- COMMAND, or --probe-url URL", "--%s is about running servers, and none is probed", name)
		}
	}
	return a.scan(cmd.Context(), p)
}

// probeFlagWithoutProbe finds a flag that would have no effect: whoever wrote it expected a probe.
func probeFlagWithoutProbe(fs *pflag.FlagSet) (name string) {
	var own pflag.FlagSet
	(&probeFlags{}).declare(&own)
	fs.Visit(func(f *pflag.Flag) {
		if own.Lookup(f.Name) != nil && name == "" {
			name = f.Name
		}
	})
	return name
}

// noEmptyFlag refuses "--only=": an empty shell variable must not turn a narrow run into a full one.
func noEmptyFlag(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); err == nil && (v == "" || v == "[]") {
			err = usagef("want "+wanted(f), "flag --%s is empty", f.Name)
		}
	})
	return err
}

// plan is what the flags ask for, checked.
type plan struct {
	scanFlags
	paths    []string
	outputs  []output
	failAt   mcpaudit.Level // 0: never
	audit    mcpaudit.Options
	patterns []*mcpaudit.Pattern
	partial  bool     // not every pattern runs
	commands []string // what a path may be a mistyped form of
	targets  []probe.Target
	probing  probe.Options
}

func (f scanFlags) plan(args []string) (*plan, error) {
	p := &plan{scanFlags: f, paths: args}
	var err error
	if p.outputs, err = parseOutputs(f.formats); err != nil {
		return nil, err
	}
	if f.failOn != "never" {
		if p.failAt, err = value("fail-on", f.failOn, mcpaudit.ParseLevel, "error", "warning", "note", "never"); err != nil {
			return nil, err
		}
	}
	if f.pedantic && f.persona != "regular" && f.persona != "pedantic" {
		return nil, usagef("give one of them", "--pedantic and --persona %s contradict each other", f.persona)
	}
	if p.audit.Persona, err = value("persona", f.persona, mcpaudit.ParsePersona, "regular", "pedantic", "auditor"); err != nil {
		return nil, err
	}
	if f.pedantic {
		p.audit.Persona = mcpaudit.Pedantic
	}
	if f.minConfidence != "" {
		if p.audit.MinConfidence, err = value("min-confidence", f.minConfidence, mcpaudit.ParseConfidence, "low", "medium", "high", "certain"); err != nil {
			return nil, err
		}
	}
	if f.minSeverity != "" {
		if p.audit.MinSeverity, err = value("min-severity", f.minSeverity, mcpaudit.ParseSeverity, "low", "medium", "high", "critical"); err != nil {
			return nil, err
		}
	}
	if p.audit.Spec, err = revisions(f.spec); err != nil {
		return nil, err
	}
	if p.patterns, err = f.choose(); err != nil {
		return nil, err
	}
	p.partial = len(f.only) > 0 || len(f.skip) > 0
	if f.jobs < 0 {
		return nil, usagef("0 means one per processor", "--jobs is %d", f.jobs)
	}
	if err := choice("color", f.color, "auto", "always", "never"); err != nil {
		return nil, err
	}
	if err := choice("progress", f.progress, "auto", "never"); err != nil {
		return nil, err
	}
	return p, nil
}

// value parses a flag whose values are a scale.
func value[T any](flag, typed string, parse func(string) (T, error), names ...string) (T, error) {
	v, err := parse(typed)
	if err != nil {
		return v, choice(flag, typed, names...)
	}
	return v, nil
}

func choice(flag, typed string, names ...string) error {
	if slices.Contains(names, typed) {
		return nil
	}
	return usagef(oneOf(typed, names), "unknown value %q of --%s", typed, flag)
}

func revisions(typed []string) ([]mcpaudit.Revision, error) {
	var known []string
	for _, r := range mcpaudit.Revisions {
		known = append(known, string(r))
	}
	var revs []mcpaudit.Revision
	for _, t := range typed {
		t = strings.TrimSpace(t)
		if !slices.Contains(known, t) {
			return nil, usagef(oneOf(t, known), "unknown protocol revision %q", t)
		}
		revs = append(revs, mcpaudit.Revision(t))
	}
	return revs, nil
}

// choose applies --only and --skip. A choice that leaves nothing is a mistake: a run without a pattern would
// find nothing and look clean.
func (f scanFlags) choose() ([]*mcpaudit.Pattern, error) {
	only, err := findPatterns(f.only)
	if err != nil {
		return nil, err
	}
	skip, err := findPatterns(f.skip)
	if err != nil {
		return nil, err
	}
	var chosen []*mcpaudit.Pattern
	for _, p := range patterns.All() {
		if (len(f.only) == 0 || slices.Contains(only, p.ID)) && !slices.Contains(skip, p.ID) {
			chosen = append(chosen, p)
		}
	}
	if len(chosen) == 0 {
		return nil, usagef("mcpaudit patterns lists them", "--only and --skip leave no pattern to run")
	}
	return chosen, nil
}

func findPatterns(names []string) ([]mcpaudit.ID, error) {
	var ids []mcpaudit.ID
	for _, n := range names {
		p, err := findPattern(strings.TrimSpace(n))
		if err != nil {
			return nil, err
		}
		ids = append(ids, p.ID)
	}
	return ids, nil
}
