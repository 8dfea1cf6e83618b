package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// The lines to repeat an exchange are those that the prober writes.
const (
	againStdio = `{ printf '%s\n' '{"jsonrpc":"2.0","id":"mcpaudit-init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcpaudit","version":"0.1.0"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","method":"ping","id":0}'; sleep 2; } | TOKEN="$TOKEN" node dist/index.js --name 'it'\''s mine'`
	againCurl  = `s=$(curl -sS -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -H 'Authorization: ***' -D - -o /dev/null -d '{"jsonrpc":"2.0","id":"mcpaudit-init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcpaudit","version":"0.1.0"}}}' 'https://example.org/mcp?key=***' | tr -d '\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: //p'); curl -sS -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -H 'Authorization: ***' -i ${s:+-H "Mcp-Session-Id: $s"} -H 'MCP-Protocol-Version: 2025-11-25' -d '{"jsonrpc":"2.0","method":"ping","id":100}' 'https://example.org/mcp?key=***'`
)

var callPattern = &mcpaudit.Pattern{
	ID: "ma-000304", Slug: "mcp-liveness.concurrency.ping-during-call", Title: "A ping is answered while a tool runs",
	Severity: mcpaudit.SeverityMedium,
}

// conversation adds a probe that went well, and returns it with a server that holds what was heard in it. The caller
// joins the latter with a source or not.
func (r *Report) conversation(name, target string, tr mcpaudit.Transport, revisions ...mcpaudit.Revision) (*mcpaudit.Probe, *mcpaudit.Server) {
	r.Patterns = []*mcpaudit.Pattern{pingPattern, unknownPattern, callPattern}
	r.Verdict.Probe = "complete"
	p := &mcpaudit.Probe{Target: target, Server: name, Transport: tr, Revisions: revisions, Ran: 38,
		Median: 421337 * time.Nanosecond, Control: 510 * time.Microsecond, Samples: 10}
	r.Repo.Probes = append(r.Repo.Probes, p)
	hello := heard(mcpaudit.Primary, "handshake", `{"jsonrpc":"2.0","id":"mcpaudit-init","method":"initialize"}`, `{"jsonrpc":"2.0","id":"mcpaudit-init","result":{}}`)
	s := &mcpaudit.Server{Name: name, Transports: []mcpaudit.Transport{tr}, Evidence: []mcpaudit.Evidence{hello},
		Routers: []*mcpaudit.Router{{Name: string(tr), Form: mcpaudit.FormWire, Evidence: hello, Heard: &mcpaudit.Heard{Transport: tr}}}}
	for _, rev := range revisions {
		s.Eras.Add(rev, hello)
	}
	return p, s
}

func heard(role mcpaudit.Role, scenario, sent string, received ...string) mcpaudit.Evidence {
	x := &mcpaudit.Exchange{Scenario: scenario, Transport: "stdio", Revision: "2025-11-25", Sent: json.RawMessage(sent), Took: 420 * time.Microsecond}
	for _, m := range received {
		x.Received = append(x.Received, json.RawMessage(m))
	}
	return mcpaudit.Evidence{Role: role, Exchange: x}
}

// notSeen is what the pattern about tool calls says where no tool was called.
func (r *Report) notSeen(server, transport string) {
	c := r.say(server, mcpaudit.Undecided, mcpaudit.ReasonNotSeen, "no ping was sent while a tool ran: --allow-calls or --call TOOL tries it out, with a tool that takes its time")
	c.Pattern, c.Severity = callPattern.ID, callPattern.Severity
	c.Subject = mcpaudit.Subject{Server: server, Kind: mcpaudit.KindMethod, Name: "ping", Router: transport}
}

// probeTwin is a finding that was read and heard: the place is in the source, the proof is what was said.
func probeTwin() *Report {
	r := newReport(map[string]string{"src/server.ts": dispatcher})
	p, s := r.conversation("files", `node dist/index.js --name 'it'\''s mine'`, "stdio", "2025-06-18", "2025-11-25")
	p.Twin = "by its name"
	twin := &mcpaudit.Server{Name: "files", Lang: "typescript", Transports: []mcpaudit.Transport{"stdio"}, Eras: s.Eras,
		Routers:  append([]*mcpaudit.Router{{Name: "handle", Form: mcpaudit.FormSwitch}}, s.Routers...),
		Evidence: append([]mcpaudit.Evidence{r.at(mcpaudit.Primary, "src/server.ts", "switch", "")}, s.Evidence...)}
	twin.Evidence[1].Role = mcpaudit.Related
	r.Repo.Servers = []*mcpaudit.Server{twin}
	proof := heard(mcpaudit.Related, "ping/zero", `{"jsonrpc":"2.0","method":"ping","id":0}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}`)
	proof.Exchange.Repeat = againStdio
	c := r.fail("files", "wrong-id", "heard over stdio: a ping with the id 0: its answer carries the id null, so that no client takes it for the answer",
		r.at(mcpaudit.Primary, "src/server.ts", "default:", ""), proof)
	c.Subject.Router, c.Confidence, c.Examined = "handle", mcpaudit.Certain, 14
	c.Hints = []string{"send the id back as it came: keep it as raw JSON, and do not test it for truth"}
	r.notSeen("files", "stdio")
	return r
}

// probeHeard is a server of which nothing was read, and a second one of the same name over HTTP.
func probeHeard() *Report {
	r := newReport(nil)
	r.Root, r.Repo.Sources = Root{}, map[string][]byte{}
	_, first := r.conversation("harbour", "./harbour --stdio", "stdio", "2025-06-18", "2025-11-25")
	p, second := r.conversation("harbour", "http://localhost:8080/mcp", "streamable-http", "2025-11-25")
	p.Median, p.Control = 12340*time.Microsecond, 1500*time.Millisecond
	second.Eras.Pin([]mcpaudit.Revision{"2025-03-26"})
	r.Repo.Servers = []*mcpaudit.Server{first, second}
	r.notSeen("harbour", "stdio")
	c := r.check(mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: "harbour", Kind: mcpaudit.KindMethod, Name: "ping", Router: "stdio"}, Verdict: mcpaudit.Passed,
		Reason: mcpaudit.ReasonHeard, Examined: 14, Era: mcpaudit.Legacy, Confidence: mcpaudit.Certain,
		Message: "a running server answered ping with {} over stdio (2025-06-18, 2025-11-25); 0.42 ms in the median of 10 warm pings, another request 0.51 ms",
	})
	c.Evidence = []mcpaudit.Evidence{heard(mcpaudit.Related, "ping/integer", `{"jsonrpc":"2.0","method":"ping","id":1}`, `{"jsonrpc":"2.0","id":1,"result":{}}`)}
	return r
}

// probeFinding are findings of a server of which nothing was read: there is no place, and much was said.
func probeFinding() *Report {
	r := newReport(nil)
	r.Root, r.Repo.Sources = Root{}, map[string][]byte{}
	_, s := r.conversation("harbour", "https://example.org/mcp?key=***", "streamable-http", "2025-11-25")
	r.Repo.Servers = []*mcpaudit.Server{s}
	var sent, received []string
	for i := range 50 {
		sent = append(sent, fmt.Sprintf(`{"jsonrpc":"2.0","method":"ping","id":%d}`, 100+i))
		received = append(received, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, 100+i))
	}
	burst := heard(mcpaudit.Primary, "ping/burst", strings.Join(sent, "\n"), received[:49]...)
	burst.Exchange.Status, burst.Exchange.Transport, burst.Exchange.Repeat = 200, "streamable-http", againCurl
	c := r.fail("harbour", "silent", "heard over streamable-http: of 50 pings in a row: 1 got no answer", burst)
	c.Subject.Router, c.Confidence = "streamable-http", mcpaudit.Certain
	beside := heard(mcpaudit.Primary, "ping/beside", sent[0]+"\n"+sent[1], `{"jsonrpc":"2.0","id":100,"result":{"tools":["`+strings.Repeat("x", 400)+`"]}}`, `{"jsonrpc":"2.0","id":101,"result":{"pong":true}}`)
	c = r.fail("harbour", "extra-keys", "heard over streamable-http: a ping sent together with another request: its result has the key pong", beside)
	c.Level = mcpaudit.Warning
	broken := heard(mcpaudit.Primary, "malformed/json", "{\"jsonrpc\":\n\"2.0\"", "one", "two", "three", "four")
	c = r.fail("harbour", "notification", "heard over streamable-http: broken JSON is answered", broken)
	c.Level = mcpaudit.Note
	return r
}

// probeIncomplete has a probe in which a part could not be done, beside one that wanted credentials for everything, and
// a third one that nothing is known of but why it failed.
func probeIncomplete() *Report {
	r := newReport(map[string]string{"src/server.ts": dispatcher})
	p, s := r.conversation("files", "https://example.org/mcp", "streamable-http", "2025-11-25", "2026-07-28")
	p.Twin, p.Ran, p.Samples = "named by the user", 3, 0
	const denied = "HTTP 401: the server wants credentials; give them with --header-env"
	for _, name := range []string{"ping/integer", "ping/again", "ping/string", "ping/zero", "ping/latency"} {
		p.NotRun = append(p.NotRun, mcpaudit.Exercise{Name: name, Why: denied})
	}
	p.NotRun = append(p.NotRun, mcpaudit.Exercise{Name: "ping/during-call", Why: "no tool says that it only reads and needs no arguments; name one with --call"},
		mcpaudit.Exercise{Name: "shutdown/end", Why: denied}, mcpaudit.Exercise{Name: "http/origin"})
	r.Repo.Servers = []*mcpaudit.Server{{Name: "files", Lang: "typescript", Transports: s.Transports, Eras: s.Eras,
		Routers:  append([]*mcpaudit.Router{{Name: "handle", Form: mcpaudit.FormSwitch}, {Name: "batch", Form: mcpaudit.FormSwitch}}, s.Routers...),
		Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "src/server.ts", "switch", "")}}}
	r.say("files", mcpaudit.Undecided, mcpaudit.ReasonNotTest, "ping cannot be judged: HTTP 401: the server wants credentials").Subject.Router = "streamable-http"
	for _, router := range []string{"handle", "batch"} {
		r.say("files", mcpaudit.Passed, mcpaudit.ReasonOwnCode, "the case for ping returns an empty object").Subject.Router = router
	}
	r.Repo.Probes = append(r.Repo.Probes,
		&mcpaudit.Probe{Target: "https://example.org/other", Transport: "streamable-http", Failure: denied, NotRun: p.NotRun[:4]},
		&mcpaudit.Probe{Target: "./gone", Transport: "stdio", Failure: "start the server: no such file"})
	r.Verdict.Exit, r.Verdict.Reason, r.Verdict.Probe = 4, "probe-incomplete", "incomplete"
	return r
}

// probeFailed is a probe alone that heard nothing.
func probeFailed() *Report {
	r := empty()
	r.Verdict.Exit, r.Verdict.Reason, r.Verdict.Probe = 4, "probe-incomplete", "incomplete"
	r.Repo.Probes = []*mcpaudit.Probe{{Target: "node dist/index.js", Transport: "stdio",
		Failure: `the server exited with 1 instead of answering initialize; the end of its stderr: "Error: Cannot find module 'x'"`}}
	return r
}

// probeInVain is a tree without a server, and a probe that heard nothing.
func probeInVain() *Report {
	r := unread()
	r.Verdict.Exit, r.Verdict.Reason, r.Verdict.Probe = 4, "probe-incomplete", "incomplete"
	r.Repo.Probes = probeFailed().Repo.Probes
	return r
}

// probeHostile is a server that speaks to the reader of the report.
func probeHostile() *Report {
	r := newReport(nil)
	r.Root, r.Repo.Sources = Root{}, map[string][]byte{}
	name := "x\x1b]0;owned\x07\n::error::owned ##[error]"
	p, s := r.conversation(name, "node '\u202ea.js' \x1b[2J\n::error::owned ##vso[x]", "stdio\u200b", "2025-11-25\n::error::x")
	p.NotRun = []mcpaudit.Exercise{{Name: "ping/\x1b[31m", Why: "refused: \"\n::error::owned ##[error] \u2066\xff\""}}
	r.Repo.Servers = []*mcpaudit.Server{s}
	s.Eras = mcpaudit.Eras{}
	evil := heard(mcpaudit.Primary, "ping/integer", `{"jsonrpc":"2.0","method":"ping","id":1}`, "\n::error::owned", "##[error]\x1b[2J",
		strings.Repeat("\u202e", 301), `{"id":1,"result":"`+"\x7f\u2028"+`"}`)
	evil.Exchange.Repeat = "echo \u202e'##vso[x]'"
	r.fail(name, "silent", "what came is no message: \"\n::error::\x1b[2J\"", evil)
	r.Repo.Probes = append(r.Repo.Probes,
		&mcpaudit.Probe{Target: "\n::error::y", Failure: "initialize is refused: {\"message\":\"\n::error::owned\x1b[2J ##[error]\"}"},
		&mcpaudit.Probe{Target: "no such server", Server: name, Twin: "by\u202e its name"})
	r.Verdict.Probe = "incomplete"
	return r
}
