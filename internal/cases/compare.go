package cases

import (
	"fmt"

	"github.com/mcpaudit/mcpaudit"
)

// Result is what an audit said of a tree.
type Result struct {
	Checks  []mcpaudit.Check
	Sources map[string][]byte
	Gaps    []mcpaudit.Gap
}

// Compare returns every difference between what the case expects and what the audit said, or nothing. Each names the
// place, what was wanted and what there is.
func (c *Case) Compare(r Result) []string {
	m := &match{c: c, r: r, used: make([]bool, len(r.Checks))}
	for _, n := range c.Notes {
		m.note(n)
	}
	for _, e := range c.Expects {
		m.expect(e)
	}
	m.rest()
	for _, g := range r.Gaps {
		// A case that cannot be read says nothing, whatever the verdict is.
		if g.Reason == mcpaudit.GapParse || g.Reason == mcpaudit.GapCrash {
			m.problem("%s: gap %s: %s", g.Span.File, g.Reason, g.Detail)
		}
	}
	return m.problems
}

type match struct {
	c        *Case
	r        Result
	used     []bool
	problems []string
}

func (m *match) problem(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}

func (m *match) line(k *mcpaudit.Check) (file string, line int) {
	span := k.Primary()
	if span == nil {
		return "", 0
	}
	return span.File, mcpaudit.PositionAt(m.r.Sources[span.File], span.Start).Line
}

func finding(k *mcpaudit.Check) bool {
	return k.Verdict == mcpaudit.Failed && k.Status != mcpaudit.HiddenBy
}

// describe is the text that expressions are matched with.
func describe(k *mcpaudit.Check) string {
	if finding(k) {
		return fmt.Sprintf("%s: %s (%s)", k.Fault, k.Message, k.Level)
	}
	return fmt.Sprintf("%s: %s", k.Reason, k.Message)
}

func (m *match) note(n Note) {
	if n.Kind == "ok" {
		if len(m.r.Checks) == 0 {
			m.problem("%s:%d: want ok, but nothing in the tree was judged", n.File, n.Line)
		}
		return // a finding on the line is one that nothing asks for
	}
	found := false
	near := "nothing"
	for i := range m.r.Checks {
		k := &m.r.Checks[i]
		file, line := m.line(k)
		if m.used[i] || !finding(k) || file != n.File || line != n.Line {
			continue
		}
		near = describe(k)
		if k.Fault == n.Fault && (n.Message == nil || n.Message.MatchString(near[len(k.Fault)+2:])) {
			found = true
			m.used[i] = true
			break
		}
	}
	what := n.Fault
	if n.Message != nil {
		what += ": " + n.Message.String()
	}
	switch {
	case n.Kind == "todo-want" && found:
		m.problem("%s:%d: %s is found by now: make todo-want a want", n.File, n.Line, what)
	case n.Kind == "want" && !found:
		m.problem("%s:%d: want %s, got %s", n.File, n.Line, what, near)
	case n.Kind == "todo-ok" && !found:
		m.problem("%s:%d: %s is not found any more: make todo-ok an ok", n.File, n.Line, what)
	}
}

func (m *match) expect(e Expect) {
	for i := range m.r.Checks {
		k := &m.r.Checks[i]
		if m.used[i] || k.Verdict.String() != e.Verdict || !e.Text.MatchString(describe(k)) {
			continue
		}
		if e.Todo {
			m.problem("expect: %s: %s is so by now: drop the todo", e.Verdict, e.Text)
			return
		}
		m.used[i] = true
		return
	}
	if !e.Todo {
		m.problem("expect: want %s: %s, got none like it", e.Verdict, e.Text)
	}
}

// rest is what nothing asked for.
func (m *match) rest() {
	spare := 0
	for _, e := range m.c.Expects {
		if e.Todo {
			spare++
		}
	}
	for i := range m.r.Checks {
		k := &m.r.Checks[i]
		if m.used[i] {
			continue
		}
		switch file, line := m.line(k); {
		case finding(k):
			m.problem("%s:%d: want nothing, got %s", file, line, describe(k))
		case m.c.None:
			m.problem("want nothing judged, got %s: %s", k.Verdict, describe(k))
		case len(m.c.Expects) > 0:
			if spare--; spare < 0 {
				m.problem("expect does not mention %s: %s", k.Verdict, describe(k))
			}
		}
	}
}
