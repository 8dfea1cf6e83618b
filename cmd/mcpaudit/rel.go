package main

import (
	"os"
	"path"
	"path/filepath"

	"github.com/mcpaudit/mcpaudit/report/quote"
)

// shownPaths turns paths from the root of the scan into those that the text on stdout shows. A terminal opens a path
// from the current folder, which is hardly ever the root: that is the top of the repository.
type shownPaths struct {
	root string
	rel  func(string) string // nil where root and the current folder lie apart
	used bool                // a path was shown
}

func newShownPaths(root string) *shownPaths {
	s := &shownPaths{root: root}
	if dir, err := os.Getwd(); err == nil {
		s.rel = relativeTo(dir, root)
	}
	return s
}

// relativeTo returns what turns a slash-separated path below root into one from dir. It returns nil where neither
// folder holds the other: a path would lead up and down again, and the root says more.
func relativeTo(dir, root string) func(string) string {
	dir, err := filepath.EvalSymlinks(dir) // as the root is
	if err != nil {
		return nil
	}
	if down, err := filepath.Rel(dir, root); err == nil && filepath.IsLocal(down) {
		return func(p string) string { return path.Join(filepath.ToSlash(down), p) }
	}
	if up, err := filepath.Rel(root, dir); err != nil || !filepath.IsLocal(up) {
		return nil
	}
	return func(p string) string {
		// What lies beside the current folder gets "../": without it two files of one name could not be told apart.
		rel, err := filepath.Rel(dir, filepath.Join(root, filepath.FromSlash(p)))
		if err != nil {
			return p
		}
		return filepath.ToSlash(rel)
	}
}

// show is the Rel of report.TextOptions.
func (s *shownPaths) show(p string) string {
	s.used = true
	if s.rel == nil {
		return p
	}
	return s.rel(p)
}

// note says what the paths of the text are relative to, where that is not the current folder.
func (s *shownPaths) note(u *ui) {
	if s.used && s.rel == nil && !u.quiet {
		u.notef("paths are relative to %s", quote.Path(s.root))
	}
}
