package read

import (
	"slices"
	"strconv"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// kind is what an abstract value is known to be.
type kind uint8

const (
	unknown kind = iota
	str
	number
	boolean
	null
	undefined
	object
	array
	function
	class
	module
)

// value is what evaluation knows of an expression. Values are immutable: a store makes a new one, which alias hands to
// the other variables that hold the same object.
type value struct {
	k       kind
	s       string // text of a string, number or boolean; path of a module
	obj     *fields
	fn      *closure
	class   *code.Class
	file    *code.File
	encoded bool   // the value is the JSON text of what the rest says
	method  bool   // the string is the method of the message
	msg     bool   // the message itself
	present bool   // unknown, but neither null nor undefined nor empty (an id, the message itself)
	call    string // unknown: the name of the function whose result this is
	failed  bool   // unknown or object: made by something that is named as an error
	span    mcpaudit.Span
	key     mcpaudit.Span // where the key stands, of a member of a literal
}

// fields are the members of an object or the elements of an array.
type fields struct {
	typ   string      // the class or type that the source names
	cls   *code.Class // and its declaration, if it lies in the tree
	keys  []string
	vals  map[string]value
	elems []value
	open  bool   // there may be other members
	soft  bool   // the members may have other values by now
	id    *ident // the same in all values that are one object at run time; nil where nothing can share it
}

// ident tells objects apart. It must not be empty: pointers to empty structs may be equal.
type ident struct{ _ byte }

// loosen returns the value as something else may have left it.
func loosen(v value) value {
	switch {
	case v.encoded:
		return v
	case v.k == object, v.k == array:
		o := *v.obj
		o.open, o.soft = true, true
		v.obj = &o
		return v
	case v.k == function, v.k == class, v.k == module:
		return v
	}
	return value{}
}

// closure is a function together with the variables that its definition saw.
type closure struct {
	fn   *code.Func
	env  *binding
	this *value
}

// binding is one variable in an immutable list: forking a state is free.
type binding struct {
	name string
	v    value
	next *binding
}

func (b *binding) lookup(name string) (value, bool) {
	for ; b != nil; b = b.next {
		if b.name == name {
			return b.v, true
		}
	}
	return value{}, false
}

func (b *binding) set(name string, v value) *binding { return &binding{name, v, b} }

func (f *fields) get(key string) (value, bool) {
	if f == nil {
		return value{}, false
	}
	v, ok := f.vals[key]
	return v, ok
}

// with returns a copy that has the member.
func (f *fields) with(key string, v value) *fields {
	n := &fields{}
	if f != nil {
		*n = *f
	}
	n.keys = slices.Clone(n.keys)
	vals := make(map[string]value, len(n.vals)+1)
	for k, v := range n.vals {
		vals[k] = v
	}
	n.vals = vals
	if _, ok := vals[key]; !ok {
		n.keys = append(n.keys, key)
	}
	vals[key] = v
	return n
}

func stringValue(s string) value { return value{k: str, s: s} }

func boolValue(b bool) value {
	if b {
		return value{k: boolean, s: "true"}
	}
	return value{k: boolean, s: "false"}
}

// truth says whether a value counts as true in a condition of the language.
func truth(v value, lang string) mcpaudit.Tri {
	yes := func(b bool) mcpaudit.Tri {
		if b {
			return mcpaudit.Yes
		}
		return mcpaudit.No
	}
	if v.encoded {
		return mcpaudit.Yes
	}
	switch v.k {
	case boolean:
		return yes(v.s == "true")
	case null, undefined:
		return mcpaudit.No
	case str:
		return yes(v.s != "")
	case number:
		n, err := strconv.ParseFloat(v.s, 64)
		return yes(err != nil || n != 0)
	case function, class, module:
		return mcpaudit.Yes
	case object, array:
		if lang != "python" {
			return mcpaudit.Yes
		}
		// An instance of a class is true, a dict or a list is true unless it is empty.
		switch {
		case v.obj.typ != "" || len(v.obj.keys) > 0 || len(v.obj.elems) > 0:
			return mcpaudit.Yes
		case v.obj.open:
			return mcpaudit.Unknown
		}
		return mcpaudit.No
	}
	if v.present {
		return mcpaudit.Yes
	}
	return mcpaudit.Unknown
}

func not(t mcpaudit.Tri) mcpaudit.Tri {
	switch t {
	case mcpaudit.Yes:
		return mcpaudit.No
	case mcpaudit.No:
		return mcpaudit.Yes
	}
	return mcpaudit.Unknown
}

func triValue(t mcpaudit.Tri) value {
	if t == mcpaudit.Unknown {
		return value{}
	}
	return boolValue(t == mcpaudit.Yes)
}

// equal compares two values. Objects compare as unknown: identity is not tracked.
func equal(a, b value) mcpaudit.Tri {
	nothing := func(v value) bool { return v.k == null || v.k == undefined }
	something := func(v value) bool { return v.k != unknown || v.present }
	switch {
	case nothing(a) && nothing(b):
		if a.k == b.k { // a loose comparison was lowered to one with each
			return mcpaudit.Yes
		}
		return mcpaudit.No
	case nothing(a) && something(b), nothing(b) && something(a):
		return mcpaudit.No
	case a.k == unknown || b.k == unknown || a.encoded || b.encoded:
		return mcpaudit.Unknown
	case a.k == b.k && (a.k == str || a.k == number || a.k == boolean):
		if a.s == b.s || a.k == number && sameNumber(a.s, b.s) {
			return mcpaudit.Yes
		}
		return mcpaudit.No
	case a.k != b.k && scalar(a) && scalar(b):
		return mcpaudit.No
	}
	return mcpaudit.Unknown
}

func sameNumber(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

func scalar(v value) bool { return v.k == str || v.k == number || v.k == boolean }

// same reports whether two values need not be told apart.
func same(a, b value) bool {
	return a.k == b.k && a.s == b.s && a.obj == b.obj && a.fn == b.fn && a.class == b.class && a.encoded == b.encoded && a.msg == b.msg
}
