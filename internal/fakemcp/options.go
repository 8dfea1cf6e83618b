package fakemcp

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

const (
	eraLegacy = "legacy"
	eraModern = "modern"
	eraDual   = "dual"
)

// options say what kind of server it is, and in which ways it is broken.
type options struct {
	name, era       string
	tools           []string
	slow            time.Duration // what the tool slow takes
	late            time.Duration // what a late pong takes; 0: what the behaviour sees fit
	json, stateless bool          // over HTTP
	http            bool
	urlFile         string // where the URL goes that the server listens at
	elsewhere       string // another origin
	readsEnv        string // the variable whose value the server tells everybody
	faults          []string
}

func (o *options) has(fault string) bool { return slices.Contains(o.faults, fault) }

// lateness is how long a pong takes that is late.
func (o *options) lateness(fault string) time.Duration {
	if o.late > 0 {
		return o.late
	}
	return map[string]time.Duration{"ping-late": 5 * time.Second, "ping-slow": 400 * time.Millisecond, "ping-burst-loses": 200 * time.Millisecond}[fault]
}

// parseOptions reads the arguments of a command. Names of behaviours may stand before, between and behind the flags.
func parseOptions(args []string, broken bool, stderr io.Writer) (options, error) {
	var o options
	var tools string
	fs := flag.NewFlagSet("fakemcp", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.name, "name", "fakemcp", "the name of the server")
	fs.StringVar(&o.era, "era", eraLegacy, "legacy, modern or dual")
	fs.StringVar(&tools, "tools", "echo,slow", "the names of the tools")
	fs.DurationVar(&o.slow, "slow", 3*time.Second, "what the tool slow takes")
	fs.DurationVar(&o.late, "late", 0, "what a late pong takes")
	fs.BoolVar(&o.json, "json", false, "HTTP: answer with JSON and not with a stream")
	fs.BoolVar(&o.stateless, "stateless", false, "HTTP: have no sessions")
	fs.BoolVar(&o.http, "http", false, "serve HTTP on a free port of this machine until the input ends")
	fs.StringVar(&o.urlFile, "url-file", "", "HTTP: write the URL to this file")
	fs.StringVar(&o.elsewhere, "elsewhere", "http://127.0.0.1:9", "the other origin that some behaviours point to")
	fs.StringVar(&o.readsEnv, "reads-env", "", "tell everybody the value of this variable")
	for len(args) > 0 {
		if !strings.HasPrefix(args[0], "-") {
			o.faults = append(o.faults, args[0])
			args = args[1:]
			continue
		}
		if err := fs.Parse(args); err != nil {
			return o, fmt.Errorf("read the flags: %w", err)
		}
		args = fs.Args()
	}
	o.tools = strings.Split(tools, ",")
	if !slices.Contains([]string{eraLegacy, eraModern, eraDual}, o.era) {
		return o, fmt.Errorf("unknown era %q", o.era)
	}
	if !broken && len(o.faults) > 0 {
		return o, fmt.Errorf("a server that behaves well has no behaviours, got %q", o.faults)
	}
	if broken && len(o.faults) == 0 {
		return o, fmt.Errorf("name a behaviour, such as %s", Behaviours()[0].Name)
	}
	for _, f := range o.faults {
		if !slices.ContainsFunc(Behaviours(), func(b Behaviour) bool { return b.Name == f }) {
			return o, fmt.Errorf("unknown behaviour %q", f)
		}
	}
	return o, nil
}
