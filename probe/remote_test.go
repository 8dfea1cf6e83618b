package probe

import (
	"context"
	"net"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/internal/mcptest"
)

// TestRemote: what some server has died of is not done to one of another machine, unless it is asked for by name.
func TestRemote(t *testing.T) {
	h, err := mcptest.Handler("log-noise")
	if err != nil {
		t.Fatal(err)
	}
	for name, asked := range map[string][]string{"by itself": nil, "by name": {"ping", "facts", "malformed"}} {
		server := httptest.NewServer(h)
		_, port, err := net.SplitHostPort(server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		// A name of another machine that leads back here; the Host header has to be one that the server takes.
		talk := newTalk(Target{URL: "http://far.example:" + port + "/mcp"}, Options{Timeout: 10 * time.Second, Total: time.Minute, WaitReady: 10 * time.Second,
			Scenarios: asked, Header: map[string][]string{"Host": {"localhost:" + port}}})
		talk.opts.Revisions = legacyRevisions()
		talk.http.lookup = func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		talk.run(t.Context())
		server.CloseClientConnections()
		server.Close()
		did := map[string]bool{}
		for _, r := range talk.records {
			did[r.Scenario] = true
		}
		for _, e := range exercises() {
			if e.needs.ownRisk && did[e.name] != (asked != nil) && !e.needs.stdio {
				t.Errorf("%s: %s was done: %t", name, e.name, did[e.name])
			}
		}
		if !did["ping/integer"] || !did["ping/no-id"] {
			t.Errorf("%s: the rest was not done either: %v", name, strings.Join(keys(did), " "))
		}
	}
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}
