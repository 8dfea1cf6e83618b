package walk

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// list names all candidates below the named paths, ordered and without repetition. Git knows best what belongs to
// a repository: what is tracked although a pattern ignores it, and the ignore rules outside of the tree.
func (l *Listing) list(ctx context.Context, named []string) ([]string, error) {
	var files, dirs []string
	for _, n := range named {
		if lstatFollow(filepath.Join(l.root, filepath.FromSlash(n))).IsDir() {
			dirs = append(dirs, n)
		} else {
			files = append(files, n) // asked for by name: no ignore rule applies
		}
	}
	out := files
	if len(dirs) > 0 {
		found, ok := l.git(ctx, dirs)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, d := range dirs {
			if ok && (d == "." || holdsBelow(found, d)) {
				continue
			}
			// No git here, or a folder that git ignores and the user asks for.
			w := walker{l: l, ctx: ctx}
			if !ok {
				w.rules = w.above(d)
			}
			w.dir(d)
			out = append(out, w.found...)
			found = slices.DeleteFunc(found, func(p string) bool { return p == d })
		}
		out = append(out, found...)
	}
	slices.Sort(out)
	return slices.Compact(out), ctx.Err()
}

func lstatFollow(name string) fs.FileMode {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Mode()
}

// holdsBelow reports whether the ordered paths have one below the folder.
func holdsBelow(paths []string, dir string) bool {
	i, _ := slices.BinarySearch(paths, dir+"/")
	return i < len(paths) && strings.HasPrefix(paths[i], dir+"/")
}

// gitTimeout bounds what a hostile repository can do to us, such as an ignore file that is a pipe.
const gitTimeout = 60 * time.Second

// unopened is compiled where it is needed, which is hardly ever: every start of the program would pay for it.
var unopened = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^warning: could not open directory '(.*)': (.*)$`)
})

// git asks git for the tracked files and those that are neither tracked nor ignored. It reports false where there
// is no work tree, no git, or a repository that git refuses to read; the caller then walks by itself.
//
// The configuration of the repository belongs to whoever wrote the repository. The options switch off all that
// could start a program (the file system monitor, hooks, transports of a partial clone) or lead elsewhere (the
// work tree).
func (l *Listing) git(ctx context.Context, dirs []string) ([]string, bool) {
	top, ok := repository(l.root)
	if !ok {
		return nil, false
	}
	bin, err := exec.LookPath("git")
	if err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	args := []string{
		"--no-pager", "--literal-pathspecs", "--work-tree=" + top,
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.untrackedCache=false",
		"-c", "protocol.allow=never", "-c", "core.quotePath=false",
		"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
	}
	cmd := exec.CommandContext(ctx, bin, append(args, dirs...)...)
	cmd.Dir = l.root
	cmd.Env = gitEnv(os.Environ(), filepath.Dir(top))
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, false
	}
	if stderr.Len() > 0 {
		for _, m := range unopened().FindAllStringSubmatch(stderr.String(), -1) {
			l.gap(strings.TrimSuffix(m[1], "/"), "", mcpaudit.GapUnreadable, strings.ToLower(m[2]))
		}
	}
	var out []string
	for p := range strings.SplitSeq(strings.TrimSuffix(stdout.String(), "\x00"), "\x00") {
		if p = strings.TrimSuffix(p, "/"); p != "" { // "sub/" is a repository of its own that is not tracked
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// gitEnv keeps the environment but for what would point git at another repository, as a hook's environment does.
func gitEnv(env []string, ceiling string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "LC_ALL=") || strings.HasPrefix(v, "LANGUAGE=")
	})
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_CEILING_DIRECTORIES="+ceiling, "LC_ALL=C")
}

// repository finds the folder with .git at or above dir.
func repository(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// walker lists a tree without git.
type walker struct {
	l     *Listing
	ctx   context.Context
	rules []ignoreRule
	found []string
}

// above collects the rules of the folders above a folder, down from the root.
func (w *walker) above(dir string) []ignoreRule {
	rules := w.read(path.Join(".git", "info", "exclude"), ".")
	if dir == "." {
		return rules
	}
	at := "."
	for part := range strings.SplitSeq(path.Dir(dir), "/") {
		rules = append(rules, w.read(path.Join(at, ".gitignore"), at)...)
		at = path.Join(at, part)
	}
	if at != "." {
		rules = append(rules, w.read(path.Join(at, ".gitignore"), at)...)
	}
	return rules
}

func (w *walker) read(name, base string) []ignoreRule {
	// Ignore files are small. A pipe or a link in the place of one is not opened, as git does not either.
	full := filepath.Join(w.l.root, filepath.FromSlash(name))
	if k := lstat(full); k.err != nil || !k.mode.IsRegular() || k.size > 1<<20 {
		return nil
	}
	src, err := os.ReadFile(full)
	if err != nil {
		w.l.gap(name, "", mcpaudit.GapUnreadable, cause(err).Error())
		return nil
	}
	return parseIgnore(src, base)
}

func (w *walker) dir(dir string) {
	if w.ctx.Err() != nil {
		return
	}
	entries, err := os.ReadDir(filepath.Join(w.l.root, filepath.FromSlash(dir)))
	if err != nil {
		w.l.gap(dir, "", mcpaudit.GapUnreadable, cause(err).Error())
	}
	outer := len(w.rules)
	w.rules = append(w.rules, w.read(path.Join(dir, ".gitignore"), dir)...)
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if vcs[e.Name()] || ignored(w.rules, p, e.IsDir()) {
			continue
		}
		switch {
		case !e.IsDir():
			w.found = append(w.found, p)
		case lstat(filepath.Join(w.l.root, filepath.FromSlash(p), ".git")).err == nil:
			w.found = append(w.found, p) // a repository of its own, counted as such
		default:
			w.dir(p)
		}
	}
	w.rules = w.rules[:outer]
}
