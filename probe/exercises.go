package probe

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/mcpaudit/mcpaudit"
)

// place says over which connection an exercise runs. It is handed to the exercise, which is not done without it.
type place int

const (
	onMain   place = iota // the one warm connection of the legacy era
	onFresh               // one that is like it and is used for nothing else: it may not survive
	onOwn                 // the exercise opens what it needs, because it wants a particular beginning
	onModern              // the same, in the era without a handshake
)

// needs are what must be granted, or be there, for an exercise to make sense.
type needs struct {
	stdio, http, streamable bool
	calls                   bool // a tool may be called
	answers                 bool // an ordinary ping is answered; without it the variants tell nothing new
	ownRisk                 bool // some server is known to have died of it: only one of this machine, or one that was asked for by name
}

// exercise is one thing that is tried out. Its name is that of the scenario in transcripts, evidence and on the command
// line.
type exercise struct {
	name    string
	about   string
	place   place
	needs   needs
	trigger mcpaudit.Trigger
	method  string // whose route the outcome belongs to; "" for what is no request
	run     func(context.Context, *talk, exercise, *session)
}

// exercises is everything, in the order in which it is done: first what a careful client does, last what a broken one
// does.
var exercises = sync.OnceValue(func() []exercise {
	return slices.Concat(pings, facts, httpFacts, handshakes, early, malformed, shutdown, modernLeg)
})

// Scenarios lists the names that Options.Scenarios knows, and the groups of them.
func Scenarios() []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range exercises() {
		group, _, _ := strings.Cut(e.name, "/")
		if !seen[group] {
			seen[group] = true
			names = append(names, group)
		}
		names = append(names, e.name)
	}
	return names
}

// About says in a few words what an exercise does, "" if there is none of that name.
func About(name string) string {
	for _, e := range exercises() {
		if e.name == name {
			return e.about
		}
	}
	return ""
}

// chosen picks the exercises with these names or of these groups; all of them for no name.
func chosen(names []string) []exercise {
	var out []exercise
	for _, e := range exercises() {
		ok := len(names) == 0
		for _, n := range names {
			ok = ok || e.name == n || strings.HasPrefix(e.name, n+"/")
		}
		if ok {
			out = append(out, e)
		}
	}
	return out
}
