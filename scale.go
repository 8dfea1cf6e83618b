package mcpaudit

import "fmt"

// The scales are ordered, so that thresholds compare with < and >. The zero value of each is "not said".

// Verdict is one of four answers. Unknown is never rounded to either side.
type Verdict int

const (
	Undecided Verdict = iota
	Passed
	Failed
	NotApplicable
)

// Severity is how bad a finding is if it is true. It is the catalogue's.
type Severity int

const (
	SeverityLow Severity = iota + 1
	SeverityMedium
	SeverityHigh
	SeverityCritical
)

// Confidence is how sure a finding is: Low is a lead, Medium was resolved across at most two calls or one
// import, High is typed or literal in one construct, Certain was heard on the wire.
type Confidence int

const (
	Low Confidence = iota + 1
	Medium
	High
	Certain
)

// Persona is who wants to hear about a fault.
type Persona int

const (
	Regular Persona = iota + 1
	Pedantic
	Auditor
)

// Level is what every consumer sees of a finding. Audit derives it; nothing else does.
type Level int

const (
	Note Level = iota + 1
	Warning
	Error
)

var (
	verdictNames    = []string{"undecided", "pass", "fail", "not-applicable"}
	severityNames   = []string{"", "low", "medium", "high", "critical"}
	confidenceNames = []string{"", "low", "medium", "high", "certain"}
	personaNames    = []string{"", "regular", "pedantic", "auditor"}
	levelNames      = []string{"", "note", "warning", "error"}
)

func (v Verdict) String() string    { return verdictNames[v] }
func (s Severity) String() string   { return severityNames[s] }
func (c Confidence) String() string { return confidenceNames[c] }
func (p Persona) String() string    { return personaNames[p] }
func (l Level) String() string      { return levelNames[l] }

// ParseSeverity, ParseConfidence, ParsePersona and ParseLevel read the names that String writes. The error
// lists the names that would do.
func ParseSeverity(s string) (Severity, error)     { return parse[Severity](s, severityNames) }
func ParseConfidence(s string) (Confidence, error) { return parse[Confidence](s, confidenceNames) }
func ParsePersona(s string) (Persona, error)       { return parse[Persona](s, personaNames) }
func ParseLevel(s string) (Level, error)           { return parse[Level](s, levelNames) }

func parse[T ~int](s string, names []string) (T, error) {
	for i, n := range names {
		if n != "" && n == s {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("unknown value %q, want one of %q", s, names[1:])
}
