package mcptest

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
)

// The revisions that a handshake can agree on, the newest last, and the one that has no handshake.
var legacyVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

const (
	batchVersion  = "2025-03-26" // the only revision with batches
	modernVersion = "2026-07-28"
)

// server is a program, whatever transport it speaks. What it knows of one client is in a session.
type server struct {
	options

	turn chan struct{} // one place: over HTTP a single-threaded server serves one request after the other

	mu       sync.Mutex
	sessions map[string]*session // of Streamable HTTP
	streams  map[string]*session // of HTTP+SSE
	shared   *session            // all that a stateless server knows; it takes every client for one that has shaken hands
}

func newServer(o options) *server {
	v := &server{options: o, turn: make(chan struct{}, 1), sessions: map[string]*session{}, streams: map[string]*session{}}
	v.shared = newSession("")
	v.shared.stateless = true
	return v
}

// session is what a server knows of one client: of a process, of a session over HTTP, of a stream of HTTP+SSE.
type session struct {
	id        string
	stateless bool
	ended     chan struct{}   // closed when the session is over
	out       chan []byte     // HTTP+SSE: bytes for the stream
	stream    context.Context // HTTP+SSE: ends with the stream

	mu          sync.Mutex
	over        bool   // ended is closed
	era         string // stdio of a dual server: what the first request has chosen
	version     string
	initialized bool // the server has answered the handshake
	ready       bool // the client has confirmed it
	capable     bool // the client has declared a capability
	hung        bool // nothing is answered any more
	pings       int
	waiting     int                           // pings that have not been answered yet
	pong        chan struct{}                 // the server has pinged and waits until this is closed
	running     map[string]context.CancelFunc // calls that can be cancelled, by id
}

// end ends a session, the first time it is called.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.ended)
	}
}

func newSession(id string) *session {
	return &session{id: id, ended: make(chan struct{}), out: make(chan []byte), running: map[string]context.CancelFunc{}}
}

// serve decides about everything that came in one line or one body of a legacy connection. It never waits: what takes
// time is in the reply. version is the one of a header, for a server that remembers none.
func (v *server) serve(s *session, msgs []message, batch bool, version string) *reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !batch {
		return v.legacy(s, &msgs[0])
	}
	if !s.stateless {
		version = s.version
	}
	if version != batchVersion {
		return v.malformed(nil, noBatches)
	}
	var replies []*reply
	for i := range msgs {
		if m := &msgs[i]; m.method == "initialize" {
			m.problem = invalid("initialize must not be part of a batch")
		}
		replies = append(replies, v.legacy(s, &msgs[i]))
	}
	return join(replies)
}

var noBatches = invalid("there are no batches in this revision of the protocol")

// legacy answers one message of a connection that begins with a handshake. The session is locked.
func (v *server) legacy(s *session, m *message) *reply {
	r := v.legacyMethod(s, m)
	if s.hung && !r.accepted {
		return &reply{}
	}
	if s.pong != nil && m.method != "initialize" && !r.accepted {
		r.until = s.pong
	}
	if v.has("log-noise") && len(r.frames) > 0 {
		noise := `"method":"notifications/message","params":{"level":"info","logger":"mcptest","data":"about to answer"}`
		r.frames = slices.Insert(r.frames, 0, response(nil, noise))
	}
	return r
}

func (v *server) legacyMethod(s *session, m *message) *reply {
	switch {
	case m.problem != nil:
		return v.malformed(m.id, m.problem)
	case m.response:
		return v.heard(s, m)
	case m.id == nil:
		return v.notified(s, m)
	}
	switch m.method {
	case "initialize":
		return v.initialize(s, m)
	case "ping":
		return v.ping(s, m)
	case "tools/list", "tools/call":
		if !s.initialized && !s.stateless {
			return v.refuse(m.id, invalid("the connection has not been initialized"))
		}
		if m.method == "tools/list" {
			return v.listTools(m, "")
		}
		return v.callTool(s, m, "")
	case "logging/setLevel":
		if v.has("log-noise") { // only then is the capability declared
			return v.setLevel(m)
		}
	}
	if v.has("unknown-silent") {
		return &reply{}
	}
	return v.refuse(m.id, &rpcError{Code: codeMethodNotFound, Message: "method not found: " + m.method})
}

func (v *server) initialize(s *session, m *message) *reply {
	p := members(m.params)
	asked, ok := text(p["protocolVersion"])
	switch {
	case v.has("init-error"):
		return v.refuse(m.id, &rpcError{Code: -32603, Message: "internal error"})
	case v.has("init-silent"):
		return &reply{}
	case !ok:
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "protocolVersion is missing"})
	case s.initialized:
		return v.refuse(m.id, invalid("the connection has been initialized already"))
	}
	version := legacyVersions[len(legacyVersions)-1]
	if slices.Contains(legacyVersions, asked) || v.has("init-echo-version") {
		version = asked
	}
	if v.has("init-modern-version") {
		version = modernVersion
	}
	if !s.stateless {
		s.initialized, s.version, s.capable = true, version, len(members(p["capabilities"])) > 0
	}
	result := map[string]any{"protocolVersion": version, "capabilities": v.capabilities(), "serverInfo": v.info()}
	if v.has("hostile-strings") {
		result["instructions"] = hostile
	}
	r := &reply{frames: [][]byte{response(m.id, `"result":`+encode(result))}}
	if v.has("server-pings-early") {
		s.pong = make(chan struct{})
		r.frames = slices.Insert(r.frames, 0, response(json.RawMessage(earlyID), `"method":"ping"`))
	}
	return r
}

// earlyID is the id of the server's own ping. Its pong is known by it.
const earlyID = `"mcptest-early"`

// heard takes the answer of a client to a request of the server.
func (v *server) heard(s *session, m *message) *reply {
	if string(m.id) == earlyID && s.pong != nil {
		close(s.pong)
		s.pong = nil
	}
	return &reply{accepted: true}
}

func (v *server) notified(s *session, m *message) *reply {
	switch m.method {
	case "notifications/initialized":
		s.ready = s.ready || s.initialized
		if v.has("notification-reply") {
			return v.refuse(json.RawMessage("null"), &rpcError{Code: codeMethodNotFound, Message: "method not found: " + m.method})
		}
	case "notifications/cancelled":
		if cancel := s.running[string(members(m.params)["requestId"])]; cancel != nil {
			cancel()
		}
	case "ping":
		if v.has("ping-answers-notification") {
			return &reply{frames: [][]byte{response(json.RawMessage("null"), `"result":{}`)}}
		}
	}
	return &reply{accepted: true}
}

func (v *server) setLevel(m *message) *reply {
	level, _ := text(members(m.params)["level"])
	if !slices.Contains([]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}, level) {
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "no such level: " + strconv.Quote(level)})
	}
	return &reply{frames: [][]byte{response(m.id, `"result":{}`)}}
}

// refuse answers with an error. Without an id the answer has none: the JSON-RPC specification asks for null then, but
// no schema of MCP allows that, and the one of 2025-11-25 allows an error to have no id.
func (v *server) refuse(id json.RawMessage, e *rpcError) *reply {
	if v.has("hostile-strings") {
		e = &rpcError{Code: e.Code, Message: e.Message + hostile, Data: e.Data}
	}
	return &reply{frames: [][]byte{response(id, `"error":`+encode(e))}}
}

// malformed refuses what is no message that could be served. Over HTTP that has a status of its own.
func (v *server) malformed(id json.RawMessage, e *rpcError) *reply {
	r := v.refuse(id, e)
	r.status = http.StatusBadRequest
	return r
}

func (v *server) capabilities() map[string]any {
	c := map[string]any{"tools": map[string]any{}}
	if v.has("log-noise") {
		c["logging"] = map[string]any{}
	}
	return c
}

func (v *server) info() map[string]any {
	info := map[string]any{"name": v.name, "version": "1.0.0"}
	if v.has("hostile-strings") {
		info["name"] = v.name + hostile
	}
	if v.readsEnv != "" {
		info["title"] = os.Getenv(v.readsEnv)
	}
	return info
}

// hostile is text that does something to whoever prints it as it is: a terminal, a log of GitHub Actions or of Azure
// Pipelines, an eye.
const hostile = "\x1b[31mred\x1b[0m\n::error::x\n##[group]y\u202egnp.exe\u2066\r\x07"
