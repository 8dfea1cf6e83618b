package read

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

func one(st state, v value) []res { return []res{{st: st, v: v}} }

// then continues every result that is not an exception.
func (m *machine) then(rs []res, fn func(state, value) []res) []res {
	var out []res
	for _, r := range rs {
		if r.thrown {
			out = append(out, r)
			continue
		}
		out = append(out, fn(r.st, r.v)...)
	}
	return m.limit(out)
}

// eval evaluates an expression. There are several results where a call that was followed ends in several ways.
func (m *machine) eval(st state, fr *frame, e *code.Expr) []res {
	if e == nil || !m.tick() {
		return one(st, value{})
	}
	switch e.Kind {
	case code.String, code.Number, code.Bool, code.Null, code.Undefined:
		k := map[code.ExprKind]kind{code.String: str, code.Number: number, code.Bool: boolean, code.Null: null, code.Undefined: undefined}
		return one(st, value{k: k[e.Kind], s: e.Text, span: e.Span})
	case code.Name:
		return one(st, m.name(st, fr, e))
	case code.Member:
		return m.member(st, fr, e)
	case code.Index:
		return m.index(st, fr, e)
	case code.Object:
		return m.object(st, fr, e)
	case code.Array:
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			var elems []value
			open := false
			for i, x := range v.obj.elems {
				if e.Args[i] != nil && e.Args[i].Kind == code.Spread {
					if x.k != array {
						open = true
						continue
					}
					open = open || x.obj.open
					elems = append(elems, x.obj.elems...)
					continue
				}
				elems = append(elems, x)
			}
			return one(st, value{k: array, obj: &fields{elems: elems, open: open, typ: e.Type}, span: e.Span})
		})
	case code.Lambda:
		if e.Func == nil {
			return one(st, value{})
		}
		this, _ := st.env.lookup("this")
		v := value{k: function, fn: &closure{fn: e.Func, env: st.env, this: &this}, span: e.Span}
		return one(m.havoc(st, e.Func), v)
	case code.Await, code.Spread:
		return m.eval(st, fr, e.X)
	case code.Ternary:
		return m.ternary(st, fr, e)
	case code.Unary:
		return m.then(m.eval(st, fr, e.X), func(st state, v value) []res {
			switch e.Text {
			case "!":
				return one(st, triValue(not(truth(v, fr.file.Lang))))
			case "-":
				if v.k == number {
					return one(st, value{k: number, s: "-" + v.s, span: e.Span})
				}
			case "typeof":
				if v.k == str {
					return one(st, stringValue("string"))
				}
				if v.k == function {
					return one(st, stringValue("function"))
				}
				if v.k == undefined {
					return one(st, stringValue("undefined"))
				}
			}
			return one(st, value{})
		})
	case code.Binary:
		return m.binary(st, fr, e)
	case code.Assign:
		return m.then(m.eval(st, fr, e.Y), func(st state, v value) []res {
			return one(m.bind(st, fr, e.X, v, e.Y), v)
		})
	case code.Template:
		if len(e.Args) == 1 && e.Text == "" {
			if v := m.peek(st, fr, e.Args[0]); v.method && int(e.Args[0].Span.End-e.Args[0].Span.Start)+4 >= e.Span.End-e.Span.Start {
				return one(st, v) // `${method}` and nothing else
			}
		}
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			for _, x := range v.obj.elems {
				if x.encoded { // `data: ${JSON.stringify(reply)}\n\n`
					return one(st, x)
				}
			}
			if env, ok := envelopeText(templateText(fr.file, e), e.Span); ok {
				return one(st, env)
			}
			return one(st, value{present: true, span: e.Span})
		})
	case code.Call:
		return m.call(st, fr, e)
	case code.Other:
		return m.then(m.list(st, fr, e.Args), func(st state, v value) []res {
			if e.Text == "<-" && len(v.obj.elems) == 2 { // a send to a channel
				sent := v.obj.elems[1]
				st = m.emitIfEnvelope(st, fr, sent, e.Span)
				if sent.msg {
					st.gave = "a channel"
				}
				return one(st, value{})
			}
			for _, x := range v.obj.elems {
				if x.encoded {
					return one(st, x)
				}
			}
			return one(st, value{})
		})
	}
	return one(st, value{})
}

// havoc forgets the variables that a function assigns to when it runs, for that may be any time from here on.
func (m *machine) havoc(st state, fn *code.Func) state {
	names, ok := m.p.assigned[fn]
	if !ok {
		eachStmt(fn.Body, func(s *code.Stmt) {
			if s.Kind != code.StmtAssign || s.Declares {
				return
			}
			for _, l := range s.LHS {
				for l != nil && (l.Kind == code.Member || l.Kind == code.Index) {
					l = l.X
				}
				if l != nil && l.Kind == code.Name && l.Text != "this" {
					names = append(names, l.Text)
				}
			}
		})
		m.p.assigned[fn] = names
	}
	for _, n := range names {
		v, ok := st.env.lookup(n)
		switch {
		case !ok || v.k == unknown:
		case v.k == object && !v.encoded:
			o := *v.obj
			o.open = true
			v.obj = &o
			st.env = st.env.set(n, v)
		default:
			st.env = st.env.set(n, value{})
		}
	}
	return st
}

// templateText is the source of a string with null in its holes.
func templateText(f *code.File, e *code.Expr) string {
	if e.Span.End > len(f.Src) || e.Span.Start < 0 || e.Span.End-e.Span.Start > 1<<16 {
		return ""
	}
	src := string(f.Src[e.Span.Start:e.Span.End])
	for i := len(e.Args) - 1; i >= 0; i-- {
		if e.Args[i] == nil {
			return ""
		}
		start, end := e.Args[i].Span.Start-e.Span.Start, e.Args[i].Span.End-e.Span.Start
		if start < 0 || end > len(src) || start > end {
			return ""
		}
		open, shut := strings.LastIndexByte(src[:start], '{'), strings.IndexByte(src[end:], '}')
		if open < 0 || shut < 0 {
			return ""
		}
		if open > 0 && src[open-1] == '$' {
			open--
		}
		src = src[:open] + "null" + src[end+shut+1:]
	}
	if f.Lang == "python" {
		src = strings.NewReplacer("{{", "{", "}}", "}").Replace(src)
	}
	return src
}

func (m *machine) ternary(st state, fr *frame, e *code.Expr) []res {
	if len(e.Args) != 3 {
		return one(st, value{})
	}
	return m.then(m.eval(st, fr, e.Args[0]), func(st state, v value) []res {
		switch truth(v, fr.file.Lang) {
		case mcpaudit.Yes:
			return m.eval(st, fr, e.Args[1])
		case mcpaudit.No:
			return m.eval(st, fr, e.Args[2])
		}
		c := e.Args[0]
		yes, no := st, st
		yes.conds = &condition{c.Span, text(fr.file, c.Span), true, st.conds}
		no.conds = &condition{c.Span, text(fr.file, c.Span), false, st.conds}
		a, b := m.eval(yes, fr, e.Args[1]), m.eval(no, fr, e.Args[2])
		if len(a) == 1 && len(b) == 1 && !a[0].thrown && !b[0].thrown && a[0].st.emits == b[0].st.emits &&
			(same(a[0].v, b[0].v) || !weighty(a[0].v) && !weighty(b[0].v)) {
			v := a[0].v
			if !same(v, b[0].v) {
				v = value{present: a[0].v.present && b[0].v.present}
			}
			return one(st, v)
		}
		return append(a, b...)
	})
}

func (m *machine) binary(st state, fr *frame, e *code.Expr) []res {
	lang := fr.file.Lang
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		switch e.Text {
		case "&&", "||":
			t := truth(x, lang)
			if e.Text == "||" {
				t = not(t)
			}
			if t == mcpaudit.No { // decided by the first operand
				return one(st, x)
			}
			if t == mcpaudit.Unknown {
				// The second operand runs or does not; what it answers on the way is not followed.
				y := m.peek(st, fr, e.Y)
				ty := truth(y, lang)
				if e.Text == "&&" && ty == mcpaudit.No || e.Text == "||" && ty == mcpaudit.Yes && boolish(x, y) {
					if boolish(x, y) {
						return one(st, y)
					}
				}
				if y.k == str && y.method || y.method {
					return one(st, y)
				}
				v := value{present: e.Text == "||" && ty == mcpaudit.Yes, failed: x.failed, call: x.call}
				return one(st, v)
			}
			return m.eval(st, fr, e.Y)
		case "??":
			if x.k == null || x.k == undefined {
				return m.eval(st, fr, e.Y)
			}
			if x.k == unknown && !x.present {
				y := m.peek(st, fr, e.Y)
				return one(st, value{present: truth(y, lang) == mcpaudit.Yes, call: x.call})
			}
			return one(st, x)
		}
		return m.then(m.eval(st, fr, e.Y), func(st state, y value) []res {
			switch e.Text {
			case "==", "!=":
				if v, ok := m.compareParts(fr, e, x, y); ok {
					return one(st, v)
				}
				t := equal(x, y)
				m.blind = m.blind || t == mcpaudit.Unknown && m.tests[e.Span]
				if t == mcpaudit.Yes && (x.method || y.method) {
					st.hit = true
				}
				if e.Text == "!=" {
					t = not(t)
				}
				return one(st, triValue(t))
			case "in", "not in":
				t := m.contains(&st, y, x)
				if e.Text == "not in" {
					t = not(t)
				}
				return one(st, triValue(t))
			case "<", ">", "<=", ">=":
				return one(st, triValue(compare(e.Text, x, y)))
			case "+":
				if x.k == str && y.k == str && !x.encoded && !y.encoded {
					return one(st, stringValue(x.s+y.s))
				}
				if x.encoded { // JSON.stringify(reply) + "\n"
					x.msg = x.msg || y.msg
					return one(st, x)
				}
				if y.encoded {
					return one(st, y)
				}
				if y.msg {
					return one(st, y)
				}
				return one(st, value{present: x.k == str && x.s != "" || y.k == str && y.s != ""})
			case "instanceof":
				if method, ok := requestTypes[lastName(e.Y)]; ok && m.isMessage(fr, accessPath(e.X)) {
					st.hit = st.hit || method == m.trigger
					return one(st, boolValue(method == m.trigger))
				}
			}
			return one(st, value{})
		})
	})
}

// compare orders two numbers.
func compare(op string, x, y value) mcpaudit.Tri {
	a, err1 := strconv.ParseFloat(x.s, 64)
	b, err2 := strconv.ParseFloat(y.s, 64)
	if x.k != number || y.k != number || err1 != nil || err2 != nil {
		return mcpaudit.Unknown
	}
	if map[string]bool{"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op] {
		return mcpaudit.Yes
	}
	return mcpaudit.No
}

// boolish reports whether a Boolean is all that matters of both operands.
func boolish(x, y value) bool { return (x.k == unknown || x.k == boolean) && y.k == boolean }

// compareParts knows that the message is a request: len(params) and the like stay unknown, typeof id is not.
func (m *machine) compareParts(fr *frame, e *code.Expr, x, y value) (value, bool) {
	t := e.X
	if t != nil && t.Kind == code.Unary && t.Text == "typeof" && y.k == str && y.s == "undefined" {
		if v := m.peek(state{}, fr, t.X); v.present || idName.MatchString(lastName(t.X)) {
			return boolValue(e.Text == "!="), true
		}
	}
	return value{}, false
}

// name resolves an identifier: variables of the run, what the scopes around it declare, what the file and its
// package declare, what it imports.
func (m *machine) name(st state, fr *frame, e *code.Expr) value {
	if v, ok := st.env.lookup(e.Text); ok {
		if v.k == unknown {
			if meth, _ := m.subjectOf(fr, e.Text); meth {
				return m.methodValue()
			}
			v.present = v.present || idName.MatchString(e.Text)
			if notifName.MatchString(e.Text) {
				return boolValue(false)
			}
		}
		return v
	}
	if e.Text == "this" {
		return m.this(fr)
	}
	if meth, base := m.subjectOf(fr, e.Text); meth {
		return m.methodValue()
	} else if base {
		return message
	}
	if v, ok := m.outer(fr, e); ok {
		return v
	}
	if notifName.MatchString(e.Text) {
		return boolValue(false)
	}
	return value{present: idName.MatchString(e.Text)}
}

// outer looks a name up in the functions around the current one, then in the file.
func (m *machine) outer(fr *frame, e *code.Expr) (value, bool) {
	if e.Sym != "" {
		if fn := m.p.bySym[e.Sym]; fn != nil {
			return value{k: function, fn: &closure{fn: fn}}, true
		}
	}
	if root := m.p.scopes[fr.file]; root != nil {
		for s := root.find(fr.fn); s != nil && s.fn != nil; s = s.parent {
			if fn := s.funcs[e.Text]; fn != nil {
				return value{k: function, fn: &closure{fn: fn}}, true
			}
			if d, ok := s.decls[e.Text]; ok && s.fn != fr.fn {
				if d == nil || d.Span == e.Span {
					return value{}, true
				}
				switch d.Kind {
				case code.Lambda, code.Object, code.String, code.Array:
					key := [2]any{"decl", d}
					if m.p.busy[key] {
						return value{}, true
					}
					m.p.busy[key] = true
					defer delete(m.p.busy, key)
					v := m.peek(state{}, &frame{fn: s.fn, file: fr.file, depth: fr.depth + 1, up: fr}, d)
					return stable(v), true
				}
				return value{}, true
			}
		}
	}
	return m.p.global(fr.file, e.Text, 0)
}

// stable drops what may have changed since a variable was given its first value.
func stable(v value) value {
	switch v.k {
	case boolean, null, undefined:
		return value{}
	case object, array:
		if !v.encoded && len(v.obj.keys) == 0 && len(v.obj.elems) == 0 && v.obj.typ == "" {
			return value{present: true}
		}
	}
	return v
}

// this is the object that the method of the frame belongs to.
func (m *machine) this(fr *frame) value {
	for f := fr; f != nil; f = f.up {
		if f.fn != nil && f.fn.Class != "" {
			if c := m.p.classNamed(f.file, f.fn.Class); c != nil {
				return m.p.instance(c)
			}
			return value{present: true}
		}
	}
	// A function inside a method: the class around it.
	if root := m.p.scopes[fr.file]; root != nil {
		for s := root.find(fr.fn); s != nil && s.fn != nil; s = s.parent {
			if s.fn.Class != "" {
				if c := m.p.classNamed(fr.file, s.fn.Class); c != nil {
					return m.p.instance(c)
				}
			}
		}
	}
	return value{present: true}
}

func (m *machine) member(st state, fr *frame, e *code.Expr) []res {
	path := accessPath(e)
	if meth, base := m.subjectOf(fr, path); meth {
		return one(st, m.methodValue())
	} else if base {
		return one(st, message)
	}
	if m.isMessage(fr, accessPath(e.X)) {
		return one(st, m.messagePart(canonical(e.Text)))
	}
	if e.Sym != "" {
		if fn := m.p.bySym[e.Sym]; fn != nil {
			v := value{k: function, fn: &closure{fn: fn}}
			if x := m.peek(st, fr, e.X); fn.Class != "" && (x.k == object || x.present) {
				v.fn.this = &x
			}
			return one(st, v)
		}
	}
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		return one(st, m.part(fr, x, e))
	})
}

// part reads a member of a value.
func (m *machine) part(fr *frame, x value, e *code.Expr) value {
	name := e.Text
	if x.msg {
		return m.messagePart(canonical(name))
	}
	switch x.k {
	case object:
		if v, ok := x.obj.get(name); ok {
			if x.obj.open && v.k != function && v.k != object && v.k != str {
				return value{}
			}
			return v
		}
		for _, k := range x.obj.keys { // a Go field by its name on the wire, or the other way round
			if strings.EqualFold(k, name) {
				return x.obj.vals[k]
			}
		}
		if x.obj.cls != nil {
			if fn := m.p.method(x.obj.cls, name, 0); fn != nil {
				return value{k: function, fn: &closure{fn: fn, this: &x}}
			}
		}
		if !x.obj.open && x.obj.cls == nil && x.obj.typ == "" && fr.file.Lang != "python" && fr.file.Lang != "go" {
			return value{k: undefined}
		}
	case class:
		for _, f := range x.class.Fields {
			if f.Name == name && f.Value != nil {
				return m.peek(state{}, &frame{fn: &code.Func{File: x.class.File}, file: x.class.File, depth: fr.depth + 1, up: fr}, f.Value)
			}
		}
		if fn := m.p.method(x.class, name, 0); fn != nil {
			return value{k: function, fn: &closure{fn: fn}}
		}
	case module:
		if v, ok := m.p.exported(x.file, name, 0); ok {
			return v
		}
	case array:
		if name == "length" && !x.encoded && !x.obj.open {
			return value{k: number, s: itoa(len(x.obj.elems))}
		}
	case str:
		if (name == "value" || name == "Value" || name == "name") && !x.encoded { // member of an enum
			return x
		}
	case undefined, null:
		return value{}
	}
	return value{present: idName.MatchString(name), failed: x.failed}
}

func (m *machine) index(st state, fr *frame, e *code.Expr) []res {
	if path := accessPath(e); path != "" {
		if meth, base := m.subjectOf(fr, path); meth {
			return one(st, m.methodValue())
		} else if base {
			return one(st, message)
		}
		if m.isMessage(fr, accessPath(e.X)) {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
	}
	return m.then(m.eval(st, fr, e.X), func(st state, x value) []res {
		if x.msg && len(e.Args) == 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
		if len(e.Args) == 0 {
			return one(st, value{})
		}
		return m.then(m.eval(st, fr, e.Args[0]), func(st state, k value) []res {
			if x.k == array && k.k == number {
				for i, el := range x.obj.elems {
					if k.s == itoa(i) {
						return one(st, el)
					}
				}
			}
			if x.k != object || k.k != str || k.encoded {
				return one(st, value{})
			}
			v, found := m.lookup(&st, x, k)
			if !found && v.k == undefined && fr.file.Lang == "python" {
				return []res{{st: st, v: value{k: object, failed: true, obj: &fields{typ: "KeyError"}}, thrown: true}}
			}
			if v.k == undefined && fr.file.Lang == "go" {
				v.k = null
			}
			return one(st, v)
		})
	})
}

// lookup reads a member by a computed key and remembers that the method decided it. A table that may hold more
// than is known gives nothing for certain.
func (m *machine) lookup(st *state, tbl, key value) (value, bool) {
	v, ok := tbl.obj.get(key.s)
	if ok {
		if key.method {
			st.hit = true
		}
		return v, true
	}
	if tbl.obj.open {
		if key.method && st.open == "" {
			st.open = "the table of methods is filled where it cannot be followed"
		}
		return value{}, false
	}
	return value{k: undefined}, false
}

// contains decides membership in an array, an object or a string.
func (m *machine) contains(st *state, set, item value) mcpaudit.Tri {
	switch set.k {
	case array:
		open := set.obj.open
		for _, e := range set.obj.elems {
			switch equal(e, item) {
			case mcpaudit.Yes:
				// A list that names the great methods too is an allow-list, not a route.
				if item.method && !slices.ContainsFunc(set.obj.elems, func(v value) bool { return v.s == "initialize" || v.s == "tools/list" }) {
					st.hit = true
				}
				return mcpaudit.Yes
			case mcpaudit.Unknown:
				open = true
			}
		}
		if !open && item.k != unknown {
			return mcpaudit.No
		}
	case object:
		if item.k == str && !item.encoded {
			if _, ok := set.obj.get(item.s); ok {
				if item.method {
					st.hit = true
				}
				return mcpaudit.Yes
			}
			if !set.obj.open {
				return mcpaudit.No
			}
			if item.method && st.open == "" {
				st.open = "the table of methods is filled where it cannot be followed"
			}
		}
	case str:
		if item.k == str && !set.encoded && !item.encoded {
			if strings.Contains(set.s, item.s) {
				return mcpaudit.Yes
			}
			return mcpaudit.No
		}
	case unknown:
		if set.present && item.k == str && item.s == "id" {
			return mcpaudit.Yes
		}
	}
	return mcpaudit.Unknown
}

func (m *machine) object(st state, fr *frame, e *code.Expr) []res {
	type partial struct {
		st  state
		obj *fields
	}
	obj := &fields{typ: e.Type, vals: map[string]value{}}
	if e.Type != "" && !strings.HasPrefix(e.Type, "map[") && e.Type != "struct{}" {
		obj.cls = m.p.classNamed(fr.file, e.Type)
	}
	cur := []partial{{st, obj}}
	var thrown []res
	for _, f := range e.Fields {
		var step []partial
		for _, p := range cur {
			for _, r := range m.eval(p.st, fr, f.Value) {
				if r.thrown {
					thrown = append(thrown, r)
					continue
				}
				switch key := f.KeyText(); {
				case f.Key == nil: // a spread
					o := p.obj
					if r.v.k == object && !r.v.encoded {
						for _, k := range r.v.obj.keys {
							o = o.with(k, r.v.obj.vals[k])
						}
						if r.v.obj.open {
							o = o.with("", value{})
							o.keys = o.keys[:len(o.keys)-1]
							delete(o.vals, "")
							o.open = true
						}
					} else if r.v.k != null && r.v.k != undefined && r.v.k != boolean {
						c := *o
						c.open = true
						o = &c
					}
					step = append(step, partial{r.st, o})
				case key != "" || f.Key.Kind == code.String:
					r.v.key = f.Key.Span
					step = append(step, partial{r.st, p.obj.with(wireName(p.obj.cls, key), r.v)})
				default:
					key := f.Key
					if key.Kind == code.Index && key.X == nil && len(key.Args) == 1 {
						key = key.Args[0]
					}
					if k := m.peek(r.st, fr, key); k.k == str && !k.encoded {
						r.v.key = f.Key.Span
						step = append(step, partial{r.st, p.obj.with(k.s, r.v)})
					} else {
						c := *p.obj
						c.open = true
						step = append(step, partial{r.st, &c})
					}
				}
			}
		}
		if len(step) > maxResult {
			m.over = true
			step = step[:maxResult]
		}
		cur = step
	}
	out := thrown
	for _, p := range cur {
		out = append(out, res{st: p.st, v: value{k: object, obj: p.obj, span: e.Span}})
	}
	return out
}

// wireName is the JSON name of a field of a class, where a tag or an alias gives one.
func wireName(c *code.Class, name string) string {
	if c != nil {
		for _, f := range c.Fields {
			if f.Name == name && f.JSON != "" && f.JSON != "-" {
				return f.JSON
			}
		}
	}
	return name
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

func lastPart(name string) string {
	if i := strings.LastIndexAny(name, ".*/"); i >= 0 {
		return name[i+1:]
	}
	return name
}
