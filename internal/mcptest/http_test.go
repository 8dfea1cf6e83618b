package mcptest

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStreamable(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}, {"--stateless"}, {"--stateless", "--json"}, {"--era", "dual"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			stateless := slices.Contains(args, "--stateless")
			kind := eventStream
			if slices.Contains(args, "--json") {
				kind = "application/json"
			}
			w := overHTTPServer(t, append(args, "--name", "mcp-test", "--tools", "look")...)
			if status, _, _ := w.post(ping1); status != map[bool]int{true: 200, false: 400}[stateless] {
				t.Errorf("a ping without a session: HTTP %d", status)
			}
			w.shake()
			if stateless != (w.session == "") {
				t.Errorf("the session id is %q", w.session)
			}
			for _, e := range legacyTalk[4:] {
				if strings.Contains(e.send, "initialize") || stateless && e.send[0] == '[' {
					continue // of the stateless ones another test
				}
				status, gotKind, body := w.post(e.send)
				switch {
				case e.want == "":
					if status != http.StatusAccepted || body != "" {
						t.Errorf("%s: HTTP %d with %q, want 202 and nothing", e.send, status, body)
					}
					continue
				case strings.Contains(e.want, `"code":-32700`), strings.Contains(e.want, `"code":-32600`), strings.Contains(e.want, "params is not"):
					if status != http.StatusBadRequest || gotKind != "application/json" {
						t.Errorf("%s: HTTP %d as %s, want 400 as application/json", e.send, status, gotKind)
					}
				case status != http.StatusOK || gotKind != kind:
					t.Errorf("%s: HTTP %d as %s, want 200 as %s", e.send, status, gotKind, kind)
				}
				if diff := cmp.Diff([]string{e.want}, data(body)); diff != "" {
					t.Errorf("%s: body mismatch (-want +got):\n%s", e.send, diff)
				}
			}
			// Where no version is named, the one with batches is assumed.
			if stateless {
				if _, _, body := w.post("[" + ping1 + "]"); !strings.Contains(body, "["+pong1+"]") {
					t.Errorf("a batch is answered %q", body)
				}
			}
		})
	}
}

func TestStreamableConditions(t *testing.T) {
	w := overHTTPServer(t)
	w.shake()
	for _, tt := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"as it should be", nil, 200},
		{"the version that was agreed on", []string{"Mcp-Protocol-Version: 2025-11-25"}, 200},
		{"no such version", []string{"Mcp-Protocol-Version: 1999-01-01"}, 400},
		{"no session", []string{"Mcp-Session-Id:"}, 400},
		{"no such session", []string{"Mcp-Session-Id: x"}, 404},
		{"foreign origin", []string{"Origin: http://evil.example"}, 403},
		{"opaque origin", []string{"Origin: null"}, 403},
		{"own origin", []string{"Origin: http://localhost:8080"}, 200},
		{"foreign host", []string{"Host: evil.example"}, 403},
		{"host by name", []string{"Host: localhost"}, 200},
		{"wrong type", []string{"Content-Type: text/plain"}, 415},
		{"type with a parameter", []string{"Content-Type: application/json; charset=utf-8"}, 200},
		{"accepts JSON only", []string{"Accept: application/json"}, 406},
		{"accepts streams only", []string{"Accept: text/event-stream"}, 406},
		{"accepts anything", []string{"Accept: */*"}, 200},
	} {
		if status, _, _ := w.post(ping1, tt.headers...); status != tt.want {
			t.Errorf("%s: HTTP %d, want %d", tt.name, status, tt.want)
		}
	}
	if resp := w.must(http.MethodPut, "/mcp", ping1); resp.StatusCode != 405 || !cmp.Equal(resp.Header.Values("Allow"), []string{"DELETE", "GET", "POST"}) {
		t.Errorf("PUT: HTTP %d, Allow %q", resp.StatusCode, resp.Header.Values("Allow"))
	}
	get := w.must(http.MethodGet, "/mcp", "")
	if kind := get.Header.Get("Content-Type"); get.StatusCode != 200 || kind != eventStream {
		t.Errorf("GET: HTTP %d as %s", get.StatusCode, kind)
	}
	if resp := w.must(http.MethodDelete, "/mcp", ""); resp.StatusCode != 204 {
		t.Errorf("DELETE: HTTP %d, want 204", resp.StatusCode)
	}
	if rest, err := io.ReadAll(get.Body); err != nil || len(rest) > 0 {
		t.Errorf("the stream of a dead session ends with %q, %v", rest, err)
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if resp := w.must(method, "/mcp", ping1); resp.StatusCode != 404 {
			t.Errorf("%s in a dead session: HTTP %d, want 404", method, resp.StatusCode)
		}
	}
	w = overHTTPServer(t, "--stateless")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if resp := w.must(method, "/mcp", ""); resp.StatusCode != 405 {
			t.Errorf("%s of a stateless server: HTTP %d, want 405", method, resp.StatusCode)
		}
	}
}

func TestStreamableConcurrent(t *testing.T) {
	w := overHTTPServer(t, "--slow", "1h")
	w.shake()
	resp := w.must(http.MethodPost, "/mcp", slowCall)
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the call: HTTP %d", resp.StatusCode)
	}
	if _, _, body := w.post(ping1); !strings.Contains(body, pong1) {
		t.Errorf("a ping during the call is answered %q", body)
	}
}

func TestModernHTTP(t *testing.T) {
	for _, era := range []string{"modern", "dual"} {
		w := overHTTPServer(t, "--name", "mcp-test", "--tools", "look", "--era", era)
		status := map[string]int{"-32601": 404, "-32602": 400, "-32022": 400}
		for _, e := range modernTalk[1:] {
			msg, _ := parse([]byte(e.send))
			version, _ := envelope(&msg[0])
			if era == "dual" && version == "" {
				continue // that one is a legacy request
			}
			got, _, body := w.post(e.send, "Mcp-Protocol-Version: "+version, "Mcp-Method: "+msg[0].method, "Mcp-Name: look")
			want := 200
			if e.want == "" {
				want = 202
			} else if diff := cmp.Diff([]string{e.want}, data(body)); diff != "" {
				t.Errorf("%s: %s: body mismatch (-want +got):\n%s", era, e.send, diff)
			}
			for code, s := range status {
				if strings.Contains(e.want, code) {
					want = s
				}
			}
			if got != want {
				t.Errorf("%s: %s: HTTP %d, want %d", era, e.send, got, want)
			}
		}
		call := modernTalk[2].send
		for _, tt := range []struct {
			name    string
			headers []string
			want    string
		}{
			{"no headers", nil, "the header Mcp-Protocol-Version is missing"},
			{"no method", []string{"Mcp-Protocol-Version: 2026-07-28"}, "the header Mcp-Method is missing"},
			{"another method", []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: Tools/call"}, "the header Mcp-Method is not what the body says"},
			{"another version", []string{"Mcp-Protocol-Version: 2025-11-25", "Mcp-Method: tools/call"}, "the header Mcp-Protocol-Version is not what the body says"},
			{"no name", []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call"}, "the header Mcp-Name is missing"},
			{"encoded name", []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: =?base64?bG9vaw==?="}, ""},
		} {
			status, _, body := w.post(call, tt.headers...)
			if tt.want == "" && status == 200 {
				continue
			}
			if want := `{"jsonrpc":"2.0","id":3,"error":{"code":-32020,"message":"` + tt.want + `"}}`; status != 400 || body != want {
				t.Errorf("%s: %s: HTTP %d with %s, want 400 with %s", era, tt.name, status, body, want)
			}
		}
	}
	w := overHTTPServer(t, "--era", "modern")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if resp := w.must(method, "/mcp", ""); resp.StatusCode != 405 {
			t.Errorf("%s: HTTP %d, want 405", method, resp.StatusCode)
		}
	}
	if resp := w.must(http.MethodGet, "/sse", ""); resp.StatusCode != 404 {
		t.Errorf("GET /sse: HTTP %d, want 404: that transport is older than the era", resp.StatusCode)
	}
}

// TestDualHTTP has both eras side by side: over HTTP every request says which one it belongs to.
func TestDualHTTP(t *testing.T) {
	w := overHTTPServer(t, "--era", "dual")
	w.shake()
	modern := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + modernEnv + `}}`
	if status, _, body := w.post(modern, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: ping"); status != 404 {
		t.Errorf("a modern ping: HTTP %d with %s, want 404", status, body)
	}
	if _, _, body := w.post(ping1); !cmp.Equal(data(body), []string{pong1}) {
		t.Errorf("a legacy ping is answered %q", body)
	}
	if status, _, body := w.post(ping1, "Mcp-Protocol-Version: 2026-07-28"); status != 400 || !strings.Contains(body, "-32602") {
		t.Errorf("a ping without an envelope: HTTP %d with %s, want 400 with -32602", status, body)
	}
}

func TestSSE(t *testing.T) {
	w := overHTTPServer(t, "--name", "mcp-test", "--tools", "look")
	s := w.openStream()
	for _, e := range legacyTalk {
		if strings.Contains(e.want, "-32700") || strings.Contains(e.want, "-32600") && !strings.Contains(e.want, "initialized") || strings.Contains(e.want, "params is not") {
			resp := w.must(http.MethodPost, s.post, e.send)
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode == 400 && string(body) == e.want {
				continue
			}
			if e.send[0] != '[' {
				t.Errorf("POST %s: HTTP %d, want 400 with %s", e.send, resp.StatusCode, e.want)
				continue
			}
		} else {
			s.tell(e.send)
		}
		if e.want == "" {
			continue
		}
		if kind, got := s.event(); kind != "message" || got != e.want {
			t.Errorf("%s: got the event %s with %s, want a message with %s", e.send, kind, got, e.want)
		}
	}
	for _, tt := range []struct {
		path    string
		headers []string
		want    int
	}{
		{"/messages?sessionId=x", nil, 404},
		{"/messages", nil, 404},
		{"/sse", nil, 405},
		{s.post, []string{"Content-Type: text/plain"}, 415},
		{s.post, []string{"Origin: http://evil.example"}, 403},
	} {
		if resp := w.must(http.MethodPost, tt.path, ping1, tt.headers...); resp.StatusCode != tt.want {
			t.Errorf("POST %s %v: HTTP %d, want %d", tt.path, tt.headers, resp.StatusCode, tt.want)
		}
	}
}

func TestHandlerArguments(t *testing.T) {
	for _, args := range []string{"ping-nil", "bom", "--http", "--url-file x", "ping-null ping-true"} {
		if _, err := Handler(strings.Fields(args)...); err == nil {
			t.Errorf("Handler(%s) has no complaint", args)
		}
	}
}
