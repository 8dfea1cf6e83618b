package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpaudit/mcpaudit/report"
)

// newReport is a report without contents yet.
func newReport(code int) *report.Report {
	return &report.Report{
		Tool:    report.Tool{Name: "mcpaudit", Version: buildInfo().Version},
		Verdict: report.Verdict{Exit: code, Reason: exitReasons[code], Probe: "none"},
	}
}

// rootOf says which revision of the tree was read.
func rootOf(ctx context.Context, dir string) report.Root {
	g, ok := readGit(ctx, dir)
	if !ok {
		return report.Root{}
	}
	return report.Root{VCS: "git", Revision: g.revision, Dirty: g.dirty, Prefix: strings.TrimSuffix(g.prefix, "/")}
}

// write renders the report into every output. One that fails does not keep the others from being written; the
// first error is returned, the rest is said at once.
func (a *app) write(ctx context.Context, r *report.Report, outs []output, text report.TextOptions) error {
	a.reported = true
	var first error
	for _, o := range outs {
		if ctx.Err() != nil {
			return context.Cause(ctx) // an interrupted run leaves no report behind
		}
		err := a.writeOne(r, o, text)
		switch {
		case err == nil:
		case first == nil:
			first = err
		default:
			a.ui.error(err)
		}
	}
	return first
}

func (a *app) writeOne(r *report.Report, o output, text report.TextOptions) error {
	render, err := report.Get(o.format)
	if err != nil {
		return err
	}
	if o.file == "" {
		if o.format == "text" {
			render = func(w io.Writer, r *report.Report) error { return report.Text(w, r, text) }
		}
		if err := buffered(a.stdout, func(w io.Writer) error { return render(w, r) }); err != nil {
			return usagef("", "write the %s report to stdout: %w", o.format, err)
		}
		return nil
	}
	if o.format == "text" {
		plain := text
		plain.Color, plain.Rel = false, nil
		render = func(w io.Writer, r *report.Report) error { return report.Text(w, r, plain) }
	}
	if err := writeFile(o.file, func(w io.Writer) error { return render(w, r) }); err != nil {
		hint := ""
		if _, statErr := os.Stat(filepath.Dir(o.file)); errors.Is(statErr, fs.ErrNotExist) {
			hint = "folders are not created; make it first"
		}
		return usagef(hint, "write the %s report to %q: %w", o.format, o.file, err)
	}
	return nil
}

// reportFailure writes an empty but valid report for programs that read one, where a run ended with an error. It
// goes by the arguments alone, because the error may lie in the flags.
func (a *app) reportFailure(formats []string, code int) {
	outs, err := parseOutputs(formats)
	if err != nil {
		return // the error that is being reported says what is wrong with them
	}
	r := newReport(code)
	for _, o := range outs {
		if o.format == "text" {
			continue
		}
		if err := a.writeOne(r, o, report.TextOptions{}); err != nil {
			a.ui.error(err)
		}
	}
}

// formatsIn finds the values of --format in arguments that may not parse.
func formatsIn(args []string) []string {
	var values []string
	for i, arg := range args {
		switch v, ok := strings.CutPrefix(arg, "--format="); {
		case arg == "--":
			return values
		case ok:
			values = append(values, v)
		case arg == "--format" && i+1 < len(args):
			values = append(values, args[i+1])
		}
	}
	return values
}
