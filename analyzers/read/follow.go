package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// inherited finds the method that super.name(...) or super().name(...) means.
func (m *machine) inherited(fr *frame, e *code.Expr) *code.Func {
	if e.X == nil || e.X.Kind != code.Member || strings.TrimSuffix(dotted(e.X.X), "()") != "super" {
		return nil
	}
	for f := fr; f != nil; f = f.up {
		if f.fn == nil || f.fn.Class == "" {
			continue
		}
		c := m.p.classNamed(f.file, f.fn.Class)
		if c == nil {
			return nil
		}
		for _, b := range c.Bases {
			if base := m.p.classNamed(c.File, lastName(b)); base != nil && base != c {
				if fn := m.p.method(base, e.X.Text, 0); fn != nil {
					return fn
				}
			}
		}
		return nil
	}
	return nil
}

// guess finds the function behind a method call on an unknown receiver: the only one of that name in the file or
// its package, unless the name is one that libraries have too.
func (m *machine) guess(fr *frame, e *code.Expr, x, callee value) *code.Func {
	if e.X == nil || e.X.Kind != code.Member || callee.k != unknown || x.k == object && x.obj.cls == nil && !x.obj.open {
		return nil
	}
	if fr.file.Typed && e.X.Sym == "" && x.k != unknown {
		return nil
	}
	name := e.X.Text
	if len(name) < 5 || slices.Contains([]string{
		"write", "close", "start", "handle", "request", "notify", "json", "error", "connect", "execute", "parse",
		"respond", "reply", "encode", "decode", "flush", "print", "append", "process", "dispatch", "publish", "serve",
		"shutdown", "cancel", "listen", "validate", "query", "fetch", "index", "items", "values", "Write", "Close",
		"Encode", "Error", "Errorf", "Printf", "Println", "Handle", "ServeHTTP", "String", "Header", "Flush",
	}, name) {
		return nil
	}
	var found *code.Func
	for _, f := range m.p.pkgFiles(fr.file) {
		for _, fn := range f.Funcs {
			if fn.Name == name && fn.Class != "" {
				if found != nil {
					return nil
				}
				found = fn
			}
		}
	}
	return found
}

// follow runs a function of the tree in place of a call. It reports false where that is one call too deep, or where
// the function is already running.
func (m *machine) follow(st state, fr *frame, e *code.Expr, c *closure, recv value, args []value, kw *fields) ([]res, bool) {
	fn := c.fn
	if fn == nil || fn.File == nil || fr.depth >= maxDepth || fr.calls(fn) || unwritten(fn) {
		return nil, false
	}
	if isGenerator(fn) {
		return nil, false
	}
	sub := &frame{fn: fn, file: fn.File, depth: fr.depth + 1, up: fr, call: e.Span}
	in := st
	in.env, in.volatile = c.env, nil
	this, has := value{}, false
	switch {
	case c.this != nil && c.this.k != unknown:
		this, has = *c.this, true
	case fn.Class != "":
		this, has = m.this(sub), true
	default:
		this, has = st.env.lookup("this")
	}
	if has {
		in.env = in.env.set("this", this)
	}
	bound := bindKeywords(fn, args, kw)
	if hasSpread(e) {
		bound = nil // positions are not known
	}
	over := m.over
	flows := m.body(in, sub, fn, bound)
	if m.over && !over && m.steps <= maxSteps && setsUp(fn, args, kw, recv) && !slices.ContainsFunc(flows, func(f flow) bool { return f.st.emits != st.emits }) {
		m.over = false
		return []res{{st: st, v: value{call: fn.Name}}}, true
	}
	var out []res
	for _, f := range flows {
		r := res{st: f.st, thrown: f.kind == flowThrow}
		inner := f.st.env
		r.st.env, r.st.volatile = st.env, st.volatile
		// A method may have changed the object that it was called on.
		if e.X != nil && e.X.Kind == code.Member && has && this.k == object && (rooted(st, e.X.X) || dotted(e.X.X) == "this") {
			if v, ok := inner.lookup("this"); ok && v.k == object && v.obj != this.obj {
				r.st = m.store(r.st, fr, e.X.X, v)
			}
		}
		switch {
		case len(f.vals) == 1:
			r.v = f.vals[0]
		case len(f.vals) > 1:
			r.v = value{k: array, obj: &fields{typ: "tuple", elems: f.vals}}
		case f.kind == flowThrow:
			r.v = value{failed: true}
		default:
			r.v = nothing(fn.File.Lang)
		}
		out = append(out, r)
	}
	if len(out) > maxResult {
		out = m.thin(out)
	}
	return out, len(out) > 0
}

// setsUp reports whether a function prepares what a server needs before there is a message: settings are read, clients
// made. It may have more ways through it than can be kept apart, and none of them matters to how a message is answered,
// so what it gives back is unknown and the rest is still followed.
func setsUp(fn *code.Func, args []value, kw *fields, recv value) bool {
	if fn.Class != "" || kw != nil && (len(kw.keys) > 0 || kw.open) || recv.k == object || slices.ContainsFunc(args, func(v value) bool {
		return v.k == unknown || v.msg || v.method || v.obj != nil || v.fn != nil
	}) {
		return false
	}
	name := strings.ToLower(strings.TrimLeft(fn.Name, "_"))
	return slices.ContainsFunc([]string{"new", "create", "make", "build", "init", "load", "setup", "parse", "get", "read", "must"}, func(p string) bool {
		return strings.HasPrefix(name, p)
	})
}

// unwritten reports whether a function only stands for others: an abstract method, a protocol, a stub.
func unwritten(fn *code.Func) bool {
	if script(fn.File.Lang) {
		return false
	}
	for _, s := range fn.Body {
		if s == nil || s.Kind == code.StmtOther && len(s.Exprs)+len(s.Body) == 0 {
			continue // pass
		}
		if s.Kind == code.StmtExpr && len(s.Exprs) == 1 && s.Exprs[0] != nil && (s.Exprs[0].Kind == code.String || s.Exprs[0].Kind == code.Other && len(s.Exprs[0].Args) == 0) {
			continue // a documentation string, "..."
		}
		if s.Kind == code.StmtThrow && len(s.Exprs) == 1 && strings.HasPrefix(lastName(s.Exprs[0]), "NotImplemented") {
			continue
		}
		return false
	}
	return true
}

// thin keeps the results that differ in what they answer.
func (m *machine) thin(rs []res) []res {
	var out []res
	for _, r := range rs {
		dup := false
		for i, o := range out {
			if o.thrown == r.thrown && o.st.emits == r.st.emits && o.st.hit == r.st.hit && (same(o.v, r.v) || !weighty(o.v) && !weighty(r.v)) {
				out[i].v = either(o.v, r.v)
				dup = true
				break
			}
		}
		if !dup {
			out = append(out, r)
		}
	}
	return m.limit(out)
}

func nothing(lang string) value {
	if lang == "typescript" || lang == "javascript" {
		return value{k: undefined}
	}
	return value{k: null}
}

// isGenerator reports whether calling the function runs its body later or in pieces.
func isGenerator(fn *code.Func) bool {
	found := false
	if fn.File.Lang == "go" || fn.Async {
		return false
	}
	eachStmt(fn.Body, func(s *code.Stmt) {
		eachExpr(s, func(e *code.Expr) { found = found || e.Kind == code.Await && e.Text == "yield" })
	})
	return found
}

func hasSpread(e *code.Expr) bool {
	return slices.ContainsFunc(e.Args, func(a *code.Expr) bool { return a != nil && a.Kind == code.Spread })
}

// bindKeywords puts keyword arguments at the positions of their parameters.
func bindKeywords(fn *code.Func, args []value, kw *fields) []value {
	out := slices.Clone(args)
	if out == nil {
		out = []value{}
	}
	if kw == nil {
		return out
	}
	if n := len(fn.Params); n > 0 && fn.Params[n-1].Rest && fn.File.Lang == "python" && len(kw.keys) > 0 {
		rest := &fields{vals: map[string]value{}, open: kw.open}
		for _, k := range kw.keys {
			if !isParam(fn, k) {
				rest = rest.with(k, kw.vals[k])
			}
		}
		for len(out) < n-1 {
			out = append(out, value{})
		}
		out = append(out[:n-1:n-1], value{k: object, obj: rest})
	}
	for i, p := range fn.Params {
		if v, ok := kw.get(p.Name); ok {
			for len(out) <= i {
				out = append(out, value{})
			}
			out[i] = v
		}
	}
	return out
}

// construct makes an object of a class of the tree.
func (m *machine) construct(st state, fr *frame, e *code.Expr, c *code.Class, args []value, kw *fields) []res {
	obj := &fields{typ: c.Name, cls: c, vals: map[string]value{}, id: new(ident)}
	ctor := m.p.method(c, "constructor", 0)
	if ctor == nil {
		ctor = m.p.method(c, "__init__", 0)
	}
	if ctor != nil && fr.depth < maxDepth && !fr.calls(ctor) {
		sub := &frame{fn: ctor, file: ctor.File, depth: fr.depth + 1, up: fr}
		in := st
		in.env = (*binding)(nil).set("this", value{k: object, obj: obj})
		for _, f := range m.body(in, sub, ctor, bindKeywords(ctor, args, kw)) {
			if f.kind == flowThrow {
				continue
			}
			if v, ok := f.st.env.lookup("this"); ok && v.k == object {
				for i, prm := range ctor.Params { // constructor(readonly code: number)
					isField := slices.ContainsFunc(c.Fields, func(f code.ClassField) bool { return f.Name == prm.Name && f.Value == nil })
					if _, set := v.obj.get(prm.Name); isField && !set && i < len(args) {
						v.obj = v.obj.with(prm.Name, args[i])
					}
				}
				v.failed = errorType.MatchString(c.Name)
				v.span = e.Span
				return one(st, v)
			}
		}
	}
	// No constructor: keyword arguments, or positions in the order of the declared fields (dataclasses, models).
	for i, v := range args {
		if i < len(c.Fields) {
			obj = obj.with(wireName(c, c.Fields[i].Name), v)
		}
	}
	if kw != nil {
		for _, k := range kw.keys {
			obj = obj.with(wireName(c, k), kw.vals[k])
		}
		obj.open = obj.open || kw.open
	}
	for _, f := range c.Fields {
		if _, set := obj.get(wireName(c, f.Name)); !set && f.Value != nil {
			if v := m.peek(state{}, &frame{fn: &code.Func{File: c.File}, file: c.File, depth: maxDepth, up: fr}, f.Value); v.k == str || v.k == null || v.k == number {
				obj = obj.with(wireName(c, f.Name), v)
			}
		}
	}
	return one(st, value{k: object, obj: obj, failed: errorType.MatchString(c.Name), span: e.Span})
}
