package probe_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/internal/mcptest"
	"github.com/mcpaudit/mcpaudit/probe"
)

// lineOf is the line that repeats an exercise.
func lineOf(t *testing.T, s *mcpaudit.Server, scenario string) string {
	t.Helper()
	if s == nil {
		t.Fatal("there was no conversation")
	}
	for _, r := range s.Routers {
		for _, o := range slices.Concat(append([][]mcpaudit.Outcome{r.Heard.Other}, outcomesOf(r)...)...) {
			if o.Evidence.Exchange.Scenario == scenario {
				return o.Evidence.Exchange.Repeat
			}
		}
	}
	t.Fatalf("there is no exchange of %s", scenario)
	return ""
}

func outcomesOf(r *mcpaudit.Router) (out [][]mcpaudit.Outcome) {
	for _, rt := range r.Routes {
		out = append(out, rt.Outcomes)
	}
	return out
}

func shell(t *testing.T, line string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("sh: %v", err)
	}
	return string(out)
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not here", p)
		}
	}
}

// TestRepeat pastes the lines that repeat an exercise into a shell, over every transport: they must show the pong.
func TestRepeat(t *testing.T) {
	need(t, "sh")
	const pong = `"id":1,"result":"pong"`
	target, opts := fake(t, "broken", "ping-pong-string", "--name", "it's here")
	opts.Scenarios = []string{"ping/integer"}
	_, res := listen(t, target, opts)
	if out := shell(t, lineOf(t, res.Server, "ping/integer"), opts.Env...); !strings.Contains(out, pong) {
		t.Errorf("stdio: the line shows %q", out)
	}
	need(t, "curl", "sed", "tr", "mktemp")
	h, err := mcptest.Handler("ping-pong-string")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	defer server.CloseClientConnections()
	for _, path := range []string{"/mcp", "/sse"} {
		_, res := listen(t, probe.Target{URL: server.URL + path}, probe.Options{Timeout: timeout, Scenarios: []string{"ping/integer"}})
		if out := shell(t, lineOf(t, res.Server, "ping/integer")); !strings.Contains(out, pong) {
			t.Errorf("%s: the line shows %q", path, out)
		}
	}
}

// TestRepeatIsSafe: whoever pastes such a line runs what is in it. Nothing of what a server says may get there.
func TestRepeatIsSafe(t *testing.T) {
	need(t, "sh", "curl")
	owned := filepath.Join(t.TempDir(), "owned")
	evil := "2025-11-25'; touch " + owned + "; echo '"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", "$(touch\t"+owned+")")
		switch {
		case strings.Contains(string(body), `"initialize"`):
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":"mcpaudit-init","result":{"protocolVersion":%q,"capabilities":{},"serverInfo":{"name":%q,"version":"1"}}}`, evil, evil)
		case strings.Contains(string(body), `"id":`):
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":"pong"}`)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer server.Close()
	_, res := listen(t, probe.Target{URL: server.URL}, probe.Options{Timeout: timeout, Scenarios: []string{"ping/integer"}})
	line := lineOf(t, res.Server, "ping/integer")
	if strings.Contains(line, "touch") {
		t.Errorf("the line holds what the server said: %s", line)
	}
	shell(t, line)
	if _, err := os.Stat(owned); err == nil {
		t.Errorf("the line runs what the server said: %s", line)
	}
}
