package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// fixtures are the reports of the golden files. Each call builds a new one, so that a test can hold what a writer
// was given against what it left behind.
var fixtures = map[string]func() *Report{
	"clean":          clean,
	"findings":       findings,
	"servers":        servers,
	"gaps":           gaps,
	"hostile":        hostile,
	"width":          wide,
	"live":           live,
	"empty":          empty,
	"unread":         unread,
	"usage":          usage,
	"missing-source": missingSource,

	"probe-twin":       probeTwin,
	"probe-heard":      probeHeard,
	"probe-finding":    probeFinding,
	"probe-incomplete": probeIncomplete,
	"probe-failed":     probeFailed,
	"probe-in-vain":    probeInVain,
	"probe-hostile":    probeHostile,
}

var (
	pingPattern = &mcpaudit.Pattern{
		ID: "ab-001839", Slug: "mcp-server.transport-protocol.ping-support", Title: "Responds to ping requests",
		Severity: mcpaudit.SeverityLow, Refs: []string{"https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping"},
	}
	unknownPattern = &mcpaudit.Pattern{
		ID: "ab-001842", Slug: "mcp-server.error-resilience.method-not-found", Title: "Unknown methods get -32601",
		Severity: mcpaudit.SeverityHigh,
	}
	ignorePattern = &mcpaudit.Pattern{
		ID: "mcpaudit/bad-ignore", Slug: "bad-ignore", Title: "An ignore comment is not applied", Severity: mcpaudit.SeverityMedium,
	}
)

// newReport has the members that every report has.
func newReport(sources map[string]string) *Report {
	r := &Report{
		Tool:     Tool{Name: "mcpaudit", Version: "0.1.0"},
		Verdict:  Verdict{Reason: "clean", FailOn: mcpaudit.Warning, Analysed: true, Probe: "none"},
		Root:     Root{VCS: "git", Revision: "5f0c1d2e3b4a59687766554433221100ffeeddcc"},
		Repo:     &mcpaudit.Repo{Root: "/home/user/project", Sources: map[string][]byte{}},
		Patterns: []*mcpaudit.Pattern{pingPattern, unknownPattern, ignorePattern},
	}
	for name, src := range sources {
		r.Repo.Sources[name] = []byte(src)
	}
	r.Repo.Counts = mcpaudit.Counts{Files: len(sources), Read: len(sources), Parsed: len(sources)}
	return r
}

// at is evidence of the first place in a file that holds a text.
func (r *Report) at(role mcpaudit.Role, file, text, note string) mcpaudit.Evidence {
	i := bytes.Index(r.Repo.Sources[file], []byte(text))
	if i < 0 {
		panic(fmt.Sprintf("%q is not in %s", text, file))
	}
	return mcpaudit.At(role, mcpaudit.Span{File: file, Start: i, End: i + len(text)}, note)
}

// fail adds a finding at level error that is active; the caller changes the rest.
func (r *Report) fail(server, fault, message string, evidence ...mcpaudit.Evidence) *mcpaudit.Check {
	r.Verdict.Exit, r.Verdict.Reason = 1, "findings"
	return r.check(mcpaudit.Check{
		Fault: fault, Subject: mcpaudit.Subject{Server: server, Kind: mcpaudit.KindMethod, Name: "ping"},
		Verdict: mcpaudit.Failed, Reason: mcpaudit.ReasonFault, Message: message, Confidence: mcpaudit.High,
		Persona: mcpaudit.Regular, Level: mcpaudit.Error, Era: mcpaudit.Legacy, Examined: 1,
		Evidence: evidence, Status: mcpaudit.Active,
	})
}

// say adds a verdict of the second pattern that is no finding.
func (r *Report) say(server string, v mcpaudit.Verdict, reason, message string, evidence ...mcpaudit.Evidence) *mcpaudit.Check {
	c := r.check(mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: server, Kind: mcpaudit.KindServer, Name: server},
		Verdict: v, Reason: reason, Message: message, Evidence: evidence, Examined: 2,
	})
	c.Pattern, c.Severity = unknownPattern.ID, unknownPattern.Severity
	return c
}

func (r *Report) check(c mcpaudit.Check) *mcpaudit.Check {
	c.Pattern, c.Severity = pingPattern.ID, pingPattern.Severity
	r.Checks = append(r.Checks, c)
	return &r.Checks[len(r.Checks)-1]
}

func clean() *Report {
	r := newReport(map[string]string{"main.go": "package main\n\nvar server = mcp.NewServer(info, nil)\n", "go.mod": "module x\n\nrequire github.com/modelcontextprotocol/go-sdk v1.4.0\n"})
	lock := r.at(mcpaudit.Primary, "go.mod", "github.com/modelcontextprotocol/go-sdk v1.4.0", "")
	r.Repo.Servers = []*mcpaudit.Server{{
		Name: "clock", Lang: "go", Transports: []mcpaudit.Transport{"stdio", "streamable-http"},
		SDK:      &mcpaudit.SDKRef{Name: "go-sdk", Version: "v1.4.0", Evidence: &lock},
		Eras:     mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-11-25"}},
		Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "main.go", "mcp.NewServer", "")},
	}}
	r.check(mcpaudit.Check{
		Subject: mcpaudit.Subject{Server: "clock", Kind: mcpaudit.KindMethod, Name: "ping"}, Verdict: mcpaudit.Passed,
		Reason: mcpaudit.ReasonSDK, Message: "the SDK answers ping itself, and nothing replaces it", Examined: 1, Era: mcpaudit.Legacy,
	})
	r.say("clock", mcpaudit.NotApplicable, mcpaudit.ReasonEra, "no revision of this server asks for it")
	return r
}

const dispatcher = `import { reply } from "./reply";

// mcpaudit:ignore[ab-001842] -- the gateway in front of it answers those
export function handle(msg: Message) {
	switch (msg.method) {
		case "tools/list":
			return reply(msg.id, { tools });
		default:
			return fail(msg.id, -32601);
	}
}

export function pong(id: Id) {
	return reply(id, {
		pong: true,
	});
}
`

// findings has a finding of every status and level, with and without related places.
func findings() *Report {
	r := newReport(map[string]string{
		"src/server.ts": dispatcher,
		"src/entry.ts":  "import net from \"net\";\nconst server = net.createServer(handle);\n",
	})
	r.Root.Prefix, r.Root.Dirty = "packages/files", true
	r.Repo.Servers = []*mcpaudit.Server{{
		Name: "files", Lang: "typescript", Transports: []mcpaudit.Transport{"stdio"},
		Eras:     mcpaudit.Eras{Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-11-25", "2026-07-28"}},
		Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "src/server.ts", "switch (msg.method)", "")},
	}}
	c := r.fail("files", "missing", "the server never answers ping",
		r.at(mcpaudit.Primary, "src/server.ts", "default:", "unknown methods get error -32601"),
		r.at(mcpaudit.Related, "src/server.ts", "switch (msg.method)", "requests are told apart here"),
		r.at(mcpaudit.Related, "src/entry.ts", "net.createServer(handle)", "requests enter here"),
		r.at(mcpaudit.Hidden, "src/server.ts", "// mcpaudit", "never shown"))
	c.Hints = []string{"add a case that returns an empty object"}
	c.Era, c.Subject.Router = mcpaudit.Dual, "handle"
	span := *c.Primary()
	span.End = span.Start
	c.Fixes = []mcpaudit.Fix{
		{Title: "add a case for ping", Safe: true, Edits: []mcpaudit.Edit{{Span: span, Text: "case \"ping\":\n\t\t\treturn reply(msg.id, {});\n\t\t"}}},
		{Title: "forward ping", Edits: []mcpaudit.Edit{{Span: span, Text: "x"}}},
		{Title: "left out, JSON cannot carry it", Edits: []mcpaudit.Edit{{Span: span, Text: "\xff"}}},
	}
	c = r.fail("files", "extra-keys", "the answer to ping has the key pong, so strict clients refuse it",
		r.at(mcpaudit.Primary, "src/server.ts", "reply(id, {\n\t\tpong: true,\n\t})", "this object is the result"))
	c.Level, c.Confidence = mcpaudit.Warning, mcpaudit.Medium
	c = r.fail("files", "slow", "the answer to ping waits for the network", r.at(mcpaudit.Primary, "src/server.ts", "pong(id: Id)", ""))
	c.Level = mcpaudit.Note
	for i, hide := range []func(*mcpaudit.Check){
		func(c *mcpaudit.Check) { c.HiddenBy, c.Persona = "persona", mcpaudit.Pedantic },
		func(c *mcpaudit.Check) { c.HiddenBy, c.Trial = "persona", true },
		func(c *mcpaudit.Check) { c.HiddenBy, c.Confidence = "confidence", mcpaudit.Low },
		func(c *mcpaudit.Check) { c.HiddenBy = "severity" },
	} {
		c = r.fail("files", fmt.Sprintf("hidden-%d", i), "the answer to ping has a smell", r.at(mcpaudit.Primary, "src/server.ts", "pong: true", ""))
		c.Level, c.Status = mcpaudit.Note, mcpaudit.HiddenBy
		hide(c)
	}
	c = r.fail("files", "silent", "unknown methods get no answer", r.at(mcpaudit.Primary, "src/server.ts", "default:", ""))
	c.Pattern, c.Severity, c.Status = unknownPattern.ID, unknownPattern.Severity, mcpaudit.Ignored
	c.Ignored = &mcpaudit.Ignore{Span: *r.at(mcpaudit.Primary, "src/server.ts", "// mcpaudit:ignore[ab-001842]", "").Span, Reason: "the gateway in front of it answers those"}
	c = r.fail("files", "null-result", "the answer to ping is null", r.at(mcpaudit.Primary, "src/server.ts", "-32601", ""))
	c.Status = mcpaudit.Baselined
	r.say("files", mcpaudit.Undecided, mcpaudit.ReasonUnresolved, "src/reply.ts builds the envelope from a value that cannot be followed",
		r.at(mcpaudit.Related, "src/server.ts", "./reply", ""))
	bad := r.fail("", "no-reason", "the comment is not applied, because it gives no reason", r.at(mcpaudit.Primary, "src/entry.ts", "import", ""))
	bad.Pattern, bad.Subject = ignorePattern.ID, mcpaudit.Subject{}
	r.Ignores.Unused = []mcpaudit.Ignore{{Span: mcpaudit.Span{File: "src/entry.ts", Start: 24, End: 30}, Reason: "agreed with the team"}}
	r.Ignores.Expired = []mcpaudit.Ignore{{Span: mcpaudit.Span{File: "mcpaudit.json"}, Reason: "waiting for SDK 2"}}
	r.Baseline = &Baseline{Path: "mcpaudit.baseline.json", Stale: []BaselineEntry{{Fingerprint: strings.Repeat("0", 32) + ":1", Pattern: "ab-001839", Path: "src/old.ts"}}}
	r.Verdict.Partial = true
	return r
}

// servers has servers of every kind that the coverage knows, and a client.
func servers() *Report {
	r := newReport(map[string]string{
		"a/index.ts":        "const server = new McpServer({ name: \"files\" });\n",
		"b/app.py":          "async def dispatch(self, message):\n    pass\n\nasync def dispatch_sse(self, message):\n    pass\n",
		"c/app.py":          "mcp = FastMCP(\"notes\")\n",
		"test/fake.ts":      "export function fake(msg) {}\n",
		"client.ts":         "const client = new Client();\n",
		"package-lock.json": "{\n  \"@modelcontextprotocol/sdk\": \"1.29.0\"\n}\n",
		"c/pyproject.toml":  "[project]\ndependencies = [\"mcp>=1.2\"]\n",
	})
	lock := r.at(mcpaudit.Primary, "package-lock.json", "\"@modelcontextprotocol/sdk\"", "")
	manifest := r.at(mcpaudit.Primary, "c/pyproject.toml", "mcp>=1.2", "")
	r.Repo.Servers = []*mcpaudit.Server{
		{Name: "files", Lang: "typescript", SDK: &mcpaudit.SDKRef{Name: "@modelcontextprotocol/sdk", Version: "1.29.0", Evidence: &lock},
			Eras:       mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-03-26", "2025-11-25"}},
			Transports: []mcpaudit.Transport{"stdio"}, Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "a/index.ts", "McpServer", "")}},
		{Name: "notes", Lang: "python", SDK: &mcpaudit.SDKRef{Name: "mcp", Range: ">=1.2", Evidence: &manifest},
			Eras: mcpaudit.Eras{Modern: mcpaudit.Yes}, Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "c/app.py", "FastMCP", "")}},
		{Name: "gateway", Lang: "python", Transports: []mcpaudit.Transport{"stdio", "http+sse"},
			Routers:  []*mcpaudit.Router{{Name: "dispatch"}, {Name: "dispatch_sse"}, {Name: "fake", Test: true}},
			Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "b/app.py", "dispatch", "")}},
		{Name: "bare", Lang: "go", SDK: &mcpaudit.SDKRef{Name: "go-sdk"}},
		{Name: "fake", Lang: "typescript", Routers: []*mcpaudit.Router{{Name: "fake", Test: true}},
			Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "test/fake.ts", "fake", "")}},
	}
	r.Repo.Clients = []*mcpaudit.Client{{Name: "caller", Lang: "typescript", Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "client.ts", "new Client", "")}}}
	r.Repo.Counts.LeftOut = map[string]int{"vendored": 12, "generated": 1, "test": 12}
	ping := func(server string, v mcpaudit.Verdict, reason, message, router string) *mcpaudit.Check {
		c := r.say(server, v, reason, message)
		c.Pattern, c.Severity = pingPattern.ID, pingPattern.Severity
		c.Subject = mcpaudit.Subject{Server: server, Kind: mcpaudit.KindMethod, Name: "ping", Router: router}
		return c
	}
	c := r.fail("gateway", "missing", "the server never answers ping over SSE", r.at(mcpaudit.Primary, "b/app.py", "dispatch_sse", ""))
	c.Subject.Router, c.Level, c.Era = "dispatch_sse", mcpaudit.Warning, mcpaudit.EraUnknown
	ping("gateway", mcpaudit.Passed, mcpaudit.ReasonOwnCode, "the case for ping returns an empty object", "dispatch")
	r.say("gateway", mcpaudit.Undecided, mcpaudit.ReasonDynamic, "routes are added by plugins at run time")
	ping("files", mcpaudit.Passed, mcpaudit.ReasonSDK, "the SDK answers ping itself since 1.0, and nothing replaces it", "")
	r.say("files", mcpaudit.NotApplicable, mcpaudit.ReasonOff, "the proxy answers for it")
	ping("notes", mcpaudit.NotApplicable, mcpaudit.ReasonEra, "2026-07-28 has no ping", "")
	tool := r.say("notes", mcpaudit.Passed, mcpaudit.ReasonOwnCode, "the tool name is valid")
	tool.Subject = mcpaudit.Subject{Server: "notes", Kind: mcpaudit.KindTool, Name: "add"}
	ping("fake", mcpaudit.Undecided, mcpaudit.ReasonUnresolved, "a verdict on a test is not listed", "fake")
	ping("caller", mcpaudit.Passed, mcpaudit.ReasonOwnCode, "the client answers ping", "")
	r.say("", mcpaudit.Passed, mcpaudit.ReasonOwnCode, "one manifest names one SDK")
	return r
}

// gaps has one of each kind, and one kind that the text has no words for.
func gaps() *Report {
	r := clean()
	r.Repo.Sources["go/old.go"] = []byte("package old\n\nfunc (\n")
	add := func(file, lang, reason, detail string) {
		r.Repo.Gaps = append(r.Repo.Gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: file}, Lang: lang, Reason: reason, Detail: detail})
	}
	for i := range 5 {
		add(fmt.Sprintf("zig/%d.zig", i), "zig", mcpaudit.GapLanguage, "")
	}
	add("go/bad.go", "go", mcpaudit.GapParse, "no package clause")
	r.Repo.Gaps = append(r.Repo.Gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: "go/old.go", Start: 13, End: 19}, Lang: "go", Reason: mcpaudit.GapParse, Detail: "expected a name"})
	add("big.json", "", mcpaudit.GapSize, "12 MB, the limit is 4 MB")
	add("caf\xe9.py", "python", mcpaudit.GapEncoding, "the name is not UTF-8")
	add("slow.ts", "typescript", mcpaudit.GapTimeout, "")
	add("link", "", mcpaudit.GapOutsideRoot, "a link out of the tree")
	add("pipe", "", mcpaudit.GapNotRegular, "")
	add("secret.py", "python", mcpaudit.GapUnreadable, "permission denied")
	add("odd.rb", "ruby", mcpaudit.GapCrash, "index out of range")
	add("bundle.js", "javascript", mcpaudit.GapLongLine, "")
	add("deep.js", "javascript", mcpaudit.GapDepth, "")
	add("new.x", "", "moon-phase", "")
	return r
}

// hostile speaks to every reader of a report.
func hostile() *Report {
	r := newReport(map[string]string{
		"::error::x.ts":  "// ##vso[task.complete result=Succeeded] \x1b[2Jgone\n\x1b]0;title\x07switch (m) { /* \u202e} \u2066if (ok)\u2069 */\n",
		"src/\u202ex.ts": "say(\"a\\n\u200bb\") // ##teamcity[x] \xff\n",
		"ok/plain.ts":    "default: // ::stop-commands::x\n",
	})
	name := "files\x1b[31m\u202e\n::error::owned"
	r.Repo.Servers = []*mcpaudit.Server{{Name: name, Lang: "typescript",
		SDK:        &mcpaudit.SDKRef{Name: "sdk\x07", Version: "1.0##[error]"},
		Eras:       mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-11-25\u200b"}},
		Transports: []mcpaudit.Transport{"stdio\n"}, Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "::error::x.ts", "switch", "")}}}
	c := r.fail(name, "missing", "the router\n::error::owned \x1b[31mnever answers ping",
		r.at(mcpaudit.Primary, "::error::x.ts", "if (ok)", "note\n::error::owned"),
		r.at(mcpaudit.Related, "::error::x.ts", "result", "##[error]"),
		r.at(mcpaudit.Related, "src/\u202ex.ts", "b\")", ""))
	c.Hints = []string{"hint\r\n::warning::owned"}
	c.Subject.Router = "a\x9bb"
	r.fail(name, "extra-keys", "plain places stay plain", r.at(mcpaudit.Primary, "ok/plain.ts", "default:", ""))
	r.say(name, mcpaudit.Undecided, mcpaudit.ReasonUnresolved, "cannot follow \"\u2028##[group]\"")
	r.Repo.Gaps = []mcpaudit.Gap{{Span: mcpaudit.Span{File: "\n::error::gap.ts"}, Lang: "x\x1b", Reason: "why\x1b", Detail: "##[error]"}}
	r.Repo.Counts.LeftOut = map[string]int{"excluded\x1b[0m": 1}
	return r
}

// wide has what makes columns and cells differ.
func wide() *Report {
	r := newReport(map[string]string{
		"tabs.ts":    "\t\tcase \"x\":\tpong();\n",
		"wide.py":    "名前 = \"サーバー\"; pong()\n",
		"emoji.py":   "x = \"😀😀\"; pong()\n",
		"marks.py":   "e\u0301e\u0301\u0302 = 1; pong()\n",
		"hangul.py":  "\u1112\u1161\u11ab = 1; pong()\n",
		"crlf.ts":    "first();\r\npong();\r\nlast();\r\n",
		"bom.ts":     "\ufeffpong();\n",
		"long.js":    strings.Repeat("a=1;", 50) + "pong();" + strings.Repeat("b=2;", 50) + "\n",
		"span.js":    strings.Repeat("c=3;", 100) + "\n",
		"multi.ts":   "reply(id, {\n\tpong: true,\n});\n",
		"empty.ts":   "\n\nx\n",
		"end.ts":     "no newline",
		"minified.c": strings.Repeat("名;", 3000) + "pong();" + strings.Repeat("z;", 3000),
	})
	for _, f := range []string{"tabs.ts", "wide.py", "emoji.py", "marks.py", "hangul.py", "crlf.ts", "bom.ts", "long.js", "minified.c"} {
		r.fail("w", "here", "the caret is under pong", r.at(mcpaudit.Primary, f, "pong", "here"))
	}
	r.fail("w", "here", "the span is longer than the line that is shown", r.at(mcpaudit.Primary, "span.js", strings.Repeat("c=3;", 100), "here"))
	r.fail("w", "here", "the span goes on", r.at(mcpaudit.Primary, "multi.ts", "{\n\tpong: true,\n}", "here"))
	r.fail("w", "here", "the line is empty", mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "empty.ts", Start: 1, End: 1}, "here"))
	r.fail("w", "here", "the span is empty, at the end of the file", mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "end.ts", Start: 10, End: 10}, "here"))
	r.fail("w", "here", "the span is beyond the file", mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "end.ts", Start: 90, End: 95}, ""))
	r.Repo.Servers = []*mcpaudit.Server{{Name: "w", Lang: "typescript"}}
	return r
}

func live() *Report {
	r := newReport(map[string]string{"src/server.ts": dispatcher})
	r.Repo.Servers = []*mcpaudit.Server{{Name: "files", Lang: "typescript", Transports: []mcpaudit.Transport{"stdio"},
		Eras:     mcpaudit.Eras{Legacy: mcpaudit.Yes, Revisions: []mcpaudit.Revision{"2025-11-25"}},
		Evidence: []mcpaudit.Evidence{r.at(mcpaudit.Primary, "src/server.ts", "switch", "")}}}
	r.Verdict.Probe = "incomplete"
	exited := 3
	heard := func(x mcpaudit.Exchange, note string) mcpaudit.Evidence {
		return mcpaudit.Evidence{Role: mcpaudit.Related, Exchange: &x, Note: note}
	}
	c := r.fail("files", "missing", "the server never answers ping",
		r.at(mcpaudit.Primary, "src/server.ts", "default:", "unknown methods get error -32601"),
		heard(mcpaudit.Exchange{Scenario: "ping", Transport: "stdio", Revision: "2025-11-25",
			Sent:     json.RawMessage(`{"jsonrpc":"2.0","id":7,"method":"ping"}`),
			Received: []json.RawMessage{json.RawMessage("{\"jsonrpc\": \"2.0\", \"id\": 7,\n \"error\": {\"code\": -32601, \"message\": \"no \u202eping\"}}")},
			Took:     3 * time.Millisecond,
			Repeat:   `printf '%s\n' '{"jsonrpc":"2.0","id":7,"method":"ping"}' | node dist/index.js`}, "before initialize"))
	c.Confidence = mcpaudit.Certain
	c.Hints = []string{"add a case that returns an empty object"}
	wire := r.fail("files", "crash", "a ping with params ends the server", heard(mcpaudit.Exchange{Scenario: "ping-params", Transport: "stdio",
		Sent: json.RawMessage(`{"jsonrpc":"2.0","id":8,"method":"ping","params":{}}`), Exited: &exited, Repeat: "echo \x1b[2J | x"}, ""))
	wire.Evidence[0].Role = mcpaudit.Primary
	web := r.fail("files", "not-json", "a ping is answered by text", heard(mcpaudit.Exchange{Scenario: "ping", Transport: "streamable-http",
		Sent:     json.RawMessage(`{"jsonrpc":"2.0","id":9,"method":"ping"}`),
		Received: []json.RawMessage{json.RawMessage("pong\xff\n::error::owned"), json.RawMessage(`{"ok":true}`)}, Status: 200, Took: time.Second}, ""))
	web.Evidence[0].Role = mcpaudit.Primary
	said := r.fail("files", "stray-output", "the server prints before it is asked", heard(mcpaudit.Exchange{Scenario: "quiet", Transport: "stdio",
		Received: []json.RawMessage{json.RawMessage("listening\n")}}, ""))
	said.Evidence[0].Role = mcpaudit.Primary
	r.say("files", mcpaudit.Undecided, mcpaudit.ReasonNotTest, "the server wants credentials")
	return r
}

func empty() *Report {
	r := newReport(nil)
	r.Verdict = Verdict{Exit: 3, Reason: "nothing-analysed", FailOn: mcpaudit.Warning, Probe: "none"}
	r.Root = Root{}
	r.Repo.Sources = nil
	return r
}

// unread is a tree in which nothing could be read, with --fail-on never: it must not look clean.
func unread() *Report {
	r := empty()
	r.Verdict.FailOn = 0
	r.Repo.Counts = mcpaudit.Counts{Files: 40, Read: 22, Parsed: 3, Languages: map[string]int{"python": 2, "go": 1},
		LeftOut: map[string]int{"vendored": 15, "generated": 1, "test": 2}}
	r.Repo.Gaps = []mcpaudit.Gap{{Span: mcpaudit.Span{File: "server.py"}, Lang: "python", Reason: mcpaudit.GapParse}}
	return r
}

// usage is the report of a run that ended before it read anything.
func usage() *Report {
	return &Report{Tool: Tool{Name: "mcpaudit", Version: "0.1.0"}, Verdict: Verdict{Exit: 2, Reason: "usage", FailOn: mcpaudit.Warning, Probe: "none"}}
}

// missingSource points into a file that the model did not keep, so lines are unknown and no fingerprint is made.
func missingSource() *Report {
	r := newReport(nil)
	r.Repo.Servers = []*mcpaudit.Server{{Name: "files", Lang: "typescript"}}
	span := mcpaudit.Span{File: "gone.ts", Start: 10, End: 12}
	r.fail("files", "missing", "the server never answers ping", mcpaudit.At(mcpaudit.Primary, span, "here"), mcpaudit.At(mcpaudit.Related, span, ""))
	return r
}
