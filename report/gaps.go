package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// gapPaths is how many places of a group of gaps are named without --why.
const gapPaths = 3

var gapWords = map[string]string{
	mcpaudit.GapParse:       "parse error",
	mcpaudit.GapLanguage:    "language not supported",
	mcpaudit.GapSize:        "too large",
	mcpaudit.GapEncoding:    "not valid text",
	mcpaudit.GapTimeout:     "took too long",
	mcpaudit.GapOutsideRoot: "outside of the root",
	mcpaudit.GapNotRegular:  "not a regular file",
	mcpaudit.GapUnreadable:  "could not be read",
	mcpaudit.GapCrash:       "the analysis crashed",
	mcpaudit.GapLongLine:    "line too long",
	mcpaudit.GapDepth:       "nested too deeply",
}

// gaps names what was not looked at, by reason and language. A gap that is a part of a file is told from one that is
// all of it.
func (t *text) gaps() {
	type group struct {
		reason, lang, what string
	}
	members := map[group][]mcpaudit.Gap{}
	for _, g := range t.report.repo().Gaps {
		k := group{g.Reason, g.Lang, "file"}
		if g.Span.End > 0 {
			k.what = "place"
		}
		members[k] = append(members[k], g)
	}
	keys := slices.SortedFunc(maps.Keys(members), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.reason, b.reason), cmp.Compare(a.lang, b.lang), cmp.Compare(a.what, b.what))
	})
	for _, k := range keys {
		gaps := members[k]
		what := k.what
		if k.lang != "" {
			what = t.quote.Visible(k.lang) + " " + what
		}
		why, ok := gapWords[k.reason]
		if !ok {
			why = t.quote.Visible(k.reason)
		}
		head := fmt.Sprintf("not read: %s, %s", plural(len(gaps), what), why)
		if t.options.Why {
			for _, g := range gaps {
				t.line("not read: ", t.gapPlace(g), ", ", why, t.detail(g.Detail))
			}
			continue
		}
		var places []string
		for _, g := range gaps[:min(len(gaps), gapPaths)] {
			places = append(places, t.gapPlace(g))
		}
		if rest := len(gaps) - len(places); rest > 0 {
			places = append(places, fmt.Sprintf("%d more", rest))
		}
		detail := ""
		if same := !slices.ContainsFunc(gaps, func(g mcpaudit.Gap) bool { return g.Detail != gaps[0].Detail }); same {
			detail = t.detail(gaps[0].Detail)
		}
		t.line(head, ": ", strings.Join(places, ", "), detail)
	}
}

func (t *text) gapPlace(g mcpaudit.Gap) string {
	if g.Span.End == 0 {
		return t.path(g.Span.File)
	}
	return t.place(g.Span, false)
}

func (t *text) detail(s string) string {
	if s == "" {
		return ""
	}
	return " (" + t.quote.Visible(s) + ")"
}
