package mcptest

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The codes of JSON-RPC, and those that MCP adds from 2026-07-28 on.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeHeaderMismatch = -32020
	codeVersion        = -32022
)

// message is one JSON-RPC message taken apart. Its members keep the bytes they came in, so that an id goes back as it
// was: as 1.0, as "\u0031", as a number that no float holds.
type message struct {
	id       json.RawMessage // nil: there is none
	method   string
	params   json.RawMessage // nil: there are none
	response bool
	problem  *rpcError // why the message cannot be served; id is set if it could be read
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (m *message) request() bool { return m.id != nil && m.method != "" && m.problem == nil }

// parse reads what stands on one line or in one body. The members of a batch come one by one.
func parse(raw []byte) (msgs []message, batch bool) {
	raw = bytes.TrimSpace(raw)
	if !utf8.Valid(raw) || !json.Valid(raw) {
		return []message{{problem: &rpcError{Code: codeParse, Message: "the message is not JSON"}}}, false
	}
	var members []json.RawMessage
	if raw[0] != '[' {
		return []message{parseOne(raw)}, false
	}
	if err := json.Unmarshal(raw, &members); err != nil || len(members) == 0 {
		return []message{{problem: invalid("an empty batch says nothing")}}, false
	}
	for _, m := range members {
		msgs = append(msgs, parseOne(m))
	}
	return msgs, true
}

func parseOne(raw []byte) message {
	// A map and not a struct: the names of a struct's fields match without regard to case, those of JSON-RPC do not.
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return message{problem: invalid("the message is not an object")}
	}
	m := message{params: members["params"]}
	if id, ok := members["id"]; ok {
		if !isID(id) {
			m.problem = invalid("the id is neither a string nor a number")
			return m
		}
		m.id = id
	}
	_, hasResult := members["result"]
	_, hasError := members["error"]
	method, hasMethod := members["method"]
	switch {
	case string(members["jsonrpc"]) != `"2.0"`:
		m.problem = invalid(`jsonrpc is not "2.0"`)
	case !hasMethod && (hasResult || hasError):
		m.response = true
	case json.Unmarshal(method, &m.method) != nil || m.method == "":
		m.problem = invalid("the method is not a string")
	case m.params != nil && m.params[0] != '{':
		m.problem = &rpcError{Code: codeInvalidParams, Message: "params is not an object"}
	}
	return m
}

func invalid(text string) *rpcError { return &rpcError{Code: codeInvalidRequest, Message: text} }

func isID(raw json.RawMessage) bool {
	return raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}

// members decodes an object; nil stands for anything else.
func members(raw json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// text decodes a string; ok is false for anything else.
func text(raw json.RawMessage) (s string, ok bool) {
	return s, len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
}

// response puts an answer together from an id, nil for none, and its other members as JSON.
func response(id json.RawMessage, rest string) []byte {
	out := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		out = append(append(out, `,"id":`...), id...)
	}
	if rest != "" {
		out = append(append(out, ','), rest...)
	}
	return append(out, '}')
}

// encode leaves <, > and & as they are: Go alone would escape them.
func encode(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only literals of this package are encoded
	}
	return string(bytes.TrimSpace(buf.Bytes()))
}
