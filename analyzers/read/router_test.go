package read

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

// answers are the helpers that the fixtures below answer with.
const answers = `
import "errors"
import "example.com/outside"
var errX = errors.New("x")
type Msg struct { ID any; Method string; Params map[string]any }
type obj = map[string]any
func ok(id, result any) any { return obj{"jsonrpc": "2.0", "id": id, "result": result} }
func fail(id any, code int) any { return obj{"jsonrpc": "2.0", "id": id, "error": obj{"code": code, "message": "x"}} }
var _ = outside.X
`

var nobody = Lookup{
	Version: func(string, []string, string) (Version, bool) { return Version{}, false },
	Name:    func(string) (string, bool) { return "", false },
}

// model describes what the model holds of a program: a line for each router, and how it answers ping and the rest.
func model(t *testing.T, p *Program) string {
	t.Helper()
	servers, _, gaps := p.Model(nobody)
	if len(gaps) > 0 {
		t.Fatalf("gaps: %+v", gaps)
	}
	var b strings.Builder
	say := func(list []mcpaudit.Outcome) string {
		var out []string
		for _, o := range list {
			s := string(o.Channel)
			switch o.Channel {
			case mcpaudit.ChannelResult:
				s = string(o.Body.Kind)
				if len(o.Body.Keys) > 0 {
					s += fmt.Sprint(o.Body.Keys)
				}
				if o.Body.Lost != "" {
					s += " " + o.Body.Lost
				}
			case mcpaudit.ChannelProtocolError:
				if s = "error"; o.Code.Known {
					s = o.Code.Text
				}
			}
			if o.Trigger == mcpaudit.TriggerPingParams {
				s = "with params " + s
			}
			out = append(out, s)
		}
		slices.Sort(out)
		return strings.Join(out, " or ")
	}
	for _, s := range servers {
		for _, r := range s.Routers {
			fmt.Fprintf(&b, "%s %s %s", r.Name, r.Form, r.Eras)
			if rt := r.Route("ping"); rt != nil {
				fmt.Fprintf(&b, "; ping %s", say(rt.Outcomes))
				for _, g := range rt.Gates {
					fmt.Fprintf(&b, "; gate %s", g.Kind)
				}
				for _, w := range rt.Waits {
					fmt.Fprintf(&b, "; wait %s", w.Kind)
				}
			}
			fmt.Fprintf(&b, "; else %s\n", say(r.Default))
		}
	}
	return b.String()
}

// TestModelGo is about what counts as a router, and which function of several it is.
func TestModelGo(t *testing.T) {
	for _, tt := range []struct{ name, src, want, wrong string }{
		{name: "a switch", src: `func route(m Msg) any {
	switch m.Method {
	case "initialize": return ok(m.ID, obj{"protocolVersion": "2025-06-18"})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	case "ping": return ok(m.ID, obj{})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy: 2025-06-18; ping object; else -32601\n"},
		{name: "no ping", src: `func route(m Msg) any {
	switch m.Method {
	case "initialize": return ok(m.ID, obj{})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy; else -32601\n"},
		{name: "one method is no router", src: `func route(m Msg) any {
	if m.Method == "tools/list" { return ok(m.ID, obj{}) }
	if m.Method == "ping" { return ok(m.ID, obj{}) }
	return fail(m.ID, -32601)
}`},
		{name: "a logger is none", src: `func note(m Msg) string {
	switch m.Method { case "initialize": return "hello"; case "tools/list": return "list" }
	return "other"
}`},
		{name: "a filter is none", src: `func describe(method string) obj {
	switch method { case "tools/list": return obj{"tools": "yes"}; case "prompts/list": return obj{"prompts": "yes"} }
	return obj{"tools": "unknown"}
}`},
		{name: "a client is none", src: `func pick(method string) any {
	_ = obj{"jsonrpc": "2.0", "id": 1, "method": method}
	switch method {
	case "initialize": return outside.A(method, "result")
	case "tools/list": return outside.B(method, "error")
	}
	return nil
}`},
		{name: "the outer router", src: `func outer(m Msg) any {
	if m.Method == "ping" { return ok(m.ID, obj{}) }
	if m.Method == "initialize" { return ok(m.ID, obj{}) }
	return inner(m)
}
func inner(m Msg) any {
	switch m.Method { case "tools/list": return ok(m.ID, obj{"tools": []any{}}); case "tools/call": return ok(m.ID, obj{"content": []any{}}) }
	return fail(m.ID, -32601)
}`, want: "inner switch legacy; ping object; else -32601\n"},
		{name: "a bare result that a caller wraps", src: `func route(method string) (any, error) {
	switch method {
	case "initialize": return obj{"protocolVersion": "2025-06-18"}, nil
	case "tools/list": return obj{"tools": []any{}}, nil
	case "ping": return obj{}, nil
	}
	return nil, errors.New("unknown")
}
func handle(m Msg) any {
	r, err := route(m.Method)
	if err != nil { return fail(m.ID, -32603) }
	return ok(m.ID, r)
}`, want: "route switch legacy: 2025-06-18; ping object; else -32603\n"},
		{name: "a bare result without a caller", src: `func route(method string) (any, error) {
	switch method {
	case "tools/list": return obj{"tools": []any{}}, nil
	case "resources/list": return obj{"resources": []any{}}, nil
	}
	return nil, outside.New("unknown")
}`, want: "route switch unknown; else undecided\n"},
		{name: "a table", src: `var table = map[string]func(Msg) any{
	"initialize": func(m Msg) any { return ok(m.ID, obj{}) },
	"tools/list": func(m Msg) any { return ok(m.ID, obj{"tools": []any{}}) },
	"ping": func(m Msg) any { return ok(m.ID, obj{}) },
}
func route(m Msg) any {
	h, found := table[m.Method]
	if !found { return fail(m.ID, -32601) }
	return h(m)
}`, want: "route table legacy; ping object; else -32601\n"},
		{name: "an allow-list before a switch", src: `func route(m Msg) any {
	if !outside.Session() && m.Method != "initialize" { return fail(m.ID, -32002) }
	switch m.Method {
	case "initialize": return ok(m.ID, obj{})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	case "ping": return ok(m.ID, obj{})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy; ping object; gate auth; else -32601\n"},
		{name: "a gate by name", src: `func route(m Msg, initialized bool) any {
	if m.Method != "initialize" && !initialized { return fail(m.ID, -32002) }
	switch m.Method {
	case "initialize": return ok(m.ID, obj{})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	case "ping": return ok(m.ID, obj{})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy; ping object; gate init; else -32601\n"},
		{name: "a flag that the loop sets", src: `func serve() {
	initialized := false
	for m := range outside.In[Msg]() {
		if m.Method == "initialize" { initialized = true; outside.Send(ok(m.ID, obj{})); continue }
		if !initialized { outside.Send(fail(m.ID, -32002)); continue }
		switch m.Method {
		case "tools/list": outside.Send(ok(m.ID, obj{"tools": []any{}}))
		case "ping": outside.Send(ok(m.ID, obj{}))
		default: outside.Send(fail(m.ID, -32601))
		}
	}
}`, want: "serve switch legacy; ping object; gate init; else -32601\n"},
		{name: "a flag that is tested twice", src: `func route(m Msg, verbose bool) any {
	if verbose { outside.Note() }
	switch m.Method {
	case "initialize": return ok(m.ID, obj{})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	case "ping":
		if verbose { return ok(m.ID, obj{"up": true}) }
		return ok(m.ID, obj{})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy; ping object or object[up]; else -32601\n"},
		{name: "a wait", src: `func route(m Msg) any {
	switch m.Method {
	case "initialize": return ok(m.ID, obj{})
	case "tools/list": return ok(m.ID, obj{"tools": []any{}})
	case "ping": outside.Sleep(5); return ok(m.ID, obj{})
	}
	return fail(m.ID, -32601)
}`, want: "route switch legacy; ping object; wait sleep; else -32601\n"},
		{name: "nothing can be followed", src: `func route(m Msg) {
	switch m.Method {
	case "initialize": outside.A(m)
	case "tools/list": outside.B(m)
	default: outside.Log("jsonrpc error")
	}
}`},
		{name: "nobody's answer can be followed", src: `func route(m Msg) any {
	switch m.Method {
	case "initialize": return outside.A(m.ID)
	case "tools/list": return outside.B(m.ID)
	}
	return outside.C("jsonrpc", "error", m.ID)
}`, want: "route switch legacy; else undecided\n"},
		{name: "silence", src: `func route(m Msg) {
	switch m.Method {
	case "initialize": outside.Send(ok(m.ID, obj{}))
	case "tools/list": outside.Send(ok(m.ID, obj{"tools": []any{}}))
	}
}`, want: "route switch legacy; else silence\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := model(t, goProgram(t, map[string]string{"a.go": answers + tt.src + "\n"}))
			switch {
			case tt.wrong != "" && got == tt.want:
				t.Errorf("it is read as it ought to be by now: drop the mark")
			case tt.wrong != "" && got != tt.wrong || tt.wrong == "" && got != tt.want:
				t.Errorf("(-want +got):\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestEras says what a router is known to serve, by its routes and by the revisions that its package names.
func TestEras(t *testing.T) {
	const head = answers + "func route(m Msg) any {\n\tswitch m.Method {\n\tcase \"tools/list\": return ok(m.ID, obj{\"tools\": []any{}})\n\tcase \"resources/list\": return ok(m.ID, obj{\"resources\": []any{}})\n"
	const tail = "\t}\n\treturn fail(m.ID, -32601)\n}\n"
	const initialize = "\tcase \"initialize\": return ok(m.ID, obj{})\n"
	const discover = "\tcase \"server/discover\": return ok(m.ID, obj{\"supportedVersions\": []any{}})\n"
	for _, tt := range []struct{ name, routes, more, want string }{
		{"nothing says it", "", "", "unknown"},
		{"the handshake", initialize, "", "legacy"},
		{"discovery", discover, "", "modern"},
		{"both", initialize + discover, "", "dual"},
		{"a legacy revision", "", `const v = "2025-03-26"`, "legacy: 2025-03-26"},
		{"a modern revision", "", `var v = "2026-07-28"`, "modern: 2026-07-28"},
		{"the handshake and the name of a modern revision", initialize, `var v = []string{"2025-11-25", "2026-07-28"}`, "legacy: 2025-11-25"},
		{"both and both", initialize + discover, `var v = []string{"2026-07-28", "2025-11-25"}`, "dual: 2025-11-25, 2026-07-28"},
		{"some date", "", `var v = "2024-12-24"`, "unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := goProgram(t, map[string]string{"a.go": head + tt.routes + tail, "b.go": "package a\n" + tt.more + "\nfunc use() any { return v }\nvar _ = use\n"})
			if tt.more == "" {
				p = goProgram(t, map[string]string{"a.go": head + tt.routes + tail})
			}
			routers := p.Routers()
			if len(routers) != 1 {
				t.Fatalf("got %d routers, want 1", len(routers))
			}
			e := routers[0].router.Eras
			if got := e.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if e.Era() != mcpaudit.EraUnknown && len(e.Evidence) == 0 {
				t.Error("nothing proves the era")
			}
		})
	}
}

func TestDistinguish(t *testing.T) {
	made := func(name, file string) *mcpaudit.Server {
		return &mcpaudit.Server{Name: name, Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: file}, "")}}
	}
	for _, tt := range []struct {
		name string
		in   []*mcpaudit.Server
		want []string
	}{
		{"other names", []*mcpaudit.Server{made("a", "x"), made("b", "x")}, []string{"a", "b"}},
		{"two files", []*mcpaudit.Server{made("a", "x"), made("a", "y"), made("b", "y")}, []string{"a (x)", "a (y)", "b"}},
		{"one file", []*mcpaudit.Server{made("a", "x"), made("a", "x"), made("a", "x")}, []string{"a (x)", "a (x, 2)", "a (x, 3)"}},
		{"a name that looks like it", []*mcpaudit.Server{made("a (x)", "z"), made("a", "x"), made("a", "y")}, []string{"a (x)", "a (x, 2)", "a (y)"}},
	} {
		distinguish(tt.in)
		var got []string
		for _, s := range tt.in {
			got = append(got, s.Name)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestCrash: a panic of the evaluation is a gap, and what was read before it stays.
func TestCrash(t *testing.T) {
	p := goProgram(t, map[string]string{"a.go": answers})
	_, _, gaps := p.Model(Lookup{}) // no functions to ask
	for _, g := range gaps {
		if g.Reason != mcpaudit.GapCrash || g.Detail == "" {
			t.Errorf("got %+v, want a crash that says what happened", g)
		}
	}
	p.files = append(p.files, nil)
	if _, _, gaps = p.Model(nobody); len(gaps) == 0 {
		t.Error("a broken program gives no gap")
	}
}

// TestSteps: however many ways there are, evaluation ends and says that it did not see them all.
func TestSteps(t *testing.T) {
	var b strings.Builder
	b.WriteString(answers + "func route(m Msg) any {\n")
	for i := range 60 {
		fmt.Fprintf(&b, "\tif outside.Flag(%d) { outside.Send(ok(m.ID, %d)) }\n", i, i)
	}
	b.WriteString("\treturn fail(m.ID, -32601)\n}\n")
	for i := range maxDepth { // each calls the next one many times
		fmt.Fprintf(&b, "func f%d(n int) {\n%s}\n", i, strings.Repeat(fmt.Sprintf("\tf%d(n)\n", i+1), 9))
	}
	fmt.Fprintf(&b, "func f%d(n int) { outside.Flag(n) }\n", maxDepth)
	p := goProgram(t, map[string]string{"a.go": b.String()})
	m := &machine{p: p, trigger: "ping"}
	flows := m.run(funcNamed(t, p, "route"))
	if !m.over {
		t.Error("the ways of 60 tests were all kept, and nothing was left out")
	}
	if m.steps > maxSteps+1000 || len(flows) > 16*maxFlows {
		t.Errorf("%d steps and %d ways, want few more than %d and %d", m.steps, len(flows), maxSteps, 4*maxFlows)
	}
	m = &machine{p: p, trigger: "ping"}
	m.run(funcNamed(t, p, "f0"))
	if !m.over || m.steps > maxSteps+1000 {
		t.Errorf("%d steps for calls of calls, over %t, want few more than %d", m.steps, m.over, maxSteps)
	}
}

// TestTests lists where methods are told apart.
func TestTests(t *testing.T) {
	p := goProgram(t, map[string]string{"a.go": answers + `
const list = "tools/list"
var allowed = []string{"initialize", "ping"}
func route(m Msg, other string) {
	method := m.Method
	if method == list || "ping" != m.Method { return }
	if outside.Flag() && other == m.Params["x"] { return }
	switch method { case "tools/call", "prompts/": return; case "hello": return }
	for _, a := range allowed { if a == method { return } }
}`})
	var got []string
	for _, x := range p.tests(funcNamed(t, p, "route")) {
		got = append(got, fmt.Sprintf("%s %s %s", x.method, x.path, x.form))
	}
	slices.Sort(got)
	want := []string{"ping m.method if-chain", "prompts/ m.method switch", "tools/call m.method switch", "tools/list m.method if-chain"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
