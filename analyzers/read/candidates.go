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

// speaks reports whether what is compared can be the method of a JSON-RPC message: it is called so, or the file
// speaks JSON-RPC. Other protocols borrow the names of the methods for their own kinds of messages.
func (c *candidate) speaks() bool {
	if strings.HasPrefix(c.path, "type ") || strings.Contains(strings.ToLower(lastPart(c.path)), "method") {
		return true
	}
	return strings.Contains(strings.ToLower(string(c.fn.File.Src)), "jsonrpc")
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
		if c.anchored() < 2 || !c.speaks() {
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
