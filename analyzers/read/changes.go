package read

import (
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
