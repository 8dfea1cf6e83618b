package read

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

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

func first1(v value, _ emission, ok bool) value {
	if !ok {
		return value{}
	}
	return v
}
