package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return hex.EncodeToString(sum[:16])
}

func TestFingerprints(t *testing.T) {
	const src = "case 1:\n\treturn  x\u00a0y;\ncase 2:\n\treturn x y;\n"
	repo := &mcpaudit.Repo{Sources: map[string][]byte{"src/a.ts": []byte(src), "long": []byte(strings.Repeat("é ", 400))}}
	finding := func(file string, start, end int, fault string) mcpaudit.Check {
		return mcpaudit.Check{Pattern: "ab-001839", Fault: fault, Verdict: mcpaudit.Failed, Status: mcpaudit.HiddenBy,
			Subject:  mcpaudit.Subject{Server: "files", Kind: mcpaudit.KindMethod, Name: "ping", Router: "r"},
			Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: file, Start: start, End: end}, "")}}
	}
	first, second := strings.Index(src, "return  x"), strings.LastIndex(src, "return x")
	wire := mcpaudit.Check{Pattern: "ab-001839", Fault: "missing", Verdict: mcpaudit.Failed,
		Subject: mcpaudit.Subject{Server: "files", Kind: mcpaudit.KindMethod, Name: "ping"},
		Evidence: []mcpaudit.Evidence{{Exchange: &mcpaudit.Exchange{Scenario: "early",
			Sent: json.RawMessage(`{"id":7,"method":"ping"}`)}}}}
	broken := wire
	broken.Evidence = []mcpaudit.Evidence{{Exchange: &mcpaudit.Exchange{Scenario: "garbage", Sent: json.RawMessage("{{{")}}}

	// The second place comes first here, as a finding of a higher level does.
	checks := []mcpaudit.Check{
		finding("src/a.ts", second, second+len("return x y;"), "missing"),
		finding("src/a.ts", first, first+len("return  x\u00a0y;"), "slow"),
		finding("src/a.ts", first, first+len("return  x\u00a0y;"), "missing"),
		{Pattern: "ab-001839", Verdict: mcpaudit.Passed, Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "src/a.ts"}, "")}},
		finding("long", 0, 1200, "missing"),
		finding("gone.ts", 0, 1, "missing"),
		finding("src/a.ts", len(src)+5, len(src)+9, "missing"),
		wire, broken,
	}
	code := hash("mcpaudit/v1", "ab-001839", "packages/files/src/a.ts", "files", "method", "ping", "returnxy;")
	want := []string{
		code + ":3", code + ":2", code + ":1", "",
		hash("mcpaudit/v1", "ab-001839", "packages/files/long", "files", "method", "ping", strings.Repeat("é", 256)) + ":1",
		"",
		hash("mcpaudit/v1", "ab-001839", "packages/files/src/a.ts", "files", "method", "ping", "") + ":1",
		hash("mcpaudit/v1", "ab-001839", "", "files", "method", "ping", "early ping") + ":1",
		hash("mcpaudit/v1", "ab-001839", "", "files", "method", "ping", "garbage ") + ":1",
	}
	if diff := cmp.Diff(want, Fingerprints(repo, "packages/files", checks)); diff != "" {
		t.Errorf("mismatch (-want +got)\n%s", diff)
	}
}

// TestFingerprintMoves says what may change around a finding: what is above it and how it is indented.
func TestFingerprintMoves(t *testing.T) {
	of := func(src string) string {
		at := strings.Index(src, "switch")
		repo := &mcpaudit.Repo{Sources: map[string][]byte{"a.ts": []byte(src)}}
		return Fingerprints(repo, "", []mcpaudit.Check{{Pattern: "ab-001839", Fault: "missing", Verdict: mcpaudit.Failed,
			Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "a.ts", Start: at, End: strings.Index(src, "{")}, "")}}})[0]
	}
	before := of("switch (msg.method) {}")
	if got := of("// new\r\n\r\n\t\tswitch\t(msg.method)\r\n\t{}"); got != before {
		t.Errorf("moved and reformatted code has the fingerprint %s, want %s", got, before)
	}
	if got := of("switch (msg.action) {}"); got == before {
		t.Errorf("other code has the same fingerprint %s", got)
	}
}
