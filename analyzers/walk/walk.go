// Package walk says which files a tree has and which of them are worth parsing. It decides by names, by the head
// of a file and by literals only; nothing of the tree is executed and no symbolic link is followed out of it.
//
// What is left out is counted with its reason, and what could not be looked at is a gap: a caller can always tell
// "nothing there" from "nothing read".
package walk

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/mcpaudit/mcpaudit"
)

// Options say what to list.
type Options struct {
	// Paths are files and folders in the tree, absolute or relative to the root: "./...", "dir", "dir/",
	// "dir/..." and "file.ts". None means the whole tree. The names of these paths and of the folders above them
	// are not judged: a folder "test" that the user asks for is source.
	Paths []string
	// Exclude are globs in which ** crosses folders. A glob without a slash is compared with every folder and
	// file name, any other with the path from the root; what matches a folder covers everything below it.
	Exclude []string
	// IncludeTests makes tests, examples and documentation ordinary sources.
	IncludeTests bool
	// IncludeVendored keeps code of others that lies in the tree.
	IncludeVendored bool
	// Jobs is how many files are looked at in parallel, GOMAXPROCS if it is 0.
	Jobs int
	// Languages names the language of a file name extension such as ".ts", "" if it cannot be parsed.
	Languages func(ext string) string
}

func (o *Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// language names the language of a path and says whether it is one of a program at all.
func (o *Options) language(p string) (lang string, source bool) {
	ext := strings.ToLower(path.Ext(p))
	if o.Languages != nil {
		lang = o.Languages(ext)
	}
	return lang, lang != "" || otherLanguages[ext] != ""
}

// File is one source file.
type File struct {
	Path  string // slash-separated, relative to the root
	Lang  string // "" for a programming language that cannot be parsed; Scan turns it into a gap if it matters
	Class Class
	Size  int64
}

// Listing is what a tree holds.
type Listing struct {
	Files  []File         // source files, ordered by path
	Aux    []string       // all other regular files, such as manifests and lockfiles, ordered
	Gaps   []mcpaudit.Gap // ordered by path
	Counts mcpaudit.Counts
	Shells []string // scripts for a shell that hold the needles, ordered; Scan fills it in
	FS     fs.FS    // reads below the root and refuses to leave it through a symbolic link

	root string
	jobs int
}

// Paths are all regular files that were kept, ordered. Manifests are among both halves: setup.py is a source file.
func (l *Listing) Paths() []string {
	out := slices.Clone(l.Aux)
	for _, f := range l.Files {
		out = append(out, f.Path)
	}
	slices.Sort(out)
	return out
}

// Walk lists the files of the tree below root, which is a folder. The same tree gives the same listing whatever
// Jobs is. An error means that the question was wrong (a path that does not exist, a bad glob) or that ctx is
// done; a file that cannot be looked at is a gap.
func Walk(ctx context.Context, root string, opts Options) (*Listing, error) {
	for _, g := range opts.Exclude {
		if !doublestar.ValidatePattern(g) {
			return nil, fmt.Errorf("exclude %q: not a valid glob", g)
		}
	}
	named, err := relative(root, opts.Paths)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the tree: %w", err)
	}
	l := &Listing{FS: dir.FS(), root: root, jobs: opts.jobs()}
	l.Counts.LeftOut = map[string]int{}
	paths, err := l.list(ctx, named)
	if err != nil {
		return nil, err
	}
	infos := l.stat(paths)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.sort(paths, infos, named, &opts)
	sortGaps(l.Gaps)
	return l, nil
}

// relative brings the paths of the user into one form: slash-separated, relative to root, "." for all of it.
func relative(root string, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return []string{"."}, nil
	}
	var out []string
	for _, p := range paths {
		name := filepath.FromSlash(trimDots(p))
		if filepath.IsAbs(name) {
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return nil, fmt.Errorf("find %s below %s: %w", p, root, err)
			}
			name = rel
		}
		name = filepath.Clean(name)
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("find %s: it lies outside of %s", p, root)
		}
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			return nil, fmt.Errorf("find %s: %w", p, cause(err))
		}
		out = append(out, filepath.ToSlash(name))
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// trimDots takes the "/..." off that only says what every folder means anyway.
func trimDots(p string) string {
	p = filepath.ToSlash(p)
	if p == "..." {
		return "."
	}
	if rest, ok := strings.CutSuffix(p, "/..."); ok {
		if rest == "" {
			return "/"
		}
		return rest
	}
	return p
}

// kind is what lies at a path.
type kind struct {
	mode fs.FileMode
	size int64
	err  error
}

// stat looks at every path without following a link at its end.
func (l *Listing) stat(paths []string) []kind {
	out := make([]kind, len(paths))
	const chunk = 512
	var wg sync.WaitGroup
	slots := make(chan struct{}, l.jobs)
	for start := 0; start < len(paths); start += chunk {
		slots <- struct{}{}
		wg.Go(func() {
			for i := start; i < min(start+chunk, len(paths)); i++ {
				out[i] = lstat(filepath.Join(l.root, filepath.FromSlash(paths[i])))
			}
			<-slots
		})
	}
	wg.Wait()
	return out
}

// sort puts every path where it belongs: Files, Aux, a gap, or a count.
func (l *Listing) sort(paths []string, infos []kind, named []string, opts *Options) {
	c := newClassifier(paths, named, opts.IncludeVendored)
	links := linkChecker{root: l.root, seen: map[string]bool{".": false}}
	l.Counts.Files = len(paths)
	for i, p := range paths {
		info := infos[i]
		if excluded(p, opts.Exclude) {
			l.Counts.LeftOut[Excluded]++
			continue
		}
		class, reason := c.classify(p)
		if reason != "" {
			l.Counts.LeftOut[reason]++
			continue
		}
		if links.below(path.Dir(p)) {
			// An index entry below a folder that has since become a link: reading it would leave the tree.
			l.gap(p, "", mcpaudit.GapOutsideRoot, "lies behind a symbolic link")
			continue
		}
		switch {
		case os.IsNotExist(info.err):
			l.Counts.LeftOut[Absent]++ // in the index, not in the work tree
		case info.err != nil:
			l.gap(p, "", mcpaudit.GapUnreadable, cause(info.err).Error())
		case info.mode.IsDir():
			l.Counts.LeftOut[Submodule]++
		case info.mode&fs.ModeSymlink != 0:
			_, source := opts.language(p)
			l.link(p, source)
		case !info.mode.IsRegular():
			l.gap(p, "", mcpaudit.GapNotRegular, describe(info.mode))
		default:
			l.keep(p, class, info.size, opts)
		}
	}
}

func (l *Listing) keep(p string, class Class, size int64, opts *Options) {
	lang, source := opts.language(p)
	if !source {
		l.Aux = append(l.Aux, p)
		return
	}
	if opts.IncludeTests {
		class = Source
	}
	if class != Source {
		l.Counts.LeftOut[class.String()]++
	}
	l.Files = append(l.Files, File{Path: p, Lang: lang, Class: class, Size: size})
}

// link judges a symbolic link. One that stays in the tree leads to something that is listed by its own name, so
// following it would only give the same file twice. One that leads to no source, such as a licence that was left
// behind, is nothing that anybody would have looked at.
func (l *Listing) link(p string, source bool) {
	full := filepath.Join(l.root, filepath.FromSlash(p))
	target, err := filepath.EvalSymlinks(full)
	info, failed := os.Stat(full)
	reason, detail := "", ""
	switch {
	case os.IsNotExist(err):
		reason, detail = mcpaudit.GapUnreadable, "symbolic link to nothing"
	case err != nil || failed != nil:
		reason, detail = mcpaudit.GapNotRegular, "symbolic link that cannot be resolved"
	case !l.holds(target):
		reason, detail = mcpaudit.GapOutsideRoot, "symbolic link out of the tree"
		source = source || info.IsDir()
	case !info.IsDir() && !info.Mode().IsRegular():
		reason, detail = mcpaudit.GapNotRegular, describe(info.Mode())
	}
	if reason != "" && source {
		l.gap(p, "", reason, detail)
		return
	}
	l.Counts.LeftOut[Link]++
}

// holds reports whether a path without symbolic links lies in the tree.
func (l *Listing) holds(target string) bool {
	real, err := filepath.EvalSymlinks(l.root)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, target)
	return err == nil && filepath.IsLocal(rel)
}

func (l *Listing) gap(p, lang, reason, detail string) {
	l.Gaps = append(l.Gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: p}, Lang: lang, Reason: reason, Detail: detail})
}

func sortGaps(gaps []mcpaudit.Gap) {
	slices.SortStableFunc(gaps, func(a, b mcpaudit.Gap) int {
		if c := strings.Compare(a.Span.File, b.Span.File); c != 0 {
			return c
		}
		return strings.Compare(a.Reason+a.Detail, b.Reason+b.Detail)
	})
}

func describe(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "not a regular file"
}

// cause drops the operation and the path of an error that names them itself.
func cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// linkChecker tells whether a folder lies behind a symbolic link. Every folder is looked at once.
type linkChecker struct {
	root string
	seen map[string]bool
}

func (c *linkChecker) below(dir string) bool {
	if v, ok := c.seen[dir]; ok {
		return v
	}
	v := c.below(path.Dir(dir))
	if !v {
		v = lstat(filepath.Join(c.root, filepath.FromSlash(dir))).mode&fs.ModeSymlink != 0
	}
	c.seen[dir] = v
	return v
}

// excluded compares a path with the user's globs.
func excluded(p string, globs []string) bool {
	for _, g := range globs {
		g = strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(g), "./"), "/")
		whole := strings.Contains(g, "/")
		for q := p; q != "."; q = path.Dir(q) {
			name := q
			if !whole {
				name = path.Base(q)
			}
			if ok, _ := doublestar.Match(g, name); ok {
				return true
			}
		}
	}
	return false
}
