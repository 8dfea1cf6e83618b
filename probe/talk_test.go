package probe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/internal/mcptest"
	"github.com/mcpaudit/mcpaudit/probe"
)

// forLong is longer than any test may take: what waits for it fails the test.
const forLong = time.Hour

func TestInput(t *testing.T) {
	for _, tt := range []struct {
		name   string
		target probe.Target
		opts   probe.Options
	}{
		{"nothing", probe.Target{}, probe.Options{}},
		{"two targets", probe.Target{Argv: []string{"x"}, URL: "http://127.0.0.1/"}, probe.Options{}},
		{"a command without a name", probe.Target{Argv: []string{""}}, probe.Options{}},
		{"another scheme", probe.Target{URL: "file:///etc/passwd"}, probe.Options{}},
		{"no host", probe.Target{URL: "http://"}, probe.Options{}},
		{"an unknown scenario", probe.Target{Argv: []string{"x"}}, probe.Options{Scenarios: []string{"pong"}}},
		{"a negative time", probe.Target{Argv: []string{"x"}}, probe.Options{Timeout: -1}},
	} {
		if _, err := probe.Run(t.Context(), tt.target, tt.opts); !errors.Is(err, probe.ErrInput) {
			t.Errorf("%s: error %v, want bad input", tt.name, err)
		}
	}
}

func TestScenarios(t *testing.T) {
	names := probe.Scenarios()
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			t.Errorf("%s occurs twice", n)
		}
		if strings.Contains(n, "/") && probe.About(n) == "" {
			t.Errorf("nobody knows what %s is about", n)
		}
	}
}

// TestWaitReady: a server that is about to start is waited for.
func TestWaitReady(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	h, err := mcptest.Handler("ping-32601")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h}
	defer server.Close()
	go func() {
		time.Sleep(500 * time.Millisecond) // long enough for the first try to be in vain
		if l, err := net.Listen("tcp", addr); err == nil {
			server.Serve(l)
		}
	}()
	got, res := listen(t, probe.Target{URL: "http://" + addr + "/mcp"}, probe.Options{Timeout: timeout, WaitReady: time.Minute, Scenarios: []string{"ping/integer"}})
	if !slices.Equal(got, []string{"fail:missing"}) {
		t.Errorf("got %q; failure %q", got, res.Probe.Failure)
	}
}

// TestUnreachable: what is no MCP server, or is none of the era that was asked for, is said at once and with the reason.
func TestUnreachable(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) }
	}
	for _, tt := range []struct {
		name    string
		handler http.Handler
		opts    probe.Options
		want    string
	}{
		{"a file server", status(http.StatusNotImplemented), probe.Options{}, "initialize is answered with HTTP 501"},
		{"a page", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }), probe.Options{}, "no client reads"},
		{"a login", status(http.StatusUnauthorized), probe.Options{}, "HTTP 401: the server wants credentials; give them with --header-env"},
		{"another era", status(http.StatusNotFound), probe.Options{Revisions: []mcpaudit.Revision{mcpaudit.FirstModern}}, "the server does not speak revision 2026-07-28"},
	} {
		server := httptest.NewServer(tt.handler)
		tt.opts.Timeout, tt.opts.WaitReady = timeout, forLong
		_, res := listen(t, probe.Target{URL: server.URL}, tt.opts)
		server.Close()
		if res.Server != nil || res.Probe.Complete() || !strings.Contains(res.Probe.Failure, tt.want) {
			t.Errorf("%s: server %v, failure %q, want %q", tt.name, res.Server, res.Probe.Failure, tt.want)
		}
	}
}

// TestNumberIDs: a server that takes numbers as ids only is talked to with numbers, and what it does with texts is a
// finding.
func TestNumberIDs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			ID     any
			Method string
		}
		if json.NewDecoder(r.Body).Decode(&req) != nil || req.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]any{"jsonrpc": "2.0", "id": req.ID, "result": map[string]any{}}
		if _, text := req.ID.(string); text {
			answer = map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32600, "message": "the id is no number"}}
		} else if req.Method == "initialize" {
			answer["result"] = map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "serverInfo": map[string]any{"name": "numbers", "version": "1"}}
		}
		json.NewEncoder(w).Encode(answer)
	}))
	defer server.Close()
	got, res := listen(t, probe.Target{URL: server.URL}, probe.Options{Timeout: timeout, Scenarios: []string{"ping"}})
	if !slices.Equal(got, []string{"fail:missing"}) {
		t.Errorf("got %q; failure %q", got, res.Probe.Failure)
	}
}
