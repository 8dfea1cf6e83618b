// Package probe talks to running MCP servers and writes down what it hears.
//
// It speaks raw JSON-RPC, because a client library would hide what an auditor wants to see: the type of an id, a second
// answer, a line on stdout that is no message. What comes out is an ordinary [mcpaudit.Server] whose outcomes were heard
// and not read, so that the patterns judge it like any other. Nothing here says what is right.
//
// The rules of conduct: a server is started only from the argument vector that the caller gives, in a process group and
// with an environment of its own; each era, and each message that may break a connection, gets a connection of its own;
// no tool is called unless the caller allows it; silence is believed only after a second, slower try and a control
// request.
package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// Target is what to talk to: exactly one of a command and a URL.
type Target struct {
	Argv []string // an argument vector; no shell reads it
	URL  string   // http or https
}

// Options say how to talk. The zero value of each field means its default.
type Options struct {
	Timeout   time.Duration // of one exchange, 10 s
	Total     time.Duration // of the whole probe of a target, twelve times Timeout, and what WaitReady is
	WaitReady time.Duration // until the first handshake, 30 s
	Budget    time.Duration // what the median of warm pings of a local server is held to, 100 ms
	Agreed    bool          // the user asked for that budget

	Revisions []mcpaudit.Revision // to offer; all released ones
	Scenarios []string            // to run; all that may run
	Calls     bool                // tools that say they only read may be called
	Call      []string            // tools that may be called in any case

	Env    []string    // NAME=VALUE beside the few variables that every server gets
	Dir    string      // where a command starts
	Header http.Header // of every HTTP request

	Version string // of mcpaudit, for clientInfo and User-Agent
}

const (
	defaultTimeout = 10 * time.Second
	defaultReady   = 30 * time.Second
	// DefaultBudget is AuditBuffet's number. The protocol says "promptly" and gives none.
	DefaultBudget = 100 * time.Millisecond
	exchanges     = 12 // of one probe, in units of its timeout
)

// Result is what a probe heard. Server is nil if nothing answered a handshake of any era.
type Result struct {
	Server  *mcpaudit.Server
	Probe   *mcpaudit.Probe
	Records []Record // the transcript, without secrets
}

// ErrInput is what an error of the caller wraps: a URL that is none, a scenario that does not exist.
var ErrInput = errors.New("bad input")

// Run talks to one target. An error means that the target or the options make no sense, and wraps ErrInput; a server that
// cannot be reached is a Result whose Probe is not complete.
func Run(ctx context.Context, target Target, opts Options) (*Result, error) {
	if err := check(target, opts); err != nil {
		return nil, err
	}
	opts.Timeout = cmpOr(opts.Timeout, defaultTimeout)
	opts.WaitReady = cmpOr(opts.WaitReady, defaultReady)
	opts.Total = cmpOr(opts.Total, exchanges*opts.Timeout+opts.WaitReady)
	opts.Budget = cmpOr(opts.Budget, DefaultBudget)
	if len(opts.Revisions) == 0 {
		opts.Revisions = mcpaudit.Revisions
	}
	t := newTalk(target, opts)
	t.run(ctx)
	return t.result(), nil
}

func cmpOr(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

func check(t Target, o Options) error {
	switch {
	case (len(t.Argv) > 0) == (t.URL != ""):
		return fmt.Errorf("%w: a target is either a command or a URL", ErrInput)
	case len(t.Argv) > 0 && t.Argv[0] == "":
		return fmt.Errorf("%w: the command has no name", ErrInput)
	case t.URL != "":
		u, err := url.Parse(t.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("%w: %q is not an http or https URL", ErrInput, RedactURL(t.URL))
		}
	}
	for _, s := range o.Scenarios {
		if len(chosen([]string{s})) == 0 {
			return fmt.Errorf("%w: there is no scenario %q, want one of %s", ErrInput, s, strings.Join(Scenarios(), ", "))
		}
	}
	if o.Timeout < 0 || o.WaitReady < 0 || o.Budget < 0 {
		return fmt.Errorf("%w: a duration is negative", ErrInput)
	}
	return nil
}

// local reports whether the server runs on this machine, so that its time is its own and not the network's.
func (t Target) local() bool {
	if len(t.Argv) > 0 {
		return true
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		return false
	}
	if u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.IsLoopback()
}

// baseEnv are the variables that a command needs to run at all. Everything else stays out: a server under test has no
// business with the user's tokens.
var baseEnv = []string{"PATH", "HOME", "TMPDIR", "LANG", "SystemRoot", "SYSTEMROOT", "USERPROFILE", "TEMP", "PATHEXT"}

func environment(extra []string) []string {
	var env []string
	for _, name := range baseEnv {
		if v, ok := os.LookupEnv(name); ok && !slices.ContainsFunc(extra, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			env = append(env, name+"="+v)
		}
	}
	return append(env, extra...)
}
