//go:build cgo

package read

import (
	"context"
	"testing"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/python"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/typescript"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func lowered(t *testing.T, l *syntax.Language, name, src string) *code.File {
	t.Helper()
	tree, gap := l.Parse(context.Background(), name, []byte(src))
	if gap != nil {
		t.Fatalf("the fixture is broken: %+v", *gap)
	}
	f := l.Lower(tree)
	if len(f.Gaps) > 0 {
		t.Fatalf("the fixture is broken: %+v", f.Gaps)
	}
	return f
}

// TestSoundTypeScript is TestSoundGo for what Go does not have.
func TestSoundTypeScript(t *testing.T) {
	for _, tt := range []soundCase{
		{name: "let", src: `function f() { let a = false; return a; }`, want: "false"},
		{name: "an arrow function", src: `function f() { let a = false; on(() => { a = true; }); return a; }`, want: "?"},
		{name: "a function declaration", src: `function f() { let a = false; function set() { a = true; } on(set); return a; }`, want: "?"},
		{name: "a function declaration that is called", src: `function f() { let a = false; function set() { a = true; } set(); return a; }`, want: "?"},
		{name: "counted in an arrow function", src: `function f() { let a = "x"; on(() => { a += "y"; }); return a; }`, want: "?"},
		{name: "a variable of the module", src: "let ready = false;\nfunction f() { return ready; }", want: "?"},
		{name: "a variable of the function around", src: "function outer() { let ready = false; return function f() { return ready; }; }", want: "?"},
		{name: "an object of the function around", src: "function outer() { const s = { ready: false }; return function f() { return s.ready; }; }", want: "?"},
		{name: "an object of the module", src: "const s = { ready: false };\nfunction set() { s.ready = true; }\nfunction f() { return s.ready; }", want: "?"},
		{name: "a string of an object of the module", src: "const s = { mode: 'a' };\nfunction set() { s.mode = 'b'; }\nfunction f() { return s.mode; }", want: "?"},
		{name: "an object of the module that nobody changes", src: "const s = { mode: 'a' };\nfunction f() { return s.mode; }", want: `"a"`},
		{name: "an empty object of the function around", src: "function outer() { const s = {}; return function f() { return s.a; }; }", want: "?"},
		{name: "a field of the class", src: "class S { ready = false; f() { return this.ready; } }", want: "?"},
		{name: "an object that is given away", src: `function f() { const s = { ready: false }; fill(s); return s.ready; }`, want: "?"},
		{name: "an object inside another", src: `function f() { const s = { ready: false }; fill({ s }); return s.ready; }`, want: "?"},
		{name: "a part that is given away", src: `function f() { const s = { in: { ready: false } }; fill(s.in); return s.in.ready; }`, want: "?"},
		{name: "an absent member", src: `function f() { const s = { a: 1 }; return s.b; }`, want: "undefined"},
		{name: "an absent member after it was given away", src: `function f() { const s = { a: 1 }; fill(s); return s.b; }`, want: "?"},
		{name: "deleted", src: `function f() { const s = { a: "x" }; delete s.a; return s.a; }`, want: "undefined"},
		{name: "spread", src: `function f() { const s = { a: "x" }; return { ...s, b: "y" }; }`, want: `{a: "x", b: "y"}`},
		{name: "an unknown spread after a key", src: `function f() { return { ok: true, ...more() }; }`, want: "{ok: ?, ...}"},
		{name: "destructured", src: `function f() { const { a, b = "y" } = { a: "x" }; return a + b; }`, want: `"xy"`},
		{name: "the rest", src: `function f() { const { a, ...r } = { a: "x", b: "y" }; return r.b; }`, want: "?"},
		{name: "a default", src: `function g(a = "d") { return a; } function f() { return g(); }`, want: `"d"`},
		{name: "optional", src: `function f() { const a = undefined; return a ?? "d"; }`, want: `"d"`},
		{name: "or of the empty string", src: `function f() { return "" || "d"; }`, want: `"d"`},
		{name: "nullish of the empty string", src: `function f() { return "" ?? "d"; }`, want: `""`},
		{name: "zero in other spellings", src: `function f() { return 0.0 ? "yes" : "no"; }`, want: `"no"`},
		{name: "an empty array is true", src: `function f() { return [] ? "yes" : "no"; }`, want: `"yes"`},
		{name: "null is not undefined", src: `function f() { return null === undefined; }`, want: "false"},
		{name: "numbers in two spellings", src: `function f() { return 1.0 === 1; }`, want: "true"},
		{name: "thrown", src: `function f() { throw new Error("x"); }`, want: "throws {...}"},
		{name: "caught", src: `function f() { try { throw new Error("x"); } catch { return "caught"; } }`, want: `"caught"`},
		{name: "finally", src: `function f() { let a = "x"; try { a = "y"; } finally { a += "z"; } return a; }`, want: `"yz"`},
		{name: "text", src: "function f() { return JSON.stringify({ a: 1 }); }", want: "text of {a: 1}"},
		{name: "text and back", src: "function f() { return JSON.parse(JSON.stringify({ a: 1 })); }", want: "{a: 1}"},
		{name: "a ternary", src: `function f() { return go() ? "a" : "b"; }`, want: "?"},
		{name: "a ternary of answers", src: `function f() { return go() ? {} : null; }`, want: "null | {}"},
		{name: "a loop with break", src: `function f() { while (true) { break; } return "after"; }`, want: `"after"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.check(t, NewProgram([]*code.File{lowered(t, typescript.TypeScript, "a.ts", tt.src)}, nil, nil))
		})
	}
}

// TestSoundPython is TestSoundGo for what Go does not have.
func TestSoundPython(t *testing.T) {
	for _, tt := range []soundCase{
		{name: "nonlocal", src: "def f():\n    a = False\n    def set():\n        nonlocal a\n        a = True\n    on(set)\n    return a\n", want: "?"},
		{name: "a lambda reads", src: "def f():\n    a = False\n    on(lambda: a)\n    return a\n", want: "false"},
		{name: "a global", src: "ready = False\ndef f():\n    return ready\n", want: "?"},
		{name: "a dict of the module", src: "S = {'ready': False}\ndef set():\n    S['ready'] = True\ndef f():\n    return S['ready']\n", want: "?"},
		{name: "assigned in a loop", src: "def f():\n    ready = False\n    for m in read():\n        if go():\n            return ready\n        ready = True\n    return True\n", want: "? | true"},
		{name: "an empty dict is false", src: "def f():\n    r = {}\n    return 'yes' if r else 'no'\n", want: `"no"`},
		{name: "an empty list is false", src: "def f():\n    return 'yes' if [] else 'no'\n", want: `"no"`},
		{name: "a filled dict is true", src: "def f():\n    return 'yes' if {'a': 1} else 'no'\n", want: `"yes"`},
		{name: "a dict that was given away", src: "def f():\n    r = {}\n    fill(r)\n    return {} if r else None\n", want: "null | {}"},
		{name: "None", src: "def f():\n    return 'yes' if None else 'no'\n", want: `"no"`},
		{name: "no return", src: "def g():\n    x = 1\ndef f():\n    return g()\n", want: "null"},
		{name: "get with a default", src: "def f():\n    return {'a': 1}.get('b', 'd')\n", want: `"d"`},
		{name: "a missing key raises", src: "def f():\n    try:\n        return {'a': 1}['b']\n    except KeyError:\n        return 'caught'\n", want: `"caught"`},
		{name: "the handler by class", src: "def f():\n    try:\n        raise ValueError('x')\n    except KeyError:\n        return 'key'\n    except ValueError:\n        return 'value'\n", want: `"value"`},
		{name: "a tuple", src: "def g():\n    return 'a', 'b'\ndef f():\n    x, y = g()\n    return x + y\n", want: `"ab"`},
		{name: "keywords", src: "def g(a, b):\n    return b\ndef f():\n    return g(b='x', a='y')\n", want: `"x"`},
		{name: "walrus", src: "def f():\n    if (a := 'x'):\n        return a\n", want: `"x"`},
		{name: "a call with effects on a dict", src: "def f():\n    r = {'a': True}\n    r.update(more())\n    return r.get('b')\n", want: "?"},
		{name: "a list that grows", src: "def f():\n    r = []\n    r.append('x')\n    return r[0]\n", want: `"x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.check(t, NewProgram([]*code.File{lowered(t, python.Python, "a.py", tt.src)}, nil, nil))
		})
	}
}

// TestNoPlace: an outcome without a place in the source has no span, rather than one in a file without a name.
func TestNoPlace(t *testing.T) {
	src := "class S:\n    def run(self, method):\n        if method == \"initialize\":\n            return {\"protocolVersion\": \"1\"}\n        if method == \"tools/list\":\n            return {\"tools\": []}\n"
	p := NewProgram([]*code.File{lowered(t, python.Python, "a.py", src)}, nil, nil)
	servers, _, _ := p.Model(nobody)
	if len(servers) != 1 {
		t.Fatalf("%d servers, want 1", len(servers))
	}
	for _, o := range servers[0].Routers[0].Default {
		if o.Evidence.Span != nil && o.Evidence.Span.File == "" {
			t.Errorf("a place without a file: %+v", o)
		}
	}
}
