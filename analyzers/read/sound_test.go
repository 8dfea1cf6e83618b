package read

import "testing"

// TestSoundGo says what is known of a variable after something that may have changed it. To know too little costs an
// answer; to know what is not so makes one up.
func TestSoundGo(t *testing.T) {
	const lib = `
import "example.com/outside"
type Cfg struct { Ready bool; Mode string }
func (c *Cfg) Init() { outside.Read(&c.Ready) }
func (c *Cfg) Set() { c.Ready = true }
func set(c *Cfg) { c.Ready = true }
func unknown() bool { return outside.Flag() }
`
	for _, tt := range []soundCase{
		{name: "a constant", src: `func f() bool { ready := false; return ready }`, want: "false"},
		{name: "the last assignment", src: `func f() bool { ready := false; ready = true; return ready }`, want: "true"},
		{name: "both arms", src: `func f() string { s := "a"; if outside.Flag() { s = "b" }; return s }`, want: "!"},
		{name: "both arms with a Boolean", src: `func f() bool { s := false; if outside.Flag() { s = true }; return s }`, want: "false | true"},
		{name: "the decided arm", src: `func f() string { s := "a"; if true { s = "b" }; return s }`, want: `"b"`},
		{name: "a field", src: `func f() bool { c := Cfg{Ready: false}; return c.Ready }`, want: "false"},
		{name: "a field that was stored", src: `func f() bool { c := Cfg{Ready: false}; c.Ready = true; return c.Ready }`, want: "true"},
		{name: "unmarshalled into", src: `func f() any { var v any; outside.Unmarshal(&v); return v }`, want: "?"},
		{name: "given to a function outside", src: `func f() bool { c := &Cfg{Ready: false}; outside.Fill(c); return c.Ready }`, want: "?"},
		{name: "given to a function of the tree", src: `func f() bool { c := &Cfg{Ready: false}; set(c); return c.Ready }`, want: "?"},
		{name: "a string given to a function outside", src: `func f() string { c := &Cfg{Mode: "a"}; outside.Fill(c); return c.Mode }`, want: "?"},
		{name: "its own method", src: `func f() bool { c := &Cfg{Ready: false}; c.Set(); return c.Ready }`, want: "true"},
		{name: "its own method that calls outside", src: `func f() bool { c := &Cfg{Ready: false}; c.Init(); return c.Ready }`, want: "?"},
		{name: "inside a literal", src: `func f() bool { c := &Cfg{Ready: false}; outside.Fill([]*Cfg{c}); return c.Ready }`, want: "?"},
		{name: "a scalar by address", src: `func f() bool { ready := false; outside.Read(&ready); return ready }`, want: "?"},
		{name: "an alias", src: `func f() bool { c := &Cfg{Ready: false}; d := c; d.Ready = true; return c.Ready }`, want: "true"},
		{name: "a closure", src: `func f() bool { ready := false; outside.On(func() { ready = true }); return ready }`, want: "?"},
		{name: "a closure in a closure", src: `func f() bool { ready := false; outside.On(func() { outside.On(func() { ready = true }) }); return ready }`, want: "?"},
		{name: "a closure that is called later", src: `func f() bool { ready := false; set := func() { ready = true }; ready = false; set(); return ready }`, want: "?"},
		{name: "a goroutine", src: `func f() bool { ready := false; go func() { ready = true }(); return ready }`, want: "?"},
		{name: "a closure that declares its own", src: `func f() bool { ready := false; outside.On(func() { ready := true; _ = ready }); return ready }`, want: "false"},
		{name: "assigned in a loop", src: `func f() bool { ready := false; for range outside.In() { if outside.Flag() { return ready }; ready = true }; return true }`, want: "? | true"},
		{name: "a loop that may not run", src: `func f() bool { ok := true; for range outside.In() { ok = false }; return ok }`, want: "false | true"},
		{name: "a known loop", src: `func f() string { s := ""; for _, x := range []string{"a", "b"} { s += x }; return s }`, want: `"ab"`},
		{name: "counted in a loop", src: `func f() int { n := 0; for outside.Flag() { n += 1 }; return n }`, want: "?"},
		{name: "truth after a test", src: `func f() string { ok := unknown(); if ok { outside.Log() }; if ok { return "yes" }; return "no" }`, want: `"no" | "yes"`},
		{name: "truth inside a test", src: `func f() string { ok := unknown(); if ok { if ok { return "yes" }; return "never" }; return "no" }`, want: `"no" | "yes"`},
		{name: "nil inside a test", src: `func f() string { err := outside.Do(); if err != nil { if err == nil { return "never" }; return "bad" }; return "good" }`, want: `"bad" | "good"`},
		{name: "nil after a test", src: `func f() string { err := outside.Do(); if err != nil { outside.Log(); }; if err != nil { return "bad" }; return "good" }`, want: `"bad" | "good"`},
		{name: "a package variable", src: "var ready = false\nfunc f() bool { return ready }", want: "?"},
		{name: "a package constant", src: "const ready = false\nfunc f() bool { return ready }", want: "false"},
		{name: "a package variable with text", src: "var mode = \"a\"\nfunc change() { mode = \"b\" }\nfunc f() string { return mode }", want: "?"},
		{name: "a map that is filled elsewhere", src: "var m = map[string]string{\"a\": \"b\"}\nfunc add(k string) { m[k] = \"c\" }\nfunc init() { add(outside.Name()) }\nfunc f() bool { _, ok := m[\"x\"]; return ok }", want: "?"},
		{name: "a parameter", src: `func g(s string) string { return s }
func f() string { return g("a") }`, want: `"a"`},
		{name: "a tuple", src: `func g() (string, error) { return "a", nil }
func f() string { s, err := g(); if err != nil { return "bad" }; return s }`, want: `"a"`},
		{name: "a tuple from outside", src: `func f() string { _, err := outside.Two(); if err != nil { return "bad" }; return "good" }`, want: `"bad" | "good"`},
		{name: "value and ok", src: `func f() bool { m := map[string]string{"a": "b"}; _, ok := m["a"]; return ok }`, want: "true"},
		{name: "value and not ok", src: `func f() bool { m := map[string]string{"a": "b"}; _, ok := m["x"]; return ok }`, want: "false"},
		{name: "an array that is given away", src: `func f() int { l := []string{}; outside.Fill(&l); return len(l) }`, want: "?"},
		{name: "a function too deep", src: `func g1() string { return g2() }
func g2() string { return g3() }
func g3() string { return g4() }
func g4() string { return g5() }
func g5() string { return g6() }
func g6() string { return g7() }
func g7() string { return "deep" }
func f() string { return g1() }`, want: "?"},
		{name: "recursion", src: `func g(n int) string { if outside.Flag() { return "end" }; return g(n + 1) }
func f() string { return g(0) }`, want: `"end" | ?`},
		{name: "more ways than are kept", src: `func g(n int) string {
	switch n { case 1: return "a"; case 2: return "b"; case 3: return "c"; case 4: return "d" }
	switch outside.Other(n) { case 1: return "e"; case 2: return "f"; case 3: return "g"; case 4: return "h" }
	return "i"
}
func f() bool { return g(outside.Number()) == "a" }`, want: "?"},
		{name: "a switch", src: `func f() string { switch outside.Number() { case 1: return "one"; default: return "many" } }`, want: `"many" | "one"`},
		{name: "fallthrough", src: `func f() string { s := ""; switch 1 { case 1: s += "a"; fallthrough; case 2: s += "b"; case 3: s += "c" }; return s }`, want: `"ab"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.check(t, goProgram(t, map[string]string{"a.go": lib + tt.src + "\n"}))
		})
	}
}
