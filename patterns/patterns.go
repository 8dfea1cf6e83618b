// Package patterns is the catalogue. A pattern is one stem with three files: abNNNNNN.go holds the rule and calls
// register, abNNNNNN.md is its page, testdata/abNNNNNN.txtar its cases. No list needs to be edited.
package patterns

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

//go:embed *.md
var pages embed.FS

var all []*mcpaudit.Pattern

var idForm = regexp.MustCompile(`^(ab|ma)-\d{6}$`)

// register adds a pattern together with its page. It panics on a broken catalogue, at start-up, where every test
// sees it.
func register(p *mcpaudit.Pattern) {
	stem := strings.ReplaceAll(string(p.ID), "-", "")
	page, err := pages.ReadFile(stem + ".md")
	switch {
	case !idForm.MatchString(string(p.ID)):
		panic(fmt.Sprintf("pattern id %q: want ab-NNNNNN or ma-NNNNNN", p.ID))
	case err != nil:
		panic(fmt.Sprintf("pattern %s has no page %s.md", p.ID, stem))
	case p.Severity == 0 || p.Slug == "" || p.Title == "" || len(p.Faults) == 0:
		panic(fmt.Sprintf("pattern %s is incomplete", p.ID))
	}
	p.Doc = string(page)
	all = append(all, p)
}

// All returns the catalogue, ordered by id.
func All() []*mcpaudit.Pattern {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b *mcpaudit.Pattern) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out
}

// Get finds a pattern by its id, its number, or its slug with or without the leading part.
func Get(name string) (*mcpaudit.Pattern, bool) {
	name = strings.ToLower(name)
	for _, p := range All() {
		_, number, _ := strings.Cut(string(p.ID), "-")
		_, short, _ := strings.Cut(p.Slug, ".")
		last := p.Slug[strings.LastIndex(p.Slug, ".")+1:]
		if slices.Contains([]string{string(p.ID), number, strings.TrimLeft(number, "0"), p.Slug, short, last}, name) {
			return p, true
		}
	}
	return nil, false
}
