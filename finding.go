package mcpaudit

import (
	"encoding/json"
	"time"
)

// ID names a pattern for ever: "ab-NNNNNN" is AuditBuffet's number, "ma-NNNNNN" is ours.
type ID string

// Span is a half-open range of bytes in one file. File is a slash-separated path relative to the root of
// the scan. Lines and columns are made at the edge, by the reporters.
type Span struct {
	File       string
	Start, End int
}

// Role says what a piece of evidence is for.
type Role int

const (
	Primary Role = iota // the place a reader should change or look at first
	Related             // helps to understand the primary place
	Hidden              // counts for ignore comments only, never shown
)

// Exchange is one thing said to a peer and all it said back. Header values and other secrets are replaced
// before an Exchange is made.
type Exchange struct {
	Scenario  string
	Transport string
	Revision  string
	Sent      json.RawMessage
	Received  []json.RawMessage
	Status    int
	Header    map[string][]string
	Took      time.Duration
	Exited    *int
	Repeat    string // one shell line that repeats it
}

// Evidence is a place in the source or an exchange on the wire: exactly one of Span and Exchange is set.
type Evidence struct {
	Role     Role
	Span     *Span
	Exchange *Exchange
	Note     string
}

// At is the evidence of a place in the source.
func At(role Role, span Span, note string) Evidence {
	return Evidence{Role: role, Span: &span, Note: note}
}

// Kind says what a Subject is.
type Kind string

const (
	KindServer Kind = "server"
	KindMethod Kind = "method"
	KindTool   Kind = "tool"
)

// Subject is what a verdict is about, and where the static and the live half meet: one pattern gives one
// subject one verdict. Router tells the routers of one server apart (two transports, two revisions); it is
// empty where the SDK routes.
type Subject struct {
	Server string
	Kind   Kind
	Name   string
	Router string
}

// Edit replaces the bytes Start..End of a file by Text.
type Edit struct {
	Span Span
	Text string
}

// Fix is one independent way to repair a finding. Safe means that it cannot change any other behaviour.
type Fix struct {
	Title string
	Safe  bool
	Edits []Edit
}

// Ignore is the comment or the configuration line that silences a finding.
type Ignore struct {
	Span   Span
	Reason string
}

// Status says whether a failed check counts.
type Status string

const (
	Active    Status = "active"
	Ignored   Status = "ignored"
	Baselined Status = "baselined"
	HiddenBy  Status = "hidden" // by persona, confidence or severity; see Check.HiddenBy
)

// Reasons, the machine-readable half of "why". Every verdict has one; Message is the other half.
const (
	ReasonOwnCode    = "own-code"     // pass: the author's code was examined and is right
	ReasonSDK        = "sdk"          // pass: the SDK does it by itself
	ReasonHeard      = "heard"        // pass: a running server was asked and answered rightly
	ReasonEra        = "era"          // not-applicable: the revision has no such demand
	ReasonCapability = "capability"   // not-applicable: the capability is not offered
	ReasonTransport  = "transport"    // not-applicable: the transport is not used
	ReasonUnresolved = "unresolved"   // undecided: code was seen that cannot be followed
	ReasonDynamic    = "dynamic"      // undecided: routes are registered at run time
	ReasonNotTest    = "not-testable" // undecided: live, could not be exercised
	ReasonNotSeen    = "not-observed" // undecided: live, the occasion never came up
	ReasonFault      = "fault"        // fail
	ReasonOff        = "off"          // switched off by the user
)

// Check is one pattern's answer about one subject. Message is one lower-case sentence without a period: for
// Failed what is wrong and what follows from it, otherwise why there is no finding.
type Check struct {
	Pattern    ID
	Fault      string // "" unless the verdict is Failed
	Subject    Subject
	Verdict    Verdict
	Reason     string // one of the Reason constants
	Message    string
	Hints      []string
	Severity   Severity
	Confidence Confidence
	Persona    Persona
	Trial      bool // shown from Pedantic on until its precision is measured
	Level      Level
	Era        Era
	Examined   int // how many things could have failed
	Evidence   []Evidence
	Refuted    []string // Passed on the wire: the faults that were tried out, so that the source cannot be right about them
	Fixes      []Fix
	Status     Status
	HiddenBy   string // "persona", "confidence" or "severity"
	Ignored    *Ignore
}

// Primary returns the first primary evidence that is a place in the source, or nil.
func (c *Check) Primary() *Span {
	for _, e := range c.Evidence {
		if e.Role == Primary && e.Span != nil {
			return e.Span
		}
	}
	return nil
}
