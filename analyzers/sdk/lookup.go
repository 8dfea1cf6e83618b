package sdk

import (
	"slices"
	"strings"
	"sync"
)

// ID is Name, followed by Line where the package has several: "mcp 1.x".
func (s *SDK) ID() string {
	if s.Line == "" {
		return s.Name
	}
	return s.Name + " " + s.Line
}

// sorted is made once: Register runs only at start-up.
var sorted = sync.OnceValue(func() []*SDK {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b *SDK) int { return strings.Compare(a.Name+"\x00"+a.Line, b.Name+"\x00"+b.Line) })
	return out
})

// All returns every SDK, ordered by name and line. Callers must not change the slice.
func All() []*SDK { return sorted() }

// Lines returns the rows with the name or ID that can be meant: the one that covers the version, or all of them
// while the version is unknown.
func Lines(name, version string) []*SDK {
	var out []*SDK
	for _, s := range All() {
		if (s.Name == name || s.ID() == name) && (version == "" || InRange(s.Ecosystem, version, s.Versions)) {
			out = append(out, s)
		}
	}
	return out
}

// Get returns the row with the name or ID that covers the version, or nil. An unknown version gets the oldest line
// of several; use Lines where the difference matters.
func Get(name, version string) *SDK {
	if lines := Lines(name, version); len(lines) > 0 {
		return lines[0]
	}
	return nil
}

// Base returns the SDK that answers in the end: the row itself, or what it wraps, however deep.
func (s *SDK) Base() *SDK {
	for s.Wraps != "" {
		s = Get(s.Wraps, "")
	}
	return s
}

// AllChanges returns the row's own changes followed by those of the SDKs that it wraps.
func (s *SDK) AllChanges() []Change {
	out := slices.Clone(s.Changes)
	for s.Wraps != "" {
		s = Get(s.Wraps, "")
		out = append(out, s.Changes...)
	}
	return out
}

// Imported reports whether importing the module identifies the SDK. Deno's "npm:" prefix, a version behind the
// package name, and a URL whose path begins with the package are seen through.
func (s *SDK) Imported(module string) bool {
	sep := "/"
	switch s.Ecosystem {
	case "PyPI":
		sep = "."
	case "npm":
		module = plainModule(module)
	}
	for _, p := range s.Imports {
		base, wild := strings.CutSuffix(p, "/...")
		if module == base || wild && strings.HasPrefix(module, base+sep) {
			return true
		}
	}
	return false
}

var (
	urlHost    = lazily(`^https?://[^/]+/(npm/|v\d+/|\*)*`)
	pkgVersion = lazily(`^((?:@[^/@]+/)?[^/@]+)@[^/]+`)
)

// plainModule turns the spellings that name a package by more than its name into the usual one:
// "npm:@scope/pkg@^1.2.0/sub.js" is "@scope/pkg/sub.js".
func plainModule(m string) string {
	npm, isNPM := strings.CutPrefix(m, "npm:")
	url := urlHost().FindString(m)
	switch {
	case isNPM:
		m = strings.TrimPrefix(npm, "/")
	case url != "":
		m, _, _ = strings.Cut(m[len(url):], "?")
	default:
		return m
	}
	return pkgVersion().ReplaceAllString(m, "$1")
}

// Answers returns the row of Ping for the version ("" if unknown), or nil. A framework without rows of its own
// answers as the SDK does that it wraps, whose version is then unknown.
func (s *SDK) Answers(version string) *Answer {
	if len(s.Ping) == 0 && s.Wraps != "" {
		return Get(s.Wraps, "").Answers("")
	}
	return pick(s.Ping, s.Ecosystem, version)
}

// ClientAnswers is Answers for a ping that the server sends and the client gets.
func (s *SDK) ClientAnswers(version string) *Answer {
	if len(s.ClientPing) == 0 && s.Wraps != "" {
		return Get(s.Wraps, "").ClientAnswers("")
	}
	return pick(s.ClientPing, s.Ecosystem, version)
}

func pick(rows []Answer, ecosystem, version string) *Answer {
	for i, a := range rows {
		if a.Versions == "" || version != "" && InRange(ecosystem, version, a.Versions) {
			return &rows[i]
		}
	}
	return nil
}

// ServesEras returns the row of Eras for the version ("" if unknown), following Wraps. Both facts are unknown
// where no row says more.
func (s *SDK) ServesEras(version string) EraRow {
	if len(s.Eras) == 0 && s.Wraps != "" {
		return Get(s.Wraps, "").ServesEras("")
	}
	for _, e := range s.Eras {
		if e.Versions == "" || version != "" && InRange(s.Ecosystem, version, e.Versions) {
			return e
		}
	}
	return EraRow{}
}

// Marks reports whether a server, a client or a carrier of the SDK goes by the exported name.
func (s *SDK) Marks(name string) bool {
	for _, m := range slices.Concat(s.Servers, s.Clients, s.Carriers) {
		if first, _, _ := strings.Cut(m.Name, "."); first == name {
			return true
		}
	}
	return false
}
