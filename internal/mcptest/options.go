package mcptest

import (
	"errors"
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

// options is everything that the arguments of a server say.
type options struct {
	faults    map[string]*behaviour
	http      bool
	urlFile   string
	stays     bool // over HTTP the end of stdin means nothing
	era       string
	json      bool
	stateless bool
	name      string
	tools     []string
	slow      time.Duration
	late      time.Duration // 0: what the behaviour takes by itself
	linger    time.Duration
	readsEnv  string
	elsewhere string
}

func (o *options) has(name string) bool { return o.faults[name] != nil }

// lateness is how long a behaviour lets wait.
func (o *options) lateness(name string) time.Duration {
	if o.late > 0 {
		return o.late
	}
	return o.faults[name].late
}

// flags declares the flags of a program. What they say lands in o once they are parsed.
func (o *options) flags(prog string) *flag.FlagSet {
	fs := flag.NewFlagSet(prog, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the error says it all, and is told by who called
	fs.BoolVar(&o.http, "http", false, "serve HTTP on 127.0.0.1 until stdin ends")
	fs.StringVar(&o.urlFile, "url-file", "", "with --http: the `FILE` that gets the base URL, with a newline, once it is served")
	fs.BoolVar(&o.stays, "stays", false, "with --http: serve until a signal comes, whatever becomes of stdin; for the background of a script")
	fs.StringVar(&o.era, "era", "", "legacy, modern or dual (default legacy, or what the behaviours need)")
	fs.BoolVar(&o.json, "json", false, "answer over Streamable HTTP with application/json instead of an event stream")
	fs.BoolVar(&o.stateless, "stateless", false, "give out no session ids over Streamable HTTP")
	fs.StringVar(&o.name, "name", prog, "the `NAME` in serverInfo")
	fs.Func("tools", "the `NAMES` of the tools, with commas (default echo,slow)", func(s string) error {
		o.tools = strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
		return nil
	})
	fs.DurationVar(&o.slow, "slow", 3*time.Second, "how long the tool slow takes")
	fs.DurationVar(&o.late, "late", 0, "how long a behaviour waits that waits; their list names the defaults")
	fs.DurationVar(&o.linger, "linger", 5*time.Minute, "how long at most what should have ended lives on")
	fs.StringVar(&o.readsEnv, "reads-env", "", "put the value of the variable `NAME` into serverInfo.title")
	fs.StringVar(&o.elsewhere, "elsewhere", "http://elsewhere.invalid", "the `URL` of the other origin")
	return fs
}

// configure reads flags and the names of behaviours, in any order.
func configure(prog string, args []string) (options, error) {
	o := options{faults: map[string]*behaviour{}, tools: []string{"echo", "slow"}}
	fs := o.flags(prog)
	for rest := args; ; rest = fs.Args()[1:] {
		if err := fs.Parse(rest); err != nil {
			return o, err
		}
		if fs.NArg() == 0 {
			break
		}
		b := find(fs.Arg(0))
		if b == nil {
			return o, fmt.Errorf("no behaviour is called %q; --help lists them", fs.Arg(0))
		}
		o.faults[b.Name] = b
	}
	return o, o.check()
}

// chosen is the behaviours in the order of the table, so that the same arguments always meet the same complaint.
func (o *options) chosen() []*behaviour {
	var out []*behaviour
	for i := range table {
		if b := &table[i]; o.has(b.Name) {
			out = append(out, b)
		}
	}
	return out
}

// check refuses what would have no effect, or undo something else: a test with it would prove nothing.
func (o *options) check() error {
	if o.era != "" && !slices.Contains([]string{eraLegacy, eraModern, eraDual}, o.era) {
		return fmt.Errorf("no era is called %q: want legacy, modern or dual", o.era)
	}
	taken := map[string]string{}
	needs := ""
	for _, b := range o.chosen() {
		for _, s := range b.slots {
			if taken[s] != "" {
				return fmt.Errorf("%s and %s contradict each other: both set the %s", taken[s], b.Name, s)
			}
			taken[s] = b.Name
		}
		switch {
		case b.needs&needsStream != 0 && o.json:
			return fmt.Errorf("%s has several messages in one answer, which --json cannot carry", b.Name)
		case b.needs&needsSession != 0 && o.stateless:
			return fmt.Errorf("%s has to remember its client, which --stateless forbids", b.Name)
		case b.era != "" && needs != "" && b.era != needs:
			needs = eraDual
		case b.era != "":
			needs = b.era
		}
	}
	if o.era == "" {
		o.era = eraLegacy
		if needs != "" {
			o.era = needs
		}
	}
	if needs != "" && o.era != eraDual && o.era != needs {
		return fmt.Errorf("--era %s leaves nothing of behaviours that belong to the era %s", o.era, needs)
	}
	return nil
}

// fits refuses behaviours that a transport does not have.
func (o *options) fits(transport string, has func(*behaviour) bool) error {
	for _, b := range o.chosen() {
		if !has(b) {
			return fmt.Errorf("%s makes no sense over %s", b.Name, transport)
		}
	}
	return nil
}

// checkCommand refuses flags that leave out what they need.
func (o *options) checkCommand() error {
	switch {
	case o.http && o.urlFile == "":
		return errors.New("--http needs --url-file: nobody would know where it serves")
	case o.http:
		return o.fits("HTTP", overHTTP)
	case o.urlFile != "":
		return errors.New("--url-file needs --http")
	case o.stays && !o.http:
		return errors.New("--stays needs --http")
	case o.stateless || o.json:
		return errors.New("--stateless and --json need --http")
	}
	return o.fits("stdio", func(b *behaviour) bool { return b.Stdio })
}

func overHTTP(b *behaviour) bool { return b.HTTP || b.SSE }

// usage writes what there is.
func usage(w io.Writer, prog string, broken bool) {
	words := ""
	if broken {
		words = " BEHAVIOUR..."
	}
	fmt.Fprintf(w, "usage: %s%s [flags]\n\n", prog, words)
	o := options{}
	fs := o.flags(prog)
	fs.SetOutput(w)
	fs.PrintDefaults()
	if broken {
		fmt.Fprintf(w, "\nbehaviours, and what a prober has to say of them:\n")
		for _, b := range table {
			fmt.Fprintf(w, "  %-26s %-20s %s\n", b.Name, b.Expect, b.About)
		}
	}
}
