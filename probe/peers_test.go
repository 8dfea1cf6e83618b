package probe_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/internal/peers"
	"github.com/mcpaudit/mcpaudit/probe"
)

// patient are the options for real servers, some of which take seconds to start.
var patient = probe.Options{Timeout: 20 * time.Second, WaitReady: 2 * time.Minute, Budget: forLong, Version: "0.0.0"}

// known is what SDKs do that is not as it should be, for pedants: it comes from the SDK and not from our servers.
var known = map[string][]string{
	"rust-v3/stdio": {"ma-000201/same-arm"}, // rmcp 3.11.0 answers a ping with a modern envelope over stdio
}

// target is a peer over one transport, started if it has to be.
func target(t *testing.T, r peers.Ready, tr peers.Transport) probe.Target {
	t.Helper()
	if tr == peers.Stdio {
		return probe.Target{Argv: r.Argv(t)}
	}
	return probe.Target{URL: r.Start(t, tr)}
}

// TestPeers probes real servers, on the SDKs that servers are written with: each answers every ping rightly, over every
// transport that it offers, and refuses it on the modern path.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("real servers take minutes")
	}
	for _, p := range peers.All() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			r := peers.Ensure(t, p.Name)
			for _, tr := range peers.Transports {
				if !p.Offers(tr) {
					continue
				}
				t.Run(string(tr), func(t *testing.T) {
					got, res := listen(t, target(t, r, tr), patient)
					want := []string{"pass"}
					if p.Ways[tr].Era == peers.Modern {
						want = []string{"not-applicable"}
					}
					want = append(known[p.Name+"/"+string(tr)], want...) // findings come first
					if !slices.Equal(got, want) {
						t.Errorf("got %q, want %q; failure %q, not run %v", got, want, res.Probe.Failure, res.Probe.NotRun)
					}
					if res.Server == nil {
						return
					}
					era := string(p.Ways[tr].Era)
					if tr == peers.SSE {
						era = "legacy" // the transport has no modern era
					}
					if got := res.Server.Eras.Era().String(); got != era {
						t.Errorf("the era is %s, want %s", got, era)
					}
					for _, rev := range p.Ways[tr].Revisions {
						if !strings.Contains(res.Server.Eras.String(), rev) && rev < "2026" {
							t.Errorf("the revisions are %s, without %s", res.Server.Eras, rev)
						}
					}
					t.Logf("%s %s over %s: %s; ping %s, other requests %s", p.SDK, p.Version(t), tr, res.Server.Eras, res.Probe.Median, res.Probe.Control)
				})
			}
		})
	}
}

// TestConformance holds our verdict against that of the official conformance suite, whose scenario "ping" wants a result
// without members over Streamable HTTP.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("real servers take minutes")
	}
	argv := peers.EnsureConformance(t)
	asked := 0
	for _, p := range peers.All() {
		if !p.Offers(peers.HTTP) || p.Ways[peers.HTTP].Era == peers.Modern {
			continue
		}
		asked++
		t.Run(p.Name, func(t *testing.T) {
			url := target(t, peers.Ensure(t, p.Name), peers.HTTP).URL
			theirs := conformance(t, argv, url)
			got, _ := listen(t, probe.Target{URL: url}, patient)
			if ours := slices.Equal(got, []string{"pass"}); ours != theirs {
				t.Errorf("conformance says %t, we say %q", theirs, got)
			}
		})
	}
	if asked < 6 {
		t.Errorf("%d peers were asked, want at least 6", asked)
	}
}

// conformance runs the scenario and reports whether its check named ping is a success.
func conformance(t *testing.T, argv []string, url string) bool {
	t.Helper()
	out := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:], "server", "--url", url, "--scenario", "ping", "-o", out)...)
	said, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	if len(files) != 1 {
		t.Fatalf("run the conformance suite: %v\n%s", err, said)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct{ ID, Status string }
	if err := json.Unmarshal(raw, &checks); err != nil {
		t.Fatal(fmt.Errorf("read %s: %w", files[0], err))
	}
	for _, c := range checks {
		if c.ID == "ping" {
			return c.Status == "SUCCESS"
		}
	}
	t.Fatalf("the conformance suite says nothing of ping: %s", raw)
	return false
}
