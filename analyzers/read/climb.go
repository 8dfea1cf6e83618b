package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

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
		if r.gives(up, fn) {
			r.lost = false
			return nil, false
		}
		if r.calibrate(up) && !r.md.weak {
			return up, true
		}
		fn = up
	}
	return nil, false
}

// gives reports whether a function hands its messages to a router of its own, next to fn. Then fn is asked about a
// method, and what is answered has been decided elsewhere.
func (r *reader) gives(up, fn *code.Func) bool {
	for g, cs := range r.byFn {
		if g == fn || g == r.cand.fn || g == up || !slices.ContainsFunc(cs, func(c *candidate) bool { return c.anchored() >= 2 }) {
			continue
		}
		if slices.ContainsFunc(r.p.callers(g), func(s site) bool { return s.in == up }) {
			return true
		}
	}
	return false
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
