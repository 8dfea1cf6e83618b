package golang

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/golang/gotext"
)

// maxFile bounds one source file; what is larger is data. maxDepth bounds the nesting of its syntax tree: the type
// checker recurses, and a stack that overflows ends the program.
const (
	maxFile  = 4 << 20
	maxDepth = 2000
)

// unit is what the type checker sees as one package: the files of a folder that share a package clause and are
// built together.
type unit struct {
	path, dir, name string
	files           []*source
	imports         map[string]*unit // what lies in the tree, by import path
	state           int              // of the search for cycles and of the type check
	pkg             *packages.Package
	reason, detail  string // of the gap, where there is no pkg
	wanted          bool
}

const (
	untouched = iota
	entered
	done
)

type source struct {
	path string
	src  []byte
	ast  *ast.File
	err  error // syntax error; ast is what could be read
}

// loader parses folders on demand.
type loader struct {
	fsys    fs.FS
	fset    *token.FileSet
	build   build.Context
	mods    *modules
	dirs    map[string][]*unit
	sources map[string]*source
	left    map[string]string // files of the parsed folders that are in no unit, and why
	gaps    []mcpaudit.Gap
	tests   bool
	parsed  int            // source bytes so far
	budget  int            // most source bytes of one load, 0 for no limit
	sizes   map[string]int // of string constants by bare name; see inflated
}

// newLoader makes an empty loader over a tree.
func newLoader(fsys fs.FS, mods *modules, opts Options) *loader {
	l := &loader{
		fsys: fsys, fset: token.NewFileSet(), mods: mods, tests: opts.Tests, budget: opts.MaxBytes,
		dirs: map[string][]*unit{}, sources: map[string]*source{}, left: map[string]string{},
		sizes: map[string]int{},
	}
	// The target is fixed, so that a tree gives the same facts on every machine.
	l.build = build.Context{
		GOOS: "linux", GOARCH: "amd64", Compiler: "gc", CgoEnabled: true,
		ReleaseTags: build.Default.ReleaseTags,
		JoinPath:    path.Join,
		OpenFile: func(name string) (io.ReadCloser, error) {
			if s := l.sources[name]; s != nil {
				return io.NopCloser(bytes.NewReader(s.src)), nil
			}
			return l.fsys.Open(name)
		},
	}
	return l
}

// folder returns the units of a folder. A file with a test name is in no unit unless tests are wanted; then the
// tests of a package form one unit with it, and external tests a unit of their own.
func (l *loader) folder(dir string) []*unit {
	if u, ok := l.dirs[dir]; ok {
		return u
	}
	l.dirs[dir] = nil
	entries, err := fs.ReadDir(l.fsys, dir)
	if err != nil {
		return nil
	}
	byName := map[string]*unit{}
	var out []*unit
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		s, why := l.source(path.Join(dir, e.Name()))
		if s == nil {
			l.left[path.Join(dir, e.Name())] = why
			continue
		}
		name := s.ast.Name.Name
		u := byName[name]
		if u == nil {
			u = &unit{path: l.mods.importPath(dir), dir: dir, name: name}
			if strings.HasSuffix(e.Name(), "_test.go") && strings.HasSuffix(name, "_test") {
				u.path += "_test"
			}
			byName[name] = u
			out = append(out, u)
		}
		u.files = append(u.files, s)
	}
	out = slices.DeleteFunc(out, func(u *unit) bool { return !l.consistent(u) })
	// What an import of the folder means: a library before a program, then the larger part.
	slices.SortStableFunc(out, func(a, b *unit) int { return b.weight() - a.weight() })
	l.dirs[dir] = out
	return out
}

// consistent takes out of a unit the files that declare a name twice between them, and reports whether a file is
// left. Such files are programs of their own that share a folder; checked together, the calls in one would seem
// to lead to the functions of the other.
func (l *loader) consistent(u *unit) bool {
	first := map[string]*source{}
	clash := map[*source]string{}
	for _, s := range u.files {
		for _, name := range declared(s.ast) {
			switch o := first[name]; o {
			case nil:
				first[name] = s
			case s: // a mistake inside one file confuses nobody else
			default:
				clash[o], clash[s] = name, name
			}
		}
	}
	u.files = slices.DeleteFunc(u.files, func(s *source) bool {
		name, ok := clash[s]
		if ok {
			l.left[s.path] = fmt.Sprintf("declares %s, as does another file of package %s", name, u.name)
		}
		return ok
	})
	return len(u.files) > 0
}

// declared returns the names at the top of a file that may be there only once. A method counts with its type.
func declared(f *ast.File) []string {
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				name = receiver(d.Recv.List[0].Type) + "." + name
			} else if name == "init" {
				continue
			}
			out = append(out, name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						out = append(out, n.Name)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(n string) bool { return n == "_" || strings.HasSuffix(n, "._") })
}

// receiver is the name of the type that a method belongs to.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.ParenExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func (u *unit) weight() int {
	n := len(u.files)
	if u.name != "main" && !strings.HasSuffix(u.path, "_test") {
		n += 1 << 20
	}
	return n
}

// source parses one file, or says why it is not part of the build.
func (l *loader) source(name string) (*source, string) {
	if strings.HasSuffix(name, "_test.go") && !l.tests {
		return nil, "test file"
	}
	info, err := fs.Stat(l.fsys, name)
	if err != nil {
		return nil, err.Error()
	}
	if info.Size() > maxFile {
		l.gap(name, mcpaudit.GapSize, fmt.Sprintf("%d bytes, more than %d", info.Size(), maxFile))
		return nil, "too large"
	}
	if l.parsed += int(info.Size()); l.budget > 0 && l.parsed > l.budget {
		return nil, "more source than the limit of one load"
	}
	src, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		l.gap(name, mcpaudit.GapUnreadable, err.Error())
		return nil, err.Error()
	}
	s := &source{path: name, src: src}
	l.sources[name] = s
	if ok, err := l.build.MatchFile(path.Dir(name), path.Base(name)); err == nil && !ok {
		delete(l.sources, name)
		return nil, "excluded by a build constraint"
	}
	s.ast, s.err = l.parse(name, src)
	if s.err != nil {
		l.gap(name, mcpaudit.GapParse, s.err.Error())
	}
	if s.ast != nil && depth(s.ast) > maxDepth {
		l.gap(name, mcpaudit.GapDepth, fmt.Sprintf("nested deeper than %d levels", maxDepth))
		s.ast = nil
	}
	if s.ast == nil || s.ast.Name == nil || s.ast.Name.Name == "_" || s.ast.Name.Name == "" {
		delete(l.sources, name)
		return nil, "not readable as Go"
	}
	return s, ""
}

// parse returns what could be read even if there is an error. Objects are not resolved: that is the type checker's
// work, and the old resolver is one more thing that hostile source could upset.
func (l *loader) parse(name string, src []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("parse %s: %v", name, r)
		}
	}()
	return parser.ParseFile(l.fset, name, src, parser.SkipObjectResolution)
}

// depth is the nesting of the syntax tree of a file.
func depth(f *ast.File) int {
	now, most := 0, 0
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			now--
			return false
		}
		now++
		most = max(most, now)
		return true
	})
	return most
}

func (l *loader) gap(name, reason, detail string) {
	l.gaps = append(l.gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: name}, Lang: "go", Reason: reason, Detail: detail})
}

// resolve finds the units that a unit imports, and theirs. An import that would close a circle is left out: Go
// forbids it, and the checker of facts would wait for itself.
func (l *loader) resolve(u *unit) {
	if u.state != untouched {
		return
	}
	u.state = entered
	u.imports = map[string]*unit{}
	for _, s := range u.files {
		used := usedNames(s.ast)
		for _, spec := range s.ast.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			if t := l.target(p); t != nil && t != u {
				l.resolve(t)
				if t.state == done {
					u.imports[p] = t
					continue
				}
			}
			// The checker would take the last element of the path for the name, which is often wrong. The span
			// is that of the path, so that nothing points at a name that nobody wrote.
			if spec.Name == nil && p != "C" {
				name := gotext.ImportName(p, func(n string) bool { return used[n] })
				spec.Name = &ast.Ident{NamePos: spec.Path.Pos(), Name: name}
			}
		}
	}
	u.state = done
}

// target is the unit that an import path means, or nil for what is outside the tree.
func (l *loader) target(importPath string) *unit {
	dir, ok := l.mods.folder(importPath)
	if !ok {
		return nil
	}
	for _, u := range l.folder(dir) {
		if !strings.HasSuffix(u.path, "_test") {
			return u
		}
	}
	return nil
}

// usedNames collects what stands in front of a dot.
func usedNames(f *ast.File) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}
