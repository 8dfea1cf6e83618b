package golang

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Options of Load.
type Options struct {
	Tests bool // lower _test.go files too
	// MaxBytes bounds the source that one Load reads, 0 for DefaultMaxBytes. Wanted files come first; imported
	// packages beyond the limit have missing files.
	MaxBytes int
}

// DefaultMaxBytes is far above what the packages behind the routers of known servers hold.
const DefaultMaxBytes = 64 << 20

// Result is what Load found out.
type Result struct {
	Files []*code.File // the wanted files, in the order of their paths
	// Support are files that nobody asked for: whole files of the packages of the wanted ones, and files of other
	// packages of which only the functions and types that are referred to are there (Partial).
	Support []*code.File
	Partial map[*code.File]bool
	// Left says why a wanted file is not in Files. A reader without types may still read it.
	Left     map[string]string
	Gaps     []mcpaudit.Gap
	Packages []Package
}

// Package says how well one package was understood.
type Package struct {
	Path, Dir string
	Files     int
	Outside   int // imports that are not in the tree
	Errors    int // errors of the type checker, without those imports
	First     string
	Wanted    bool
}

// Load lowers the given files of a tree. It fails only if the tree cannot be listed or the context ends; whatever
// is wrong with single files is in Left and Gaps.
func Load(ctx context.Context, fsys fs.FS, files []string, opts Options) (*Result, error) {
	mods, err := findModules(fsys)
	if err != nil {
		return nil, fmt.Errorf("look for go.mod files: %w", err)
	}
	opts.MaxBytes = cmp.Or(opts.MaxBytes, DefaultMaxBytes)
	l := newLoader(fsys, mods, opts)
	wanted := map[string]bool{}
	dirs := map[string]bool{}
	for _, f := range files {
		wanted[f] = true
		dirs[path.Dir(f)] = true
	}
	var units []*unit
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		for _, u := range l.folder(dir) {
			if slices.ContainsFunc(u.files, func(s *source) bool { return wanted[s.path] }) {
				units = append(units, u)
			}
		}
	}
	var roots []*packages.Package
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("load Go packages: %w", err)
		}
		l.resolve(u)
		if p := l.check(u); p != nil {
			roots = append(roots, p)
		}
	}
	facts, err := l.analyze(roots)
	if err != nil {
		return nil, fmt.Errorf("analyze Go packages: %w", err)
	}
	r := &Result{Left: map[string]string{}, Partial: map[*code.File]bool{}}
	r.add(l, units, wanted, facts)
	for _, f := range files {
		if _, ok := r.Left[f]; !ok && !slices.ContainsFunc(r.Files, func(c *code.File) bool { return c.Path == f }) {
			r.Left[f] = cmp.Or(l.left[f], "not found")
		}
	}
	r.Gaps = append(r.Gaps, l.gaps...)
	slices.SortStableFunc(r.Gaps, func(a, b mcpaudit.Gap) int { return cmp.Compare(a.Span.File, b.Span.File) })
	return r, nil
}

// analyze runs the analyzer over the packages and what they import.
func (l *loader) analyze(roots []*packages.Package) (map[*packages.Package]*Facts, error) {
	a := newAnalyzer(func(name string) ([]byte, error) {
		if s := l.sources[name]; s != nil {
			return s.src, nil
		}
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	})
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, roots, nil)
	if err != nil {
		return nil, err
	}
	out := map[*packages.Package]*Facts{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, act.Err
		}
		if f, ok := act.Result.(*Facts); ok {
			out[act.Package] = f
		}
	}
	return out, nil
}

// add sorts the lowered files of the units into wanted and supporting ones.
func (r *Result) add(l *loader, units []*unit, wanted map[string]bool, facts map[*packages.Package]*Facts) {
	whole := map[string]bool{}
	for _, u := range units {
		u.wanted = true
		f := facts[u.pkg]
		if u.pkg == nil || f == nil || len(f.Files) == 0 {
			r.crashed(u, f, wanted)
			continue
		}
		r.Gaps = append(r.Gaps, f.Gaps...)
		for _, file := range f.Files {
			whole[file.Path] = true
			switch {
			case l.sources[file.Path].err != nil && wanted[file.Path]:
				r.Left[file.Path] = "syntax error"
			case wanted[file.Path]:
				r.Files = append(r.Files, file)
			default:
				r.Support = append(r.Support, file)
			}
		}
	}
	r.addImported(l, units, facts, whole)
	byPath := func(a, b *code.File) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(r.Files, byPath)
	slices.SortFunc(r.Support, byPath)
	r.notePackages(l)
}

// addImported joins what the units took from other packages into one partial file per source file. What lies in a
// file that is there as a whole is not added again.
func (r *Result) addImported(l *loader, units []*unit, facts map[*packages.Package]*Facts, whole map[string]bool) {
	partial := map[string]*code.File{}
	seen := map[string]bool{}
	file := func(from *code.File) *code.File {
		f := partial[from.Path]
		if f == nil {
			f = &code.File{Path: from.Path, Lang: from.Lang, Pkg: from.Pkg, Typed: true}
			if s := l.sources[from.Path]; s != nil {
				f.Src = s.src
			}
			partial[from.Path] = f
			r.Partial[f] = true
			r.Support = append(r.Support, f)
		}
		return f
	}
	for _, u := range units {
		f := facts[u.pkg]
		if f == nil {
			continue
		}
		for _, fn := range f.Helpers {
			if !whole[fn.File.Path] && !seen["func "+fn.Sym] {
				seen["func "+fn.Sym] = true
				to := file(fn.File)
				to.Funcs = append(to.Funcs, cloneFunc(fn, to))
			}
		}
		for _, c := range f.Types {
			if !whole[c.File.Path] && !seen["type "+c.Sym] {
				seen["type "+c.Sym] = true
				to := file(c.File)
				to.Classes = append(to.Classes, cloneClass(c, to))
			}
		}
	}
	for _, f := range partial {
		slices.SortFunc(f.Funcs, func(a, b *code.Func) int { return a.Span.Start - b.Span.Start })
		slices.SortFunc(f.Classes, func(a, b *code.Class) int { return a.Span.Start - b.Span.Start })
	}
}

// crashed leaves the wanted files of a unit to a reader without types.
func (r *Result) crashed(u *unit, f *Facts, wanted map[string]bool) {
	reason, detail := cmp.Or(u.reason, mcpaudit.GapCrash), cmp.Or(u.detail, "no types")
	if f != nil && len(f.Gaps) > 0 {
		detail = f.Gaps[0].Detail
	}
	for _, s := range u.files {
		if wanted[s.path] {
			r.Left[s.path] = detail
			r.Gaps = append(r.Gaps, mcpaudit.Gap{
				Span: mcpaudit.Span{File: s.path}, Lang: "go", Reason: reason, Detail: detail,
			})
		}
	}
}

// notePackages describes every package that was type-checked, in the order of their folders.
func (r *Result) notePackages(l *loader) {
	for _, dir := range slices.Sorted(maps.Keys(l.dirs)) {
		for _, u := range l.dirs[dir] {
			if u.pkg == nil {
				continue
			}
			p := Package{Path: u.path, Dir: dir, Files: len(u.files), Wanted: u.wanted}
			for _, e := range u.pkg.TypeErrors {
				if outside(e) {
					p.Outside++
					continue
				}
				if p.Errors++; p.First == "" {
					p.First = l.fset.PositionFor(e.Pos, false).String() + ": " + e.Msg
				}
			}
			r.Packages = append(r.Packages, p)
		}
	}
}
