package manifest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"deps.dev/util/semver"
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
		stale := ""
		for _, a := range asks {
			found := s.locked(ecosystem, dir, name, a.Range)
			fit := slices.DeleteFunc(slices.Clone(found), func(d Dependency) bool { return contradicts(d, a.Range) })
			if len(fit) == 0 && len(found) > 0 {
				stale = fmt.Sprintf("%s holds %s, which %s does not allow", path.Base(found[0].Path), found[0].Version, a.Range)
			}
			if len(fit) > 0 {
				d := settle(fit)
				d.Range, d.Dev = a.Range, a.Dev
				if d.Version == "" {
					d.Path, d.Offset = a.Path, a.Offset
				}
				return d, true
			}
		}
		d := settle(asks)
		d.Note = cmp.Or(d.Note, stale)
		return d, true
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

// contradicts reports whether a lockfile's version is not what its manifest asks for: the lockfile was left behind.
// A range that is not one of versions ("workspace:*", a tag, a URL) contradicts nothing.
func contradicts(d Dependency, asked string) bool {
	system := semver.NPM
	switch {
	case d.Version == "" || !strings.ContainsAny(asked, "0123456789") || strings.Contains(asked, ":"):
		return false
	case d.Ecosystem == Go: // go.work raises versions above what a module asks for
		return false
	case d.Ecosystem == PyPI && !strings.HasPrefix(asked, "^") && (!strings.HasPrefix(asked, "~") || strings.HasPrefix(asked, "~=")):
		system = semver.PyPI // poetry's own operators are those of npm
		if exactPython(asked) != "" {
			asked = "==" + asked
		}
	}
	c, err := system.ParseConstraint(asked)
	if err != nil {
		return false
	}
	v, err := system.Parse(d.Version)
	if err != nil {
		return false
	}
	return !c.MatchVersion(v) && !c.MatchVersionPrerelease(v)
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

// locked asks the lockfiles from a project's folder upward. Where two package managers left theirs in one folder,
// both are heard. Without an ask, one that does not know the package says that it is not installed, so that the
// other may be left over.
func (s *Set) locked(eco, project, name, asked string) []Dependency {
	for dir := range upward(project) {
		var all []Dependency
		silent := ""
		for _, l := range s.locks[at(eco, dir)] {
			found := l.find(below(dir, project), name, asked)
			if len(found) == 0 {
				silent = "another lockfile beside it does not know the package"
			}
			all = append(all, found...)
		}
		if len(all) > 0 {
			if asked == "" && silent != "" {
				all[0].Version, all[0].Note = "", silent
				all = all[:1]
			}
			return all
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
