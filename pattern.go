package mcpaudit

import "fmt"

// Strength is how binding the text is that a fault rests on. It decides the level together with the era and
// the confidence.
type Strength int

const (
	Wish   Strength = iota + 1 // the catalogue's, without a basis in the protocol
	Should                     // SHOULD, or prose without a keyword
	Must                       // MUST, the JSON schema, or JSON-RPC
)

// Fault is one named way to fail a pattern. Its key is for ever.
type Fault struct {
	Key      string
	Title    string
	Persona  Persona
	Strength Strength
	Trial    bool // meant to be regular, not measured yet: shown from Pedantic on
}

// Pattern is one entry of the catalogue. Doc is its page in Markdown, Attribution included.
type Pattern struct {
	ID       ID
	Slug     string
	Title    string
	Severity Severity
	Eras     []Era // in which it asks for anything
	Since    string
	Refs     []string
	Faults   []Fault
	Doc      string
	Rule     Rule
}

// Fault returns the fault with the key, or nil.
func (p *Pattern) Fault(key string) *Fault {
	for i := range p.Faults {
		if p.Faults[i].Key == key {
			return &p.Faults[i]
		}
	}
	return nil
}

// Rule holds the question that a pattern asks. Set the finest hook that holds it: the engine walks, and the
// hook says what the rule needs to see.
type Rule struct {
	Repo   func(*Pass, *Repo)
	Server func(*Pass, *Server)
	Client func(*Pass, *Client)
	Router func(*Pass, *Server, *Router)
}

// Pass is one pattern at work on one repository.
type Pass struct {
	Pattern *Pattern
	Repo    *Repo
	checks  []Check
}

// Report records a verdict. A Check without message or reason, a Failed one whose fault is not in the pattern, or one
// without a primary place is a mistake in the rule; it becomes a panic that Audit turns into an error.
func (p *Pass) Report(c Check) {
	switch {
	case c.Message == "" || c.Reason == "":
		panic(fmt.Sprintf("%s: a verdict on %+v has no reason", p.Pattern.ID, c.Subject))
	case c.Verdict == Failed && p.Pattern.Fault(c.Fault) == nil:
		panic(fmt.Sprintf("%s: fault %q is not in the pattern", p.Pattern.ID, c.Fault))
	case c.Verdict == Failed && !hasPrimary(c.Evidence):
		panic(fmt.Sprintf("%s/%s: a finding on %+v has no primary place", p.Pattern.ID, c.Fault, c.Subject))
	}
	c.Pattern = p.Pattern.ID
	c.Severity = p.Pattern.Severity
	p.checks = append(p.checks, c)
}

func hasPrimary(ev []Evidence) bool {
	for _, e := range ev {
		if e.Role == Primary && (e.Span != nil && e.Span.File != "" || e.Exchange != nil) {
			return true
		}
	}
	return false
}
