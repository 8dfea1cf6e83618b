package read

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

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
