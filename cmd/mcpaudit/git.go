package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// gitState is what the report says about where the tree comes from. The zero value is "no git here".
type gitState struct {
	revision string // of HEAD; "" before the first commit
	dirty    bool   // a tracked file differs from HEAD; untracked files do not count, as in git describe --dirty
	prefix   string // the folder below the top of the work tree, with a final slash, or ""
}

// readGit asks git about dir. The audited repository's own configuration must not run anything, and most of it
// can: fsmonitor and hooks are programs, clean filters are programs that a status may call, a partial clone
// fetches what is missing through a transport that is a program, and submodules have all of that again. Each of
// them is switched off here. Whoever has no git, or no repository, has no state; that is not an error.
func readGit(ctx context.Context, dir string) (gitState, bool) {
	if !inRepository(dir) {
		return gitState{}, false // without the price of a program that says so
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	g := newGit(ctx, dir, os.Environ())
	prefix, err := g.run("rev-parse", "--show-prefix")
	if err != nil {
		return gitState{}, false
	}
	s := gitState{prefix: strings.TrimSuffix(prefix, "\n")}
	if rev, err := g.run("rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		s.revision = strings.TrimSpace(rev)
	}
	if err := g.disarmFilters(); err != nil {
		return gitState{}, false
	}
	status, err := g.run("status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all")
	if err != nil {
		return gitState{}, false
	}
	s.dirty = status != ""
	return s, true
}

// inRepository reports whether git may find a repository at or above dir.
func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

type git struct {
	ctx     context.Context
	dir     string
	env     []string
	configs int // how many settings env already carries
}

// newGit drops what a hook of git leaves in the environment: it would name the repository of the hook instead of
// the one that dir lies in.
func newGit(ctx context.Context, dir string, environ []string) *git {
	g := &git{ctx: ctx, dir: dir}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_NAMESPACE":
			continue
		case "GIT_CONFIG_COUNT":
			g.configs, _ = strconv.Atoi(value)
		}
		g.env = append(g.env, pair)
	}
	g.env = append(g.env,
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C",
	)
	return g
}

func (g *git) run(args ...string) (string, error) {
	args = append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "--no-pager"}, args...)
	cmd := exec.CommandContext(g.ctx, "git", args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(out), err
}

// disarmFilters overrides every filter driver that the repository itself configures. Drivers of the user's own
// configuration stay: git-lfs lives there, and without it every large file would look changed.
func (g *git) disarmFilters() error {
	out, err := g.run("config", "--show-scope", "--name-only", "-z", "--get-regexp", `^filter\.`)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil // no filter at all
	}
	if err != nil {
		return err
	}
	fields := strings.Split(out, "\x00") // scope, key, scope, key, ""
	for i := 0; i+1 < len(fields); i += 2 {
		switch scope, key := fields[i], fields[i+1]; scope {
		case "system", "global", "command":
		default:
			value := ""
			if strings.HasSuffix(key, ".required") {
				value = "false"
			}
			g.configure(key, value)
		}
	}
	return nil
}

// configure overrides a setting by the environment: unlike -c that takes any key, also a driver with "=" in it.
func (g *git) configure(key, value string) {
	n := strconv.Itoa(g.configs)
	g.configs++
	g.env = append(g.env, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+value,
		"GIT_CONFIG_COUNT="+strconv.Itoa(g.configs))
}
