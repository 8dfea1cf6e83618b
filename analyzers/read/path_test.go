package read

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Builders for expressions, so that the tables below read like source.
func nm(s string) *code.Expr                      { return &code.Expr{Kind: code.Name, Text: s} }
func lit(s string) *code.Expr                     { return &code.Expr{Kind: code.String, Text: s} }
func dot(x *code.Expr, m string) *code.Expr       { return &code.Expr{Kind: code.Member, X: x, Text: m} }
func at(x, i *code.Expr) *code.Expr               { return &code.Expr{Kind: code.Index, X: x, Args: []*code.Expr{i}} }
func do(f *code.Expr, a ...*code.Expr) *code.Expr { return &code.Expr{Kind: code.Call, X: f, Args: a} }
func bin(x *code.Expr, op string, y *code.Expr) *code.Expr {
	return &code.Expr{Kind: code.Binary, X: x, Text: op, Y: y}
}

func TestAccessPath(t *testing.T) {
	msg := nm("msg")
	for _, tt := range []struct {
		name string
		e    *code.Expr
		want string
	}{
		{"nothing", nil, ""},
		{"a name", msg, "msg"},
		{"a member", dot(msg, "method"), "msg.method"},
		{"a member in upper case", dot(msg, "Method"), "msg.method"},
		{"a private member", dot(nm("this"), "#method"), "this.method"},
		{"a key", at(msg, lit("method")), "msg.method"},
		{"a computed key", at(msg, nm("k")), ""},
		{"get", do(dot(msg, "get"), lit("method")), "msg.method"},
		{"get with a default", do(dot(msg, "get"), lit("method"), lit("")), "msg.method"},
		{"get of a computed key", do(dot(msg, "get"), nm("k")), ""},
		{"getString", do(dot(msg, "getString"), lit("method")), "msg.method"},
		{"pop", do(dot(msg, "pop"), lit("method")), "msg.method"},
		{"a getter", do(dot(msg, "GetMethod")), "msg.method"},
		{"a getter with underscore", do(dot(msg, "get_method")), "msg.method"},
		{"a method that is called method", do(dot(msg, "Method")), "msg.method"},
		{"another call", do(dot(msg, "reply")), ""},
		{"a conversion", do(nm("String"), dot(msg, "method")), "msg.method"},
		{"a conversion of the library", do(dot(nm("strings"), "TrimSpace"), nm("m")), "m"},
		{"a conversion as a method", do(dot(dot(msg, "method"), "lower")), "msg.method"},
		{"some other function", do(nm("classify"), dot(msg, "method")), ""},
		{"getattr", do(nm("getattr"), msg, lit("method"), &code.Expr{Kind: code.Null}), "msg.method"},
		{"getattr of a computed name", do(nm("getattr"), msg, nm("k")), ""},
		{"a default", bin(dot(msg, "method"), "||", lit("")), "msg.method"},
		{"a nullish default", bin(dot(msg, "method"), "??", dot(msg, "type")), "msg.method"},
		{"a sum", bin(dot(msg, "method"), "+", lit("x")), ""},
		{"await", &code.Expr{Kind: code.Await, X: dot(msg, "method")}, "msg.method"},
		{"an assignment inside", &code.Expr{Kind: code.Assign, X: nm("m"), Y: dot(msg, "method")}, "msg.method"},
		{"a template of nothing else", &code.Expr{Kind: code.Template, Args: []*code.Expr{dot(msg, "method")}}, "msg.method"},
		{"a template with text", &code.Expr{Kind: code.Template, Text: "rpc.", Args: []*code.Expr{dot(msg, "method")}}, ""},
		{"a template with two holes", &code.Expr{Kind: code.Template, Args: []*code.Expr{msg, msg}}, ""},
		{"a deep one", dot(at(do(dot(msg, "get"), lit("params")), lit("Name")), "X"), "msg.params.name.x"},
		{"a member of a call", dot(do(nm("read")), "method"), ""},
		{"a literal", lit("method"), ""},
	} {
		if got := accessPath(tt.e); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDotted(t *testing.T) {
	for _, tt := range []struct {
		e    *code.Expr
		want string
	}{
		{nil, ""},
		{dot(dot(nm("this"), "server"), "send"), "this.server.send"},
		{dot(do(nm("f")), "x"), "f().x"},
		{dot(at(nm("a"), lit("b")), "c"), "?.c"},
		{&code.Expr{Kind: code.Await, X: nm("a")}, "a"},
		{lit("a"), ""},
	} {
		if got := dotted(tt.e); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestClimb(t *testing.T) {
	fn := &code.Func{Params: []code.Param{{Name: "ctx"}, {Name: "req"}}}
	for _, tt := range []struct {
		name, path string
		args       []*code.Expr
		want       string // "" for none
	}{
		{"the parameter itself", "req", []*code.Expr{nm("c"), dot(nm("msg"), "method")}, "msg.method"},
		{"a part of it", "req.method", []*code.Expr{nm("c"), nm("msg")}, "msg.method"},
		{"a part of a part", "req.method", []*code.Expr{nm("c"), dot(nm("env"), "Body")}, "env.body.method"},
		{"its type", "type req", []*code.Expr{nm("c"), nm("msg")}, "type msg"},
		{"no argument for it", "req.method", []*code.Expr{nm("c")}, ""},
		{"an argument that is no path", "req.method", []*code.Expr{nm("c"), do(nm("parse"), nm("raw"), nm("x"))}, ""},
		{"no parameter", "other.method", []*code.Expr{nm("c"), nm("msg")}, ""},
	} {
		got, ok := climb(fn, tt.path, do(nm("f"), tt.args...))
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, %t, want %q", tt.name, got, ok, tt.want)
		}
	}
}

func TestMainTest(t *testing.T) {
	span := func(i int) mcpaudit.Span { return mcpaudit.Span{File: "a", Start: i, End: i + 1} }
	for _, tt := range []struct {
		name  string
		tests []test
		want  int // the start of the head
	}{
		{"the only one", []test{{method: "ping", head: span(1)}}, 1},
		{"more methods win", []test{
			{method: "ping", head: span(1), form: mcpaudit.FormChain},
			{method: "tools/list", head: span(2), form: mcpaudit.FormSwitch}, {method: "tools/call", head: span(2), form: mcpaudit.FormSwitch},
		}, 2},
		{"a switch before a chain that came first", []test{
			{method: "initialize", head: span(1), form: mcpaudit.FormChain},
			{method: "tools/list", head: span(2), form: mcpaudit.FormSwitch},
		}, 2},
		{"of two chains the first", []test{
			{method: "initialize", head: span(1), form: mcpaudit.FormChain},
			{method: "tools/list", head: span(2), form: mcpaudit.FormChain},
		}, 1},
		{"what anchors nothing does not count", []test{
			{method: "initialize", head: span(1), form: mcpaudit.FormChain},
			{method: "ping", head: span(2), form: mcpaudit.FormTable}, {method: "logging/setLevel", head: span(2), form: mcpaudit.FormTable},
		}, 1},
		{"two of a chain before one of a switch", []test{
			{method: "initialize", head: span(1), form: mcpaudit.FormChain}, {method: "tools/call", head: span(1), form: mcpaudit.FormChain},
			{method: "tools/list", head: span(2), form: mcpaudit.FormSwitch},
		}, 1},
	} {
		if got := mainTest(tt.tests).head.Start; got != tt.want {
			t.Errorf("%s: got the one at %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestEnvelopeText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a result", `{"jsonrpc":"2.0","id":null,"result":{}}`, `text of {id: !, jsonrpc: "2.0", result: {}}`},
		{"an error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, `text of {error: {code: -32601, message: "no"}, id: !, jsonrpc: "2.0"}`},
		{"an event around it", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n\n", `text of {id: !, jsonrpc: "2.0", result: null}`},
		{"a list in it", `{"jsonrpc":"2.0","id":1,"result":[]}`, `text of {id: !, jsonrpc: "2.0", result: [...]}`},
		{"no mark", `{"id":1,"result":{}}`, ""},
		{"broken", `{"jsonrpc":"2.0","id":`, ""},
		{"braces the wrong way round", `}"jsonrpc"{`, ""},
		{"two documents", `{"jsonrpc":"2.0"} {"jsonrpc":"2.0"}`, ""},
		{"empty", "", ""},
	} {
		v, ok := envelopeText(tt.text, mcpaudit.Span{})
		got := ""
		if ok {
			got = show(v)
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, ok := envelopeText(`{"jsonrpc":"2.0","id":"`+string(make([]byte, 1<<16))+`"}`, mcpaudit.Span{}); ok {
		t.Error("a text of more than 64 KB was read")
	}
}

func TestIsEnvelope(t *testing.T) {
	typed := func(typ string, keys ...string) value {
		v := objectOf(keys...)
		v.obj.typ = typ
		return v
	}
	for _, tt := range []struct {
		name string
		v    value
		want bool
	}{
		{"a result", objectOf("jsonrpc", "id", "result"), true},
		{"an error without id", objectOf("jsonrpc", "error"), true},
		{"a Go struct", objectOf("ID", "Result"), true},
		{"by its class", typed("JSONRPCResponse", "result"), true},
		{"a result alone", objectOf("result"), false},
		{"an id alone", objectOf("id"), false},
		{"a request", objectOf("jsonrpc", "id", "method", "params"), false},
		{"a request with a result", objectOf("jsonrpc", "id", "method", "result"), false},
		{"the result was left out", objectOf("jsonrpc", "id"), true},
		{"perhaps a request", opened(objectOf("jsonrpc", "id")), false},
		{"a string", stringValue("result"), false},
		{"an array", arrayOf(objectOf("jsonrpc", "id", "result")), false},
		{"nothing", value{}, false},
	} {
		if got := isEnvelope(tt.v); got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestIsMethod(t *testing.T) {
	for s, want := range map[string]bool{
		"ping": true, "initialize": true, "tools/list": true, "notifications/cancelled": true, "server/discover": true,
		"resources/templates/list": true, "tools/": false, "tools": false, "pong": false, "/tools/list": false,
		"users/list": false, "tools/*": false, "tools/a b": false, "tools/{name}": false, "": false,
	} {
		if got := isMethod(s); got != want {
			t.Errorf("isMethod(%q) = %t", s, got)
		}
	}
}

func TestCandidatePaths(t *testing.T) {
	if diff := cmp.Diff([]string{"d/x", "d/src/x", "x", "src/x"}, pythonCandidates("d/a.py", "x")); diff != "" {
		t.Errorf("a module (-want +got):\n%s", diff)
	}
	for _, tt := range []struct{ from, module, want string }{
		{"p/q/a.py", ".x", "p/q/x"}, {"p/q/a.py", "..x.y", "p/x/y"}, {"p/q/a.py", ".", "p/q"},
	} {
		if diff := cmp.Diff([]string{tt.want}, pythonCandidates(tt.from, tt.module)); diff != "" {
			t.Errorf("%s from %s (-want +got):\n%s", tt.module, tt.from, diff)
		}
	}
	// A compiled name means its source, which is looked for first only if the compiled file itself is not there.
	got := scriptCandidates("d/x.js")
	if diff := cmp.Diff([]string{"d/x.js", "d/x.ts"}, got[:2]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSubjectPaths: under all its names, and the message under the same without the last part.
func TestSubjectPaths(t *testing.T) {
	c := &candidate{tests: []test{{path: "req.body.method", raw: "method"}, {path: "msg", raw: "msg", typed: true}}}
	got := c.subject()
	want := &subject{method: map[string]bool{"req.body.method": true, "method": true}, base: map[string]bool{"req.body": true, "msg": true}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(subject{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnchored(t *testing.T) {
	for _, tt := range []struct {
		methods []string
		want    int
	}{
		{nil, 0}, {[]string{"ping", "ping"}, 0}, {[]string{"ping", "tools/list"}, 1},
		{[]string{"tools/list", "tools/list"}, 1}, {[]string{"tools/", "resources/"}, 2}, {[]string{"logging/", "tasks/"}, 0},
		{[]string{"initialize", "tools/call", "notifications/initialized"}, 2},
	} {
		c := &candidate{}
		for _, m := range tt.methods {
			c.tests = append(c.tests, test{method: m})
		}
		if got := c.anchored(); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.methods, got, tt.want)
		}
	}
}
