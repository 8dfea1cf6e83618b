package read

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

const (
	dontKnow = mcpaudit.Unknown
	no       = mcpaudit.No
	yes      = mcpaudit.Yes
)

func numberOf(s string) value       { return value{k: number, s: s} }
func objectOf(keys ...string) value { return value{k: object, obj: fieldsOf(keys...)} }
func arrayOf(elems ...value) value  { return value{k: array, obj: &fields{elems: elems}} }
func opened(v value) value          { o := *v.obj; o.open = true; v.obj = &o; return v }
func text2(v value) value           { v.encoded = true; return v }
func fieldsOf(keys ...string) *fields {
	f := &fields{vals: map[string]value{}}
	for _, k := range keys {
		f = f.with(k, value{})
	}
	return f
}

func TestTruth(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		v                      value
		script, python, golang mcpaudit.Tri
	}{
		{"nothing known", value{}, dontKnow, dontKnow, dontKnow},
		{"present", value{present: true}, yes, yes, yes},
		{"true", boolValue(true), yes, yes, yes},
		{"false", boolValue(false), no, no, no},
		{"null", value{k: null}, no, no, no},
		{"undefined", value{k: undefined}, no, no, no},
		{"a string", stringValue("0"), yes, yes, yes},
		{"the empty string", stringValue(""), no, no, no},
		{"zero", numberOf("0"), no, no, no},
		{"a number", numberOf("-1"), yes, yes, yes},
		{"an empty object", objectOf(), yes, no, yes},
		{"an object", objectOf("a"), yes, yes, yes},
		{"an object with perhaps more", opened(objectOf()), yes, dontKnow, yes},
		{"an instance", value{k: object, obj: &fields{typ: "Server"}}, yes, yes, yes},
		{"an empty array", arrayOf(), yes, no, yes},
		{"an array", arrayOf(value{}), yes, yes, yes},
		{"an array with perhaps more", opened(arrayOf()), yes, dontKnow, yes},
		{"the text of an empty object", text2(objectOf()), yes, yes, yes},
		{"a function", value{k: function}, yes, yes, yes},
		{"a class", value{k: class}, yes, yes, yes},
	} {
		for lang, want := range map[string]mcpaudit.Tri{"typescript": tt.script, "javascript": tt.script, "python": tt.python, "go": tt.golang} {
			if got := truth(tt.v, lang); got != want {
				t.Errorf("%s in %s: got %d, want %d", tt.name, lang, got, want)
			}
		}
	}
}

func TestEqual(t *testing.T) {
	meth := value{k: str, s: "ping", method: true}
	for _, tt := range []struct {
		name string
		a, b value
		want mcpaudit.Tri
	}{
		{"nothing known", value{}, value{}, dontKnow},
		{"strings", stringValue("a"), stringValue("a"), yes},
		{"other strings", stringValue("a"), stringValue("b"), no},
		{"the method", meth, stringValue("ping"), yes},
		{"another method", meth, stringValue("tools/list"), no},
		{"numbers", numberOf("1"), numberOf("1"), yes},
		{"Booleans", boolValue(true), boolValue(false), no},
		{"a number and a string", numberOf("1"), stringValue("1"), no},
		{"null and null", value{k: null}, value{k: null}, yes},
		{"null and an unknown", value{k: null}, value{}, dontKnow},
		{"null and something present", value{k: null}, value{present: true}, no},
		{"null and a string", value{k: null}, stringValue(""), no},
		{"null and an object", value{k: null}, objectOf(), no},
		{"undefined and a function", value{k: undefined}, value{k: function}, no},
		{"an unknown and a string", value{}, stringValue("a"), dontKnow},
		{"objects", objectOf(), objectOf(), dontKnow},
		{"an object and a string", objectOf(), stringValue("a"), dontKnow},
		{"a text and a string", text2(stringValue("a")), stringValue("a"), dontKnow},
	} {
		if got := equal(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
		if got := equal(tt.b, tt.a); got != tt.want {
			t.Errorf("%s, the other way round: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestNot(t *testing.T) {
	for in, want := range map[mcpaudit.Tri]mcpaudit.Tri{yes: no, no: yes, dontKnow: dontKnow} {
		if got := not(in); got != want {
			t.Errorf("not(%d) = %d, want %d", in, got, want)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	for _, tt := range []struct {
		op   string
		x, y value
		want mcpaudit.Tri
	}{
		{"<", numberOf("9"), numberOf("10"), yes}, // as numbers, not as text
		{">", numberOf("9"), numberOf("10"), no},
		{"<=", numberOf("1"), numberOf("1.0"), yes},
		{">=", numberOf("-2"), numberOf("1"), no},
		{"<", numberOf("1"), value{}, dontKnow},
		{"<", stringValue("1"), numberOf("2"), dontKnow},
		{"<", numberOf("many"), numberOf("2"), dontKnow},
	} {
		if got := compare(tt.op, tt.x, tt.y); got != tt.want {
			t.Errorf("%s %s %s: got %d, want %d", show(tt.x), tt.op, show(tt.y), got, tt.want)
		}
	}
}

// TestWith proves that a store leaves other holders of the object alone.
func TestWith(t *testing.T) {
	a := (&fields{}).with("x", stringValue("1"))
	b := a.with("x", stringValue("2")).with("y", stringValue("3"))
	got := show(value{k: object, obj: a}) + show(value{k: object, obj: b})
	if diff := cmp.Diff(`{x: "1"}{x: "2", y: "3"}`, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var none *fields
	if _, ok := none.get("x"); ok {
		t.Error("a member of nothing was found")
	}
	if got := show(value{k: object, obj: none.with("x", boolValue(true))}); got != "{x: true}" {
		t.Errorf("a member was put into nothing: got %s", got)
	}
}

func TestLookupHides(t *testing.T) {
	var b *binding
	b = b.set("x", stringValue("old")).set("y", stringValue("other")).set("x", stringValue("new"))
	if v, ok := b.lookup("x"); !ok || v.s != "new" {
		t.Errorf("x is %q, want the last one", v.s)
	}
	if _, ok := b.lookup("z"); ok {
		t.Error("z was never set")
	}
}

func TestStable(t *testing.T) {
	for _, tt := range []struct {
		v    value
		want string
	}{
		{boolValue(false), "?"}, {value{k: null}, "?"}, {value{k: undefined}, "?"},
		{objectOf(), "!"}, {arrayOf(), "!"},
		{stringValue("a"), `"a"`}, {objectOf("a"), "{a: ?}"}, {text2(objectOf()), "text of {}"},
	} {
		if got := show(NewProgram(nil, nil, nil).stable(tt.v)); got != tt.want {
			t.Errorf("NewProgram(nil, nil, nil).stable(%s) = %s, want %s", show(tt.v), got, tt.want)
		}
	}
}

// TestJoin says which differences between two ways are given up.
func TestJoin(t *testing.T) {
	base := (*binding)(nil).set("kept", stringValue("k"))
	c := &condition{text: "c"}
	em := &emission{}
	st := func(name string, v value) state { return state{env: base.set(name, v), conds: c} }
	for _, tt := range []struct {
		name  string
		a, b  state
		force bool
		ok    bool
		x     string // what x is afterwards
	}{
		{"equal", st("x", stringValue("a")), st("x", stringValue("a")), false, true, `"a"`},
		{"other strings", st("x", stringValue("a")), st("x", stringValue("b")), false, true, "!"},
		{"other numbers", st("x", numberOf("1")), st("x", numberOf("2")), false, true, "!"},
		{"unknown and known", st("x", value{}), st("x", stringValue("b")), false, true, "?"},
		{"only on one side", st("x", stringValue("a")), st("y", stringValue("a")), false, true, "?"},
		{"Booleans", st("x", boolValue(true)), st("x", boolValue(false)), false, false, ""},
		{"Booleans by force", st("x", boolValue(true)), st("x", boolValue(false)), true, true, "?"},
		{"objects", st("x", objectOf()), st("x", objectOf()), false, false, ""},
		{"an error", st("x", value{failed: true}), st("x", stringValue("a")), false, false, ""},
		{"a hit", state{hit: true}, state{}, true, false, ""},
		{"an answer", state{emits: em}, state{}, true, false, ""},
		{"handed on", state{gave: "send"}, state{}, true, false, ""},
		{"an open table", state{open: "why"}, state{}, true, false, ""},
		{"a wait", state{waits: &waiting{}}, state{}, true, false, ""},
	} {
		got, ok := join(tt.a, tt.b, tt.force)
		if ok != tt.ok {
			t.Errorf("%s: joined is %t, want %t", tt.name, ok, tt.ok)
			continue
		}
		if !ok {
			continue
		}
		v, _ := got.env.lookup("x")
		if show(v) != tt.x {
			t.Errorf("%s: x is %s, want %s", tt.name, show(v), tt.x)
		}
		if v, _ := got.env.lookup("kept"); v.s != "k" {
			t.Errorf("%s: what both have is lost", tt.name)
		}
		if got.conds != c {
			t.Errorf("%s: the condition that both have is lost", tt.name)
		}
	}
	// What only one side has tested is no condition of both.
	a, b := state{conds: &condition{next: c}}, state{conds: &condition{next: c}}
	if got, _ := join(a, b, false); got.conds != c {
		t.Errorf("the conditions of one side are kept: %+v", got.conds)
	}
}

// TestJoinPresent: what is not empty on one way only may be empty.
func TestJoinPresent(t *testing.T) {
	st := func(p bool) state { return state{env: (*binding)(nil).set("x", value{present: p})} }
	for _, first := range []bool{true, false} {
		got, ok := join(st(first), st(!first), false)
		if v, _ := got.env.lookup("x"); !ok || v.present {
			t.Errorf("present first %t: joined %t, present %t", first, ok, v.present)
		}
	}
}

// TestMergeLimit: more ways than are kept are cut off, and that is said.
func TestMergeLimit(t *testing.T) {
	ways := func(n int) []flow {
		var out []flow
		for i := range n {
			out = append(out, flow{kind: flowNext, st: state{emits: &emission{}, gave: fmt.Sprint(i)}})
		}
		return out
	}
	for _, tt := range []struct {
		n, want int
		over    bool
	}{{3, 3, false}, {4 * maxFlows, 4 * maxFlows, false}, {4*maxFlows + 1, 4 * maxFlows, true}} {
		m := &machine{}
		if got := len(m.merge(ways(tt.n))); got != tt.want || m.over != tt.over {
			t.Errorf("%d ways: kept %d, over %t, want %d, %t", tt.n, got, m.over, tt.want, tt.over)
		}
	}
	// Ways that end are never joined.
	m := &machine{}
	if got := len(m.merge([]flow{{kind: flowReturn}, {kind: flowReturn}, {kind: flowNext}, {kind: flowNext}})); got != 3 {
		t.Errorf("kept %d ways, want both returns and one that goes on", got)
	}
}

func TestLimit(t *testing.T) {
	m := &machine{}
	if got := len(m.limit(make([]res, 2*maxResult))); got != 2*maxResult || m.over {
		t.Errorf("%d results, over %t: nothing was to be cut off", got, m.over)
	}
	if got := len(m.limit(make([]res, 2*maxResult+1))); got != 2*maxResult || !m.over {
		t.Errorf("%d results, over %t: one was to be cut off", got, m.over)
	}
}

func TestSpread(t *testing.T) {
	idx := &code.Expr{Kind: code.Index}
	call := &code.Expr{Kind: code.Call}
	tuple := arrayOf(stringValue("a"), value{k: null})
	for _, tt := range []struct {
		name string
		v    value
		n    int
		e    *code.Expr
		want string
	}{
		{"a tuple", tuple, 2, call, `["a", null]`},
		{"a found key", stringValue("a"), 2, idx, `["a", true]`},
		{"a missing key", value{k: null}, 2, idx, "[null, false]"},
		{"a key that is not known", value{}, 2, idx, "[?, ?]"},
		{"a result that is not known", value{}, 2, call, "[?, ?]"},
		{"three from one", stringValue("a"), 3, call, `["a", ?, ?]`},
		{"an array of another length", arrayOf(stringValue("a")), 3, call, `[["a"], ?, ?]`},
	} {
		m := &machine{}
		if got := show(arrayOf(m.spread(tt.v, tt.n, tt.e, state{})...)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestItoa(t *testing.T) {
	for _, n := range []int{0, 7, 10, 99, 100, 4096} {
		if got := itoa(n); got != fmt.Sprint(n) {
			t.Errorf("itoa(%d) = %q", n, got)
		}
	}
}
