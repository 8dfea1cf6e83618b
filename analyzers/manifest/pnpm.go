package manifest

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// pnpmLock is pnpm-lock.yaml. "importers" lists what every project of the workspace gets; a file without it is that
// of a single project.
type pnpmLock struct {
	f        *source
	projects map[string]*yaml.Node
	lines    []int // the offsets at which lines begin
}

func readPnpmLock(s *Set, f *source) error {
	l := &pnpmLock{f: f, projects: map[string]*yaml.Node{}, lines: lineStarts(f.src)}
	// What follows describes every package there is, which is nine tenths of the file.
	head := f.src
	if i := bytes.Index(head, []byte("\npackages:")); i >= 0 {
		head = head[:i+1]
	}
	doc, err := parseYAML(head)
	if err != nil {
		return err
	}
	if importers := field(doc, "importers"); importers != nil {
		for k, v := range pairs(importers) {
			l.projects[path.Clean(k.Value)] = v
		}
	} else {
		l.projects["."] = doc
	}
	s.lock(NPM, f.dir, l)
	return nil
}

func (l *pnpmLock) find(project, name, asked string) []Dependency {
	p, ok := l.projects[project]
	if !ok {
		return nil
	}
	for _, sec := range sections {
		for k, v := range pairs(field(p, sec.key)) {
			if k.Value != name {
				continue
			}
			d := l.f.dep(NPM, name, offset(l.lines, k))
			d.Dev = sec.dev
			version := v.Value // up to version 5 of the format
			if v.Kind == yaml.MappingNode {
				version = ""
				if n := field(v, "version"); n != nil {
					version = n.Value
				}
			}
			d.Version, d.Note = pnpmVersion(version, project)
			return []Dependency{d}
		}
	}
	if asked != "" {
		return nil
	}
	return l.anywhere(name)
}

// pnpmVersion takes the version out of "1.2.3(zod@3.25.0)", "1.2.3_zod@3.25.0" or "/name/1.2.3".
func pnpmVersion(s, project string) (version, note string) {
	if where, ok := strings.CutPrefix(s, "link:"); ok {
		return "", "it is the workspace package " + path.Join(project, where)
	}
	s, _, _ = strings.Cut(s, "(")
	if strings.Contains(s, "://") || strings.HasPrefix(s, "file:") {
		return "", "it does not come from the registry"
	}
	if i := strings.LastIndexAny(s, "/"); i >= 0 {
		s = s[i+1:]
	}
	s, _, _ = strings.Cut(s, "_")
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if version = exactNPM(s); version == "" {
		note = "it does not come from the registry"
	}
	return version, note
}

// anywhere collects the versions of a package that no project asks for. The keys of "packages" are the only lines of
// the file that are indented by two and end in a colon; in them a name is followed by "@" or, before version 6, "/".
func (l *pnpmLock) anywhere(name string) []Dependency {
	var out []Dependency
	for _, start := range l.lines {
		line := l.f.src[start:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if !bytes.HasPrefix(line, []byte("  ")) || bytes.HasPrefix(line, []byte("   ")) {
			continue
		}
		key := strings.Trim(strings.TrimSuffix(strings.TrimSpace(string(line)), ":"), "'")
		rest, ok := strings.CutPrefix(strings.TrimPrefix(key, "/"), name)
		if !ok || rest == "" || rest[0] != '@' && rest[0] != '/' {
			continue
		}
		d := l.f.dep(NPM, name, start+2)
		if d.Version, _ = pnpmVersion(rest[1:], ""); d.Version != "" {
			out = append(out, d)
		}
	}
	return ordered(out)
}

func parseYAML(src []byte) (*yaml.Node, error) {
	var doc yaml.Node // a node does not expand aliases
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("not a mapping")
	}
	return doc.Content[0], nil
}

// pairs yields the keys and values of a mapping.
func pairs(n *yaml.Node) func(func(k, v *yaml.Node) bool) {
	return func(yield func(k, v *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

func field(n *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(n) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

func lineStarts(src []byte) []int {
	out := []int{0}
	for i, b := range src {
		if b == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// offset is the place of a node. Its column counts characters; what stands before a key of a lockfile are blanks.
func offset(lines []int, n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(lines) {
		return 0
	}
	return lines[n.Line-1] + n.Column - 1
}

// ordered sorts candidates by place and drops those that say the same.
func ordered(deps []Dependency) []Dependency {
	slices.SortFunc(deps, func(a, b Dependency) int { return a.Offset - b.Offset })
	seen := map[string]bool{}
	return slices.DeleteFunc(deps, func(d Dependency) bool {
		dup := seen[d.Version]
		seen[d.Version] = true
		return dup
	})
}
