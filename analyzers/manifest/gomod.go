package manifest

import (
	"path"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// go.mod is its own lockfile: since Go 1.17 it lists every module at the version that is built.
func readGoMod(s *Set, f *source) error {
	mod, err := modfile.Parse(path.Base(f.path), f.src, nil)
	if err != nil {
		// A directive of a later release. What we look for has not changed since the first.
		lax, second := modfile.ParseLax(path.Base(f.path), f.src, nil)
		if second != nil {
			return err
		}
		mod = lax
	}
	for _, r := range mod.Require {
		if !f.wanted(r.Mod.Path) {
			continue
		}
		d := f.dep(Go, r.Mod.Path, r.Syntax.Start.Byte)
		d.Range, d.Version = r.Mod.Version, r.Mod.Version
		replace(&d, mod.Replace, f)
		s.ask(f.dir, d)
	}
	return nil
}

func replace(d *Dependency, rules []*modfile.Replace, f *source) {
	for _, r := range rules {
		if r.Old.Path != d.Name || r.Old.Version != "" && r.Old.Version != d.Version {
			continue
		}
		d.Path, d.Offset = f.path, r.Syntax.Start.Byte+f.base
		d.Version = r.New.Version
		d.Note = "replaced by " + r.New.Path
		if r.New.Path != d.Name {
			d.Version = "" // a fork, or a folder: its versions are its own
		}
	}
}

// goWork builds its modules together, so that all get the highest version that one of them asks for.
type goWork struct {
	s    *Set
	f    *source
	work *modfile.WorkFile
}

func readGoWork(s *Set, f *source) error {
	work, err := modfile.ParseWork(path.Base(f.path), f.src, nil)
	if err != nil {
		return err
	}
	s.lock(Go, f.dir, &goWork{s, f, work})
	return nil
}

func (w *goWork) find(project, name, asked string) []Dependency {
	var top *Dependency
	member := false
	for _, u := range w.work.Use {
		dir := path.Clean(strings.ReplaceAll(u.Path, `\`, "/"))
		member = member || dir == project
		for _, d := range w.s.asks[at(Go, path.Join(w.f.dir, dir))] {
			if d.Name == name && (top == nil || semver.Compare(d.Range, top.Range) > 0) {
				top = &d
			}
		}
	}
	if !member || top == nil {
		return nil
	}
	d := *top
	replace(&d, w.work.Replace, w.f)
	return []Dependency{d}
}
