package probe_test

import (
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/internal/mcptest"
	"github.com/mcpaudit/mcpaudit/probe"
)

// TestMain lets the test binary be the fake server too, so that a test of stdio needs nothing that is not built.
func TestMain(m *testing.M) {
	switch os.Getenv("MCPAUDIT_FAKE") {
	case "well":
		os.Exit(mcptest.WellBehaved(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "broken":
		os.Exit(mcptest.Broken(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// together is how many probes run at a time: most of their time they wait.
const together = 16

// timeout is long enough for a machine with much else to do, and short enough for servers that are silent.
const timeout = 3 * time.Second

// total bounds a probe of a server that is slow in everything.
const total = 2 * time.Minute

// fake is the target of a fake server over stdio, and the environment that makes it one.
func fake(t *testing.T, kind string, args ...string) (probe.Target, probe.Options) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return probe.Target{Argv: append([]string{exe}, args...)},
		probe.Options{Timeout: timeout, Total: total, WaitReady: timeout, Env: []string{"MCPAUDIT_FAKE=" + kind, "MCPAUDIT_TEST=" + rand.Text()}, Version: "0.0.0"}
}

// TestBehaviours probes every fake server that is broken in one way, over every transport that the way makes sense for. No
// probe may hang, and none may leave a process behind.
func TestBehaviours(t *testing.T) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, together)
	run := func(name string, f func(*testing.T)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			t.Run(name, f)
		}()
	}
	for _, b := range mcptest.Behaviours() {
		if b.Stdio {
			run(b.Name+"/stdio", func(t *testing.T) {
				target, opts := fake(t, "broken", append([]string{b.Name}, b.Args...)...)
				opts.Calls, opts.Call = calls(b)
				budget(b, &opts)
				judge(t, b, target, opts)
				noneLeft(t, opts.Env[1])
			})
		}
		for path, want := range map[string]bool{"/mcp": b.HTTP, "/sse": b.SSE} {
			if want {
				run(b.Name+path, func(t *testing.T) {
					h, err := mcptest.Handler(append([]string{b.Name}, b.Args...)...)
					if err != nil {
						t.Fatal(err)
					}
					server := httptest.NewServer(h)
					defer server.Close()
					defer server.CloseClientConnections()
					opts := probe.Options{Timeout: timeout, Total: total, WaitReady: timeout}
					opts.Calls, opts.Call = calls(b)
					budget(b, &opts)
					judge(t, b, probe.Target{URL: server.URL + path}, opts)
				})
			}
		}
	}
	wg.Wait()
}

// budget keeps the time out of what is not about time: a busy machine is no slow server.
func budget(b mcptest.Behaviour, o *probe.Options) {
	if b.Expect != "fail:slow" {
		o.Budget = forLong
	}
}

// calls lets the slow tool be called where the behaviour is about calls.
func calls(b mcptest.Behaviour) (bool, []string) {
	if strings.HasPrefix(b.Expect, "ma-000304") {
		return true, []string{"slow"}
	}
	return false, nil
}

func judge(t *testing.T, b mcptest.Behaviour, target probe.Target, opts probe.Options) {
	t.Helper()
	got, res := listen(t, target, opts)
	if !slices.Contains(got, b.Expect) {
		t.Errorf("%s (%s): got %q, want %q; failure %q, not run %v", b.Name, b.About, got, b.Expect, res.Probe.Failure, res.Probe.NotRun)
	}
	for _, v := range got {
		if v != b.Expect && (b.Expect == "pass" || strings.HasPrefix(v, "fail:")) {
			t.Errorf("%s (%s): got %q beside %q", b.Name, b.About, v, b.Expect)
		}
	}
}

// noneLeft finds processes that still carry the variable that was given to a server.
func noneLeft(t *testing.T, variable string) {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && strings.Contains(string(env), variable) {
			t.Errorf("process %s is left behind", filepath.Base(filepath.Dir(f)))
		}
	}
}
