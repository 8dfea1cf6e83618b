package peers

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// each runs a test for every peer over every transport that it offers.
func each(t *testing.T, test func(t *testing.T, r Ready, tr Transport)) {
	for _, p := range All() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			r := Ensure(t, p.Name)
			for _, tr := range Transports {
				if p.Offers(tr) {
					t.Run(string(tr), func(t *testing.T) { test(t, r, tr) })
				}
			}
		})
	}
}

// A peer that knows the handshake answers a ping behind it with nothing but an empty result; one that does not refuses
// both.
func TestPing(t *testing.T) {
	const latest = "2025-11-25"
	each(t, func(t *testing.T, r Ready, tr Transport) {
		c := open(t, r, tr)
		if r.Ways[tr].Era == Modern {
			if m := ask(t, c, "0", initialize("0", latest)); m.Error == nil {
				t.Errorf("initialize was answered with the result %s, want an error", m.Result)
			}
			if m := ask(t, c, "1", modern("1", "ping", "")); m.Error == nil {
				t.Errorf("ping was answered with the result %s, want an error", m.Result)
			}
			return
		}
		got := shake(t, c, latest)
		if known := slices.Contains(r.Ways[tr].Revisions, latest); (got == latest) != known {
			t.Errorf("initialize for %s negotiated %q, and it is said to know %q", latest, got, r.Ways[tr].Revisions)
		}
		m := ask(t, c, "1", `{"jsonrpc":"2.0","method":"ping","id":1}`)
		if string(m.Result) != "{}" || m.Error != nil || m.JSONRPC != "2.0" {
			t.Errorf("ping was answered with the result %s and the error %+v, want the result {}", m.Result, m.Error)
		}
	})
}

// The answer to server/discover is what tells the eras apart.
func TestEra(t *testing.T) {
	each(t, func(t *testing.T, r Ready, tr Transport) {
		got := Legacy
		c := open(t, r, tr)
		m, err := call(c, "1", modern("1", "server/discover", ""), replyTime)
		if err == nil && strings.Contains(string(m.Result), `"2026-07-28"`) {
			got = Modern
			if r.Ways[tr].Revisions != nil {
				got = Dual
			}
		}
		if want := r.Ways[tr].Era; got != want {
			t.Errorf("the peer is %s, and is said to be %s: discover was answered with %s, %+v, %v", got, want, m.Result, m.Error, err)
		}
	})
}

func TestTools(t *testing.T) {
	each(t, func(t *testing.T, r Ready, tr Transport) {
		if !r.Own {
			t.Skip("not a server of ours")
		}
		c := open(t, r, tr)
		call := func(id, params string) string {
			if r.Ways[tr].Era == Modern {
				return modern(id, "tools/call", params)
			}
			return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + params + `}}`
		}
		if r.Ways[tr].Era != Modern {
			shake(t, c, "2025-11-25")
		}
		for id, tt := range map[string]struct{ params, want string }{
			"1": {`"name":"echo","arguments":{"text":"Grüße"}`, "Grüße"},
			"2": {`"name":"slow","arguments":{"seconds":0.01}`, "waited 0.01 s"},
		} {
			m := ask(t, c, id, call(id, tt.params))
			var result struct {
				Content []struct{ Text string }
			}
			if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 || result.Content[0].Text != tt.want {
				t.Errorf("%s was answered with %s, %+v, want the text %q", tt.params, m.Result, m.Error, tt.want)
			}
		}
	})
}

func TestVersion(t *testing.T) {
	for _, p := range All() {
		if v := p.Version(t); strings.Count(v, ".") != 2 {
			t.Errorf("%s is at version %q", p.Name, v)
		}
	}
}

func TestConformance(t *testing.T) {
	argv := EnsureConformance(t)
	r := Ensure(t, "go-sdk")
	argv = append(argv, "server", "--url", r.StartHTTP(t), "--scenario", "ping")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // the harness has no limit of its own
	defer cancel()
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		t.Errorf("run the scenario ping against a server that passes it: %v\n%s", err, out)
	}
}

// The folder of an installation appears once, complete, however many want it at the same time; a failed one leaves
// nothing.
func TestInstall(t *testing.T) {
	if !supported {
		t.Skip("peers cannot be run here")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	source, cache := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(source, "pin"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	// mkdir fails where the step runs for the second time.
	u := &unit{dir: ".", steps: []step{{argv: []string{"sh", "-c", "mkdir '" + cache + "/once' && touch made spare"}}}, drop: []string{"spare"}}
	final := filepath.Join(cache, "unit")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := u.install(t.Context(), source, final); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for name, want := range map[string]bool{"unit/pin": true, "unit/made": true, "unit/spare": false, "unit.partial": false} {
		if _, err := os.Stat(filepath.Join(cache, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}

	u.steps = []step{{argv: []string{"sh", "-c", "echo the reason; exit 3"}}}
	err := u.install(t.Context(), source, final+"2")
	if err == nil || !strings.Contains(err.Error(), "the reason") {
		t.Errorf("a step that fails gives the error %v, want one with its output", err)
	}
	if left, _ := filepath.Glob(final + "2*"); len(left) != 1 || !strings.HasSuffix(left[0], ".lock") {
		t.Errorf("a failed installation leaves %q, want the lock only", left)
	}
}

func TestCheck(t *testing.T) {
	for _, p := range []program{{"no-such-program", 0, 0}, {"go", 1 << 20, 0}} {
		if p.check() == nil {
			t.Errorf("%s %d is there, want an error", p.name, p.major)
		}
	}
	if err := golang.check(); err != nil {
		t.Errorf("the program that runs this test is not there: %v", err)
	}
}
