package manifest

import (
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// majorSuffix is the last element of a module path that only says which major version it is.
var majorSuffix = lazily(`^v[0-9]+$`)

// ServerName is what the nearest manifest upward calls the program that a file belongs to: the name in package.json
// or pyproject.toml, or the last element of a module path. A manifest of the file's own language goes first, so that
// a package.json for formatting tools does not name a program in Go.
func (s *Set) ServerName(forFile string) (name string, ok bool) {
	own := map[string]string{".py": "pyproject.toml", ".go": "go.mod"}[path.Ext(forFile)]
	if own == "" {
		own = "package.json"
	}
	for _, pass := range []func(string) bool{
		func(base string) bool { return base == own },
		func(base string) bool { return true },
	} {
		for dir := range upward(path.Dir(forFile)) {
			for _, p := range s.names[dir] {
				if !pass(path.Base(p)) {
					continue
				}
				if name := s.title(p); name != "" {
					return name, true
				}
			}
		}
	}
	return "", false
}

// title reads the name that a manifest gives, "" if it gives none or cannot be read. It is read when it is asked
// for, because most manifests of a large tree never are.
func (s *Set) title(p string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.titles[p]; ok {
		return t
	}
	t := ""
	if src, _, err := load(s.fsys, p); err == nil {
		f := &source{path: p, src: []byte(strings.TrimPrefix(string(src), "\ufeff"))}
		_ = guard(func(_ *Set, f *source) error {
			t = title(f)
			return nil
		}, s, f)
	}
	s.titles[p] = t
	return t
}

func title(f *source) string {
	switch path.Base(f.path) {
	case "package.json":
		if doc, err := parseJSON(f.src); err == nil {
			return member(doc, "name").String()
		}
	case "pyproject.toml":
		if doc, err := parseTOML(f.src); err == nil {
			if n := doc.get("project", "name").string(); n != "" {
				return n
			}
			return doc.get("tool", "poetry", "name").string()
		}
	case "go.mod":
		mod := modfile.ModulePath(f.src)
		if module.CheckImportPath(mod) != nil {
			return ""
		}
		parts := strings.Split(mod, "/")
		parts = slices.DeleteFunc(parts, func(p string) bool { return len(parts) > 1 && majorSuffix().MatchString(p) })
		return parts[len(parts)-1]
	}
	return ""
}

// PackageDir finds the folder of the package.json that has the name: a package of the same workspace. All of them are
// read on the first call. Of two packages with one name the first by path counts.
func (s *Set) PackageDir(name string) (string, bool) {
	s.dirsOnce.Do(func() {
		s.dirs = map[string]string{}
		for _, dir := range slices.Sorted(maps.Keys(s.names)) {
			for _, p := range s.names[dir] {
				if path.Base(p) != "package.json" {
					continue
				}
				if t := s.title(p); t != "" {
					if _, dup := s.dirs[t]; !dup {
						s.dirs[t] = dir
					}
				}
			}
		}
	})
	dir, ok := s.dirs[name]
	return dir, ok
}
