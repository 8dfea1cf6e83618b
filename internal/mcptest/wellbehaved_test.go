package mcptest

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	caps      = `"capabilities":{"tools":{}}`
	info      = `"serverInfo":{"name":"mcp-test","version":"1.0.0"}`
	modernEnv = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modernTag = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"mcp-test","version":"1.0.0"}}`
	oneTool   = `"tools":[{"annotations":{"readOnlyHint":true},"description":"Says that it was called. It has no effects.","inputSchema":{"type":"object"},"name":"look"}]`
)

func greeting(version string) string {
	return `{"jsonrpc":"2.0","id":"init","result":{` + caps + `,"protocolVersion":"` + version + `",` + info + `}}`
}

func withVersion(msg, version string) string { return strings.Replace(msg, "2025-11-25", version, 1) }

// exchange is one message and what it is answered with, "" for nothing.
type exchange struct{ send, want string }

var legacyTalk = []exchange{
	{`{"jsonrpc":"2.0","id":0,"method":"ping"}`, `{"jsonrpc":"2.0","id":0,"result":{}}`},
	{`{"jsonrpc":"2.0","id":"early","method":"tools/list"}`, `{"jsonrpc":"2.0","id":"early","error":{"code":-32600,"message":"the connection has not been initialized"}}`},
	{`{"jsonrpc":"2.0","id":9,"method":"server/discover","params":{` + modernEnv + `}}`, `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"method not found: server/discover"}}`},
	{hello, greeting("2025-11-25")},
	{ready, ""},
	{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
	{`{"jsonrpc":"2.0","id":"\u0061","method":"ping","params":{}}`, `{"jsonrpc":"2.0","id":"\u0061","result":{}}`},
	{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":{"_meta":{"progressToken":1}}}`, `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`},
	{`{"jsonrpc":"2.0","id":"","method":"ping"}`, `{"jsonrpc":"2.0","id":"","result":{}}`},
	{`{"jsonrpc":"2.0","method":"ping"}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/unheard-of"}`, ""},
	{`{"jsonrpc":"2.0","id":"none","result":{}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}`, `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"params is not an object"}}`},
	{`{"jsonrpc":"2.0","id":3,"method":"no/such"}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"method not found: no/such"}}`},
	{`{"jsonrpc":"2.0","id":4,"method":"logging/setLevel","params":{"level":"info"}}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"method not found: logging/setLevel"}}`},
	{`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":5,"result":{` + oneTool + `}}`},
	{`{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":"x"}}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"unknown cursor"}}`},
	{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"look"}}`, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"text":"look was called","type":"text"}],"isError":false}}`},
	{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nope"}}`, `{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"unknown tool: \"nope\""}}`},
	{withVersion(hello, "2024-11-05"), `{"jsonrpc":"2.0","id":"init","error":{"code":-32600,"message":"the connection has been initialized already"}}`},
	{`{"jsonrpc":"2.0","id":1,`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"the message is not JSON"}}`},
	{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"the id is neither a string nor a number"}}`},
	{`{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the method is not a string"}}`},
	{`{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"jsonrpc is not \"2.0\""}}`},
	{`[` + ping1 + `]`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"there are no batches in this revision of the protocol"}}`},
	{ping1, pong1},
}

var modernTalk = []exchange{
	{`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernEnv + `}}`,
		`{"jsonrpc":"2.0","id":1,"result":{` + modernTag + `,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`},
	{`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + modernEnv + `}}`, `{"jsonrpc":"2.0","id":2,"result":{` + modernTag + `,"ttlMs":0,"cacheScope":"private",` + oneTool + `}}`},
	{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look",` + modernEnv + `}}`,
		`{"jsonrpc":"2.0","id":3,"result":{` + modernTag + `,"content":[{"text":"look was called","type":"text"}],"isError":false}}`},
	{`{"jsonrpc":"2.0","id":4,"method":"ping","params":{` + modernEnv + `}}`, `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"method not found: ping"}}`},
	{`{"jsonrpc":"2.0","id":5,"method":"initialize","params":{` + modernEnv + `}}`, `{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"method not found: initialize"}}`},
	{`{"jsonrpc":"2.0","id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the _meta of the request lacks io.modelcontextprotocol/protocolVersion or io.modelcontextprotocol/clientCapabilities"}}`},
	{hello, `{"jsonrpc":"2.0","id":"init","error":{"code":-32022,"message":"unsupported protocol version","data":{"requested":"2025-11-25","supported":["2026-07-28"]}}}`},
	{`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + strings.Replace(modernEnv, "2026-07-28", "2099-01-01", 1) + `}}`,
		`{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"unsupported protocol version","data":{"requested":"2099-01-01","supported":["2026-07-28"]}}}`},
	{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, ""},
}

func TestStdio(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		talk []exchange
	}{
		{"legacy", []string{"--tools", "look"}, legacyTalk},
		{"modern", []string{"--tools", "look", "--era", "modern"}, modernTalk},
		{"dual legacy", []string{"--tools", "look", "--era", "dual"}, append([]exchange{{ping1, pong1}}, legacyTalk...)},
		{"dual modern", []string{"--tools", "look", "--era", "dual"}, append([]exchange{{
			`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{` + modernEnv + `}}`,
			`{"jsonrpc":"2.0","id":"d","result":{` + modernTag + `,"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`,
		}}, modernTalk[1:]...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := overPipes(t, false, tt.args...)
			// Everything at once, as a fast client does it: nothing that answers at once may come out of order.
			var want []string
			go func() {
				for _, e := range tt.talk {
					io.WriteString(p.in, e.send+"\n")
				}
				p.in.Close()
			}()
			for _, e := range tt.talk {
				if e.want != "" {
					want = append(want, e.want)
				}
			}
			got, err := io.ReadAll(p.out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(want, "\n")+"\n", string(got)); diff != "" {
				t.Errorf("output mismatch (-want +got):\n%s", diff)
			}
			if code := within(t, "the exit code", p.code); code != 0 {
				t.Errorf("exit code %d, want 0 (%s)", code, p.errs)
			}
		})
	}
}

func TestNegotiation(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1.0.0": "2025-11-25",
	} {
		p := overPipes(t, false)
		if diff := cmp.Diff([]string{greeting(want)}, p.ask(withVersion(hello, asked))); diff != "" {
			t.Errorf("asked for %s: answer mismatch (-want +got):\n%s", asked, diff)
		}
	}
}

func TestBatch(t *testing.T) {
	p := overPipes(t, false)
	got := p.ask(withVersion(hello, "2025-03-26"), `[`+ping1+`,`+ready+`,{"jsonrpc":"2.0","id":2,"method":"no/such"}]`, `[`+ready+`]`)
	want := []string{greeting("2025-03-26"), `[` + pong1 + `,{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"method not found: no/such"}}]`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers mismatch (-want +got):\n%s", diff)
	}
}

// slowCall takes longer than any test: what comes after it did not wait for it.
const slowCall = `{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"slow"}}`

func TestPingDuringCall(t *testing.T) {
	p := overPipes(t, false, "--slow", "1h")
	if diff := cmp.Diff([]string{greeting("2025-11-25"), pong1}, p.ask(hello, ready, slowCall, ping1)); diff != "" {
		t.Errorf("answers mismatch (-want +got):\n%s", diff)
	}
	if code, rest := p.finish(); code != 0 || rest != "" {
		t.Errorf("exit code %d and output %q, want 0 and nothing", code, rest)
	}
}

func TestCancelledCall(t *testing.T) {
	v := newServer(options{tools: []string{"slow"}, slow: time.Hour, era: eraLegacy})
	s := newSession("")
	v.line(s, []byte(hello))
	r := v.line(s, []byte(slowCall))
	v.line(s, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}`))
	if r.settle(t.Context()) {
		t.Error("the call is answered although it was cancelled")
	}
	if len(s.running) != 0 {
		t.Errorf("%d calls are remembered, want none", len(s.running))
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		broken bool
		args   string
		want   string
	}{
		{false, "--nonsense", "mcp-test: flag provided but not defined: -nonsense\n"},
		{false, "--era old", "mcp-test: no era is called \"old\": want legacy, modern or dual\n"},
		{false, "ping-null", "mcp-test: mcp-test has no behaviours; mcp-broken has them\n"},
		{false, "--http", "mcp-test: --http needs --url-file: nobody would know where it serves\n"},
		{false, "--url-file x", "mcp-test: --url-file needs --http\n"},
		{false, "--json", "mcp-test: --stateless and --json need --http\n"},
		{true, "", "mcp-test: name at least one behaviour; --help lists them\n"},
		{true, "ping-nil", "mcp-test: no behaviour is called \"ping-nil\"; --help lists them\n"},
		{true, "ping-null --nonsense", "mcp-test: flag provided but not defined: -nonsense\n"},
		{true, "ping-null ping-true", "mcp-test: ping-null and ping-true contradict each other: both set the answer to ping\n"},
		{true, "ping-null --era modern", "mcp-test: --era modern leaves nothing of behaviours that belong to the era legacy\n"},
		{true, "http-401", "mcp-test: http-401 makes no sense over stdio\n"},
		{true, "bom --http --url-file x", "mcp-test: bom makes no sense over HTTP\n"},
		{true, "ping-twice --http --url-file x --json", "mcp-test: ping-twice has several messages in one answer, which --json cannot carry\n"},
		{true, "ping-gated-initialized --http --url-file x --stateless", "mcp-test: ping-gated-initialized has to remember its client, which --stateless forbids\n"},
	} {
		p := overPipes(t, tt.broken, strings.Fields(tt.args)...)
		if code := within(t, "the exit code", p.code); code != 2 {
			t.Errorf("%s: exit code %d, want 2", tt.args, code)
		}
		if got := p.errs.String(); got != tt.want {
			t.Errorf("%s: stderr %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestHelp(t *testing.T) {
	p := overPipes(t, true, "--help")
	code, out := p.finish()
	if code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	for _, b := range Behaviours() {
		if !strings.Contains(out, b.About) {
			t.Errorf("the help does not say that %s %s", b.Name, b.About)
		}
	}
}

func TestReadsEnv(t *testing.T) {
	p := inProcess(t, "well", "--reads-env", "MCPTEST_SECRET", "--name", "n")
	p.send(hello)
	want := `{"jsonrpc":"2.0","id":"init","result":{` + caps + `,"protocolVersion":"2025-11-25","serverInfo":{"name":"n","title":"hunter2","version":"1.0.0"}}}`
	if got := p.line(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.in.Close()
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// served starts a server over HTTP in a process of its own and waits until it can be reached.
func served(t *testing.T) (*process, *web) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "url")
	p := inProcess(t, "well", "--http", "--url-file", file)
	var url []byte
	for len(url) == 0 {
		var err error
		if url, err = os.ReadFile(file); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		select {
		case err := <-p.end:
			t.Fatalf("the server ended before it served: %v %s", err, &p.errs)
		case <-time.After(time.Millisecond):
		}
	}
	return p, &web{t: t, url: strings.TrimSuffix(string(url), "\n"), ctx: t.Context()}
}

func TestListen(t *testing.T) {
	p, w := served(t)
	w.shake()
	get := w.must(http.MethodGet, "/mcp", "")
	p.in.Close()
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0 (%s)", code, &p.errs)
	}
	io.Copy(io.Discard, get.Body) // ends because the server has
}
