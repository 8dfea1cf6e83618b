package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// stopwatch collects how long each stage and each pattern took, in the order in which they first came up. A
// stopwatch that is off measures nothing.
type stopwatch struct {
	on   bool
	mu   sync.Mutex
	laps []lap
}

type lap struct {
	name string
	took time.Duration
}

func newStopwatch(on bool) *stopwatch { return &stopwatch{on: on} }

// stage adds to the time of a stage.
func (s *stopwatch) stage(name string, took time.Duration) {
	if !s.on {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.laps {
		if s.laps[i].name == name {
			s.laps[i].took += took
			return
		}
	}
	s.laps = append(s.laps, lap{name, took})
}

// patterns returns copies of the patterns whose hooks are timed.
func (s *stopwatch) patterns(all []*mcpaudit.Pattern) []*mcpaudit.Pattern {
	if !s.on {
		return all
	}
	timed := make([]*mcpaudit.Pattern, len(all))
	for i, p := range all {
		c := *p
		name, rule := "pattern "+string(p.ID), p.Rule
		if rule.Repo != nil {
			c.Rule.Repo = func(p *mcpaudit.Pass, r *mcpaudit.Repo) { defer s.lap(name)(); rule.Repo(p, r) }
		}
		if rule.Server != nil {
			c.Rule.Server = func(p *mcpaudit.Pass, sv *mcpaudit.Server) { defer s.lap(name)(); rule.Server(p, sv) }
		}
		if rule.Client != nil {
			c.Rule.Client = func(p *mcpaudit.Pass, cl *mcpaudit.Client) { defer s.lap(name)(); rule.Client(p, cl) }
		}
		if rule.Router != nil {
			c.Rule.Router = func(p *mcpaudit.Pass, sv *mcpaudit.Server, r *mcpaudit.Router) {
				defer s.lap(name)()
				rule.Router(p, sv, r)
			}
		}
		timed[i] = &c
	}
	return timed
}

// lap starts a measurement; the function it returns ends it.
func (s *stopwatch) lap(name string) func() {
	start := time.Now()
	return func() { s.stage(name, time.Since(start)) }
}

func (s *stopwatch) print(u *ui) {
	for _, l := range s.laps {
		u.print(fmt.Sprintf("took %s: %s", l.took.Round(10*time.Microsecond), l.name))
	}
}
