package manifest

import (
	"bytes"
	"fmt"
	"strings"
)

// yarnLock is yarn.lock, in the form of version 1 and in the YAML of later ones. Both are blocks: a line of what was
// asked for, then indented lines with the version that it got.
type yarnLock struct {
	entries []yarnEntry
}

type yarnEntry struct {
	dep  Dependency
	asks []string // ranges, without "npm:"
}

func readYarnLock(s *Set, f *source) error {
	l := &yarnLock{}
	var open *yarnEntry
	at := 0
	for raw := range bytes.Lines(f.src) {
		start := at
		at += len(raw)
		line := strings.TrimRight(string(raw), "\r\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			head, ok := strings.CutSuffix(line, ":")
			if !ok {
				return fmt.Errorf("byte %d: a block does not end in a colon", start)
			}
			open = nil
			name, asks := yarnAsks(head)
			if f.wanted(name) {
				l.entries = append(l.entries, yarnEntry{dep: f.dep(NPM, name, start), asks: asks})
				open = &l.entries[len(l.entries)-1]
			}
		case open != nil && strings.HasPrefix(line, "  version"):
			v := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(line, "  version"), ":"), ` "`)
			if open.dep.Version = exactNPM(v); open.dep.Version == "" || strings.HasSuffix(v, "-use.local") {
				open.dep.Version, open.dep.Note = "", "it is a package of the workspace"
			}
		}
	}
	s.lock(NPM, f.dir, l)
	return nil
}

// yarnAsks takes `"@a/b@npm:^1.0.0, @a/b@npm:^1.2.0"` and `"@a/b@^1.0.0", "@a/b@^1.2.0"` apart.
func yarnAsks(head string) (name string, asks []string) {
	for part := range strings.SplitSeq(head, ",") {
		part = strings.Trim(part, `" `)
		i := strings.IndexByte(part[min(1, len(part)):], '@') + 1 // the first character may be that of a scope
		if i < 1 {
			continue
		}
		name = part[:i]
		asks = append(asks, strings.TrimPrefix(part[i+1:], "npm:"))
	}
	return name, asks
}

func (l *yarnLock) find(project, name, asked string) []Dependency {
	var all []Dependency
	for _, e := range l.entries {
		if e.dep.Name != name {
			continue
		}
		for _, a := range e.asks {
			if asked != "" && a == strings.TrimPrefix(asked, "npm:") {
				return []Dependency{e.dep}
			}
		}
		all = append(all, e.dep)
	}
	if asked != "" && project != "." {
		return nil // another range than any here: another project's
	}
	return ordered(all)
}
