package walk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Root finds the tree that the paths of a command line belong to: the repository that holds them, or else the
// deepest folder that holds them all. No path means the current folder. The paths come back slash-separated and
// relative to the root, as Options.Paths wants them. A symbolic link among the paths is followed, for the user
// asked for what it leads to.
func Root(paths []string) (root string, rel []string, err error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	reals := make([]string, len(paths))
	tops := make([]string, len(paths))
	common := ""
	for i, p := range paths {
		real, dir, err := resolve(p)
		if err != nil {
			return "", nil, err
		}
		top, _ := repository(dir)
		reals[i], tops[i] = real, top
		if top != tops[0] {
			return "", nil, fmt.Errorf("scan %s and %s: they belong to different repositories; scan one at a time", paths[0], p)
		}
		if i == 0 {
			common = dir
		}
		common = ancestor(common, dir)
	}
	root = common
	if tops[0] != "" {
		root = tops[0]
	}
	for i, real := range reals {
		r, err := filepath.Rel(root, real)
		if err != nil {
			return "", nil, fmt.Errorf("find %s below %s: %w", paths[i], root, err)
		}
		rel = append(rel, filepath.ToSlash(r))
	}
	return root, rel, nil
}

// resolve gives the real place of a path and the folder that it is or lies in, and proves that it can be read.
func resolve(p string) (real, dir string, err error) {
	name := filepath.FromSlash(trimDots(p))
	if name == "" {
		return "", "", errors.New("scan a path: it is empty")
	}
	if real, err = filepath.Abs(name); err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", "", fmt.Errorf("scan %s: %w", p, cause(err))
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", "", fmt.Errorf("scan %s: %w", p, cause(err))
	}
	switch {
	case info.IsDir():
		dir = real
	case info.Mode().IsRegular():
		dir = filepath.Dir(real)
	default:
		return "", "", fmt.Errorf("scan %s: it is a %s, not a file or folder", p, describe(info.Mode()))
	}
	f, err := os.Open(real)
	if err != nil {
		return "", "", fmt.Errorf("scan %s: %w", p, cause(err))
	}
	f.Close()
	if real != dir && strings.HasSuffix(filepath.ToSlash(p), "/...") {
		return "", "", fmt.Errorf("scan %s: it is a file, and only a folder has anything below it", p)
	}
	return real, dir, nil
}

// ancestor is the deepest folder that holds both.
func ancestor(a, b string) string {
	for a != b && !strings.HasPrefix(b, strings.TrimSuffix(a, string(filepath.Separator))+string(filepath.Separator)) {
		a = filepath.Dir(a)
	}
	return a
}
