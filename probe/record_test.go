package probe

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTranscript: what is written is read back byte for byte, whatever the bytes are.
func TestTranscript(t *testing.T) {
	exit := 3
	want := []Record{
		{Conn: 1, Scenario: "ping/integer", Transport: "stdio", Revision: "2025-11-25", TookMs: 0.25,
			Sent: []Bytes{Bytes(`{"id":1,"method":"ping"}`)}, Received: []Bytes{Bytes(`{"id": 1, "result": {}}`), Bytes("\xff\xfe"), Bytes(`"text"`), Bytes(`<b>&`)}},
		{Scenario: "ping/string", Exited: &exit, Closed: true, Again: "silent", Control: "answered"},
		{Scenario: "ping/latency", Samples: []float64{1, 2}, Controls: []float64{3}, Status: 200, Header: http.Header{"Content-Type": {"application/json"}}},
	}
	var b bytes.Buffer
	if err := WriteTranscript(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadTranscript(strings.NewReader("# a comment\n\n" + b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a transcript that was written and read (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"{", `{"scenario":"x","unknown":1}`, `{"scenario":"x","sent":["text"]}`} {
		if _, err := ReadTranscript(strings.NewReader("\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("reading %s: error %v, want one that names line 2", bad, err)
		}
	}
}

// TestRedacted: nothing that the user gave in confidence, and no session id, is kept.
func TestRedacted(t *testing.T) {
	x := newRedactor("swordfish", "Bearer tok-123456", "short")
	rec := Record{
		Sent: []Bytes{Bytes(`{"token":"swordfish"}`)}, Received: []Bytes{Bytes(`{"echo":"tok-123456 Bearer tok-123456 short"}`), Bytes(strings.Repeat("x", maxKept+10))},
		Note: "dial swordfish", Header: http.Header{"Mcp-Session-Id": {"abc"}, "Location": {"https://user:pw@h/x?key=v"}, "Content-Type": {"swordfish"}},
	}
	got := rec.redacted(x)
	if diff := cmp.Diff(`{"token":"***"}`, string(got.Sent[0])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`{"echo":"*** *** short"}`, string(got.Received[0])); diff != "" {
		t.Error(diff)
	}
	if len(got.Received[1]) > maxKept+len("…") {
		t.Errorf("a message of %d bytes is kept whole", len(got.Received[1]))
	}
	want := http.Header{"Mcp-Session-Id": {"***"}, "Location": {"https://***@h/x?key=***"}, "Content-Type": {"***"}}
	if diff := cmp.Diff(want, got.Header); diff != "" {
		t.Error(diff)
	}
	if got.Note != "dial ***" {
		t.Errorf("note %q", got.Note)
	}
	if string(rec.Sent[0]) != `{"token":"swordfish"}` || rec.Header.Get("Mcp-Session-Id") != "abc" {
		t.Error("redacting changes the record itself")
	}
}

func TestRedactArgs(t *testing.T) {
	shown, secrets := RedactArgs([]string{"srv", "--api-key=abc", "--access-token", "def", "--token", "--verbose", "postgresql://u:pw@h/db", "-k", "key", "--keyboard"})
	want := []string{"srv", "--api-key=***", "--access-token", "***", "--token", "--verbose", "postgresql://***@h/db", "-k", "key", "--keyboard"}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"abc", "def", "u", "pw"}, secrets); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}

func TestRedactURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/mcp":                "https://example.org/mcp",
		"https://me:secret@example.org/mcp":      "https://***@example.org/mcp",
		"https://example.org/mcp?key=s3cret&a=b": "https://example.org/mcp?a=***&key=***",
		"https://example.org/mcp#frag":           "https://example.org/mcp",
		"http://[::1":                            "***",
	} {
		if got := RedactURL(in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", in, got, want)
		}
	}
}
