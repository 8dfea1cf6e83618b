package read

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

// changesIn looks for code of a file that changes what an SDK answers to ping, and records it at the server that it
// most likely means: one of the same file, else the nearest one by folder.
func (p *Program) changesIn(f *code.File, all []*sdkServer, look Lookup) {
	for _, u := range p.lines(f, look) {
		mine := slices.DeleteFunc(slices.Clone(all), func(s *sdkServer) bool {
			return s.sdk != u.sdk && s.sdk.Base() != u.sdk.Base() || s.ping == nil
		})
		if len(mine) == 0 {
			continue
		}
		c := &changer{p: p, f: f, u: u, mine: mine}
		fns := append(append([]*code.Func{p.module(f)}, f.Funcs...), p.lambdas[f]...)
		for _, fn := range fns {
			eachStmt(fn.Body, func(s *code.Stmt) { c.stmt(fn, s) })
		}
		c.overrides()
	}
}

type changer struct {
	p    *Program
	f    *code.File
	u    use
	mine []*sdkServer
}

// near picks the server that a change means. recv is the object that is changed. A client is no server.
func (c *changer) near(recv string) *sdkServer {
	if l := strings.ToLower(lastPart(recv)); strings.Contains(l, "client") || strings.Contains(l, "session") && c.u.sdk.Ecosystem == "PyPI" {
		return nil
	}
	var best *sdkServer
	bestLen := -1
	for _, s := range c.mine {
		n := 0
		switch {
		case s.file == c.f:
			n = 1 << 20
		default:
			n = len(commonDir(s.file.Path, c.f.Path))
		}
		if n > bestLen {
			best, bestLen = s, n
		}
	}
	return best
}

func commonDir(a, b string) string {
	a, b = path.Dir(a), path.Dir(b)
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i
		}
		if i+1 == len(a) || i+1 == len(b) {
			n = i + 1
		}
	}
	return a[:n]
}

func (c *changer) stmt(fn *code.Func, s *code.Stmt) {
	if s.Kind == code.StmtAssign {
		for i, l := range s.LHS {
			if l != nil && l.Kind == code.Index && len(l.Args) == 1 {
				var v *code.Expr
				if i < len(s.Exprs) {
					v = s.Exprs[i]
				}
				c.store(fn, l.X, l.Args[0], v, s.Span)
			}
		}
	}
	if s.Kind == code.StmtDelete {
		for _, e := range s.Exprs {
			if e != nil && e.Kind == code.Index && len(e.Args) == 1 {
				c.remove(e.X, e.Args[0], s.Span)
			}
		}
	}
	eachExpr(s, func(e *code.Expr) {
		if e.Kind == code.Call && e.X != nil {
			c.call(fn, e)
		}
	})
}

func (c *changer) call(fn *code.Func, e *code.Expr) {
	name := dotted(e.X)
	last := lastName(e.X)
	var recv *code.Expr
	if e.X.Kind == code.Member {
		recv = e.X.X
	}
	if recv != nil && len(e.Args) > 0 {
		switch last {
		case "set":
			var v *code.Expr
			if len(e.Args) > 1 {
				v = e.Args[1]
			}
			c.store(fn, recv, e.Args[0], v, e.Span)
		case "update":
			if e.Args[0] != nil && e.Args[0].Kind == code.Object {
				for _, f := range e.Args[0].Fields {
					c.store(fn, recv, f.Key, f.Value, e.Span)
				}
			}
		case "pop", "delete":
			c.remove(recv, e.Args[0], e.Span)
		}
	}
	for _, ch := range c.u.sdk.AllChanges() {
		switch ch.Form {
		case sdk.CallForm:
			i := max(ch.KeyArg, 1) - 1
			if last == ch.Name && i < len(e.Args) && c.key(ch, e.Args[i]) {
				c.apply(fn, ch, dotted(recv), handlerArg(e, ch.Handler), e.Span)
			}
		case sdk.MiddleForm:
			if last == ch.Name && recv != nil {
				c.middleware(ch, dotted(recv), fn, handlerArg(e, ch.Handler), e.Span, true)
			}
		case sdk.AroundForm:
			if name == ch.Name || strings.HasSuffix(name, "."+ch.Name) {
				c.middleware(ch, dotted(recv), fn, handlerArg(e, ch.Handler), e.Span, false)
			}
		case sdk.KeywordForm:
			for _, kw := range e.Fields {
				if kw.KeyText() != ch.Name || marked(c.u.sdk.Servers, c.u.exported(e.X), sdk.New, sdk.Func) == nil {
					continue
				}
				if kw.Value != nil && kw.Value.Kind == code.Null && ch.Does == mcpaudit.Replaced {
					ch.Does = mcpaudit.Removed
				}
				c.apply(fn, ch, "", kw.Value, e.Span)
			}
		case sdk.OptionForm:
			c.option(ch, e)
		}
	}
}

func handlerArg(e *code.Expr, i int) *code.Expr {
	switch {
	case i < 0 && len(e.Args) > 0:
		return e.Args[len(e.Args)-1]
	case i > 0 && i <= len(e.Args):
		return e.Args[i-1]
	}
	return nil
}

// key reports whether an expression is one of the spellings of ping that the change counts.
func (c *changer) key(ch sdk.Change, e *code.Expr) bool {
	if e == nil {
		return false
	}
	if e.Kind == code.Index && e.X == nil && len(e.Args) == 1 { // a computed key of a literal
		e = e.Args[0]
	}
	switch e.Kind {
	case code.String:
		return slices.Contains(ch.Keys, e.Text)
	case code.Object:
		return !ch.StringKey && slices.Contains(ch.Keys, lastPart(e.Type))
	case code.Call:
		if !ch.StringKey && slices.Contains(ch.Keys, lastName(e.X)) {
			return true
		}
	case code.Name, code.Member:
		name := dotted(e)
		if !ch.StringKey {
			for _, k := range ch.Keys {
				if name == k || strings.HasSuffix(name, "."+k) || c.u.names[name] == k {
					return true
				}
			}
		}
	}
	m := &machine{p: c.p}
	v := m.peek(state{}, &frame{fn: c.p.module(c.f), file: c.f}, e)
	if v.k == str && !v.encoded && slices.Contains(ch.Keys, v.s) {
		return true
	}
	return ch.SchemaKey && c.schema(e)
}

// schema reports whether an expression is a schema object of the author's own whose method is the literal "ping".
func (c *changer) schema(e *code.Expr) bool {
	if e.Kind == code.Name {
		for _, s := range c.f.Top {
			if s != nil && s.Kind == code.StmtAssign && len(s.LHS) == 1 && len(s.Exprs) == 1 && s.LHS[0] != nil && s.LHS[0].Text == e.Text {
				return c.schema(s.Exprs[0])
			}
		}
		return false
	}
	found := false
	walkExpr(e, func(x *code.Expr) {
		for _, f := range x.Fields {
			if f.KeyText() == "method" && f.Value != nil && f.Value.Kind == code.Call && lastName(f.Value.X) == "literal" &&
				len(f.Value.Args) == 1 && f.Value.Args[0] != nil && f.Value.Args[0].Text == "ping" {
				found = true
			}
		}
	})
	return found
}

// store is recv.Name[key] = value in one of its spellings.
func (c *changer) store(fn *code.Func, recv, key, v *code.Expr, span mcpaudit.Span) {
	for _, ch := range c.u.sdk.AllChanges() {
		if ch.Form == sdk.StoreForm && lastName(recv) == ch.Name && c.key(ch, key) {
			c.apply(fn, ch, owner(recv), v, span)
		}
	}
}

func (c *changer) remove(recv, key *code.Expr, span mcpaudit.Span) {
	for _, ch := range c.u.sdk.AllChanges() {
		if ch.Form == sdk.DeleteForm && lastName(recv) == ch.Name && c.key(ch, key) {
			c.apply(nil, ch, owner(recv), nil, span)
		}
	}
}

// owner is the object whose field is changed: "server" of server.request_handlers.
func owner(recv *code.Expr) string {
	if recv != nil && recv.Kind == code.Member {
		return dotted(recv.X)
	}
	return ""
}

// apply records a change. The last one in the source wins, so that remove-then-set is what it is.
func (c *changer) apply(fn *code.Func, ch sdk.Change, recv string, handler *code.Expr, span mcpaudit.Span) {
	s := c.near(recv)
	if s == nil {
		return
	}
	r := s.ping
	r.Change = ch.Does
	r.Evidence = mcpaudit.At(mcpaudit.Related, span, "")
	r.Since = ch.Note
	r.Waits = nil
	switch ch.Does {
	case mcpaudit.Removed:
		if ch.Fallback != "" && c.assigns(ch.Fallback) {
			r.Change = mcpaudit.Replaced
			r.Outcomes = []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: "what is left to " + ch.Fallback + " cannot be followed"}}
		}
	case mcpaudit.Rejected, mcpaudit.NoEffect:
	default:
		c.handler(s, fn, ch, handler)
	}
}

func (c *changer) assigns(member string) bool {
	found := false
	for _, fn := range append(append([]*code.Func{c.p.module(c.f)}, c.f.Funcs...), c.p.lambdas[c.f]...) {
		eachStmt(fn.Body, func(s *code.Stmt) {
			for _, l := range s.LHS {
				found = found || l != nil && l.Kind == code.Member && l.Text == member
			}
		})
	}
	return found
}

// resolveFunc finds the function that an expression stands for.
func (c *changer) resolveFunc(fn *code.Func, e *code.Expr) *closure {
	if e == nil {
		return nil
	}
	if fn == nil {
		fn = c.p.module(c.f)
	}
	m := &machine{p: c.p}
	if v := m.peek(state{}, &frame{fn: fn, file: c.f}, e); v.k == function {
		return v.fn
	}
	return nil
}

// handler reads how a replaced handler answers.
func (c *changer) handler(s *sdkServer, at *code.Func, ch sdk.Change, e *code.Expr) {
	r := s.ping
	undecided := func(why string) {
		r.Outcomes = []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: why}}
	}
	h := c.resolveFunc(at, e)
	if !ch.Bare || h == nil {
		undecided("what the new handler does cannot be followed")
		return
	}
	m := &machine{p: c.p, trigger: "ping", subjects: subjects{}}
	in := state{hit: true, env: h.env}
	if h.this != nil {
		in.env = in.env.set("this", *h.this)
	}
	flows := m.body(in, &frame{fn: h.fn, file: h.fn.File, entry: true}, h.fn, nil)
	var outs []mcpaudit.Outcome
	wraps := len(flows) > 0
	for _, f := range flows {
		w := answer(f, mcpaudit.TriggerPing, mode{bare: true})
		if ch.NilIsEmpty && w.nothing {
			w.out.Body = mcpaudit.Shape{Kind: mcpaudit.ShapeObject, Text: "{}"}
		}
		if c.u.sdk.Base().Ecosystem == "npm" && f.kind == flowNext && w.nothing {
			w.out.Body.Lost = "undefined"
			w.out.Evidence = mcpaudit.At(mcpaudit.Related, h.fn.Span, "this function returns nothing")
		}
		outs = append(outs, w.out)
		if vals := unpack(f.vals); len(vals) == 0 || !c.original(vals[0].call, ch) {
			wraps = false
		}
		for x := f.st.waits; x != nil; x = x.next {
			r.Waits = append(r.Waits, mcpaudit.Wait{Kind: x.kind, Evidence: mcpaudit.At(mcpaudit.Related, x.span, "")})
		}
	}
	if m.over {
		undecided("the new handler has more ways through it than are followed")
		return
	}
	if wraps {
		r.Change = mcpaudit.Wrapped
		outs = []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelResult, Body: mcpaudit.Shape{Kind: mcpaudit.ShapeObject, Text: "{}"}}}
	}
	r.Outcomes = outs
}

// original reports whether a name holds the handler that was there before: it was read from the same table.
func (c *changer) original(name string, ch sdk.Change) bool {
	if name == "" {
		return false
	}
	found := false
	for _, fn := range append(append([]*code.Func{c.p.module(c.f)}, c.f.Funcs...), c.p.lambdas[c.f]...) {
		eachStmt(fn.Body, func(s *code.Stmt) {
			if s.Kind != code.StmtAssign || len(s.LHS) != 1 || len(s.Exprs) != 1 || s.LHS[0] == nil || dotted(s.LHS[0]) != name {
				return
			}
			walkExpr(s.Exprs[0], func(x *code.Expr) {
				found = found || (x.Kind == code.Index || x.Kind == code.Member) && lastName(x) == ch.Name || x.Kind == code.Index && lastName(x.X) == ch.Name
			})
		})
	}
	return found
}

// middleware evaluates a function around all methods, once for ping and once for a method that it should let
// through. nested: the function takes next and returns the one that sees the method.
func (c *changer) middleware(ch sdk.Change, recv string, at *code.Func, e *code.Expr, span mcpaudit.Span, nested bool) {
	s := c.near(recv)
	if s == nil || s.ping.Change != mcpaudit.Builtin {
		return
	}
	h := c.resolveFunc(at, e)
	if h == nil && e != nil && e.Kind == code.Call { // a function that makes the middleware
		m := &machine{p: c.p}
		fn := at
		if fn == nil {
			fn = c.p.module(c.f)
		}
		if v := m.peek(state{}, &frame{fn: fn, file: c.f}, e); v.k == function {
			h = v.fn
		}
	}
	undecided := func(why string) {
		s.ping.Change = mcpaudit.Wrapped
		s.ping.Evidence = mcpaudit.At(mcpaudit.Related, span, "")
		s.ping.Outcomes = []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: why}}
	}
	if h == nil || len(h.fn.Params) == 0 {
		return // a middleware from outside the tree: nothing says that it touches ping
	}
	next := h.fn.Params[len(h.fn.Params)-1].Name
	inner := h
	if nested {
		next = h.fn.Params[0].Name
		m := &machine{p: c.p}
		inner = nil
		for _, f := range m.body(state{env: h.env}, &frame{fn: h.fn, file: h.fn.File, entry: true}, h.fn, nil) {
			if f.kind == flowReturn && len(f.vals) == 1 && f.vals[0].k == function {
				inner = f.vals[0].fn
			}
		}
		if inner == nil {
			return
		}
	}
	passed, refusal := c.around(inner, next, "ping")
	if passed {
		return
	}
	if ok, _ := c.around(inner, next, "tools/list"); !ok {
		return // it lets nothing through that we can follow: not about ping
	}
	if refusal == nil {
		undecided("a middleware sees it first and cannot be followed")
		return
	}
	s.ping.Change = mcpaudit.Replaced
	s.ping.Evidence = mcpaudit.At(mcpaudit.Related, span, fmt.Sprintf("this middleware does not pass ping on to %s", next))
	s.ping.Outcomes = []mcpaudit.Outcome{*refusal}
}

// around runs a middleware for a method. passed: some way hands the method on; refusal: how the first other way ends.
func (c *changer) around(h *closure, next, method string) (passed bool, refusal *mcpaudit.Outcome) {
	subj := &subject{method: map[string]bool{}, base: map[string]bool{}}
	for _, p := range h.fn.Params {
		if p.Name == "method" || p.Type == "string" {
			subj.method[p.Name] = true
		}
		subj.method[p.Name+".method"] = true
	}
	m := &machine{p: c.p, trigger: method, subjects: subjects{h.fn: subj}}
	for _, f := range m.body(state{env: h.env}, &frame{fn: h.fn, file: h.fn.File, entry: true}, h.fn, nil) {
		w := answer(f, mcpaudit.TriggerPing, mode{bare: true})
		if slices.ContainsFunc(unpack(f.vals), func(v value) bool { return v.call == next }) {
			return true, nil
		}
		if w.out.Channel == mcpaudit.ChannelProtocolError || w.out.Channel == mcpaudit.ChannelResult {
			if refusal == nil {
				o := w.out
				refusal = &o
			}
		} else {
			return method == "ping", nil // it cannot be followed: no finding
		}
	}
	if m.over {
		return method == "ping", nil
	}
	return false, refusal
}

// option is a call with an option that switches an era on or off.
func (c *changer) option(ch sdk.Change, e *code.Expr) {
	check := func(f code.Field) {
		if f.KeyText() != ch.Name || f.Value == nil || f.Value.Kind != code.String || !slices.Contains(ch.Keys, f.Value.Text) {
			return
		}
		s := c.near("")
		if s == nil {
			return
		}
		for _, eras := range []*mcpaudit.Eras{&s.Eras, &s.router.Eras} {
			if ch.Legacy != mcpaudit.Unknown {
				eras.Legacy = ch.Legacy
				if ch.Legacy == mcpaudit.No {
					eras.Modern = mcpaudit.Yes
				}
			}
			if ch.Modern != mcpaudit.Unknown {
				eras.Modern = ch.Modern
			}
			eras.Evidence = append(eras.Evidence, mcpaudit.At(mcpaudit.Related, e.Span, ch.Note))
		}
	}
	if c.u.exported(e.X) == "" {
		return
	}
	for _, f := range e.Fields {
		check(f)
	}
	for _, a := range e.Args {
		if a != nil && a.Kind == code.Object {
			for _, f := range a.Fields {
				check(f)
			}
		}
	}
}

// overrides are methods of a subclass that take the place of the SDK's own.
func (c *changer) overrides() {
	for _, cl := range c.f.Classes {
		for _, ch := range c.u.sdk.AllChanges() {
			if ch.Form != sdk.OverrideForm {
				continue
			}
			ok := slices.ContainsFunc(cl.Bases, func(b *code.Expr) bool {
				name := c.u.exported(b)
				return ch.Of != "" && lastPart(name) == ch.Of || ch.Of == "" && marked(c.u.sdk.Servers, name, sdk.Subclass) != nil
			})
			if !ok {
				continue
			}
			for _, fn := range c.f.Funcs {
				if fn.Class == cl.Name && fn.Name == ch.Name {
					c.override(ch, fn)
				}
			}
		}
	}
}

// override reads a method that sees every message, or ping alone.
func (c *changer) override(ch sdk.Change, fn *code.Func) {
	s := c.near("")
	if s == nil || s.ping.Change != mcpaudit.Builtin {
		return
	}
	if ch.Bare {
		s.ping.Change = ch.Does
		s.ping.Evidence = mcpaudit.At(mcpaudit.Related, fn.NameSpan, "")
		h := &code.Expr{Kind: code.Lambda, Func: fn, Span: fn.Span}
		c.handler(s, fn, ch, h)
		return
	}
	calls := false
	eachStmt(fn.Body, func(st *code.Stmt) {
		eachExpr(st, func(e *code.Expr) {
			calls = calls || e.Kind == code.Member && e.Text == ch.Name && e.X != nil && strings.Contains(dotted(e.X), "super")
		})
	})
	s.ping.Evidence = mcpaudit.At(mcpaudit.Related, fn.NameSpan, "")
	s.ping.Change = mcpaudit.Wrapped
	if !calls {
		s.ping.Outcomes = []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: "the author overrides " + ch.Name + ", which every message passes"}}
	}
}
