package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit/probe"
	"github.com/mcpaudit/mcpaudit/report/quote"
	"github.com/spf13/pflag"
)

// probeFlags are the flags about running servers as they were typed.
type probeFlags struct {
	probe      bool
	urls       []string
	timeout    time.Duration
	waitReady  time.Duration
	budget     time.Duration
	env        []string
	header     []string
	headerEnv  []string
	dir        string
	scenarios  []string
	allowCalls bool
	call       []string
	transcript string
	server     string
}

// declareProbe declares what scan and probe have in common. A probe is asked for by --probe or --probe-url in a scan,
// and by its name as a command of its own.
func (f *probeFlags) declare(fs *pflag.FlagSet) {
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "wait for one answer for `DURATION`; a whole probe gets twelve times as much")
	fs.DurationVar(&f.waitReady, "wait-ready", 30*time.Second, "wait for the first handshake for `DURATION`")
	fs.DurationVar(&f.budget, "ping-budget", probe.DefaultBudget, "what warm pings of a local server may take in the median: `DURATION`; a finding for everybody if it is given")
	fs.StringArrayVar(&f.env, "env", nil, "give the server the variable `NAME[=VALUE]`, from the environment without a value; repeatable")
	fs.StringArrayVar(&f.headerEnv, "header-env", nil, "send the HTTP header `NAME=VARIABLE` with the value of the variable; repeatable")
	fs.StringArrayVar(&f.header, "header", nil, "send the HTTP header `NAME: VALUE`, which others on this machine can read; repeatable")
	fs.StringVar(&f.dir, "cwd", "", "start the server in `DIR`")
	fs.StringArrayVar(&f.scenarios, "scenario", nil, "try out only the scenario, or the group of scenarios, `NAME`; repeatable")
	fs.BoolVar(&f.allowCalls, "allow-calls", false, "call tools that say they only read and need no arguments")
	fs.StringArrayVar(&f.call, "call", nil, "call the tool `TOOL`, whatever it does; repeatable")
	fs.StringVar(&f.transcript, "transcript", "", "write everything that was said to `FILE`, one JSON object a line")
	fs.StringVar(&f.server, "server", "", "the `NAME` of the server in the source that runs (default found by name or tools)")
}

// options turns the flags into those of a probe.
func (f *probeFlags) options(a *app, fs *pflag.FlagSet) (probe.Options, error) {
	o := probe.Options{Timeout: f.timeout, WaitReady: f.waitReady, Budget: f.budget, Agreed: fs.Changed("ping-budget"),
		Scenarios: f.scenarios, Calls: f.allowCalls, Call: f.call, Dir: f.dir, Version: buildInfo().Version}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"timeout", f.timeout}, {"wait-ready", f.waitReady}, {"ping-budget", f.budget}} {
		if d.d <= 0 {
			return o, usagef("want a duration such as 10s", "--%s is %s", d.name, d.d)
		}
	}
	known := probe.Scenarios()
	for _, s := range f.scenarios {
		if err := choice("scenario", s, known...); err != nil {
			return o, err
		}
	}
	for _, e := range f.env {
		name, _, given := strings.Cut(e, "=")
		if name == "" {
			return o, usagef("want NAME or NAME=VALUE", "--env %q has no name", e)
		}
		if !given {
			v := a.env(name)
			if v == "" {
				return o, usagef("set it, or write --env NAME=VALUE", "--env %s: there is no such variable here", quote.Name(name))
			}
			e = name + "=" + v
		}
		o.Env = append(o.Env, e)
	}
	var err error
	o.Header, err = f.headers(a)
	return o, err
}

func (f *probeFlags) headers(a *app) (http.Header, error) {
	h := http.Header{}
	for _, v := range f.header {
		name, value, ok := strings.Cut(v, ":")
		if !ok || !token(name) {
			return nil, usagef("write --header 'NAME: VALUE'", "read --header: there is no name of a header before a colon")
		}
		a.ui.warningf("the value of --header %s can be read by others in the list of processes; --header-env keeps it out", name)
		h.Add(name, strings.TrimSpace(value))
	}
	for _, v := range f.headerEnv {
		name, variable, ok := strings.Cut(v, "=")
		if !ok || !token(name) || variable == "" {
			return nil, usagef("write --header-env NAME=VARIABLE", "read --header-env %q: want the name of a header and that of a variable", v)
		}
		value := a.env(variable)
		if value == "" {
			return nil, usagef("set it to the value of the header", "--header-env %s: the variable %s is not set", quote.Name(name), quote.Name(variable))
		}
		h.Add(name, value)
	}
	for name, values := range h {
		for _, v := range values {
			if strings.ContainsAny(v, "\r\n\x00") {
				return nil, usagef("a header is one line", "the value of the header %s holds a line end", name)
			}
		}
	}
	return h, nil
}

// token reports whether a text may be the name of an HTTP header.
func token(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	})
}

// targets makes the list of what to talk to: a command behind "--", URLs, and the lines of a file.
func targets(urls, command []string, file string) ([]probe.Target, error) {
	var out []probe.Target
	if len(command) > 0 {
		out = append(out, probe.Target{Argv: command})
	}
	for _, u := range urls {
		out = append(out, probe.Target{URL: u})
	}
	if file != "" {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, usagef("", "read the targets: %w", err)
		}
		more, err := parseTargets(string(content))
		if err != nil {
			return nil, usagef("a line is a URL, a plain command, or a JSON array of its arguments", "read the targets in %q: %w", file, err)
		}
		out = append(out, more...)
	}
	return out, nil
}

// parseTargets reads one target a line. A command is cut at blanks only if nothing in it could mean something to a shell:
// whoever needs more writes the arguments as a JSON array.
func parseTargets(text string) ([]probe.Target, error) {
	var out []probe.Target
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "http://") || strings.HasPrefix(line, "https://"):
			out = append(out, probe.Target{URL: line})
		case strings.HasPrefix(line, "["):
			var argv []string
			if err := json.Unmarshal([]byte(line), &argv); err != nil || len(argv) == 0 {
				return nil, fmt.Errorf("line %d is not a JSON array of strings", n)
			}
			out = append(out, probe.Target{Argv: argv})
		case strings.ContainsAny(line, "'\"`$\\|&;<>(){}*?~"):
			return nil, fmt.Errorf("line %d has characters that mean something to a shell, and no shell reads it", n)
		default:
			out = append(out, probe.Target{Argv: strings.Fields(line)})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there are none")
	}
	return out, nil
}
