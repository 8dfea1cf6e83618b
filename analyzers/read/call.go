package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

// call evaluates a call: what the language or its library defines, a function of the tree (which is followed), or
// something unknown, which may be where an answer leaves the program.
func (m *machine) call(st state, fr *frame, e *code.Expr) []res {
	if path := accessPath(e); path != "" {
		if meth, base := m.subjectOf(fr, path); meth {
			return one(st, m.methodValue())
		} else if base {
			return one(st, message)
		}
		if e.X != nil && e.X.Kind == code.Member && len(e.Args) > 0 && m.isMessage(fr, accessPath(e.X.X)) && e.Args[0].Kind == code.String {
			return one(st, m.messagePart(canonical(e.Args[0].Text)))
		}
	}
	// The receiver first, then the arguments, as they are written.
	var recv *code.Expr
	if e.X != nil && e.X.Kind == code.Member {
		recv = e.X.X
	}
	return m.then(m.eval(st, fr, recv), func(st state, x value) []res {
		return m.then(m.list(st, fr, e.Args), func(st state, av value) []res {
			return m.then(m.keywords(st, fr, e.Fields), func(st state, kw value) []res {
				return m.apply(st, fr, e, x, av.obj.elems, kw.obj)
			})
		})
	})
}

// keywords evaluates keyword arguments into an object.
func (m *machine) keywords(st state, fr *frame, fs []code.Field) []res {
	return m.object(st, fr, &code.Expr{Kind: code.Object, Fields: fs})
}

func (m *machine) apply(st state, fr *frame, e *code.Expr, x value, args []value, kw *fields) (out []res) {
	name := dotted(e.X)
	last := lastPart(name)
	defer func() {
		for i := range out {
			out[i].st = m.escape(out[i].st, fr, e, args)
		}
	}()
	if v, ok := m.library(&st, fr, e, name, last, x, args, kw); ok {
		return one(st, v)
	}
	if exits.MatchString(name) {
		return []res{{st: st, v: value{failed: true}, thrown: true}}
	}
	callee := value{}
	if e.X != nil {
		if e.X.Kind == code.Member && x.k != unknown {
			callee = m.part(fr, x, e.X)
			if callee.k != function && callee.k != class && e.X.Sym != "" {
				callee = m.peek(st, fr, e.X)
			}
		} else if rs := m.eval(st, fr, e.X); len(rs) == 1 && !rs[0].thrown {
			callee, st = rs[0].v, rs[0].st
		}
	}
	switch callee.k {
	case function:
		if rs, ok := m.follow(st, fr, e, callee.fn, x, args, kw); ok {
			return rs
		}
	case class:
		return m.construct(st, fr, e, callee.class, args, kw)
	}
	if fn := m.inherited(fr, e); fn != nil {
		this := m.name(st, fr, &code.Expr{Kind: code.Name, Text: "this"})
		if rs, ok := m.follow(st, fr, e, &closure{fn: fn, this: &this}, this, args, kw); ok {
			return rs
		}
	}
	if fn := m.guess(fr, e, x, callee); fn != nil {
		this := x
		if rs, ok := m.follow(st, fr, e, &closure{fn: fn, this: &this}, x, args, kw); ok {
			return rs
		}
	}
	return m.unresolved(st, fr, e, name, args, kw, x)
}

// rooted reports whether a place lies in a variable of the run: x, x.y, x["y"].
func rooted(st state, e *code.Expr) bool {
	for e != nil && (e.Kind == code.Member || e.Kind == code.Index) {
		e = e.X
	}
	if e == nil || e.Kind != code.Name {
		return false
	}
	_, ok := st.env.lookup(e.Text)
	return ok
}

// readers are methods of objects and arrays that change nothing.
var readers = []string{
	"get", "has", "keys", "values", "items", "entries", "includes", "map", "filter", "join", "find", "some", "every",
	"hasOwnProperty", "toString", "set", "update", "setdefault", "slice", "index", "indexOf", "forEach", "copy", "bind", "call",
}

// escape forgets what a variable does not hold once it was given to a call: the callee may have put it there.
func (m *machine) escape(st state, fr *frame, e *code.Expr, args []value) state {
	if errorType.MatchString(lastName(e.X)) || logName.MatchString(dotted(e.X)) {
		return st
	}
	if e.X != nil && e.X.Kind == code.Member && !slices.Contains(readers, e.X.Text) && rooted(st, e.X.X) {
		if v := m.peek(st, fr, e.X.X); (v.k == object && v.obj.cls == nil || v.k == array) && !v.encoded {
			o := *v.obj
			o.open = true
			if v.k == array && len(args) == 1 && (e.X.Text == "push" || e.X.Text == "append") {
				o.elems = append(slices.Clone(o.elems), args[0])
			}
			v.obj = &o
			st = m.store(st, fr, e.X.X, v)
		}
	}
	for _, a := range e.Args {
		if a == nil || a.Kind != code.Name {
			continue
		}
		v, ok := st.env.lookup(a.Text)
		if ok && v.k == null && e.X != nil { // json.Unmarshal(data, &result)
			st.env = st.env.set(a.Text, value{})
		}
		if ok && (v.k == object || v.k == array) && !v.encoded && !v.obj.open {
			o := *v.obj
			o.open = true
			v.obj = &o
			st.env = st.env.set(a.Text, v)
		}
	}
	return st
}

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
	in.env = c.env
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
	var out []res
	for _, f := range m.body(in, sub, fn, bound) {
		r := res{st: f.st, thrown: f.kind == flowThrow}
		inner := f.st.env
		r.st.env = st.env
		// A method called on the same object may have changed it.
		if e.X != nil && e.X.Kind == code.Member && e.X.X != nil && e.X.X.Kind == code.Name && e.X.X.Text == "this" && has {
			if v, ok := inner.lookup("this"); ok && v.obj != this.obj {
				r.st.env = r.st.env.set("this", v)
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
		for _, o := range out {
			if o.thrown == r.thrown && o.st.emits == r.st.emits && o.st.hit == r.st.hit && (same(o.v, r.v) || !weighty(o.v) && !weighty(r.v)) {
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
	obj := &fields{typ: c.Name, cls: c, vals: map[string]value{}}
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

// later are functions that run a function they are given, once, with something we do not know.
var later = []string{
	"then", "finally", "setImmediate", "nextTick", "queueMicrotask", "run", "execute", "schedule", "submit",
	"create_task", "ensure_future", "run_until_complete", "gather", "Go", "runWithContext", "withSpan", "startSpan", "trace",
	"runInContext", "asyncHandler", "transaction", "all", "startActiveSpan", "wrap",
}

// unresolved is a call of something that is not in the tree. If an answer is among the arguments, it leaves here.
func (m *machine) unresolved(st state, fr *frame, e *code.Expr, name string, args []value, kw *fields, recv value) []res {
	all := slices.Clone(args)
	if kw != nil {
		for _, k := range kw.keys {
			all = append(all, kw.vals[k])
		}
	}
	last := lastPart(name)
	if len(all) == 0 && slices.Contains(emptyMakers, last) {
		return one(st, value{k: object, obj: &fields{typ: last, vals: map[string]value{}}, span: e.Span})
	}
	if len(args) == 1 && slices.Contains(passMakers, last) {
		return one(st, args[0])
	}
	// console.log is how small stdio servers send; anything but JSON text that goes there is a log all the same.
	logs := name != "console.log" && logName.MatchString(name) || name == "print" && kw != nil && has(kw, "file")
	if !logs {
		for _, v := range all {
			if v.encoded || name != "console.log" {
				st = m.emitIfEnvelope(st, fr, v, e.Span)
			}
		}
	}
	if !logs && handName.MatchString(last) && slices.ContainsFunc(all, func(v value) bool { return v.msg }) {
		st.gave = name
	}
	m.wait(&st, fr, e, name)
	// A function handed to something that runs it.
	if slices.Contains(later, last) || e.New && last == "Promise" {
		for _, v := range args {
			if v.k == function && v.fn.fn.Name == "" {
				if rs, ok := m.follow(st, fr, &code.Expr{}, v.fn, value{}, nil, nil); ok {
					for i := range rs {
						rs[i].v.present = true
					}
					return rs
				}
			}
		}
	}
	out := value{present: e.New, call: name, span: e.Span}
	if logs {
		return one(st, value{})
	}
	if e.New || isClassLike(last) || kw != nil && len(kw.keys) > 0 && last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		// An object of a class outside the tree: its keyword arguments or its one object are what it holds.
		obj := &fields{typ: last, open: true, vals: map[string]value{}}
		if kw != nil && len(kw.keys) > 0 {
			for _, k := range kw.keys {
				obj = obj.with(k, kw.vals[k])
			}
		}
		out = value{k: object, obj: obj, span: e.Span, call: name, failed: errorType.MatchString(last) || status(kw) >= 400}
		for _, v := range args {
			if v.k == number && rpcCode.MatchString(v.s) {
				out.failed = true
				out.obj = out.obj.with("code", v)
			}
		}
		if len(args) == 1 && args[0].k == object && len(obj.keys) == 0 {
			for _, k := range args[0].obj.keys {
				out.obj = out.obj.with(k, args[0].obj.vals[k])
			}
		}
		return one(st, out)
	}
	// A helper that we cannot see, whose name or arguments say that it makes or sends an answer.
	code, txt := value{}, false
	id := false
	for i, v := range all {
		switch {
		case v.k == number && rpcCode.MatchString(v.s):
			code = v
		case v.k == str && errorText.MatchString(v.s):
			txt = true
		case v.present && i < len(args) && i < len(e.Args) && idName.MatchString(lastName(e.Args[i])):
			id = true
		}
	}
	switch {
	case code.k == number || errorName.MatchString(last) && (txt || id):
		out.failed = true
		if code.k != number {
			code = value{}
		}
		st.emits = &emission{v: code, kind: emitError, span: e.Span, file: fr.file, depth: fr.depth, next: st.emits}
	case name == "http.Error" || name == "http.NotFound":
		st.emits = &emission{kind: emitStatus, span: e.Span, file: fr.file, depth: fr.depth, next: st.emits}
	case errorName.MatchString(last) || txt:
		out.failed = true
	case id && replyName.MatchString(last) && len(args) > 0:
		st.emits = &emission{v: args[len(args)-1], kind: emitReply, span: e.Span, file: fr.file, depth: fr.depth, next: st.emits}
	case (last == "end" || last == "sendStatus" || last == "WriteHeader" || last == "Status" || last == "send") && httpish(name):
		st.emits = &emission{kind: emitStatus, span: e.Span, file: fr.file, depth: fr.depth, next: st.emits}
	}
	return one(st, out)
}

func httpish(name string) bool {
	head, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"res", "response", "reply", "c", "w", "rw", "ctx", "resp"}, head)
}

func isClassLike(name string) bool {
	return len(name) > 2 && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name &&
		(strings.HasSuffix(name, "Response") || strings.HasSuffix(name, "Result") || strings.HasSuffix(name, "Error") ||
			strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Message"))
}

// emptyMakers and passMakers are the constructors of SDKs that make an empty result, or that pass their argument on.
var emptyMakers, passMakers = func() (e, p []string) {
	for _, s := range sdk.All() {
		e, p = append(e, s.Empties...), append(p, s.Passes...)
	}
	return e, p
}()

func has(f *fields, key string) bool { _, ok := f.get(key); return ok }

// status is the HTTP status among keyword arguments, or 0.
func status(kw *fields) int {
	if kw == nil {
		return 0
	}
	for _, k := range []string{"status", "status_code"} {
		if v, ok := kw.get(k); ok && v.k == number {
			n := 0
			for _, c := range v.s {
				n = n*10 + int(c-'0')
			}
			return n
		}
	}
	return 0
}

// wait records a slow call once the method has been told apart.
func (m *machine) wait(st *state, fr *frame, e *code.Expr, name string) {
	if !st.hit || st.emits != nil {
		return // before the method is told apart, or after the answer
	}
	for _, w := range waitNames {
		if w.re.MatchString(name) {
			// The place to point at is the call in the router, not one inside a helper.
			span := e.Span
			for f := fr; f.up != nil && m.subjects[f.fn] == nil; f = f.up {
				if f.call.End > 0 {
					span = f.call
				}
			}
			st.waits = &waiting{mcpaudit.WaitKind(w.kind), span, st.waits}
			return
		}
	}
}

// emitIfEnvelope records an answer that is given away. An array is a batch of answers.
func (m *machine) emitIfEnvelope(st state, fr *frame, v value, span mcpaudit.Span) state {
	if v.k == array && v.obj != nil {
		for _, x := range v.obj.elems {
			if isEnvelope(x) {
				v = x
				break
			}
		}
	}
	if v.k == str && !v.encoded && !v.method {
		if env, ok := envelopeText(v.s, span); ok {
			v = env
		}
	}
	if isEnvelope(v) {
		st.emits = &emission{v: v, kind: emitEnvelope, span: span, file: fr.file, depth: fr.depth, next: st.emits}
	}
	return st
}
