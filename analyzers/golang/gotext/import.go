package gotext

import (
	"regexp"
	"strings"
)

var (
	major  = regexp.MustCompile(`^v[0-9]+$`)
	suffix = regexp.MustCompile(`\.v[0-9]+$`)
)

// ImportName guesses the name under which a file uses an import that it does not rename, without reading the
// imported package. The last element of a path is not
// always it ("example.com/go-sdk/v2" may be package sdk), so the candidates are tried against the names that the
// file uses in front of a dot; used reports whether a name is one of them.
func ImportName(path string, used func(name string) bool) string {
	list := candidates(path)
	for _, c := range list {
		if used(c) {
			return c
		}
	}
	return list[0]
}

// candidates is never empty. The most usual form comes first.
func candidates(path string) []string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	last := parts[len(parts)-1]
	var bases []string
	if major.MatchString(last) && len(parts) > 1 {
		bases = append(bases, parts[len(parts)-2], last)
	} else {
		bases = append(bases, last)
	}
	var out []string
	for _, b := range bases {
		b = suffix.ReplaceAllString(b, "")
		short := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(b, "go-"), "-go"), ".go")
		for _, n := range []string{b, short, strings.ReplaceAll(b, "-", ""), strings.ReplaceAll(b, "-", "_")} {
			out = append(out, identifier(n))
		}
		// "mcp-golang" is package mcp_golang, "go.uber-style" paths end in the name after the last separator.
		if i := strings.LastIndexAny(b, "-."); i >= 0 {
			out = append(out, identifier(b[i+1:]))
		}
		if i := strings.IndexAny(b, "-."); i > 0 {
			out = append(out, identifier(b[:i]))
		}
	}
	return out
}

// identifier replaces what cannot stand in a Go name.
func identifier(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 {
			return r
		}
		return '_'
	}, s)
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "_" + s
	}
	return s
}
