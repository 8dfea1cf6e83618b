package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Main runs the command line without the name of the program and returns the exit code. Nothing outside its
// parameters, the file system and git decides what it does.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	a := &app{
		stdin:   stdin,
		stdout:  &pipeWriter{w: stdout},
		stderr:  stderr,
		env:     env,
		ui:      &ui{w: &pipeWriter{w: stderr}},
		extract: analyzers.Extract,
	}
	return a.main(args)
}

// app is one run of the command line.
type app struct {
	stdin   io.Reader
	stdout  *pipeWriter
	stderr  io.Writer
	env     func(string) string
	ui      *ui
	verbose bool
	extract func(context.Context, analyzers.Options) (*mcpaudit.Repo, error)
	code    int // what a command that did its work wants to exit with
	// reported says that the outputs hold what was found: an error after that must not replace them.
	reported bool
}

func (a *app) main(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			a.ui.endProgress()
			a.bug(r, debug.Stack())
			code = exitInternal
		}
	}()
	ctx, stop := withSignals()
	defer stop()

	root := a.rootCommand()
	root.SetArgs(append([]string{}, args...))
	cmd, err := root.ExecuteContextC(ctx)
	a.ui.endProgress()

	var caught *signalError
	switch {
	case errors.As(context.Cause(ctx), &caught):
		a.ui.notef("interrupted")
		return caught.code()
	case err == nil:
		return a.code
	}
	code = codeOf(err)
	a.ui.error(err)
	if code == exitInternal {
		a.ui.hint("this is a bug in mcpaudit; please report it with the output of mcpaudit version")
	}
	if !a.reported && (cmd == root || cmd.Name() == "scan" || cmd.Name() == "probe") {
		a.reportFailure(formatsIn(args), code)
	}
	return code
}

// bug reports a panic: one line, and the stack for whoever asked for more.
func (a *app) bug(r any, stack []byte) {
	a.ui.error(&exitError{
		code:  exitInternal,
		err:   fmt.Errorf("internal failure: %v", r),
		hints: []string{"this is a bug in mcpaudit; please report it with the output of mcpaudit -v"},
	})
	if a.verbose {
		a.ui.write(string(stack))
	}
}

// signalError is why a context was cancelled.
type signalError struct{ sig os.Signal }

func (e *signalError) Error() string { return e.sig.String() }

func (e *signalError) code() int {
	if e.sig == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupted
}

// withSignals returns a context that the first SIGINT or SIGTERM cancels; the second one kills as usual. SIGPIPE
// becomes an error of the write, so that the exit code survives a reader that leaves.
func withSignals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case s := <-ch:
			signal.Stop(ch)
			cancel(&signalError{s})
		case <-done:
		}
	}()
	return ctx, func() {
		close(done)
		signal.Stop(ch)
		signal.Stop(pipe)
		cancel(nil)
	}
}

// rootCommand is the command tree. The flags of scan are declared twice, because "mcpaudit PATH" is
// "mcpaudit scan PATH"; both come from one function.
func (a *app) rootCommand() *cobra.Command {
	cobra.MousetrapHelpText = ""
	root := &cobra.Command{
		Use:   "mcpaudit [flags] [PATH...]",
		Short: "Audit MCP servers and clients against the protocol",
		Long: `mcpaudit reads the source of MCP (Model Context Protocol) servers and clients and says where they break
the protocol, and why it is silent where it is. It runs nothing of what it reads and needs no network. With --probe,
--probe-url or the command probe it also talks to a running server.

A PATH is a file or a folder; "dir", "dir/" and "dir/..." all mean the tree below dir. Without a PATH it is
"./...". A folder that is called like a command is written "./patterns".

Exit codes: 0 clean, 1 findings, 2 usage, 3 nothing analysed, 4 probe incomplete, 5 internal failure.`,
		Example: `  mcpaudit ./...
  mcpaudit --format json=report.json ./server
  mcpaudit ./... --probe -- node dist/index.js
  mcpaudit explain ab-001839`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	a.scanFlags(root)
	scan := &cobra.Command{
		Use:   "scan [flags] [PATH...]",
		Short: "Audit source code (the default command)",
	}
	a.scanFlags(scan)
	root.AddCommand(scan, a.probeCommand(), a.explainCommand(), a.patternsCommand(), a.schemaCommand(), a.versionCommand())
	root.SetHelpCommand(a.helpCommand(root))
	root.InitDefaultHelpFlag()
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	return root
}

// flagError says in one line which flag is wrong, and names the one that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usagef("mcpaudit -h lists the flags", "unknown flag %q", "-"+unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		hint := didYouMean("--"+unknown.GetSpecifiedName(), names)
		if hint == "" {
			hint = "mcpaudit -h lists the flags"
		}
		return usagef(hint, "unknown flag %q", "--"+unknown.GetSpecifiedName())
	case errors.As(err, &invalid):
		return usagef("want "+wanted(invalid.GetFlag()), "read %q as the value of --%s", invalid.GetValue(), invalid.GetFlag().Name)
	case errors.As(err, &missing):
		return usagef("want "+wanted(missing.GetFlag()), "flag --%s has no value", missing.GetFlag().Name)
	case errors.As(err, &syntax):
		return usagef("", "bad flag syntax %q", syntax.GetSpecifiedFlag())
	}
	return usagef("", "read flags: %w", err)
}

// wanted describes the values of a flag by what -h calls them.
func wanted(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	if name == "" {
		return "true or false"
	}
	return name
}

// noArgs and exactArgs are cobra's, with our errors.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usagef("usage: "+cmd.UseLine(), "%s wants %s, got %d", cmd.CommandPath(), what, len(args))
	}
}

func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "Help about a command",
		Hidden: true,
		Args:   cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if len(args) == 1 && c.Name() == args[0] {
					c.InitDefaultHelpFlag()
					return c.Help()
				}
			}
			return usagef(oneOf(args[0], commandNames(root)), "unknown command %q", strings.Join(args, " "))
		},
	}
}

// commandNames lists the commands that a user may type.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
