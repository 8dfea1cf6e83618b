package mcptest

import (
	"encoding/json"
	"slices"
	"strconv"
)

// pongs are the members of an answer to ping that stand where "result":{} belongs.
var pongs = map[string]string{
	"ping-pong-string":  `"result":"pong"`,
	"ping-null":         `"result":null`,
	"ping-list":         `"result":[]`,
	"ping-true":         `"result":true`,
	"ping-number":       `"result":0`,
	"ping-extra-keys":   `"result":{"pong":true,"timestamp":1767225600}`,
	"ping-meta-only":    `"result":{"_meta":{"x":1}}`,
	"ping-tool-result":  `"result":{"content":[{"type":"text","text":"pong"}]}`,
	"ping-both":         `"result":{},"error":{"code":-32603,"message":"internal error"}`,
	"ping-neither":      ``,
	"ping-32600":        `"error":{"code":-32600,"message":"invalid request"}`,
	"ping-32601":        `"error":{"code":-32601,"message":"method not found: ping"}`,
	"ping-32603":        `"error":{"code":-32603,"message":"internal error"}`,
	"ping-own-code":     `"error":{"code":-32001,"message":"unsupported"}`,
	"ping-error-string": `"error":"method not found: ping"`,
	"invalid-utf8":      "\"result\":{\"_meta\":{\"x\":\"\xff\xfe\"}}",
}

// maxWaiting is how many pings ping-burst-loses holds. What comes when they wait is lost.
const maxWaiting = 10

// ping answers a ping of a legacy connection, or does not. The session is locked.
func (v *server) ping(s *session, m *message) *reply {
	s.pings++
	if r := v.pingRefused(s, m); r != nil {
		return r
	}
	rest := `"result":{}`
	for name, p := range pongs {
		if v.has(name) {
			rest = p
		}
	}
	r := &reply{frames: [][]byte{response(v.pongID(m.id), rest)}, wire: v.wireFault()}
	switch {
	case v.has("ping-twice"):
		r.frames = append(r.frames, r.frames[0])
	case v.has("server-request-id-clash"):
		r.frames = slices.Insert(r.frames, 0, response(m.id, `"method":"ping"`))
	}
	switch {
	case v.has("ping-late"):
		r.wait = v.lateness("ping-late")
	case v.has("ping-slow"):
		r.wait = v.lateness("ping-slow")
	case v.has("ping-burst-loses"):
		s.waiting++
		r.wait = v.lateness("ping-burst-loses")
		r.done = func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.waiting--
		}
	}
	return r
}

// pingRefused is the reply to a ping that is not answered as one, or nil.
func (v *server) pingRefused(s *session, m *message) *reply {
	_, meta := members(m.params)["_meta"]
	switch {
	case v.has("ping-crash"):
		return &reply{drop: true, exit: 1}
	case v.has("ping-dies-on-params") && m.params != nil:
		return &reply{drop: true, exit: 3}
	case v.has("ping-hangs-server"):
		s.hung = true
		return &reply{}
	case v.has("ping-silent"),
		v.has("ping-first-only") && s.pings > 1,
		v.has("ping-burst-loses") && s.waiting >= maxWaiting:
		return &reply{}
	case v.has("ping-falsy-id") && (string(m.id) == "0" || string(m.id) == `""`):
		return &reply{accepted: true}
	case v.has("ping-gated-init") && !s.initialized && !s.stateless,
		v.has("ping-gated-initialized") && !s.ready && !s.stateless:
		return v.refuse(m.id, &rpcError{Code: -32002, Message: "server not initialized"})
	case v.has("ping-needs-capability") && !s.capable:
		return v.refuse(m.id, invalid("the client has not declared any capability"))
	case v.has("ping-refuses-params") && m.params != nil:
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "ping takes no params"})
	case v.has("ping-refuses-meta") && meta:
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "unknown member _meta"})
	}
	return nil
}

// pongID is the id that a pong carries; nil for none.
func (v *server) pongID(id json.RawMessage) json.RawMessage {
	s, isString := text(id)
	switch {
	case v.has("ping-id-missing"):
		return nil
	case v.has("ping-id-null"):
		return json.RawMessage("null")
	case v.has("ping-id-as-string") && !isString:
		return json.RawMessage(strconv.Quote(string(id)))
	case v.has("ping-id-as-number") && isString:
		n, _ := strconv.Atoi(s) // what is no number becomes 0, as in languages that convert without asking
		return json.RawMessage(strconv.Itoa(n))
	}
	return id
}
