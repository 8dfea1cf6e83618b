package mcpaudit

import (
	"slices"
	"strings"
)

// Revision is a dated protocol revision such as "2025-11-25".
type Revision string

// Revisions lists the released revisions, oldest first. The last one is modern, the others are legacy.
var Revisions = []Revision{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// FirstModern is the revision that removed ping and the handshake (SEP-2575).
const FirstModern Revision = "2026-07-28"

// Modern reports whether the revision has no handshake and no ping. It is true for unreleased later dates too.
func (r Revision) Modern() bool { return r >= FirstModern }

// Tri is a fact that static analysis may not know.
type Tri int

const (
	Unknown Tri = iota
	No
	Yes
)

// Era says how a connection is opened: Legacy by an initialize handshake, Modern by a version in every
// request, Dual by either.
type Era int

const (
	EraUnknown Era = iota
	Legacy
	Modern
	Dual
)

var eraNames = []string{"unknown", "legacy", "modern", "dual"}

func (e Era) String() string { return eraNames[e] }

// Eras is what is known of the revisions that a server or a router serves, and what says so.
type Eras struct {
	Legacy, Modern Tri
	Revisions      []Revision // those that are named, oldest first; may be empty although the era is known
	Evidence       []Evidence
}

// Era sums the two facts up. Half a fact is enough: a server known to speak the handshake is Legacy while
// nothing says that it speaks the modern revision too.
func (e Eras) Era() Era {
	switch {
	case e.Legacy == Yes && e.Modern == Yes:
		return Dual
	case e.Legacy == Yes:
		return Legacy
	case e.Modern == Yes:
		return Modern
	}
	return EraUnknown
}

// Add records that a revision is served.
func (e *Eras) Add(r Revision, ev Evidence) {
	if r.Modern() {
		e.Modern = Yes
	} else {
		e.Legacy = Yes
	}
	if !slices.Contains(e.Revisions, r) {
		e.Revisions = append(e.Revisions, r)
		slices.Sort(e.Revisions)
		e.Evidence = append(e.Evidence, ev)
	}
}

// Merge adds what another holds.
func (e *Eras) Merge(o Eras) {
	e.Legacy = max(e.Legacy, o.Legacy)
	e.Modern = max(e.Modern, o.Modern)
	for _, r := range o.Revisions {
		if !slices.Contains(e.Revisions, r) {
			e.Revisions = append(e.Revisions, r)
		}
	}
	slices.Sort(e.Revisions)
	e.Evidence = append(e.Evidence, o.Evidence...)
}

// Pin replaces the inferred eras by the revisions that the user claims (--spec).
func (e *Eras) Pin(revs []Revision) {
	*e = Eras{Legacy: No, Modern: No, Evidence: e.Evidence}
	for _, r := range revs {
		e.Add(r, Evidence{})
	}
	e.Evidence = slices.DeleteFunc(e.Evidence, func(ev Evidence) bool { return ev.Span == nil && ev.Exchange == nil })
}

// String is the form of the coverage line: "legacy: 2025-03-26, 2025-11-25".
func (e Eras) String() string {
	s := e.Era().String()
	if len(e.Revisions) == 0 {
		return s
	}
	names := make([]string, len(e.Revisions))
	for i, r := range e.Revisions {
		names[i] = string(r)
	}
	return s + ": " + strings.Join(names, ", ")
}
