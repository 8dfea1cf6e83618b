package golang

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// maxModFile bounds what is read of a go.mod or go.work.
const maxModFile = 1 << 20

// modules maps import paths to folders of the tree and back. All modules of the tree see each other, also where
// no go.work and no replace joins them: the release that a go.mod asks for is not at hand, and the source in the
// same tree is the nearest thing to it.
type modules struct {
	fsys  fs.FS
	dirs  map[string]string // folder that holds a go.mod -> module path
	roots []root            // longest path first
}

// root says that the packages below an import path lie below a folder.
type root struct{ path, dir string }

// findModules reads every go.mod and go.work below the root. A file that does not parse is treated as absent, and
// its folder as part of the module around it.
func findModules(fsys fs.FS) (*modules, error) {
	m := &modules{fsys: fsys, dirs: map[string]string{}}
	var replaced []root
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name == "." {
				return err
			}
			return nil // an unreadable folder holds nothing that we could map
		}
		if d.IsDir() {
			if name != "." && skipped(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		switch d.Name() {
		case "go.mod":
			if f := readMod(fsys, name, parseMod); f != nil && f.Module != nil && f.Module.Mod.Path != "" {
				m.dirs[path.Dir(name)] = f.Module.Mod.Path
				replaced = append(replaced, localReplaces(path.Dir(name), f.Replace)...)
			}
		case "go.work":
			if f := readMod(fsys, name, modfile.ParseWork); f != nil {
				replaced = append(replaced, localReplaces(path.Dir(name), f.Replace)...)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for dir, p := range m.dirs {
		m.roots = append(m.roots, root{p, dir})
	}
	m.roots = append(m.roots, replaced...)
	// The folder decides between two modules of one name, so that the choice is the same every time.
	slices.SortFunc(m.roots, func(a, b root) int {
		if len(a.path) != len(b.path) {
			return len(b.path) - len(a.path)
		}
		return strings.Compare(a.path+"\x00"+a.dir, b.path+"\x00"+b.dir)
	})
	return m, nil
}

// skipped leaves out copies of dependencies, which are outside the tree by definition, and hidden folders.
func skipped(dir string) bool {
	return dir == "vendor" || dir == "node_modules" || strings.HasPrefix(dir, ".")
}

// readMod returns nil for a file that is missing, too large or broken.
func readMod[F any](fsys fs.FS, name string, parse func(string, []byte, modfile.VersionFixer) (*F, error)) *F {
	if info, err := fs.Stat(fsys, name); err != nil || !info.Mode().IsRegular() || info.Size() > maxModFile {
		return nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil
	}
	f, err := parse(name, data, nil)
	if err != nil {
		return nil
	}
	return f
}

// parseMod prefers the strict reading, which alone has the replacements.
func parseMod(name string, data []byte, fix modfile.VersionFixer) (*modfile.File, error) {
	if f, err := modfile.Parse(name, data, fix); err == nil {
		return f, nil
	}
	return modfile.ParseLax(name, data, fix)
}

// localReplaces returns the replacements by a folder of the tree.
func localReplaces(dir string, list []*modfile.Replace) []root {
	var out []root
	for _, r := range list {
		if r.New.Version != "" || !modfile.IsDirectoryPath(r.New.Path) || path.IsAbs(r.New.Path) {
			continue
		}
		if to := path.Join(dir, r.New.Path); fs.ValidPath(to) {
			out = append(out, root{r.Old.Path, to})
		}
	}
	return out
}

// importPath is the path of the package in a folder. Without a go.mod it is the folder itself.
func (m *modules) importPath(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		if p, ok := m.dirs[d]; ok {
			return path.Join(p, strings.TrimPrefix(dir[min(len(dir), prefix(d)):], "/"))
		}
		if d == "." || d == "/" {
			return dir
		}
	}
}

// prefix is the length of a folder as the start of the paths below it.
func prefix(dir string) int {
	if dir == "." {
		return 0
	}
	return len(dir)
}

// folder returns the folder of the tree that an import path names.
func (m *modules) folder(importPath string) (string, bool) {
	for _, r := range m.roots {
		rest, ok := strings.CutPrefix(importPath, r.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		dir := path.Join(r.dir, rest)
		if !fs.ValidPath(dir) {
			continue
		}
		if info, err := fs.Stat(m.fsys, dir); err == nil && info.IsDir() {
			return dir, true
		}
	}
	return "", false
}
