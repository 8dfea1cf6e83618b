package read

import (
	"slices"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

// registrar is a function that stores one of its parameters as a key of a table: register(name, handler), or a
// decorator method(name).
type registrar struct {
	fn       *code.Func
	key, val int // positions of the parameters; val is -1 where a decorator stores what it decorates
}

// registrars finds the functions of a file that store under a computed key into a table, by the name that they use
// for it ("this.handlers", "handlers").
func (p *Program) registrars(f *code.File, table, class string) []registrar {
	var out []registrar
	fns := append(slices.Clone(f.Funcs), p.lambdas[f]...)
	for _, fn := range fns {
		var key, val *code.Expr
		eachStmt(fn.Body, func(s *code.Stmt) {
			for i, l := range s.LHS {
				if l != nil && l.Kind == code.Index && dotted(l.X) == table && len(l.Args) == 1 && i < len(s.Exprs) {
					key, val = l.Args[0], s.Exprs[i]
				}
			}
			eachExpr(s, func(e *code.Expr) {
				if e.Kind == code.Call && e.X != nil && e.X.Kind == code.Member && e.X.Text == "set" && dotted(e.X.X) == table && len(e.Args) == 2 {
					key, val = e.Args[0], e.Args[1]
				}
			})
		})
		if key == nil || key.Kind != code.Name {
			continue
		}
		// The key is a parameter of the function itself, or of the one around it (a decorator).
		owner, v := fn, paramIndex(fn, val)
		i := paramIndex(fn, key)
		if i < 0 {
			if s := p.scopes[f].find(fn); s != nil && s.parent != nil && s.parent.fn != nil {
				owner = s.parent.fn
				i, v = paramIndex(owner, key), -1
			}
		}
		if i < 0 || owner.Name == "" || owner.Name == "constructor" || owner.Name == "__init__" || class != "" && owner.Class != class {
			continue
		}
		out = append(out, registrar{owner, i, v})
	}
	return out
}

func paramIndex(fn *code.Func, e *code.Expr) int {
	if e == nil || e.Kind != code.Name {
		return -1
	}
	return slices.IndexFunc(fn.Params, func(p code.Param) bool { return p.Name == e.Text })
}

// fill adds to a table what calls of its registrars put there. closed is false if some key is computed, or if the
// table is written to in a way that is not understood.
func (p *Program) fill(tbl value, f *code.File, table, class string) (out value, closed bool) {
	regs := p.registrars(f, table, class)
	late := p.late(table)
	if len(regs) == 0 && len(late) == 0 {
		return tbl, false
	}
	closed = len(regs) > 0 || !p.computed(f, table)
	out = value{k: object, obj: &fields{vals: map[string]value{}}}
	if tbl.k == object {
		o := *tbl.obj
		out = tbl
		out.obj = &o
	}
	add := func(r registrar, in *code.Func, e *code.Expr, decorated *code.Func) {
		m := &machine{p: p}
		at := &frame{fn: in, file: in.File, depth: maxDepth - 2}
		if r.key >= len(e.Args) {
			closed = false
			return
		}
		k := m.peek(state{}, at, e.Args[r.key])
		if k.k != str || k.encoded {
			closed = false
			return
		}
		v := value{present: true}
		switch {
		case decorated != nil:
			v = value{k: function, fn: &closure{fn: decorated}}
		case r.val >= 0 && r.val < len(e.Args):
			v = m.peek(state{}, at, e.Args[r.val])
		}
		if v.span.End == 0 {
			v.span = e.Span
		}
		out.obj = out.obj.with(k.s, v)
	}
	for _, s := range late {
		m := &machine{p: p}
		if _, known := out.obj.get(s.key.Text); !known {
			v := m.peek(state{}, &frame{fn: s.in, file: s.in.File, depth: maxDepth - 2}, s.val)
			v.key = s.key.Span
			out.obj = out.obj.with(s.key.Text, v)
		}
	}
	p.index()
	for _, r := range regs {
		for _, c := range p.calls[r.fn.Name] {
			if p.means(c.in, c.call.X, r.fn) || c.call.X.Kind == code.Member && len(c.call.Args) > r.key && isLiteralMethod(c.call.Args[r.key]) {
				add(r, c.in, c.call, nil)
			}
		}
		for _, file := range p.files {
			for _, fn := range file.Funcs {
				for _, d := range fn.Decorators {
					if d != nil && d.Kind == code.Call && lastName(d.X) == r.fn.Name {
						add(r, p.module(file), d, fn)
					}
				}
			}
		}
	}
	return out, closed
}

func isLiteralMethod(e *code.Expr) bool { return e != nil && e.Kind == code.String && isMethod(e.Text) }

// registration is one method given to a JSON-RPC library.
type registration struct {
	method  string
	span    mcpaudit.Span
	handler *code.Expr
	fn      *code.Func // the handler, where it is decorated
	in      *code.Func
	lib     sdk.Dispatcher
	name    string // of the library
}

// LibraryRouters finds programs that give the methods of the protocol to a JSON-RPC library, which answers the rest.
func (p *Program) LibraryRouters(look Lookup) []found {
	var out []found
	for _, f := range slices.Clone(p.files) {
		for _, u := range p.uses(f, look) {
			if len(u.sdk.Dispatchers) == 0 {
				continue
			}
			if fd, ok := p.libraryRouter(f, u); ok {
				out = append(out, fd)
			}
		}
	}
	return out
}

func (p *Program) libraryRouter(f *code.File, u use) (found, bool) {
	var regs []registration
	complete := true
	m := &machine{p: p}
	note := func(in *code.Func, d sdk.Dispatcher, key, handler *code.Expr, fn *code.Func, span mcpaudit.Span) {
		v := m.peek(state{}, &frame{fn: in, file: f}, key)
		if v.k != str || v.encoded {
			complete = false
			return
		}
		regs = append(regs, registration{v.s, span, handler, fn, in, d, u.sdk.Name})
	}
	fns := append(append([]*code.Func{p.module(f)}, f.Funcs...), p.lambdas[f]...)
	for _, fn := range fns {
		eachStmt(fn.Body, func(s *code.Stmt) {
			eachExpr(s, func(e *code.Expr) {
				if e.Kind != code.Call || e.X == nil {
					return
				}
				for _, d := range u.sdk.Dispatchers {
					if lastName(e.X) != d.Name {
						continue
					}
					switch i := max(d.KeyArg, 1) - 1; {
					case d.Form == sdk.CallForm && i < len(e.Args) && e.X.Kind == code.Member:
						note(fn, d, e.Args[i], handlerArg(e, -1), nil, e.Span)
					case d.Form == sdk.KeywordForm && len(e.Args) > 0 && e.Args[0] != nil && e.Args[0].Kind == code.Object:
						for _, fld := range e.Args[0].Fields {
							if fld.Key == nil {
								complete = false
								continue
							}
							note(fn, d, fld.Key, fld.Value, nil, fld.Key.Span)
						}
					}
				}
			})
			for i, l := range s.LHS {
				for _, d := range u.sdk.Dispatchers {
					if d.Form == sdk.StoreForm && l != nil && l.Kind == code.Index && lastName(l.X) == d.Name && len(l.Args) == 1 && i < len(s.Exprs) {
						note(fn, d, l.Args[0], s.Exprs[i], nil, s.Span)
					}
				}
			}
		})
		for _, deco := range fn.Decorators {
			for _, d := range u.sdk.Dispatchers {
				if d.Form != sdk.DecoForm || deco == nil || deco.Kind != code.Call || lastName(deco.X) != d.Name {
					continue
				}
				for _, kw := range deco.Fields {
					if kw.KeyText() == d.KeyName {
						note(p.module(f), d, kw.Value, nil, fn, deco.Span)
					}
				}
				if len(deco.Args) > 0 {
					note(p.module(f), d, deco.Args[0], nil, fn, deco.Span)
				}
			}
		}
	}
	c := &candidate{fn: p.module(f)}
	for _, r := range regs {
		if isMethod(r.method) {
			c.tests = append(c.tests, test{method: r.method, span: r.span, head: r.span, form: mcpaudit.FormRegistry})
		}
	}
	if c.anchored() < 2 {
		return found{}, false
	}
	return p.buildLibrary(c, regs, complete), true
}

func (p *Program) buildLibrary(c *candidate, regs []registration, complete bool) found {
	first := c.tests[0]
	rt := &mcpaudit.Router{
		Name: regs[0].name, Owner: mcpaudit.Author, Form: mcpaudit.FormRegistry, Complete: complete,
		Evidence: mcpaudit.At(mcpaudit.Primary, first.span, "methods are given to "+regs[0].name+" from here on"),
	}
	if !complete {
		rt.Incomplete = "some methods are registered under names that cannot be followed"
	}
	d := regs[0].lib
	rt.Default = []mcpaudit.Outcome{{
		Trigger: mcpaudit.TriggerUnknownMethod, Channel: d.Default, Confidence: mcpaudit.High,
		Code: mcpaudit.Value{Text: d.Code, Known: d.Code != ""},
	}}
	r := &reader{p: p, byFn: map[*code.Func][]*candidate{}, cand: c, subj: subjects{}, root: c.fn}
	for _, g := range regs {
		if !isMethod(g.method) {
			continue
		}
		route := &mcpaudit.Route{Method: mcpaudit.Value{Text: g.method, Known: true}, Change: mcpaudit.Added, Evidence: mcpaudit.At(mcpaudit.Related, g.span, "")}
		if g.method == "ping" {
			route.Outcomes = p.libraryPing(g)
		}
		rt.Routes = append(rt.Routes, route)
	}
	r.eras(rt, c, c.methods())
	return found{router: rt, cand: c}
}

// libraryPing reads what the handler of ping returns.
func (p *Program) libraryPing(g registration) []mcpaudit.Outcome {
	m := &machine{p: p, trigger: "ping", subjects: subjects{}}
	h := &closure{fn: g.fn}
	if g.fn == nil {
		v := m.peek(state{}, &frame{fn: g.in, file: g.in.File}, g.handler)
		if v.k != function {
			return []mcpaudit.Outcome{{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: "its handler cannot be followed"}}
		}
		h = v.fn
	}
	var out []mcpaudit.Outcome
	for _, f := range m.body(state{hit: true, env: h.env}, &frame{fn: h.fn, file: h.fn.File, entry: true}, h.fn, nil) {
		w := answer(f, mcpaudit.TriggerPing, mode{bare: true})
		// jayson hands its handlers a callback(error, result).
		for e := f.st.emits; e != nil; e = e.next {
			if e.kind == emitReply {
				w.out.Channel, w.out.Body = mcpaudit.ChannelResult, shape(e.v, nil, e.file)
			}
		}
		if w.nothing && len(h.fn.Params) > 1 {
			w.out = mcpaudit.Outcome{Trigger: mcpaudit.TriggerPing, Channel: mcpaudit.ChannelUndecided, Why: "its handler answers through a callback"}
		}
		out = append(out, w.out)
	}
	return out
}
