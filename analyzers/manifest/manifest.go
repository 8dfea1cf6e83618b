// Package manifest reads from manifests and lockfiles which version of a package a source file is built with.
//
// The readers are ours, over libraries that parse JSON, TOML, YAML and go.mod and that keep positions. The
// extractors of osv-scalibr would be the obvious choice. But importing any one of them links readers of
// disk images and file systems, an HTTP client and two loggers (8 MB more of stripped binary), and what
// they give is a flat list of name and version. Which of two versions the workspace of a file gets, and where in the
// file that is written, is lost in it, and those are the two questions that are asked here.
//
// Nothing is resolved over the network: what no file says is unknown.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcpaudit/mcpaudit"
)

// The names of ecosystems, as osv.dev spells them.
const (
	NPM  = "npm"
	PyPI = "PyPI"
	Go   = "Go"
)

// Dependency is what a manifest asks for, or what a lockfile or a pin makes of it.
type Dependency struct {
	Ecosystem string
	Name      string
	Version   string // "" if no file settles it
	Range     string // what is asked for, as written; "" if nobody asks
	Path      string // where Version stands, or Range if Version is unknown
	Offset    int    // of the place in Path, in bytes
	Dev       bool
	Note      string // why Version is unknown or not what it seems, for people
}

// Set is what the manifests of one tree say. It is safe for concurrent use.
type Set struct {
	fsys  fs.FS
	asks  map[string][]Dependency // by ecosystem and folder; see at
	locks map[string][]lockfile   // likewise
	stops map[string]bool         // folders of go.mod: beyond them is another module
	names map[string][]string     // manifests that may name a program, by folder

	mu     sync.Mutex
	titles map[string]string // names found so far, by path of the manifest

	dirsOnce sync.Once
	dirs     map[string]string // folders of npm packages, by name
}

// lockfile answers for the project in a folder, relative to the lockfile's own ("." for the same), what it holds
// for a name. asked is the range in the project's manifest, "" if the project does not ask for the package itself.
// An empty answer means that the lockfile does not speak for the project; two versions, that it cannot tell.
type lockfile interface {
	find(project, name, asked string) []Dependency
}

// maxSize bounds a manifest. The largest lockfiles of public repositories have a few megabytes.
const maxSize = 32 << 20

// reader reads one kind of file into the set.
type reader func(*Set, *source) error

// source is one manifest.
type source struct {
	path, dir string
	src       []byte // without a byte order mark
	base      int    // the length of the mark, to be added to every offset
	wanted    func(name string) bool
}

func (s *source) dep(eco, name string, offset int) Dependency {
	return Dependency{Ecosystem: eco, Name: name, Path: s.path, Offset: offset + s.base}
}

var readers = map[string]reader{
	"package.json":        readPackageJSON,
	"package-lock.json":   readPackageLock,
	"npm-shrinkwrap.json": readPackageLock,
	"pnpm-lock.yaml":      readPnpmLock,
	"yarn.lock":           readYarnLock,
	"bun.lock":            readBunLock,
	"bun.lockb":           readBunLockb,
	"deno.json":           readDenoJSON,
	"deno.jsonc":          readDenoJSON,
	"deno.lock":           readDenoLock,
	"pyproject.toml":      readPyproject,
	"setup.cfg":           readSetupCfg,
	"setup.py":            readSetupPy,
	"Pipfile":             readPipfile,
	"Pipfile.lock":        readPipfileLock,
	"poetry.lock":         readTOMLLock,
	"uv.lock":             readTOMLLock,
	"pdm.lock":            readTOMLLock,
	"pylock.toml":         readTOMLLock,
	"go.mod":              readGoMod,
	"go.work":             readGoWork,
}

func readerOf(p string) reader {
	name := path.Base(p)
	if r := readers[name]; r != nil {
		return r
	}
	// "requirements/base.txt" is a habit as common as "requirements-dev.txt".
	if strings.HasSuffix(name, ".txt") && (strings.HasPrefix(name, "requirements") || path.Base(path.Dir(p)) == "requirements") {
		return readRequirements
	}
	return nil
}

// Read reads the manifests and lockfiles among the paths. Only packages whose name is wanted are kept, and only
// files that mention one are parsed. A file that cannot be read or parsed is a gap.
func Read(fsys fs.FS, paths []string, wanted []string) (*Set, []mcpaudit.Gap) {
	s := &Set{fsys: fsys, asks: map[string][]Dependency{}, locks: map[string][]lockfile{}, stops: map[string]bool{},
		names: map[string][]string{}, titles: map[string]string{}}
	want := map[string]bool{}
	var hints [][]byte
	for _, w := range wanted {
		want[w], want[normal(w)] = true, true
		hints = append(hints, hint(w))
	}
	var gaps []mcpaudit.Gap
	gap := func(p, reason, detail string) {
		gaps = append(gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: p}, Reason: reason, Detail: detail})
	}
	for _, p := range slices.Sorted(slices.Values(paths)) {
		read := readerOf(p)
		if read == nil {
			continue
		}
		dir := path.Dir(p)
		switch path.Base(p) {
		case "package.json", "pyproject.toml", "go.mod":
			s.names[dir] = append(s.names[dir], p)
		}
		s.stops[dir] = s.stops[dir] || path.Base(p) == "go.mod"
		raw, reason, err := load(fsys, p)
		if err != nil {
			gap(p, reason, err.Error())
			continue
		}
		// go.work has no names of packages; it says which modules are resolved together.
		if path.Base(p) != "go.work" && !mentions(raw, hints) {
			continue
		}
		src := bytes.TrimPrefix(raw, []byte("\ufeff"))
		f := &source{path: p, dir: dir, src: src, base: len(raw) - len(src), wanted: func(n string) bool { return want[n] }}
		if err := guard(read, s, f); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n") // go.mod lists all its faults
			gap(p, mcpaudit.GapParse, first)
		}
	}
	return s, gaps
}

// guard turns a panic of a parser into an error: the file is somebody else's.
func guard(read reader, s *Set, f *source) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read %s: the parser failed: %v", path.Base(f.path), r)
		}
	}()
	if err := read(s, f); err != nil {
		return fmt.Errorf("read %s: %w", path.Base(f.path), err)
	}
	return nil
}

// load reads a regular file up to the limit. The listing saw a regular file; opening a pipe would wait for ever.
func load(fsys fs.FS, p string) (src []byte, reason string, err error) {
	info, err := fs.Stat(fsys, p)
	if err != nil {
		return nil, mcpaudit.GapUnreadable, cause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, mcpaudit.GapNotRegular, errors.New("not a regular file")
	}
	if info.Size() > maxSize {
		return nil, mcpaudit.GapSize, fmt.Errorf("%d bytes, the limit is %d", info.Size(), maxSize)
	}
	f, err := fsys.Open(p)
	if err != nil {
		return nil, mcpaudit.GapUnreadable, cause(err)
	}
	defer f.Close()
	src, err = io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return nil, mcpaudit.GapUnreadable, cause(err)
	}
	return src, "", nil
}

func cause(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// hint is a piece of a name that every spelling of it has. Python's names may be written with "-", "_" and "." at
// will and in any case.
func hint(name string) []byte {
	if strings.ContainsAny(name, "/@") {
		return []byte(strings.ToLower(name))
	}
	longest := ""
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), isSeparator) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return []byte(longest)
}

func mentions(src []byte, hints [][]byte) bool {
	lower := bytes.ToLower(src)
	return slices.ContainsFunc(hints, func(h []byte) bool { return len(h) > 0 && bytes.Contains(lower, h) })
}

// ask records what a manifest asks for.
func (s *Set) ask(dir string, d Dependency) {
	k := at(d.Ecosystem, dir)
	s.asks[k] = append(s.asks[k], d)
}

func (s *Set) lock(eco, dir string, l lockfile) {
	k := at(eco, dir)
	s.locks[k] = append(s.locks[k], l)
}

func at(eco, dir string) string { return eco + "\x00" + dir }

// Dependencies lists what the manifests ask for, ordered by path and place.
func (s *Set) Dependencies() []Dependency {
	var out []Dependency
	for _, deps := range s.asks {
		out = append(out, deps...)
	}
	slices.SortFunc(out, func(a, b Dependency) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
