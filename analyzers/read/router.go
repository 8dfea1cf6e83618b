package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

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
	for _, ways := range [][]way{ping, other} {
		if !slices.ContainsFunc(ways, func(w way) bool { return w.out.Channel != mcpaudit.ChannelSilence }) {
			r.deaf(c, ways)
		}
	}
	mistaken(ping)
	mistaken(other)
	return r.build(c, ping, other, tooLong), true
}

// deaf takes silence back where a method that the router surely serves looks silent too: then it is the answer that
// was not found, not the lack of one.
func (r *reader) deaf(c *candidate, ways []way) {
	for _, m := range c.methods() {
		if m == "initialize" || !slices.Contains(anchors, m) {
			continue
		}
		quiet := true
		for _, f := range r.run(r.root, m, value{}) {
			if w := answer(f, "", r.md); r.agrees(f) && w.out.Channel != mcpaudit.ChannelSilence {
				quiet = false
			}
		}
		if !quiet {
			continue
		}
		for i := range ways {
			ways[i].out.Channel = mcpaudit.ChannelUndecided
			ways[i].out.Why = "no answer is seen, but neither is one to " + m
		}
		return
	}
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
	if buildsRequest(fn) {
		return false // a client that passes errors on
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
