package fakemcp

import (
	"slices"
	"strings"
)

// Behaviour is one way in which a server can be broken, or odd without being broken.
type Behaviour struct {
	Name, About      string
	Stdio, HTTP, SSE bool     // the transports over which it makes sense
	Args             []string // flags that it needs to show

	// Expect is what a prober should say: "pass"; "fail:FAULT" of ab-001839; "PATTERN/FAULT" of another pattern; or
	// "incomplete" where nothing can be judged.
	Expect string
}

const (
	onStdio = 1 << iota
	onHTTP
	onSSE
	everywhere = onStdio | onHTTP | onSSE
	onWeb      = onHTTP | onSSE
)

// Behaviours lists every named behaviour, by name.
func Behaviours() []Behaviour {
	var all []Behaviour
	add := func(where int, expect, name, about string, args ...string) {
		all = append(all, Behaviour{Name: name, About: about, Stdio: where&onStdio != 0, HTTP: where&onHTTP != 0, SSE: where&onSSE != 0, Args: args, Expect: expect})
	}
	add(everywhere, "fail:silent", "ping-silent", "a ping gets no answer")
	add(everywhere, "fail:over-budget", "ping-late", "a pong takes seconds", "--late", "1s")
	add(everywhere, "fail:over-budget", "ping-slow", "a pong takes 400 ms")
	add(everywhere, "fail:wrong-id", "ping-id-as-string", "a pong has its id as a string")
	add(everywhere, "fail:wrong-id", "ping-id-as-number", "a string id becomes a number")
	add(everywhere, "fail:wrong-id", "ping-id-null", "a pong has the id null")
	add(everywhere, "fail:wrong-id", "ping-id-missing", "a pong has no id")
	add(everywhere, "fail:wrong-body", "ping-pong-string", "the result is \"pong\"")
	add(everywhere, "fail:wrong-body", "ping-null", "the result is null")
	add(everywhere, "fail:wrong-body", "ping-list", "the result is a list")
	add(everywhere, "fail:wrong-body", "ping-true", "the result is true")
	add(everywhere, "fail:wrong-body", "ping-number", "the result is a number")
	add(everywhere, "fail:extra-keys", "ping-extra-keys", "the result has members of its own")
	add(everywhere, "fail:extra-keys", "ping-tool-result", "the result is that of a tool")
	add(everywhere, "fail:meta-only", "ping-meta-only", "the result holds _meta, which is legal")
	add(everywhere, "fail:wrong-body", "ping-both", "the response has a result and an error")
	add(everywhere, "fail:body-lost", "ping-neither", "the response has neither a result nor an error")
	add(everywhere, "fail:missing", "ping-32601", "a ping gets -32601")
	add(everywhere, "fail:missing", "ping-32603", "a ping gets -32603")
	add(everywhere, "fail:missing", "ping-32600", "a ping gets -32600")
	add(everywhere, "fail:missing", "ping-own-code", "a ping gets an error with a code of its own")
	add(everywhere, "fail:missing", "ping-error-string", "a ping gets an error that is a string")
	add(everywhere, "fail:silent", "ping-first-only", "only the first ping of a connection is answered")
	add(everywhere, "fail:twice", "ping-twice", "a ping is answered twice")
	add(everywhere, "fail:params", "ping-dies-on-params", "a ping with params ends the process, or the connection")
	add(everywhere, "fail:params", "ping-refuses-params", "a ping with params gets -32602")
	add(everywhere, "fail:params", "ping-refuses-meta", "a ping with _meta gets -32602")
	add(everywhere, "fail:silent", "ping-falsy-id", "the ids 0 and \"\" count as none")
	add(onStdio|onSSE, "fail:notification", "ping-answers-notification", "a ping without an id is answered")
	add(onHTTP, "fail:notification", "ping-answers-notification-http", "a ping without an id is answered with 200 and a message")
	add(onStdio, "fail:missing", "ping-crash", "a ping ends the process")
	add(onStdio, "fail:silent", "ping-hangs-server", "after a ping nothing is answered any more")
	add(onStdio|onSSE, "pass", "ping-gated-init", "a ping before initialize is refused")
	add(everywhere, "fail:gated-init", "ping-gated-initialized", "a ping before notifications/initialized is refused")
	add(everywhere, "fail:missing", "ping-needs-capability", "a ping is refused unless the client has declared a capability")
	add(onStdio, "ma-000201/same-arm", "ping-modern-answers", "a ping on the modern path is answered", "--era", "dual")
	add(onHTTP, "ma-000201/answers", "ping-modern-answers-http", "the same over HTTP", "--era", "dual")
	add(onHTTP, "ma-000201/status", "ping-modern-status", "a ping on the modern path is refused with HTTP 200", "--era", "dual", "--json")
	add(onStdio, "fail:silent", "ping-burst-loses", "of many pings at once some are lost")
	add(everywhere, "ma-000304/late-pong", "ping-serial", "one request at a time is served")
	add(onStdio, "fail:silent", "ping-unflushed", "a pong stays in a buffer")
	add(onStdio, "pass", "stdout-banner", "a line that is no message comes first")
	add(onStdio, "pass", "stdout-log", "a line that is no message comes before each answer")
	add(onStdio, "incomplete", "pretty-json", "messages go over several lines")
	add(onStdio, "incomplete", "content-length", "messages are framed as in the Language Server Protocol")
	add(onStdio, "fail:silent", "endless-line", "the answer to a ping does not end")
	add(everywhere, "fail:silent", "invalid-utf8", "the answer to a ping is not UTF-8")
	add(onStdio, "fail:missing", "half-frame", "the answer to a ping breaks off, and with it the process")
	add(onWeb, "fail:silent", "half-frame-http", "the answer to a ping breaks off, and with it the connection")
	add(onStdio, "pass", "crlf", "lines end with CR and LF")
	add(onStdio, "pass", "bom", "a byte order mark comes first")
	add(onStdio, "pass", "children", "the process leaves children behind")
	add(onStdio, "pass", "ignores-eof", "the process does not leave at the end of its input")
	add(onStdio, "pass", "ignores-term", "the process does not leave for SIGTERM either")
	add(onStdio, "incomplete", "never-starts", "the process reads and writes nothing")
	add(onStdio, "incomplete", "exits-at-once", "the process leaves with code 7")
	add(everywhere, "incomplete", "init-error", "initialize gets -32603")
	add(everywhere, "incomplete", "init-silent", "initialize gets no answer")
	add(everywhere, "pass", "init-echo-version", "the server agrees to any revision")
	add(everywhere, "pass", "init-modern-version", "the handshake agrees to a revision that has none")
	add(onHTTP, "fail:missing", "http-500-ping", "a ping gets HTTP 500")
	add(onHTTP, "fail:silent", "http-200-empty", "a ping gets HTTP 200 without a body")
	add(onHTTP, "fail:silent", "http-empty-stream", "a ping gets a stream without events")
	add(onHTTP, "fail:silent", "http-slowloris", "the answer to a ping comes byte by byte and does not end")
	add(onHTTP, "fail:silent", "http-redirect-loop", "a ping is redirected for ever")
	add(onHTTP, "fail:silent", "http-redirect-elsewhere", "a ping is redirected to another origin")
	add(onHTTP, "fail:silent", "http-huge-body", "the answer to a ping is a gigabyte long")
	add(onHTTP, "fail:silent", "http-huge-header", "the answer to a ping has a header of two megabytes")
	add(onHTTP, "fail:silent", "http-202-ping", "a ping gets HTTP 202, as a notification does")
	add(onHTTP, "fail:silent", "http-html", "a ping gets a page")
	add(onHTTP, "fail:silent", "http-wrong-type", "a pong comes as text/plain, which clients do not read")
	add(onHTTP, "fail:silent", "http-gzip", "a pong is compressed although nobody asked for it")
	add(onWeb, "incomplete", "http-401", "everything wants credentials")
	add(onWeb, "incomplete", "http-403", "everything is forbidden")
	add(onHTTP, "pass", "http-session-unknown-200", "a session that does not exist gets HTTP 200 and an error")
	add(onHTTP, "pass", "http-get-hangs", "GET is never answered")
	add(onWeb, "pass", "http-no-origin-check", "pages of foreign sites are served")
	add(onSSE, "incomplete", "sse-no-endpoint", "the stream does not say where to post")
	add(onSSE, "incomplete", "sse-endpoint-elsewhere", "the stream says to post to another origin")
	add(everywhere, "pass", "notification-reply", "notifications/initialized is answered")
	add(everywhere, "pass", "hostile-strings", "names and messages hold what terminals and runners act on")
	add(everywhere, "pass", "unknown-silent", "a method that does not exist gets no answer")
	add(onStdio|onHTTP, "pass", "server-pings-early", "the server pings first and waits for the pong")
	add(everywhere, "pass", "log-noise", "a log message comes before each answer, which is legal")
	add(everywhere, "pass", "server-request-id-clash", "the server uses the id of our ping for one of its own, which is legal")
	slices.SortFunc(all, func(a, b Behaviour) int { return strings.Compare(a.Name, b.Name) })
	return all
}
