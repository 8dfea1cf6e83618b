package manifest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Resolve says which version of a package a source file is built with: the first of the names that the nearest
// manifest upward asks for, in the version of the lockfile that speaks for that manifest. Without a lockfile an
// exact pin is the version, and any other range leaves it unknown. A lockfile alone is enough where no manifest
// asks. It reports false if no file knows any of the names.
func (s *Set) Resolve(ecosystem string, names []string, forFile string) (Dependency, bool) {
	if ecosystem == PyPI {
		names = slices.Clone(names)
		for i, n := range names {
			names[i] = normal(n)
		}
	}
	here := path.Dir(forFile)
	if dir, name, asks := s.asked(ecosystem, names, here); len(asks) > 0 {
		for _, a := range asks {
			if found := s.locked(ecosystem, dir, name, a.Range); len(found) > 0 {
				d := settle(found)
				d.Range, d.Dev = a.Range, a.Dev
				if d.Version == "" {
					d.Path, d.Offset = a.Path, a.Offset
				}
				return d, true
			}
		}
		return settle(asks), true
	}
	for dir := range upward(here) {
		for _, name := range names {
			if found := s.locked(ecosystem, dir, name, ""); len(found) > 0 {
				return settle(found), true
			}
		}
		if s.outside(ecosystem, dir) {
			break
		}
	}
	return Dependency{}, false
}

// asked finds the nearest folder upward whose manifests ask for one of the names.
func (s *Set) asked(eco string, names []string, here string) (dir, name string, asks []Dependency) {
	for dir := range upward(here) {
		for _, name := range names {
			for _, d := range s.asks[at(eco, dir)] {
				if d.Name == name {
					asks = append(asks, d)
				}
			}
			if len(asks) > 0 {
				return dir, name, best(asks)
			}
		}
		if s.outside(eco, dir) {
			break
		}
	}
	return "", "", nil
}

// best keeps the asks of the strongest kind: one that pins a version before one that does not, one for everybody
// before one for developers.
func best(asks []Dependency) []Dependency {
	rank := func(d Dependency) int {
		switch {
		case d.Version != "" && !d.Dev:
			return 0
		case !d.Dev:
			return 1
		case d.Version != "":
			return 2
		}
		return 3
	}
	least := 3
	for _, d := range asks {
		least = min(least, rank(d))
	}
	return slices.DeleteFunc(asks, func(d Dependency) bool { return rank(d) != least })
}

// locked asks the lockfiles from a project's folder upward.
func (s *Set) locked(eco, project, name, asked string) []Dependency {
	for dir := range upward(project) {
		for _, l := range s.locks[at(eco, dir)] {
			if found := l.find(below(dir, project), name, asked); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// outside reports whether what lies above a folder belongs to another module.
func (s *Set) outside(eco, dir string) bool { return eco == Go && s.stops[dir] }

// settle makes one dependency of several statements about one package. They agree, or the version is unknown.
func settle(found []Dependency) Dependency {
	d := found[0]
	versions := map[string]bool{}
	for _, f := range found {
		versions[f.Version] = true
	}
	if len(versions) > 1 {
		var all []string
		for v := range versions {
			if v == "" {
				v = "an unknown version"
			}
			all = append(all, v)
		}
		slices.Sort(all)
		d.Version = ""
		d.Note = fmt.Sprintf("%s holds %s", path.Base(d.Path), strings.Join(all, " and "))
	}
	return d
}

// upward yields a folder and all above it, up to ".".
func upward(dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != "." && dir != "/" {
			dir = path.Dir(dir)
		}
	}
}

// below gives the path of a folder relative to one above it.
func below(top, dir string) string {
	switch {
	case top == dir:
		return "."
	case top == ".":
		return dir
	}
	return strings.TrimPrefix(dir, top+"/")
}
