package probe

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpaudit/mcpaudit"
)

func TestSameID(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"1", "1", true},
		{"1", "1.0", true},
		{"1", `"1"`, false},
		{`"a"`, `"\u0061"`, true},
		{`""`, `""`, true},
		{`""`, "null", false},
		{"0", "null", false},
		{"0", "-0", true},
		{"-7", "7", false},
		{"9007199254740991", "9007199254740991", true},
		{"9007199254740993", "9007199254740992", false}, // equal as floating-point numbers
		{"1e400000000", "1e400000000", false},           // not worked out: it would take all memory
		{"null", "null", true},
		{"true", "true", true},
		{"[1]", "[1]", true},
		{"", "null", false},
	} {
		if got := sameID(json.RawMessage(tt.a), json.RawMessage(tt.b)); got != tt.want {
			t.Errorf("sameID(%s, %s) = %t", tt.a, tt.b, got)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, "response"},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`, "response"},
		{`{"jsonrpc":"2.0","error":{"code":-32700}}`, "response"},
		{`{"jsonrpc":"2.0","id":1}`, "response"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "request"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "request"},
		{`{"jsonrpc":"2.0","method":"ping"}`, "notification"},
		{"\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"result":{}}` + "\r", "response"},
		{`[{"id":1,"result":{}},{"method":"x"},3]`, "response notification it is not an object"},
		{`[]`, ""},
		{`[`, "it is not JSON"},
		{`null`, "it is not an object"},
		{`"pong"`, "it is not an object"},
		{`{}`, "it is neither a request nor a response"},
		{`{"method":7}`, "its method is not a string"},
		{`Server is running`, "it is not JSON"},
		{`{"id":1,"result":"` + "\xff" + `"}`, "it is not UTF-8"},
		{``, "it is not JSON"},
	} {
		var got []string
		for _, m := range parse([]byte(tt.in)) {
			switch {
			case m.problem != "":
				got = append(got, m.problem)
			case m.request():
				got = append(got, "request")
			case m.response():
				got = append(got, "response")
			default:
				got = append(got, "notification")
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("parse(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestOutcome reads the answer to a ping with the id 1 off what came.
func TestOutcome(t *testing.T) {
	code := func(n int) *int { return &n }
	for _, tt := range []struct {
		name string
		rec  Record
		want string // channel, body kind or code, echo, why
	}{
		{"empty object", Record{Received: []Bytes{Bytes(`{"jsonrpc":"2.0","id":1,"result":{}}`)}}, "result object same"},
		{"number of another form", Record{Received: []Bytes{Bytes(`{"id":1.0,"result":{}}`)}}, "result object same"},
		{"string", Record{Received: []Bytes{Bytes(`{"id":1,"result":"pong"}`)}}, "result string same"},
		{"null", Record{Received: []Bytes{Bytes(`{"id":1,"result":null}`)}}, "result null same"},
		{"neither", Record{Received: []Bytes{Bytes(`{"id":1}`)}}, "result absent same"},
		{"both", Record{Received: []Bytes{Bytes(`{"id":1,"result":{},"error":{"code":1}}`)}}, "result both same"},
		{"error", Record{Received: []Bytes{Bytes(`{"id":1,"error":{"code":-32601,"message":"no"}}`)}}, "protocol-error -32601 same"},
		{"error that is a string", Record{Received: []Bytes{Bytes(`{"id":1,"error":"no"}`)}}, "protocol-error  same"},
		{"id as a string", Record{Received: []Bytes{Bytes(`{"id":"1","result":{}}`)}}, "result object other-type"},
		{"id of somebody else", Record{Received: []Bytes{Bytes(`{"id":2,"result":{}}`)}}, "result object other-value"},
		{"id null", Record{Received: []Bytes{Bytes(`{"id":null,"error":{"code":-32600}}`)}}, "protocol-error -32600 null"},
		{"no id", Record{Received: []Bytes{Bytes(`{"result":{}}`)}}, "result object absent"},
		{"among others", Record{Received: []Bytes{Bytes(`{"method":"notifications/message"}`), Bytes(`{"id":1,"method":"ping"}`), Bytes(`{"id":1,"result":{}}`)}}, "result object same"},
		{"a request with the same id is no answer", Record{Again: "silent", Control: "answered", Received: []Bytes{Bytes(`{"id":1,"method":"ping"}`)}}, "silence  same"},
		{"silence", Record{Again: "silent", Control: "answered"}, "silence  same"},
		{"silence of the dead", Record{Again: "silent", Control: "silent"}, "undecided  same the server answered nothing at all any more, not even another request"},
		{"silence after it", Record{Again: "silent", Control: "lost"}, "silence  same after it the server answers nothing any more"},
		{"noise", Record{Again: "silent", Control: "answered", Received: []Bytes{Bytes("pong")}}, "silence  same what came is no message: it is not JSON"},
		{"exit", Record{Exited: code(3), Closed: true}, "crash  same the server exited with 3"},
		{"signal", Record{Exited: code(-11), Closed: true}, "crash  same the server was ended by signal 11"},
		{"HTTP 500", Record{Status: 500, Control: "answered"}, "protocol-error HTTP 500 same"},
		{"HTTP 500 with an answer", Record{Status: 500, Received: []Bytes{Bytes(`{"id":1,"error":{"code":-32603}}`)}}, "protocol-error -32603 same"},
		{"HTTP 401", Record{Status: 401}, "undecided  same HTTP 401: the server wants credentials"},
		{"HTTP 429", Record{Status: 429}, "undecided  same HTTP 429: the server or something in front of it is not available"},
		{"HTTP 202", Record{Status: 202, Again: "silent", Control: "answered"}, "silence  same HTTP 202 without a body"},
	} {
		o := outcome(mcpaudit.TriggerPing, &tt.rec, json.RawMessage("1"))
		what := string(o.Body.Kind)
		if o.Channel == mcpaudit.ChannelProtocolError {
			if what = o.Code.Text; what == "" && strings.HasPrefix(o.Text.Text, "HTTP") {
				what = o.Text.Text
			}
		}
		got := strings.TrimRight(strings.Join([]string{string(o.Channel), what, string(o.Heard.ID), o.Why}, " "), " ")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"id":1,"result":{}}`, `[{"id":1}]`, "\xef\xbb\xbf{}", `{"method":{}}`, `{"id":1e999,"result":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range parse(b) {
			if m.problem == "" && m.request() && m.response() {
				t.Errorf("%q is a request and a response", b)
			}
			if m.hasID && !sameID(m.id, m.id) && jsonType(m.id) != "number" {
				t.Errorf("the id %s is not equal to itself", m.id)
			}
		}
		rec := &Record{Received: []Bytes{b}}
		outcome(mcpaudit.TriggerPing, rec, json.RawMessage("1"))
		unasked(mcpaudit.TriggerPingNoID, rec)
		Listen([]Record{{Scenario: "handshake", Transport: "stdio", Sent: []Bytes{Bytes(`{"id":1,"method":"initialize"}`)}, Received: []Bytes{b}},
			{Scenario: "ping/integer", Transport: "stdio", Sent: []Bytes{pingMessage(json.RawMessage("1"), "")}, Received: []Bytes{b}}}, Context{})
	})
}
