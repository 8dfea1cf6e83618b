package read

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// candidate is a function that tells methods apart on one subject.
type candidate struct {
	fn    *code.Func
	path  string
	tests []test
}

func (c *candidate) methods() []string {
	var out []string
	for _, t := range c.tests {
		if !slices.Contains(out, t.method) {
			out = append(out, t.method)
		}
	}
	return out
}

func (c *candidate) anchored() int {
	n := 0
	prefixes := map[string]bool{}
	for _, m := range c.methods() {
		if slices.Contains(anchors, m) {
			n++
		} else if strings.HasSuffix(m, "/") && !prefixes[m] && slices.ContainsFunc(anchors, func(a string) bool { return strings.HasPrefix(a, m) }) {
			prefixes[m] = true
			n++
		}
	}
	return n
}

// found is a router and the function that was evaluated for it.
type found struct {
	router *mcpaudit.Router
	cand   *candidate
	name   mcpaudit.Value // what initialize says the server is called
	tools  []mcpaudit.Tool
	stdio  bool
	root   *code.Func // the function that was evaluated
}

// Routers finds the author's own routers in the program.
func (p *Program) Routers() []found {
	cands := p.candidates()
	byFn := map[*code.Func][]*candidate{}
	for _, c := range cands {
		byFn[c.fn] = append(byFn[c.fn], c)
	}
	var out []found
	done := map[*code.Func]bool{}
	for _, c := range cands {
		if c.anchored() < 2 {
			continue
		}
		r := &reader{p: p, byFn: byFn}
		if f, ok := r.read(c); ok && !done[r.root] {
			done[r.root] = true
			out = append(out, f)
		}
	}
	p.answeredElsewhere(out, cands)
	slices.SortFunc(out, func(a, b found) int {
		x, y := a.router.Evidence.Span, b.router.Evidence.Span
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Start, y.Start))
	})
	return out
}

// answeredElsewhere looks for functions beside a router that lacks ping which answer it themselves: a middleware or a
// transport in front of the router, linked to it in a way that is not followed. Absence then proves nothing.
func (p *Program) answeredElsewhere(routers []found, cands []*candidate) {
	roots := map[*code.Func]bool{}
	for _, f := range routers {
		roots[f.root], roots[f.cand.fn] = true, true
	}
	for _, c := range cands {
		if !slices.Contains(c.methods(), "ping") || c.anchored() >= 2 || roots[c.fn] {
			continue
		}
		r := &reader{p: p, cand: c, subj: subjects{c.fn: c.subject()}, known: map[mcpaudit.Span]map[bool]bool{}}
		answers := slices.ContainsFunc(r.run(c.fn, "ping", value{}), func(f flow) bool {
			w := answer(f, "", mode{})
			return f.st.hit && w.out.Channel == mcpaudit.ChannelResult && w.out.Body.Kind == mcpaudit.ShapeObject
		})
		if !answers {
			continue
		}
		for _, f := range routers {
			if f.router.Route("ping") == nil && f.router.Complete && path.Dir(f.cand.fn.File.Path) == path.Dir(c.fn.File.Path) {
				f.router.Complete = false
				f.router.Incomplete = funcName(c.fn) + " answers ping beside it; whether it stands in front cannot be followed"
			}
		}
	}
}

func (p *Program) functions() []*code.Func {
	var out []*code.Func
	for _, f := range p.files {
		out = append(out, f.Funcs...)
		out = append(out, p.lambdas[f]...)
		if len(f.Top) > 0 {
			out = append(out, p.module(f))
		}
	}
	return out
}

// module is the top of a file as a function.
func (p *Program) module(f *code.File) *code.Func {
	if p.modules[f] == nil {
		p.modules[f] = &code.Func{Name: path.Base(f.Path), File: f, Body: f.Top, Span: mcpaudit.Span{File: f.Path, End: len(f.Src)}}
	}
	return p.modules[f]
}

func (p *Program) candidates() []*candidate {
	var out []*candidate
	for _, fn := range p.functions() {
		groups := map[string]*candidate{}
		var order []string
		for _, t := range p.tests(fn) {
			path := t.path
			if t.typed {
				path = "type " + path
			}
			g := groups[path]
			if g == nil {
				g = &candidate{fn: fn, path: path}
				groups[path] = g
				order = append(order, path)
			}
			g.tests = append(g.tests, t)
		}
		for _, o := range order {
			out = append(out, groups[o])
		}
	}
	return out
}

// reader evaluates one candidate.
type reader struct {
	p    *Program
	byFn map[*code.Func][]*candidate
	cand *candidate
	subj subjects
	root *code.Func
	md   mode
	over bool
	// blind: a test of the method could not be decided although the method is known, so that nothing that follows
	// from it can be trusted. tests are the places.
	blind bool
	tests map[mcpaudit.Span]bool
	lost  bool // some way of a served method ended where it could not be followed
	// what decided the known method: conditions that were tried both ways, and how they went when it was answered
	known map[mcpaudit.Span]map[bool]bool
}

// subject says under which names a candidate knows the method and the message.
func (c *candidate) subject() *subject {
	s := &subject{method: map[string]bool{}, base: map[string]bool{}}
	for _, t := range c.tests {
		for _, p := range []string{t.path, t.raw} {
			if t.typed {
				s.base[p] = true
				continue
			}
			s.method[p] = true
			if i := strings.LastIndex(p, "."); i > 0 {
				s.base[p[:i]] = true
			}
		}
	}
	return s
}

func (r *reader) run(fn *code.Func, method string, params value) []flow {
	m := &machine{p: r.p, trigger: method, params: params, subjects: r.subj, tests: r.tests}
	out := m.run(fn)
	r.over = r.over || m.over
	r.blind = r.blind || m.blind
	return out
}

// unknownMethod is a method that nobody serves.
const unknownMethod = "mcpaudit/unknown-method"

func (r *reader) read(c *candidate) (found, bool) {
	r.cand = c
	r.subj = subjects{c.fn: c.subject()}
	r.root = c.fn
	r.tests = map[mcpaudit.Span]bool{}
	for _, t := range c.tests {
		r.tests[t.span], r.tests[t.head] = true, true
	}
	own := r.outermost(c)
	r.root = own
	r.over = false
	if !r.calibrate(own) {
		// The function may only pick a handler that a caller runs.
		if root, ok := r.higher(own); ok {
			r.root = root
		} else if own == c.fn || !r.calibrate(c.fn) {
			return r.unfollowed(c)
		} else {
			r.root = c.fn
		}
	}
	r.over, r.blind = false, false // a served method may be too long to follow
	ping := r.ways(r.root, "ping", mcpaudit.TriggerPing)
	other := r.ways(r.root, unknownMethod, mcpaudit.TriggerUnknownMethod)
	tooLong := r.over

	// A router that returns a bare result, or nothing, leaves the answer to its caller.
	if r.md.bare || allNothing(ping) {
		if up, ok := r.caller(r.root); ok {
			inner, innerOther, md, root, known := ping, other, r.md, r.root, r.known
			blind := r.blind
			if r.calibrate(up) && !r.md.weak {
				r.over, r.blind = false, blind
				ping, other = r.ways(up, "ping", mcpaudit.TriggerPing), r.ways(up, unknownMethod, mcpaudit.TriggerUnknownMethod)
				tooLong = r.over
				markLost(ping, inner)
				keepCodes(ping, inner)
				keepCodes(other, innerOther)
				r.root = up
			} else {
				r.md, r.root, r.known, r.blind = md, root, known, blind
			}
		}
		if r.md.bare || allNothing(ping) && r.root == c.fn {
			unfinished(ping, r.md)
			unfinished(other, r.md)
			if r.md.bare && !slices.Contains(c.methods(), "initialize") {
				uncalled(ping)
				uncalled(other)
			}
		}
	}
	return r.build(c, ping, other, tooLong), true
}

// buildsRequest reports whether a function puts a method into a message: then it is a client, whatever it compares.
func buildsRequest(fn *code.Func) bool {
	found := false
	eachStmt(fn.Body, func(s *code.Stmt) {
		eachExpr(s, func(e *code.Expr) {
			if e.Kind != code.Object && e.Kind != code.Call {
				return
			}
			rpc, method := false, false
			for _, f := range e.Fields {
				switch strings.ToLower(f.KeyText()) {
				case "jsonrpc":
					rpc = true
				case "method":
					method = true
				}
			}
			found = found || rpc && method
		})
	})
	return found
}

// higher climbs from a function that answers nothing itself to one that does.
func (r *reader) higher(fn *code.Func) (*code.Func, bool) {
	for range 2 {
		up, ok := r.caller(fn)
		if !ok {
			return nil, false
		}
		if r.calibrate(up) && !r.md.weak {
			return up, true
		}
		fn = up
	}
	return nil, false
}

// unfollowed is the router that tells methods apart in the middle of code that answers messages, while no method
// could be followed to its answer. It is reported as such: it may be the only server there is.
func (r *reader) unfollowed(c *candidate) (found, bool) {
	src := string(c.fn.File.Src)
	answers := strings.Contains(src, "-3260") || strings.Contains(src, "jsonrpc") && (strings.Contains(src, "result") || strings.Contains(src, "error"))
	if !r.lost || !answers || !slices.Contains(c.methods(), "initialize") && !slices.Contains(c.methods(), "tools/list") {
		return found{}, false
	}
	if buildsRequest(c.fn) {
		return found{}, false
	}
	why := []way{{out: mcpaudit.Outcome{Channel: mcpaudit.ChannelUndecided, Confidence: mcpaudit.Low, Why: "no method could be followed from here to its answer"}}}
	r.over, r.blind, r.md = false, false, mode{}
	for i := range why {
		why[i].st.hit = slices.Contains(c.methods(), "ping")
	}
	return r.build(c, why, why, false), true
}

// outermost climbs to the function that tells further methods of the same message apart and calls this one: the
// inner router alone would look as if it missed what the outer one answers.
func (r *reader) outermost(c *candidate) *code.Func {
	fn, p := c.fn, c.path
	seen := map[*code.Func]bool{fn: true}
	for range 4 {
		var next *code.Func
		for _, site := range r.p.callers(fn) {
			if seen[site.in] {
				continue
			}
			up, ok := climb(fn, p, site.call)
			if !ok {
				continue
			}
			for _, o := range r.byFn[site.in] {
				if o.path == up || r.p.aliased(site.in, up) == o.path {
					next = site.in
					r.subj[site.in] = o.subject()
					p = o.path
					break
				}
			}
			if next != nil {
				break
			}
		}
		if next == nil {
			return fn
		}
		fn = next
		seen[fn] = true
	}
	return fn
}

// aliased resolves the head of a path through the local names of a function.
func (p *Program) aliased(fn *code.Func, path string) string {
	c := &collector{p: p, fn: fn, fr: &frame{fn: fn, file: fn.File}, m: &machine{p: p}, alias: map[string]string{}}
	eachStmt(fn.Body, func(s *code.Stmt) {
		if s.Kind == code.StmtAssign && len(s.LHS) == 1 && len(s.Exprs) == 1 && s.LHS[0] != nil {
			c.note(s.LHS[0], s.Exprs[0])
		}
	})
	return c.resolve(path)
}

// climb translates an access path of a function into one of its caller.
func climb(fn *code.Func, path string, call *code.Expr) (string, bool) {
	typed := strings.HasPrefix(path, "type ")
	head, rest, dot := strings.Cut(strings.TrimPrefix(path, "type "), ".")
	for i, prm := range fn.Params {
		if prm.Name != head || i >= len(call.Args) {
			continue
		}
		up := accessPath(call.Args[i])
		if up == "" {
			return "", false
		}
		if dot {
			up += "." + rest
		}
		if typed {
			up = "type " + up
		}
		return up, true
	}
	return "", false
}

// caller finds the only function that calls fn, for its way of wrapping what fn returns.
func (r *reader) caller(fn *code.Func) (*code.Func, bool) {
	var up *code.Func
	for _, site := range r.p.callers(fn) {
		if site.in == fn || up == site.in {
			continue
		}
		if up != nil {
			return nil, false
		}
		up = site.in
	}
	return up, up != nil
}

// calibrate finds out how the function answers a method that it is known to serve. It returns false if it answers
// none: then it is no router of a server (a logger, a client, a filter).
func (r *reader) calibrate(fn *code.Func) bool {
	r.known = map[mcpaudit.Span]map[bool]bool{}
	methods := r.cand.methods()
	unfollowed := false
	for _, m := range []string{"tools/list", "initialize", "resources/list", "prompts/list", "tools/call", "resources/read", "prompts/get", "server/discover"} {
		if !slices.Contains(methods, m) && !slices.ContainsFunc(methods, func(p string) bool { return strings.HasSuffix(p, "/") && strings.HasPrefix(m, p) }) {
			continue
		}
		flows := r.run(fn, m, value{})
		ok := false
		for _, f := range flows {
			w := answer(f, "", mode{})
			unfollowed = unfollowed || w.out.Channel == mcpaudit.ChannelUndecided
			if w.out.Channel == mcpaudit.ChannelResult {
				r.md, ok = mode{}, true
				r.learn(f)
			}
		}
		if ok {
			return true
		}
		for _, f := range flows {
			for i, v := range unpack(f.vals) {
				if f.kind == flowReturn && looksLike(v, m) {
					r.md, ok = mode{bare: true, index: i}, true
					r.learn(f)
				}
			}
		}
		if ok {
			return !r.filters(fn, m)
		}
	}
	r.lost = r.lost || unfollowed || r.over
	if !unfollowed {
		return false // what it does with the methods that it knows was seen, and it is no answer
	}
	// No arm could be followed to its answer. A refusal of unknown methods with a JSON-RPC error still shows that
	// messages are answered here.
	for _, f := range r.run(fn, unknownMethod, value{}) {
		if w := answer(f, "", mode{}); w.out.Channel == mcpaudit.ChannelProtocolError && w.out.Code.Known && strings.HasPrefix(w.out.Code.Text, "-32") {
			r.md = mode{weak: true}
			return true
		}
	}
	return false
}

// filters reports whether the function gives the same kind of value for a method that nobody serves: then it picks
// or describes things by method, and answers nobody.
func (r *reader) filters(fn *code.Func, method string) bool {
	for _, f := range r.run(fn, unknownMethod, value{}) {
		if vals := unpack(f.vals); f.kind == flowReturn && r.md.index < len(vals) && looksLike(vals[r.md.index], method) {
			return true
		}
	}
	return false
}

func (r *reader) learn(f flow) {
	for c := f.st.conds; c != nil; c = c.next {
		if r.known[c.span] == nil {
			r.known[c.span] = map[bool]bool{}
		}
		r.known[c.span][c.taken] = true
	}
}

// ways evaluates a method and keeps the ways that agree with how a served method was reached: those in which the
// message is well-formed, the session exists and so on.
func (r *reader) ways(fn *code.Func, method string, trig mcpaudit.Trigger) []way {
	var all, like []way
	for _, f := range r.run(fn, method, value{}) {
		w := answer(f, trig, r.md)
		dbg("way %s in %s: %s %+v code %s why %s kind %d agrees %v hit %v", method, fn.Name, w.out.Channel, w.out.Body, w.out.Code.Text, w.out.Why, f.kind, r.agrees(f), f.st.hit)
		for c := f.st.conds; c != nil; c = c.next {
			dbg("     cond %v %s", c.taken, c.text)
		}
		all = append(all, w)
		if r.agrees(f) {
			like = append(like, w)
		}
	}
	if len(like) == 0 {
		return all
	}
	// Ways that were cut off before the message was told apart are remembered as gates only.
	return like
}

func (r *reader) agrees(f flow) bool {
	for c := f.st.conds; c != nil; c = c.next {
		if seen := r.known[c.span]; len(seen) > 0 && !seen[c.taken] {
			return false
		}
	}
	return true
}

func allNothing(ws []way) bool {
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w way) bool { return !w.nothing })
}

// markLost names an empty result that the router returned and its caller did not send.
func markLost(wire, inner []way) {
	empty := func(w way) bool {
		return w.out.Channel == mcpaudit.ChannelResult && w.out.Body.Kind == mcpaudit.ShapeObject && len(w.out.Body.Keys) == 0 && !w.out.Body.Open
	}
	if len(inner) == 0 || slices.ContainsFunc(inner, func(w way) bool { return !empty(w) }) {
		return
	}
	for i := range wire {
		if o := &wire[i].out; o.Channel == mcpaudit.ChannelSilence || o.Channel == mcpaudit.ChannelResult && o.Body.Kind == mcpaudit.ShapeAbsent || o.Channel == mcpaudit.ChannelProtocolError && wire[i].st.hit {
			o.Channel = mcpaudit.ChannelResult
			o.Body = mcpaudit.Shape{Kind: mcpaudit.ShapeAbsent, Lost: "truthiness", Text: inner[0].out.Body.Text}
			o.Confidence = mcpaudit.Medium
		}
	}
}

// keepCodes gives an error of the caller the code that the router raised, where the caller only passes it on.
func keepCodes(wire, inner []way) {
	if len(inner) == 0 || !inner[0].out.Code.Known {
		return
	}
	for _, w := range inner {
		if w.out.Code != inner[0].out.Code {
			return
		}
	}
	for i := range wire {
		if o := &wire[i].out; o.Channel == mcpaudit.ChannelProtocolError && !o.Code.Known {
			o.Code = inner[0].out.Code
		}
	}
}

// unfinished turns what only a caller could tell into an undecided outcome.
func unfinished(ws []way, md mode) {
	for i := range ws {
		if ws[i].nothing && (md.bare || ws[i].kind == flowReturn && len(ws[i].vals) > 0) {
			ws[i].out.Channel = mcpaudit.ChannelUndecided
			ws[i].out.Why = "the function returns nothing for it, and the caller that would turn that into an answer was not found"
		}
	}
}

func (r *reader) build(c *candidate, ping, other []way, tooLong bool) found {
	head := mainTest(c.tests)
	rt := &mcpaudit.Router{
		Name: funcName(c.fn), Owner: mcpaudit.Author, Form: head.form, Complete: true,
		Evidence: mcpaudit.At(mcpaudit.Primary, head.head, "methods are told apart here"),
	}
	methods := c.methods()
	// The outer function may tell further methods apart.
	if r.root != c.fn {
		for _, o := range r.byFn[r.root] {
			for _, m := range o.methods() {
				if !slices.Contains(methods, m) {
					methods = append(methods, m)
				}
			}
		}
	}
	hit := slices.ContainsFunc(ping, func(w way) bool { return w.st.hit })
	for _, t := range c.tests {
		if t.method == "ping" || strings.HasSuffix(t.method, "/") || rt.Route(t.method) != nil {
			continue
		}
		rt.Routes = append(rt.Routes, &mcpaudit.Route{
			Method: mcpaudit.Value{Text: t.method, Known: true}, Change: mcpaudit.Added,
			Evidence: mcpaudit.At(mcpaudit.Related, t.span, ""),
		})
	}
	rt.Default = r.outcomes(other, tooLong)
	if hit || slices.Contains(methods, "ping") || !alike(ping, other) {
		route := &mcpaudit.Route{Method: mcpaudit.Value{Text: "ping", Known: true}, Change: mcpaudit.Added, Evidence: rt.Evidence}
		route.Evidence.Role = mcpaudit.Related
		for _, fn := range []*code.Func{c.fn, r.root} {
			for _, o := range r.byFn[fn] {
				for _, t := range o.tests {
					if t.method == "ping" {
						route.Evidence = mcpaudit.At(mcpaudit.Related, t.span, "ping is told apart here")
					}
				}
			}
		}
		if hit || !alike(ping, other) {
			route.Outcomes = r.outcomes(ping, tooLong)
			r.gatesAndWaits(route, ping)
			rt.Routes = append(rt.Routes, route)
		}
	}
	for _, w := range append(slices.Clone(ping), other...) {
		if w.st.open != "" {
			rt.Complete, rt.Incomplete = false, w.st.open
		}
		if w.out.Channel == mcpaudit.ChannelForwarded {
			rt.Forwards = true
		}
	}
	if r.md.weak {
		for i := range rt.Default {
			rt.Default[i].Confidence = min(rt.Default[i].Confidence, mcpaudit.Medium)
		}
	}
	r.eras(rt, c, methods)
	return found{
		router: rt, cand: c, name: r.serverName(), tools: r.tools(),
		root:  r.root,
		stdio: readsStdin(c.fn.File) || readsStdin(r.root.File),
	}
}

// uncalled turns a refusal without a JSON-RPC code into an undecided outcome, where nothing shows that the function
// sees every message: without a route for initialize it may only serve what an SDK leaves to it.
func uncalled(ws []way) {
	for i := range ws {
		if o := &ws[i].out; o.Channel == mcpaudit.ChannelProtocolError && !strings.HasPrefix(o.Code.Text, "-32") {
			o.Channel, o.Why = mcpaudit.ChannelUndecided, "the function serves some methods only, and the caller that serves the rest was not found"
		}
	}
}

// readsStdin reports whether a file reads messages from standard input.
func readsStdin(f *code.File) bool {
	for _, s := range []string{"process.stdin", "sys.stdin", "os.Stdin"} {
		if strings.Contains(string(f.Src), s) {
			return true
		}
	}
	return false
}

// mainTest picks the construct to point at: the one that tells most methods apart, a switch or a table before a chain.
func mainTest(tests []test) test {
	weight := map[mcpaudit.Span]int{}
	best := tests[0]
	for _, t := range tests {
		if slices.Contains(anchors, t.method) {
			weight[t.head] += 2
		}
		if weight[t.head] > 1 && t.form != mcpaudit.FormChain && weight[t.head]%2 == 0 {
			weight[t.head]++ // once
		}
		if weight[t.head] > weight[best.head] {
			best = t
		}
	}
	return best
}

// outcomes lists the different ways, in source order.
func (r *reader) outcomes(ws []way, tooLong bool) []mcpaudit.Outcome {
	var out []mcpaudit.Outcome
	for _, w := range ws {
		dup := slices.ContainsFunc(out, func(o mcpaudit.Outcome) bool {
			return o.Channel == w.out.Channel && o.Code == w.out.Code && o.Body.Kind == w.out.Body.Kind &&
				slices.Equal(o.Body.Keys, w.out.Body.Keys) && o.Body.Lost == w.out.Body.Lost
		})
		if !dup {
			out = append(out, w.out)
		}
	}
	why := ""
	switch {
	case r.md.weak && disagree(ws):
		why = "no method that it serves could be followed to its answer, so that it is not known which way is the usual one"
	case r.blind:
		why = "a test of the method could not be decided"
	case tooLong:
		why = "the function has more ways through it than are followed"
	}
	if why != "" {
		out = append(out, mcpaudit.Outcome{Channel: mcpaudit.ChannelUndecided, Confidence: mcpaudit.Low, Why: why})
	}
	return out
}

// alike reports whether two methods are answered in the same ways.
func alike(a, b []way) bool {
	in := func(w way, list []way) bool {
		return slices.ContainsFunc(list, func(o way) bool {
			return o.out.Channel == w.out.Channel && o.out.Code == w.out.Code && o.out.Body.Kind == w.out.Body.Kind && o.out.Body.Lost == w.out.Body.Lost
		})
	}
	return !slices.ContainsFunc(a, func(w way) bool { return !in(w, b) }) && !slices.ContainsFunc(b, func(w way) bool { return !in(w, a) })
}

func disagree(ws []way) bool {
	return slices.ContainsFunc(ws, func(w way) bool { return w.out.Channel != ws[0].out.Channel })
}

func funcName(fn *code.Func) string {
	switch {
	case fn.Class != "" && fn.Name != "":
		return fn.Class + "." + fn.Name
	case fn.Name != "":
		return fn.Name
	}
	return "function at " + path.Base(fn.File.Path)
}

// gatesAndWaits reads off what may refuse or delay a ping that is otherwise answered.
func (r *reader) gatesAndWaits(route *mcpaudit.Route, ping []way) {
	for _, w := range ping {
		for x := w.st.waits; x != nil; x = x.next {
			if w.out.Channel == mcpaudit.ChannelResult && !slices.ContainsFunc(route.Waits, func(o mcpaudit.Wait) bool { return *o.Evidence.Span == x.span }) {
				route.Waits = append(route.Waits, mcpaudit.Wait{Kind: x.kind, Evidence: mcpaudit.At(mcpaudit.Related, x.span, "")})
			}
		}
	}
	refused := map[mcpaudit.Span]bool{}
	for _, f := range r.run(r.root, "initialize", value{}) {
		if w := answer(f, "", r.md); w.out.Channel == mcpaudit.ChannelProtocolError {
			if c := f.st.conds; c != nil {
				refused[c.span] = true
			}
		}
	}
	for _, f := range r.run(r.root, "ping", value{}) {
		w := answer(f, mcpaudit.TriggerPing, r.md)
		c := f.st.conds
		if c == nil || w.out.Channel != mcpaudit.ChannelProtocolError || refused[c.span] || f.st.hit && !initText.MatchString(c.text) {
			continue
		}
		kind := mcpaudit.GateKind("")
		switch {
		case initText.MatchString(c.text):
			kind = mcpaudit.GateInit
		case authText.MatchString(c.text):
			kind = mcpaudit.GateAuth
		default:
			continue
		}
		if slices.ContainsFunc(route.Gates, func(g mcpaudit.Gate) bool { return *g.Evidence.Span == c.span }) {
			continue
		}
		route.Gates = append(route.Gates, mcpaudit.Gate{
			Kind: kind, Refusal: w.out, Evidence: mcpaudit.At(mcpaudit.Primary, c.span, "this test refuses ping"),
		})
	}
	// The same message with params: legal in every legacy revision.
	params := value{k: object, obj: (&fields{}).with("_meta", value{k: object, obj: (&fields{}).with("progressToken", stringValue("t"))})}
	if !slices.ContainsFunc(route.Outcomes, func(o mcpaudit.Outcome) bool { return o.Channel == mcpaudit.ChannelResult }) {
		return
	}
	var with []way
	for _, f := range r.run(r.root, "ping", params) {
		if r.agrees(f) {
			with = append(with, answer(f, mcpaudit.TriggerPingParams, r.md))
		}
	}
	if len(with) > 0 && !slices.ContainsFunc(with, func(w way) bool { return w.out.Channel != mcpaudit.ChannelProtocolError || !w.st.hit }) {
		route.Outcomes = append(route.Outcomes, with[0].out)
	}
}

// serverName is what the answer to initialize calls the server.
func (r *reader) serverName() mcpaudit.Value {
	for _, f := range r.run(r.root, "initialize", value{}) {
		for _, v := range append([]value{first1(envelope(f, unpack(f.vals)))}, unpack(f.vals)...) {
			if v.k != object {
				continue
			}
			if res, ok := memberOf(v, "result"); ok && res.k == object {
				v = res
			}
			if info, ok := memberOf(v, "serverInfo"); ok && info.k == object {
				if n, ok := memberOf(info, "name"); ok && n.k == str && n.s != "" {
					return mcpaudit.Value{Text: n.s, Known: true}
				}
			}
		}
	}
	return mcpaudit.Value{}
}

// tools are the names that the answer to tools/list holds as literals.
func (r *reader) tools() []mcpaudit.Tool {
	var out []mcpaudit.Tool
	for _, f := range r.run(r.root, "tools/list", value{}) {
		vals := unpack(f.vals)
		for _, v := range append([]value{first1(envelope(f, vals))}, vals...) {
			if v.k != object {
				continue
			}
			if res, ok := memberOf(v, "result"); ok && res.k == object {
				v = res
			}
			list, ok := memberOf(v, "tools")
			if !ok || list.k != array {
				continue
			}
			for _, t := range list.obj.elems {
				if t.k != object {
					continue
				}
				n, ok := memberOf(t, "name")
				if ok && n.k == str && !slices.ContainsFunc(out, func(o mcpaudit.Tool) bool { return o.Name == n.s }) {
					out = append(out, mcpaudit.Tool{Name: n.s, Evidence: mcpaudit.At(mcpaudit.Related, n.span, "")})
				}
			}
		}
	}
	return out
}

func first1(v value, _ mcpaudit.Span, _ int, ok bool) value {
	if !ok {
		return value{}
	}
	return v
}

// eras collects what says which revisions the router serves.
func (r *reader) eras(rt *mcpaudit.Router, c *candidate, methods []string) {
	at := func(method string) mcpaudit.Evidence {
		for _, t := range c.tests {
			if t.method == method {
				return mcpaudit.At(mcpaudit.Related, t.span, "a route for "+method)
			}
		}
		return rt.Evidence
	}
	shakes := slices.Contains(methods, "initialize") && !r.refuses("initialize")
	discovers := slices.Contains(methods, "server/discover") && !r.refuses("server/discover")
	if shakes {
		rt.Eras.Legacy = mcpaudit.Yes
		rt.Eras.Evidence = append(rt.Eras.Evidence, at("initialize"))
	}
	if discovers {
		rt.Eras.Modern = mcpaudit.Yes
		rt.Eras.Evidence = append(rt.Eras.Evidence, at("server/discover"))
	}
	var named mcpaudit.Eras
	for _, f := range r.p.pkgFiles(c.fn.File) {
		revisions(f, &named)
	}
	// The name of a revision proves that it is served only where the method that opens its era is there, or where
	// neither of the two methods is: clients name revisions too, and an error may list them.
	for _, rev := range named.Revisions {
		if rev.Modern() && shakes && !discovers || !rev.Modern() && discovers && !shakes {
			continue
		}
		rt.Eras.Add(rev, revisionAt(named, rev))
	}
	if discovers && !shakes {
		rt.Eras.Legacy = mcpaudit.No
	}
}

func revisionAt(e mcpaudit.Eras, rev mcpaudit.Revision) mcpaudit.Evidence {
	for _, ev := range e.Evidence {
		if strings.HasSuffix(ev.Note, string(rev)) {
			return ev
		}
	}
	return mcpaudit.Evidence{}
}

// refuses reports whether every way of a method that could be followed ends in an error.
func (r *reader) refuses(method string) bool {
	if r.md.weak {
		return false
	}
	seen := false
	for _, f := range r.run(r.root, method, value{}) {
		if !r.agrees(f) {
			continue
		}
		if w := answer(f, "", r.md); w.out.Channel != mcpaudit.ChannelProtocolError {
			return false
		}
		seen = true
	}
	return seen
}

// revisions adds the revisions that string literals of a file name.
func revisions(f *code.File, e *mcpaudit.Eras) {
	add := func(x *code.Expr) {
		if x.Kind == code.String && len(x.Text) == 10 && slices.Contains(mcpaudit.Revisions, mcpaudit.Revision(x.Text)) {
			e.Add(mcpaudit.Revision(x.Text), mcpaudit.At(mcpaudit.Related, x.Span, "names revision "+x.Text))
		}
	}
	visit := func(list []*code.Stmt) {
		eachStmt(list, func(s *code.Stmt) { eachExpr(s, add) })
	}
	visit(f.Top)
	for _, fn := range f.Funcs {
		visit(fn.Body)
	}
}
