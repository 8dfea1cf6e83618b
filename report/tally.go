package report

import "github.com/mcpaudit/mcpaudit"

// tally counts the findings by what became of them.
type tally struct {
	levels      map[mcpaudit.Level]int // active ones
	hidden      map[string]int         // by filter: "persona", "confidence", "severity"
	hiddenWords map[string]int         // by what people call them: "pedantic", "low confidence"
	ignored     int
	ignores     map[mcpaudit.Span]bool // the directives that silenced something
	baselined   int
}

func count(checks []mcpaudit.Check) tally {
	t := tally{levels: map[mcpaudit.Level]int{}, hidden: map[string]int{}, hiddenWords: map[string]int{},
		ignores: map[mcpaudit.Span]bool{}}
	for _, c := range checks {
		if c.Verdict != mcpaudit.Failed {
			continue
		}
		switch c.Status {
		case mcpaudit.Active:
			t.levels[c.Level]++
		case mcpaudit.Ignored:
			t.ignored++
			t.ignores[c.Ignored.Span] = true
		case mcpaudit.Baselined:
			t.baselined++
		case mcpaudit.HiddenBy:
			t.hidden[c.HiddenBy]++
			t.hiddenWords[hiddenWord(&c)]++
		}
	}
	return t
}

// hiddenWord names what a filter took away, so that a reader knows which flag brings it back.
func hiddenWord(c *mcpaudit.Check) string {
	switch c.HiddenBy {
	case "confidence":
		return c.Confidence.String() + " confidence"
	case "severity":
		return c.Severity.String() + " severity"
	}
	if c.Trial {
		return max(c.Persona, mcpaudit.Pedantic).String()
	}
	return c.Persona.String()
}
