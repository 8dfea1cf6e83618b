package mcpaudit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

func TestEra(t *testing.T) {
	for _, tt := range []struct {
		legacy, modern mcpaudit.Tri
		want           mcpaudit.Era
		name           string
	}{
		{mcpaudit.Unknown, mcpaudit.Unknown, mcpaudit.EraUnknown, "unknown"},
		{mcpaudit.No, mcpaudit.No, mcpaudit.EraUnknown, "unknown"},
		{mcpaudit.Yes, mcpaudit.Unknown, mcpaudit.Legacy, "legacy"},
		{mcpaudit.Yes, mcpaudit.No, mcpaudit.Legacy, "legacy"},
		{mcpaudit.Unknown, mcpaudit.Yes, mcpaudit.Modern, "modern"},
		{mcpaudit.No, mcpaudit.Yes, mcpaudit.Modern, "modern"},
		{mcpaudit.Yes, mcpaudit.Yes, mcpaudit.Dual, "dual"},
	} {
		e := mcpaudit.Eras{Legacy: tt.legacy, Modern: tt.modern}
		if got := e.Era(); got != tt.want || got.String() != tt.name {
			t.Errorf("legacy %d, modern %d: got %s, want %s", tt.legacy, tt.modern, got, tt.name)
		}
	}
}

func TestRevisions(t *testing.T) {
	for r, want := range map[mcpaudit.Revision]bool{
		"2024-11-05": false, "2025-11-25": false, "2026-07-27": false, "2026-07-28": true, "2027-01-01": true,
	} {
		if r.Modern() != want {
			t.Errorf("%s: modern is %t", r, r.Modern())
		}
	}
	for i, r := range mcpaudit.Revisions {
		if last := i == len(mcpaudit.Revisions)-1; r.Modern() != last || i > 0 && r <= mcpaudit.Revisions[i-1] {
			t.Errorf("%s is out of order, or not the only modern one", r)
		}
	}
}

func TestErasAdd(t *testing.T) {
	ev := func(note string) mcpaudit.Evidence {
		return mcpaudit.At(mcpaudit.Related, mcpaudit.Span{File: "a"}, note)
	}
	var e mcpaudit.Eras
	e.Add("2025-11-25", ev("late"))
	e.Add("2024-11-05", ev("early"))
	e.Add("2025-11-25", ev("again"))
	if got := e.String(); got != "legacy: 2024-11-05, 2025-11-25" {
		t.Errorf("got %q", got)
	}
	if len(e.Evidence) != 2 || e.Evidence[1].Note != "early" {
		t.Errorf("evidence %+v, want one for each revision", e.Evidence)
	}
	e.Add("2026-07-28", ev("modern"))
	if got := e.String(); got != "dual: 2024-11-05, 2025-11-25, 2026-07-28" {
		t.Errorf("got %q", got)
	}
}

func TestErasMerge(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b mcpaudit.Eras
		want string
	}{
		{"nothing", mcpaudit.Eras{}, mcpaudit.Eras{}, "unknown"},
		{"one side", mcpaudit.Eras{}, mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-03-26"}}, "legacy: 2025-03-26"},
		{"yes beats no", mcpaudit.Eras{Legacy: mcpaudit.No, Modern: mcpaudit.Yes}, mcpaudit.Eras{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}, "dual"},
		{"no beats unknown", mcpaudit.Eras{Legacy: mcpaudit.No}, mcpaudit.Eras{}, "unknown"},
		{"sorted, each once", mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-06-18"}}, mcpaudit.Eras{Revisions: []mcpaudit.Revision{"2024-11-05", "2025-06-18"}}, "legacy: 2024-11-05, 2025-06-18"},
	} {
		a, b := tt.a, tt.b
		a.Merge(tt.b)
		b.Merge(tt.a)
		if a.String() != tt.want || b.String() != tt.want {
			t.Errorf("%s: got %q and %q, want %q", tt.name, a, b, tt.want)
		}
		if a.Legacy != b.Legacy || a.Modern != b.Modern {
			t.Errorf("%s: the order counts: %+v, %+v", tt.name, a, b)
		}
	}
}

func TestErasPin(t *testing.T) {
	e := mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2024-11-05"}, Evidence: []mcpaudit.Evidence{
		mcpaudit.At(mcpaudit.Related, mcpaudit.Span{File: "a"}, "x"), {Exchange: &mcpaudit.Exchange{}}, {},
	}}
	e.Pin([]mcpaudit.Revision{"2026-07-28"})
	if e.String() != "modern: 2026-07-28" || e.Legacy != mcpaudit.No {
		t.Errorf("got %q, legacy %d", e, e.Legacy)
	}
	if len(e.Evidence) != 2 {
		t.Errorf("evidence %+v, want the two that prove something", e.Evidence)
	}
}

func TestScales(t *testing.T) {
	parsed := func(v interface{ String() string }, err error) string {
		if err != nil {
			return err.Error()
		}
		return v.String()
	}
	parsers := map[string]func(string) string{
		"severity":   func(s string) string { v, err := mcpaudit.ParseSeverity(s); return parsed(v, err) },
		"confidence": func(s string) string { v, err := mcpaudit.ParseConfidence(s); return parsed(v, err) },
		"persona":    func(s string) string { v, err := mcpaudit.ParsePersona(s); return parsed(v, err) },
		"level":      func(s string) string { v, err := mcpaudit.ParseLevel(s); return parsed(v, err) },
	}
	names := map[string][]string{
		"severity": {"low", "medium", "high", "critical"}, "confidence": {"low", "medium", "high", "certain"},
		"persona": {"regular", "pedantic", "auditor"}, "level": {"note", "warning", "error"},
	}
	for scale, parse := range parsers {
		for _, n := range names[scale] {
			if got := parse(n); got != n {
				t.Errorf("%s %q is read as %q", scale, n, got)
			}
		}
		for _, wrong := range []string{"", "LOW", " low", "none", "\x00"} {
			got := parse(wrong)
			if !strings.HasPrefix(got, "unknown value ") {
				t.Errorf("%s %q is read as %q", scale, wrong, got)
			}
			for _, n := range names[scale] {
				if !strings.Contains(got, n) {
					t.Errorf("%s: the error %q does not name %q", scale, got, n)
				}
			}
		}
	}
	if mcpaudit.Low >= mcpaudit.Medium || mcpaudit.Note >= mcpaudit.Error || mcpaudit.Regular >= mcpaudit.Auditor || mcpaudit.SeverityLow >= mcpaudit.SeverityCritical {
		t.Error("a scale is not ordered")
	}
	var got []string
	for _, v := range []mcpaudit.Verdict{mcpaudit.Undecided, mcpaudit.Passed, mcpaudit.Failed, mcpaudit.NotApplicable} {
		got = append(got, v.String())
	}
	if diff := cmp.Diff([]string{"undecided", "pass", "fail", "not-applicable"}, got); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
}

func TestPositionAt(t *testing.T) {
	src := "\ufeffa\r\nbä𝄞c\n\nlast"
	for _, tt := range []struct {
		offset int
		want   mcpaudit.Position
	}{
		{-5, mcpaudit.Position{Line: 1, Column: 1}},
		{0, mcpaudit.Position{Line: 1, Column: 1}},
		{3, mcpaudit.Position{Line: 1, Column: 2}}, // behind the byte order mark
		{5, mcpaudit.Position{Line: 1, Column: 4}}, // at the line feed
		{6, mcpaudit.Position{Line: 2, Column: 1}},
		{7, mcpaudit.Position{Line: 2, Column: 2}},
		{9, mcpaudit.Position{Line: 2, Column: 3}},
		{13, mcpaudit.Position{Line: 2, Column: 4}},
		{15, mcpaudit.Position{Line: 3, Column: 1}},
		{16, mcpaudit.Position{Line: 4, Column: 1}},
		{len(src), mcpaudit.Position{Line: 4, Column: 5}},
		{len(src) + 9, mcpaudit.Position{Line: 4, Column: 5}},
	} {
		if got := mcpaudit.PositionAt([]byte(src), tt.offset); got != tt.want {
			t.Errorf("offset %d: got %+v, want %+v", tt.offset, got, tt.want)
		}
	}
	if got := mcpaudit.PositionAt(nil, 3); got != (mcpaudit.Position{Line: 1, Column: 1}) {
		t.Errorf("an empty source: got %+v", got)
	}
}

func TestLineAt(t *testing.T) {
	src := "one\r\ntwo\n\nlast"
	for _, tt := range []struct {
		offset int
		line   string
		start  int
	}{
		{-1, "one", 0}, {0, "one", 0}, {3, "one", 0}, {4, "one", 0}, {5, "two", 5}, {8, "two", 5}, {9, "", 9},
		{10, "last", 10}, {len(src), "last", 10}, {99, "last", 10},
	} {
		line, start := mcpaudit.LineAt([]byte(src), tt.offset)
		if string(line) != tt.line || start != tt.start {
			t.Errorf("offset %d: got %q at %d, want %q at %d", tt.offset, line, start, tt.line, tt.start)
		}
	}
	if line, start := mcpaudit.LineAt([]byte("a\n"), 2); string(line) != "" || start != 2 {
		t.Errorf("behind the last line end: got %q at %d", line, start)
	}
}

func TestPrimary(t *testing.T) {
	span := func(f string) *mcpaudit.Span { return &mcpaudit.Span{File: f} }
	c := mcpaudit.Check{Evidence: []mcpaudit.Evidence{
		{Role: mcpaudit.Related, Span: span("related")}, {Role: mcpaudit.Primary, Exchange: &mcpaudit.Exchange{}},
		{Role: mcpaudit.Primary, Span: span("first")}, {Role: mcpaudit.Primary, Span: span("second")},
	}}
	if got := c.Primary(); got == nil || got.File != "first" {
		t.Errorf("got %+v, want the first primary place in the source", got)
	}
	c.Evidence = c.Evidence[:2]
	if got := c.Primary(); got != nil {
		t.Errorf("got %+v, want none", got)
	}
}

func TestRouteOf(t *testing.T) {
	known := &mcpaudit.Route{Method: mcpaudit.Value{Text: "ping", Known: true}}
	r := &mcpaudit.Router{Routes: []*mcpaudit.Route{{Method: mcpaudit.Value{Text: "ping"}}, known}}
	if r.Route("ping") != known || r.Route("initialize") != nil {
		t.Error("a route whose method is only a text counts, or the known one does not")
	}
}
