package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// library knows the few functions of the languages' own libraries that stand between a method and its answer.
func (m *machine) library(st *state, fr *frame, e *code.Expr, name, last string, x value, args []value, kw *fields) (value, bool) {
	arg := func(i int) value {
		if i < len(args) {
			return args[i]
		}
		return value{k: undefined}
	}
	method := e.X != nil && e.X.Kind == code.Member

	switch name {
	case "JSON.stringify", "json.dumps", "orjson.dumps", "ujson.dumps", "json.Marshal", "json.MarshalIndent", "sonic.Marshal", "stringify", "dumps", "safeStringify":
		v := arg(0)
		if v.k == undefined && len(args) > 0 {
			return v, true
		}
		v.encoded = v.k != unknown || v.msg
		v.present = true
		if strings.Contains(name, "Marshal") {
			return value{k: array, obj: &fields{typ: "tuple", elems: []value{v, {k: null}}}}, true
		}
		return v, true
	case "fmt.Sprintf", "fmt.Fprintf", "fmt.Printf", "fmt.Appendf":
		for _, a := range args {
			if a.k != str || a.encoded {
				continue
			}
			if env, ok := envelopeText(verbs.re().ReplaceAllString(a.s, "null"), e.Span); ok {
				if name != "fmt.Sprintf" {
					*st = m.emitIfEnvelope(*st, fr, env, e.Span)
				}
				return env, true
			}
		}
	case "JSON.parse", "json.loads":
		v := arg(0)
		if v.encoded {
			v.encoded = false
			return v, true
		}
		return value{}, true
	case "json.RawMessage", "[]byte", "string", "RawMessage":
		v := arg(0)
		if v.encoded {
			return v, true
		}
		if v.k == str && !v.method {
			return raw(v), true
		}
		return v, true
	case "Object.create", "Object.freeze", "Object.seal", "structuredClone":
		if name == "Object.create" {
			return value{k: object, obj: &fields{vals: map[string]value{}}, span: e.Span}, true
		}
		return arg(0), true
	case "Object.assign":
		obj := &fields{vals: map[string]value{}}
		for _, a := range args {
			if a.k != object {
				return value{}, true
			}
			for _, k := range a.obj.keys {
				obj = obj.with(k, a.obj.vals[k])
			}
			obj.open = obj.open || a.obj.open
		}
		return value{k: object, obj: obj, span: e.Span}, true
	case "Object.keys", "list", "set", "frozenset", "tuple", "Array.from", "sorted":
		switch v := arg(0); {
		case v.k == object && !v.encoded:
			out := value{k: array, obj: &fields{open: v.obj.open}}
			for _, k := range v.obj.keys {
				out.obj.elems = append(out.obj.elems, stringValue(k))
			}
			return out, true
		case v.k == array && !v.encoded:
			return v, true
		}
		return value{}, false
	case "dict":
		if len(args) == 0 && kw != nil {
			return value{k: object, obj: kw, span: e.Span}, true
		}
	case "errors.New", "fmt.Errorf", "errors.Errorf", "errors.Wrap", "xerrors.Errorf", "status.Error", "status.Errorf":
		return value{k: object, failed: true, obj: &fields{typ: "error", open: true}, span: e.Span}, true
	case "make", "new":
		return value{k: object, obj: &fields{vals: map[string]value{}, open: name == "new", id: new(ident)}, span: e.Span}, true
	case "Promise.resolve", "asyncio.wait_for", "asyncio.shield", "cast", "typing.cast", "Response.json", "NextResponse.json", "Boolean", "bool":
		if strings.HasSuffix(name, ".json") {
			return value{}, false
		}
		if last == "Boolean" || last == "bool" {
			return triValue(truth(arg(0), fr.file.Lang)), true
		}
		if len(args) == 0 {
			return value{k: undefined}, true
		}
		return arg(0), true
	case "isinstance":
		if len(e.Args) == 2 {
			return m.isinstance(st, fr, e.Args[0], e.Args[1], arg(0)), true
		}
	case "Array.isArray":
		if arg(0).msg || m.isMessage(fr, accessPath(first(e.Args))) {
			return boolValue(false), true
		}
		if v := arg(0); v.k != unknown && v.k != undefined {
			return boolValue(v.k == array), true
		}
		return value{}, true
	case "len":
		switch v := arg(0); {
		case v.k == null || v.k == undefined && len(args) > 0:
			return value{k: number, s: "0"}, true
		case v.k == object && !v.obj.open && v.obj.cls == nil:
			return value{k: number, s: itoa(len(v.obj.keys))}, true
		case v.k == array && !v.obj.open:
			return value{k: number, s: itoa(len(v.obj.elems))}, true
		}
		return value{}, true
	case "callable":
		if v := arg(0); v.k != unknown {
			return boolValue(v.k == function || v.k == class), true
		}
	case "strings.HasPrefix", "strings.HasSuffix", "strings.Contains", "strings.EqualFold", "slices.Contains":
		if len(args) == 2 {
			if name == "slices.Contains" {
				return triValue(m.contains(st, args[0], args[1])), true
			}
			return m.affix(st, strings.ToLower(strings.TrimPrefix(name, "strings.")), args[0], args[1]), true
		}
	case "Map", "Set":
		if e.New {
			return m.collection(name, arg(0)), true
		}
	}
	if !method {
		return value{}, false
	}
	switch last {
	case "startsWith", "startswith", "endsWith", "endswith", "includes", "equals", "has", "contains", "__contains__", "hasOwnProperty", "hasOwn", "ContainsKey", "equalsIgnoreCase":
		set, item := x, arg(0)
		if name == "Object.hasOwn" || strings.HasSuffix(name, "hasOwnProperty.call") {
			set, item = arg(0), arg(1)
		}
		if strings.HasPrefix(last, "starts") || strings.HasPrefix(last, "ends") || strings.HasPrefix(last, "equals") {
			if set.k == str || set.method {
				return m.affix(st, strings.ToLower(last), set, item), true
			}
			return value{}, x.k != object || x.obj.cls == nil
		}
		if set.k == array || set.k == object && set.obj.cls == nil || set.k == str {
			return triValue(m.contains(st, set, item)), true
		}
	case "get", "Get", "pop":
		if x.msg && arg(0).k == str {
			return m.messagePart(canonical(args[0].s)), true
		}
		if x.k == object && x.obj.cls == nil && !x.encoded && arg(0).k == str {
			v, found := m.lookup(st, x, args[0])
			if !found && v.k == undefined {
				v = nothing(fr.file.Lang)
				if len(args) > 1 {
					v = args[1]
				}
			}
			return v, true
		}
	case "set", "update", "setdefault":
		if x.k == object && x.obj.cls == nil {
			n := x
			switch {
			case last != "update" && arg(0).k == str && len(args) > 1:
				n.obj = x.obj.with(args[0].s, args[1])
			case last == "update" && arg(0).k == object:
				for _, k := range args[0].obj.keys {
					n.obj = n.obj.with(k, args[0].obj.vals[k])
				}
			default:
				o := *x.obj
				o.open = true
				n.obj = &o
			}
			*st = m.store(*st, fr, e.X.X, n)
			return n, true
		}
	case "encode", "toString", "decode", "strip", "trim", "lower", "toLowerCase", "valueOf", "String", "Bytes", "trimEnd":
		if x.encoded || x.k == str {
			return x, true
		}
	case "model_dump", "dict", "to_dict", "toJSON", "model_dump_json", "json", "to_json", "asdict", "as_dict", "toObject":
		if x.k == object && len(args) == 0 && (x.obj.cls == nil || m.p.method(x.obj.cls, last, 0) == nil) {
			x.encoded = x.encoded || strings.Contains(last, "json") && last != "json"
			return x, true
		}
	case "bind":
		if x.k == function {
			c := *x.fn
			if a := arg(0); a.k != undefined && a.k != unknown {
				c.this = &a
			}
			x.fn = &c
			return x, true
		}
	}
	return value{}, false
}

// affix decides a test for a beginning, an end or a part of a string.
func (m *machine) affix(st *state, op string, s, part value) value {
	if s.k != str || s.encoded {
		return value{}
	}
	if part.k == array {
		t := mcpaudit.No
		for _, p := range part.obj.elems {
			if w := truth(m.affix(st, op, s, p), ""); w != mcpaudit.No {
				t = w
			}
		}
		return triValue(t)
	}
	if part.k != str {
		return value{}
	}
	var ok bool
	switch {
	case strings.HasPrefix(op, "hasprefix"), strings.HasPrefix(op, "starts"):
		ok = strings.HasPrefix(s.s, part.s)
	case strings.HasPrefix(op, "hassuffix"), strings.HasPrefix(op, "ends"):
		ok = strings.HasSuffix(s.s, part.s)
	case strings.HasPrefix(op, "equal"):
		ok = strings.EqualFold(s.s, part.s)
	default:
		ok = strings.Contains(s.s, part.s)
	}
	if ok && s.method && part.s != "" {
		st.hit = true
	}
	return boolValue(ok)
}

// isinstance decides a test of the message, or of what it wraps, against a request type, and of the message against
// the types that JSON has.
func (m *machine) isinstance(st *state, fr *frame, x, t *code.Expr, v value) value {
	types := []*code.Expr{t}
	if t != nil && t.Kind == code.Array {
		types = t.Args
	}
	meth, base := m.subjectOf(fr, accessPath(x))
	base = base || v.msg
	out := mcpaudit.No
	for _, t := range types {
		name := lastName(t)
		if method, ok := requestTypes[name]; ok && (meth || base) {
			if method == m.trigger {
				st.hit = true
				return boolValue(true)
			}
			continue
		}
		switch {
		case name == "dict" && (base || v.k == object):
			return boolValue(true)
		case name == "list" && base, name == "str" && base:
			continue
		case name == "str" && v.k == str:
			return boolValue(true)
		case (name == "dict" || name == "list" || name == "str") && v.k != unknown && !(name == "list" && v.k == array):
			continue
		default:
			out = mcpaudit.Unknown
		}
	}
	return triValue(out)
}

// collection is new Map([[key, value], ...]) or new Set([...]).
func (m *machine) collection(name string, v value) value {
	if name == "Set" {
		if v.k == array {
			return v
		}
		if v.k == undefined {
			return value{k: array, obj: &fields{}}
		}
		return value{}
	}
	obj := &fields{vals: map[string]value{}}
	switch v.k {
	case undefined:
	case array:
		for _, e := range v.obj.elems {
			if e.k == array && len(e.obj.elems) == 2 && e.obj.elems[0].k == str {
				obj = obj.with(e.obj.elems[0].s, e.obj.elems[1])
			} else {
				obj.open = true
			}
		}
	default:
		obj.open = true
	}
	return value{k: object, obj: obj}
}
