package probe

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"unicode/utf8"
)

// message is a JSON-RPC message taken apart no further than an auditor needs: every member stays as it was sent.
type message struct {
	raw     []byte
	problem string // why it is no JSON-RPC message; the rest is empty then
	jsonrpc string
	hasID   bool
	id      json.RawMessage
	method  string
	result  json.RawMessage // nil: no such member
	err     json.RawMessage
	keys    []string
}

// request, response and notification are told apart by their members, not by what was expected.
func (m *message) request() bool  { return m.problem == "" && m.method != "" && m.hasID }
func (m *message) response() bool { return m.problem == "" && m.method == "" }

// utf8BOM may stand before the first message of a careless program. Clients differ in whether they skip it.
var utf8BOM = []byte("\xef\xbb\xbf")

// parse reads one frame. A batch has as many messages as it has members.
func parse(frame []byte) []message {
	frame = bytes.TrimSpace(bytes.TrimPrefix(frame, utf8BOM))
	if !utf8.Valid(frame) {
		return []message{{raw: frame, problem: "it is not UTF-8"}}
	}
	if len(frame) > 0 && frame[0] == '[' {
		var batch []json.RawMessage
		if err := json.Unmarshal(frame, &batch); err != nil {
			return []message{{raw: frame, problem: "it is not JSON"}}
		}
		out := []message{}
		for _, m := range batch {
			out = append(out, parseOne(m))
		}
		return out
	}
	return []message{parseOne(frame)}
}

func parseOne(raw []byte) message {
	m := message{raw: raw}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		m.problem = "it is not JSON"
		if json.Valid(raw) {
			m.problem = "it is not an object"
		}
		return m
	}
	for k := range members {
		m.keys = append(m.keys, k)
	}
	slices.Sort(m.keys)
	m.id, m.hasID = members["id"]
	m.result, m.err = members["result"], members["error"]
	_ = json.Unmarshal(members["jsonrpc"], &m.jsonrpc)
	if method, ok := members["method"]; ok {
		if json.Unmarshal(method, &m.method) != nil || m.method == "" {
			m.problem = "its method is not a string"
		}
	}
	if m.method == "" && m.problem == "" && m.result == nil && m.err == nil && !m.hasID {
		m.problem = "it is neither a request nor a response"
	}
	return m
}

// jsonType names the JSON type of a value: object, array, string, number, boolean, null, or "" for nothing.
func jsonType(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// sameID reports whether two ids are equal in value and in JSON type. 1 and 1.0 are the same number.
func sameID(a, b json.RawMessage) bool {
	if jsonType(a) != jsonType(b) {
		return false
	}
	switch jsonType(a) {
	case "string":
		var x, y string
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
	case "number":
		x, okX := number(a)
		y, okY := number(b)
		return okX && okY && x.Cmp(y) == 0
	}
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}

// number reads a JSON number exactly. One with an absurd exponent is none: it would take all memory there is.
func number(raw json.RawMessage) (*big.Rat, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 40 || bytes.ContainsAny(raw, "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(string(raw))
}

// textOf is an id without its type: the 1 of 1 and of "1". It finds ids that were coerced on their way.
func textOf(id json.RawMessage) string {
	var s string
	if json.Unmarshal(id, &s) == nil {
		return s
	}
	return string(bytes.TrimSpace(id))
}
