package mcptest

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func errorTo(id string, code, words string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"` + words + `"}}`
}

func pingWith(id, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":` + params + `}`
}

func pongTo(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

const noise = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"mcptest","data":"about to answer"}}` + "\n"

var ping2 = strings.Replace(ping1, ":1,", ":2,", 1)

// demos are the behaviours that show in what is answered.
var demos = map[string][]demo{
	"hostile-strings": {{talk: []exchange{
		{hello, `{"jsonrpc":"2.0","id":"init","result":` + encode(map[string]any{"capabilities": map[string]any{"tools": map[string]any{}}, "instructions": hostile,
			"protocolVersion": "2025-11-25", "serverInfo": map[string]any{"name": "mcp-test" + hostile, "version": "1.0.0"}}) + `}`},
		{ready, ""},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":` + encode("method not found: no/such"+hostile) + `}}`},
		{ping1, pong1},
	}}},
	"init-echo-version":   {{talk: []exchange{{withVersion(hello, "2099-01-01"), greeting("2099-01-01")}, {ready, ""}, {ping1, pong1}}}},
	"init-error":          {{talk: []exchange{{hello, errorTo(`"init"`, "-32603", "internal error")}}, dead: true}},
	"init-modern-version": {{talk: []exchange{{hello, greeting("2026-07-28")}, {ready, ""}, {ping1, pong1}}}},
	"init-silent":         {{talk: []exchange{{hello, ""}}, dead: true}},
	"invalid-utf8":        answered("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"_meta\":{\"x\":\"\xff\xfe\"}}}"),
	"log-noise": {{talk: []exchange{
		{hello, noise + strings.Replace(greeting("2025-11-25"), caps, `"capabilities":{"logging":{},"tools":{}}`, 1)},
		{ready, ""},
		{ping1, noise + pong1},
		{`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`, noise + pongTo("2")},
	}, dead: true}},
	"notification-reply": {{talk: []exchange{{hello, greeting("2025-11-25")}, {ready, errorTo("null", "-32601", "method not found: notifications/initialized")}, {ping1, pong1}}}},

	"ping-32600":                answered(errorTo("1", "-32600", "invalid request")),
	"ping-32601":                answered(errorTo("1", "-32601", "method not found: ping")),
	"ping-32603":                answered(errorTo("1", "-32603", "internal error")),
	"ping-answers-notification": {shaken("", exchange{`{"jsonrpc":"2.0","method":"ping"}`, pongTo("null")}, exchange{ping1, pong1})},
	"ping-both":                 answered(`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32603,"message":"internal error"}}`),
	"ping-burst-loses":          {shaken("--late 1ns", exchange{ping1, pong1})},
	"ping-dies-on-params":       {shaken("", exchange{ping1, pong1})},
	"ping-error-string":         answered(`{"jsonrpc":"2.0","id":1,"error":"method not found: ping"}`),
	"ping-extra-keys":           answered(`{"jsonrpc":"2.0","id":1,"result":{"pong":true,"timestamp":1767225600}}`),
	"ping-falsy-id": {shaken("", exchange{pingWith("0", "{}"), ""}, exchange{pingWith(`""`, "{}"), ""}, exchange{ping1, pong1},
		exchange{pingWith(`"0"`, "{}"), pongTo(`"0"`)})},
	"ping-first-only": {shaken("", exchange{ping1, pong1}, exchange{ping2, ""})},
	"ping-gated-init": {{talk: []exchange{{ping1, errorTo("1", "-32002", "server not initialized")}, {hello, greeting("2025-11-25")}, {ping2, pongTo("2")}}}},
	"ping-gated-initialized": {{talk: []exchange{{hello, greeting("2025-11-25")}, {ping1, errorTo("1", "-32002", "server not initialized")},
		{ready, ""}, {ping2, pongTo("2")}}}},
	"ping-hangs-server": {{talk: []exchange{{hello, greeting("2025-11-25")}, {ready, ""}, {ping1, ""}, {last, ""}}, dead: true}},
	"ping-id-as-number": {shaken("", exchange{pingWith(`"7"`, "{}"), pongTo("7")}, exchange{pingWith(`"a"`, "{}"), pongTo("0")}, exchange{ping1, pong1})},
	"ping-id-as-string": {shaken("", exchange{ping1, pongTo(`"1"`)}, exchange{pingWith(`"a"`, "{}"), pongTo(`"a"`)})},
	"ping-id-missing":   answered(`{"jsonrpc":"2.0","result":{}}`),
	"ping-id-null":      answered(pongTo("null")),
	"ping-late":         {shaken("--late 1h", exchange{ping1, ""}), shaken("--late 1ns", exchange{ping1, pong1})},
	"ping-list":         answered(`{"jsonrpc":"2.0","id":1,"result":[]}`),
	"ping-meta-only":    answered(`{"jsonrpc":"2.0","id":1,"result":{"_meta":{"x":1}}}`),
	"ping-needs-capability": {
		shaken("", exchange{ping1, errorTo("1", "-32600", "the client has not declared any capability")}),
		{talk: []exchange{{strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1), greeting("2025-11-25")}, {ready, ""}, {ping1, pong1}}},
	},
	"ping-neither":     answered(`{"jsonrpc":"2.0","id":1}`),
	"ping-null":        answered(`{"jsonrpc":"2.0","id":1,"result":null}`),
	"ping-number":      answered(`{"jsonrpc":"2.0","id":1,"result":0}`),
	"ping-own-code":    answered(errorTo("1", "-32001", "unsupported")),
	"ping-pong-string": answered(`{"jsonrpc":"2.0","id":1,"result":"pong"}`),
	"ping-refuses-meta": {shaken("", exchange{pingWith("1", `{"_meta":{}}`), errorTo("1", "-32602", "unknown member _meta")},
		exchange{pingWith("2", "{}"), pongTo("2")})},
	"ping-refuses-params": {shaken("", exchange{pingWith("1", "{}"), errorTo("1", "-32602", "ping takes no params")}, exchange{ping2, pongTo("2")})},
	"ping-silent":         answered(""),
	"ping-slow":           {shaken("--late 1h", exchange{ping1, ""}), shaken("--late 1ns", exchange{ping1, pong1})},
	"ping-tool-result":    answered(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"pong"}]}}`),
	"ping-true":           answered(`{"jsonrpc":"2.0","id":1,"result":true}`),
	"ping-twice":          answered(pong1 + "\n" + pong1),
	"server-pings-early": {{talk: []exchange{
		{hello, `{"jsonrpc":"2.0","id":"mcptest-early","method":"ping"}` + "\n" + greeting("2025-11-25")},
		{ready, ""},
		{`{"jsonrpc":"2.0","id":"mcptest-early","result":{}}`, ""},
		{ping1, pong1},
	}}},
	"server-request-id-clash": answered(ping1 + "\n" + pong1),
	"unknown-silent":          {shaken("", exchange{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, ""}, exchange{ping2, pongTo("2")})},
}

// proofs are for what shows elsewhere: in the bytes, in the life of a process, in HTTP.
var proofs = map[string]func(t *testing.T){
	"bom":            raw("\ufeff" + greeting("2025-11-25") + "\n" + pong1 + "\n"),
	"content-length": raw("Content-Length: 150\r\n\r\n" + greeting("2025-11-25") + "Content-Length: 36\r\n\r\n" + pong1),
	"stdout-banner":  raw("Welcome to mcp-broken, listening on stdio\n" + greeting("2025-11-25") + "\n" + pong1 + "\n"),
	"stdout-log":     raw("INFO about to answer\n" + greeting("2025-11-25") + "\nINFO about to answer\n" + pong1 + "\n"),
	"pretty-json": func(t *testing.T) {
		got := output(t, "pretty-json")
		if want := "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}\n"; !strings.HasSuffix(got, want) {
			t.Errorf("the output is %q, want it to end with %q", got, want)
		}
	},
	"crlf": func(t *testing.T) {
		raw(greeting("2025-11-25") + "\r\n" + pong1 + "\r\n")(t)
		w := overHTTPServer(t, "crlf")
		w.shake()
		want := "event: message\r\ndata: " + pong1 + "\r\n\r\n"
		if _, _, got := w.post(ping1); got != want {
			t.Errorf("the stream is %q, want %q", got, want)
		}
		w.session = ""
		s := w.openStream()
		s.tell(ping1)
		if b, err := s.body.Peek(len(want)); string(b) != want {
			t.Errorf("the stream goes on with %q, want %q (%v)", b, want, err)
		}
	},
	"children": leavesChildren,
	"endless-line": func(t *testing.T) {
		long := func(r io.Reader) {
			t.Helper()
			b := make([]byte, 1<<20)
			if n, err := io.ReadFull(r, b); err != nil || slices.Contains(b[:n], '\n') {
				t.Errorf("after %d bytes the line ends: %v", n, err)
			}
		}
		p := overPipes(t, true, "endless-line")
		p.send(ping1)
		long(p.out)
		w := overHTTPServer(t, "endless-line")
		w.shake()
		long(w.must(http.MethodPost, "/mcp", ping1).Body)
	},
	"exits-at-once": func(t *testing.T) {
		p := overPipes(t, true, "exits-at-once")
		if code := within(t, "the exit code", p.code); code != 7 || strings.Count(p.errs.String(), "\n") != 1 {
			t.Errorf("exit code %d and stderr %q, want 7 and a line", code, p.errs)
		}
	},
	"half-frame": func(t *testing.T) {
		half := pong1[:len(pong1)/2]
		p := overPipes(t, true, "half-frame")
		p.send(ping1)
		if b, err := io.ReadAll(p.out); string(b) != half || err != nil {
			t.Errorf("the output is %q, %v, want %q", b, err, half)
		}
		p.send(ping1) // it goes on reading
		for _, flag := range []string{"--json=true", "--json=false"} {
			w := overHTTPServer(t, "half-frame", flag)
			w.shake()
			b, err := io.ReadAll(w.must(http.MethodPost, "/mcp", ping1).Body)
			if err == nil || len(b) == 0 || strings.Contains(string(b), "}}") {
				t.Errorf("%s: the body is %q, %v", flag, b, err)
			}
		}
		w := overHTTPServer(t, "half-frame")
		s := w.openStream()
		s.tell(ping1)
		if b, err := io.ReadAll(s.body); err == nil || len(b) == 0 || strings.Contains(string(b), "}}") {
			t.Errorf("the stream goes on with %q, %v", b, err)
		}
	},
	"never-starts": func(t *testing.T) {
		p := overPipes(t, true, "never-starts", "--linger", "1ms")
		if code, out := p.finish(); code != 0 || out != "" {
			t.Errorf("exit code %d and output %q", code, out)
		}
		stays(t, overPipes(t, true, "never-starts"))
	},
	"ignores-eof": func(t *testing.T) {
		p := overPipes(t, true, "ignores-eof", "ping-unflushed")
		p.send(ping1)
		p.in.Close()
		if got := p.line(); got != pong1+"\n" { // the end of the input has been noticed
			t.Errorf("got %q", got)
		}
		stays(t, p)
	},
	"ignores-term": func(t *testing.T) {
		p := inProcess(t, "broken", "ignores-term", "ping-unflushed", "--linger", "1m")
		p.send(last)
		p.line() // it is on its feet
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Skip(err)
		}
		for range 10 {
			p.send(last)
			if got := p.line(); got == "" {
				t.Fatal("it ended")
			}
		}
		p.send(ping1)
		p.in.Close()
		if got := p.line(); got != pong1 {
			t.Errorf("got %q", got)
		}
		select {
		case err := <-p.end:
			t.Errorf("it ended: %v", err)
		default:
		}
	},
	"ping-burst-loses": func(t *testing.T) {
		o, err := configure("mcp-test", []string{"ping-burst-loses"})
		if err != nil {
			t.Fatal(err)
		}
		v, s := newServer(o), newSession("")
		var waiting []*reply
		for i := range 2 * maxWaiting {
			r := v.line(s, []byte(ping1))
			if kept := len(r.frames) > 0; kept != (i < maxWaiting) {
				t.Errorf("ping %d: kept is %t", i, kept)
			}
			waiting = append(waiting, r)
		}
		waiting[0].wait = 0
		waiting[0].settle(t.Context())
		if r := v.line(s, []byte(ping1)); len(r.frames) == 0 {
			t.Error("there is no place although one ping was answered")
		}
	},
	"ping-crash": exits(1, ping1),
	"ping-dies-on-params": func(t *testing.T) {
		exits(3, pingWith("1", "{}"))(t)
		w := overHTTPServer(t, "ping-dies-on-params")
		w.shake()
		if resp, err := w.do(http.MethodPost, "/mcp", pingWith("1", "{}")); err == nil {
			t.Errorf("a ping with params is answered HTTP %d", resp.StatusCode)
		}
		w.session = ""
		s := w.openStream()
		if resp, err := w.do(http.MethodPost, s.post, pingWith("1", "{}")); err == nil {
			t.Errorf("a ping with params is answered HTTP %d", resp.StatusCode)
		}
		if b, err := io.ReadAll(s.body); err == nil || len(b) > 0 {
			t.Errorf("the stream goes on with %q, %v", b, err)
		}
	},
	"ping-modern-answers": func(t *testing.T) {
		msg := pingWith("1", "{"+modernEnv+"}")
		p := overPipes(t, true, "ping-modern-answers")
		p.send(msg)
		if got := p.line(); got != pong1+"\n" {
			t.Errorf("got %q", got)
		}
		w := overHTTPServer(t, "ping-modern-answers")
		if status, _, body := w.post(msg, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: ping"); status != 200 || !strings.Contains(body, pong1) {
			t.Errorf("HTTP %d with %q", status, body)
		}
	},
	"ping-modern-status": func(t *testing.T) {
		w := overHTTPServer(t, "ping-modern-status")
		status, _, body := w.post(pingWith("1", "{"+modernEnv+"}"), "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: ping")
		if status != 200 || !strings.Contains(body, errorTo("1", "-32601", "method not found: ping")) {
			t.Errorf("HTTP %d with %q", status, body)
		}
	},
	"ping-serial": func(t *testing.T) {
		p := overPipes(t, true, "ping-serial", "--slow", "50ms", "--name", "mcp-test")
		p.send(slowCall, ping1)
		if first, second := p.line(), p.line(); !strings.Contains(first, `"id":"slow"`) || second != pong1+"\n" {
			t.Errorf("the answers are %q and %q, want that of the call first", first, second)
		}
		o, err := configure("mcp-test", []string{"ping-serial", "--slow", "1h"})
		if err != nil {
			t.Fatal(err)
		}
		v := newServer(o)
		for name, begin := range map[string]func(w *web){
			"http": func(w *web) { w.shake(); w.must(http.MethodPost, "/mcp", slowCall) },
			"sse": func(w *web) {
				s := w.openStream()
				s.tell(hello)
				s.until("init")
				s.tell(slowCall)
			},
		} {
			w := serve(t, v.handler())
			begin(w)
			gone := make(chan struct{})
			close(gone)
			first, second := v.takeTurn(gone), v.takeTurn(gone)
			if first && second {
				t.Errorf("%s: there are turns to be had during a call", name)
			}
			w.let()
			v.turn <- struct{}{} // given back by the call
			<-v.turn
		}
	},
	"ping-unflushed": func(t *testing.T) {
		p := overPipes(t, true, "ping-unflushed")
		if got := p.ask(ping1); len(got) > 0 {
			t.Errorf("before the control request %q was answered", got)
		}
		if code, rest := p.finish(); code != 0 || rest != pong1+"\n" {
			t.Errorf("exit code %d and at the end %q", code, rest)
		}
		for _, flag := range []string{"--json=true", "--json=false"} {
			w := overHTTPServer(t, "ping-unflushed", "--late", "1ns", flag)
			w.shake()
			if _, _, body := w.post(ping1); !strings.Contains(body, pong1) {
				t.Errorf("%s: in the end comes %q", flag, body)
			}
		}
		w := overHTTPServer(t, "ping-unflushed", "--late", "1h")
		w.shake()
		neverAnswered(t, w, http.MethodPost, "/mcp", ping1)
	},
	"server-pings-early": func(t *testing.T) {
		o, err := configure("mcp-test", []string{"server-pings-early"})
		if err != nil {
			t.Fatal(err)
		}
		v, s := newServer(o), newSession("")
		v.line(s, []byte(hello))
		r := v.line(s, []byte(ping1))
		if r.immediate() {
			t.Error("a ping is answered before the client has answered one")
		}
		v.line(s, []byte(`{"jsonrpc":"2.0","id":"mcptest-early","result":{}}`))
		if !r.settle(t.Context()) {
			t.Error("a ping is not answered although the client has answered one")
		}
	},

	"http-200-empty":    posted(200, "application/json", ""),
	"http-202-ping":     posted(202, "", ""),
	"http-500-ping":     posted(500, "text/plain; charset=utf-8", "Internal Server Error\n"),
	"http-empty-stream": posted(200, eventStream, ""),
	"http-wrong-type":   posted(200, "text/plain; charset=utf-8", pong1),
	"http-401":          everywhere(401, "unauthorized\n", "Www-Authenticate", "Bearer"),
	"http-403":          everywhere(403, "forbidden\n", "", ""),
	"http-html":         everywhere(200, "<!doctype html><title>Welcome</title><p>Nothing to see here.\n", "Content-Type", "text/html; charset=utf-8"),
	"http-redirect-loop": func(t *testing.T) {
		everywhere(307, "", "Location", "/mcp")(t)
	},
	"http-redirect-elsewhere": func(t *testing.T) {
		everywhere(307, "", "Location", "http://elsewhere.invalid/mcp")(t)
		w := overHTTPServer(t, "http-redirect-elsewhere", "--elsewhere", "http://127.0.0.1:9")
		if got := w.must(http.MethodPost, "/mcp", hello).Header.Get("Location"); got != "http://127.0.0.1:9/mcp" {
			t.Errorf("it redirects to %q", got)
		}
	},
	"http-get-hangs": func(t *testing.T) {
		w := overHTTPServer(t, "http-get-hangs")
		w.shake()
		neverAnswered(t, w, http.MethodGet, "/mcp", "")
	},
	"http-gzip": func(t *testing.T) {
		for _, flag := range []string{"--json=true", "--json=false"} {
			w := overHTTPServer(t, "http-gzip", flag)
			w.shake()
			resp := w.must(http.MethodPost, "/mcp", ping1)
			z, err := gzip.NewReader(resp.Body)
			if err != nil || resp.Header.Get("Content-Encoding") != "gzip" {
				t.Fatalf("the coding is %q, %v", resp.Header.Get("Content-Encoding"), err)
			}
			if b, err := io.ReadAll(z); err != nil || !strings.Contains(string(b), pong1) {
				t.Errorf("it holds %q, %v", b, err)
			}
		}
	},
	"http-huge-body": func(t *testing.T) {
		w := overHTTPServer(t, "http-huge-body")
		w.shake()
		b := make([]byte, 32<<20)
		_, err := io.ReadFull(w.must(http.MethodPost, "/mcp", ping1).Body, b)
		if want := `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"x":"aaa`; err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("the body begins with %q, %v", b[:100], err)
		}
	},
	"http-huge-header": func(t *testing.T) {
		w := overHTTPServer(t, "http-huge-header")
		w.shake()
		if _, err := w.do(http.MethodPost, "/mcp", ping1); err == nil {
			t.Error("a client with a limit has nothing against the header")
		}
		req, err := http.NewRequest(http.MethodPost, w.url+"/mcp", strings.NewReader(ping1))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}, headerSession: {w.session}}
		patient := &http.Transport{MaxResponseHeaderBytes: 32 << 20}
		defer patient.CloseIdleConnections()
		resp, err := patient.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if n := len(resp.Header.Get("X-Filler")); n != 16<<20 {
			t.Errorf("the header has %d bytes", n)
		}
	},
	"http-no-origin-check": func(t *testing.T) {
		w := overHTTPServer(t, "http-no-origin-check")
		w.shake()
		if status, _, _ := w.post(ping1, "Origin: http://evil.example", "Host: evil.example"); status != 200 {
			t.Errorf("HTTP %d, want 200", status)
		}
		w.session = ""
		if resp := w.must(http.MethodGet, "/sse", "", "Origin: http://evil.example"); resp.StatusCode != 200 {
			t.Errorf("GET /sse: HTTP %d, want 200", resp.StatusCode)
		}
	},
	"http-session-unknown-200": func(t *testing.T) {
		w := overHTTPServer(t, "http-session-unknown-200")
		w.session = "x"
		if status, kind, body := w.post(ping1); status != 200 || kind != eventStream || !strings.Contains(body, errorTo("1", "-32600", "there is no such session")) {
			t.Errorf("HTTP %d as %s with %q", status, kind, body)
		}
	},
	"http-slowloris": func(t *testing.T) {
		w := overHTTPServer(t, "http-slowloris", "--late", "100us")
		w.shake()
		b := make([]byte, 200)
		_, err := io.ReadFull(w.must(http.MethodPost, "/mcp", ping1).Body, b)
		if err != nil || !strings.HasPrefix(string(b), "data: "+pong1[:len(pong1)-1]) || strings.Contains(string(b), "\n") {
			t.Errorf("the stream begins with %q, %v", b, err)
		}
	},
	"sse-endpoint-elsewhere": func(t *testing.T) {
		resp := overHTTPServer(t, "sse-endpoint-elsewhere").must(http.MethodGet, "/sse", "")
		want := "event: endpoint\ndata: http://elsewhere.invalid/messages?sessionId="
		b := make([]byte, len(want))
		if _, err := io.ReadFull(resp.Body, b); err != nil || string(b) != want {
			t.Errorf("the stream begins with %q, %v", b, err)
		}
	},
	"sse-no-endpoint": func(t *testing.T) {
		w := overHTTPServer(t, "sse-no-endpoint")
		resp := w.must(http.MethodGet, "/sse", "")
		w.let()
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || resp.Header.Get("Content-Type") != eventStream || len(b) > 0 {
			t.Errorf("HTTP %d with %q", resp.StatusCode, b)
		}
	},
}

// TestBehaviours keeps the list honest: every behaviour is shown, and nothing is shown that is not in it.
func TestBehaviours(t *testing.T) {
	for _, b := range Behaviours() {
		if demos[b.Name] == nil && proofs[b.Name] == nil {
			t.Errorf("%s is not shown", b.Name)
		}
		for _, d := range demos[b.Name] {
			t.Run(b.Name, func(t *testing.T) { d.run(t, b) })
		}
		if proof := proofs[b.Name]; proof != nil {
			t.Run(b.Name, proof)
		}
	}
	for _, names := range []map[string]bool{keys(demos), keys(proofs)} {
		for name := range names {
			if find(name) == nil {
				t.Errorf("%s is shown but not listed", name)
			}
		}
	}
}

func keys[V any](m map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// TestTable has the rules that the list itself keeps.
func TestTable(t *testing.T) {
	expects := strings.Fields(`pass fail:missing fail:silent fail:wrong-body fail:extra-keys fail:meta-only fail:body-lost fail:wrong-id fail:params fail:twice
		fail:notification fail:gated-init fail:slow incomplete ma-000201/answers ma-000201/status ma-000304/late-pong`)
	names := []string{}
	for _, b := range table {
		names = append(names, b.Name)
		if !slices.Contains(expects, b.Expect) {
			t.Errorf("%s expects %q, which is not in the vocabulary", b.Name, b.Expect)
		}
		if b.About == "" || !b.Stdio && !b.HTTP && !b.SSE {
			t.Errorf("%s has no text or no transport", b.Name)
		}
		if _, err := configure("mcp-test", append([]string{b.Name}, b.Args...)); err != nil {
			t.Errorf("%s with its own arguments: %v", b.Name, err)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(table) {
		t.Error("the table is not sorted by name, or has a name twice")
	}
	for name := range pongs {
		if find(name) == nil {
			t.Errorf("there is a pong for %s, which is not listed", name)
		}
	}
	for name := range spoilers {
		if find(name) == nil {
			t.Errorf("there is a spoiler for %s, which is not listed", name)
		}
	}
}

// TestCombination has two behaviours that go together.
func TestCombination(t *testing.T) {
	p := overPipes(t, true, "ping-null", "ping-id-as-string", "--era", "dual", "crlf")
	p.send(ping1)
	if got, want := p.line(), "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":null}\r\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if o, err := configure("mcp-test", []string{"ping-null", "ping-modern-answers"}); err != nil || o.era != eraDual {
		t.Errorf("behaviours of both eras make a server of the era %q, %v", o.era, err)
	}
}

// shown is the behaviour that a test of TestBehaviours is about. The second one about it has a number to its name.
func shown(t *testing.T) string {
	name, _, _ := strings.Cut(strings.Split(t.Name(), "/")[1], "#")
	return name
}

// output is all that a server writes to a handshake and a ping.
func output(t *testing.T, name string) string {
	t.Helper()
	p := overPipes(t, true, name, "--name", "mcp-test")
	go func() {
		io.WriteString(p.in, hello+"\n"+ready+"\n"+ping1+"\n")
		p.in.Close()
	}()
	b, err := io.ReadAll(p.out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func raw(want string) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		if got := output(t, shown(t)); got != want {
			t.Errorf("the output is %q, want %q", got, want)
		}
	}
}

// stays fails if a server has ended. There is no telling that it never will.
func stays(t *testing.T, p *pipes) {
	t.Helper()
	select {
	case code := <-p.code:
		t.Errorf("it ended with code %d", code)
	default:
	}
}

func exits(want int, msg string) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		p := overPipes(t, true, shown(t))
		if got := p.ask(hello, ready); len(got) != 1 {
			t.Errorf("the handshake is answered %q", got)
		}
		p.send(msg)
		if code := within(t, "the exit code", p.code); code != want {
			t.Errorf("exit code %d, want %d", code, want)
		}
	}
}

// posted shows how a ping is answered over HTTP.
func posted(status int, kind, body string) func(*testing.T) {
	return func(t *testing.T) {
		w := overHTTPServer(t, shown(t))
		w.shake()
		if gotStatus, gotKind, got := w.post(ping1); gotStatus != status || gotKind != kind || got != body {
			t.Errorf("HTTP %d as %q with %q, want %d as %q with %q", gotStatus, gotKind, got, status, kind, body)
		}
		if got, _, _ := w.post(last); got != 200 {
			t.Errorf("the control request: HTTP %d", got)
		}
	}
}

// everywhere shows an answer that is the same to everything.
func everywhere(status int, body, header, value string) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		w := overHTTPServer(t, shown(t))
		resp := w.must(http.MethodPost, "/mcp", hello)
		b, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != status || string(b) != body || header != "" && resp.Header.Get(header) != value {
			t.Errorf("HTTP %d with %q and %q, want %d with %q and %q", resp.StatusCode, b, resp.Header.Get(header), status, body, value)
		}
		for _, path := range []string{"/mcp", "/sse"} {
			if resp := w.must(http.MethodGet, path, ""); resp.StatusCode != status {
				t.Errorf("GET %s: HTTP %d, want %d", path, resp.StatusCode, status)
			}
		}
	}
}

// neverAnswered shows a request that is still open while others are answered.
func neverAnswered(t *testing.T, w *web, method, path, body string) {
	t.Helper()
	errs := make(chan error, 1)
	go func() {
		resp, err := w.do(method, path, body)
		if err == nil {
			resp.Body.Close()
		}
		errs <- err
	}()
	for range 10 {
		if status, _, _ := w.post(last); status != 200 {
			t.Errorf("the control request: HTTP %d", status)
		}
	}
	w.let()
	if err := within(t, "the request", errs); err == nil {
		t.Error("the request is answered")
	}
}

// TestPretty makes sure that what is indented is still the same message.
func TestPretty(t *testing.T) {
	dec := json.NewDecoder(strings.NewReader(output(t, "pretty-json")))
	for n := 0; n < 2; n++ {
		var v map[string]any
		if err := dec.Decode(&v); err != nil || v["jsonrpc"] != "2.0" {
			t.Errorf("message %d: %v, %v", n, v, err)
		}
	}
}
