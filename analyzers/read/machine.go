package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Limits of one run. A run that meets one gives no answer, which a rule reports as undecided.
const (
	maxSteps  = 40_000
	maxDepth  = 6  // nested calls that are followed
	maxFlows  = 24 // ways through one function that are kept apart
	maxResult = 8  // ways through one call that are kept apart
)

// machine evaluates one function for one message.
type machine struct {
	p        *Program
	trigger  string // the method of the message
	params   value  // its params
	subjects subjects
	steps    int
	over     bool                   // a limit was met: the flows are not all there are
	tests    map[mcpaudit.Span]bool // where the method is told apart
	blind    bool                   // one of them could not be decided
}

// subjects says under which names functions hold the method of the message and the message itself. A path is the
// dotted form of accessPath.
type subjects map[*code.Func]*subject

type subject struct {
	method map[string]bool
	base   map[string]bool // the message: method without its last part
}

// state is what one way through the code has done so far. It is copied freely: its parts are immutable.
type state struct {
	env   *binding
	emits *emission
	conds *condition
	waits *waiting
	hit   bool   // a test for exactly this method, or for a prefix of it, was true on the way
	gave  string // the function that the message itself was given to, which may answer it
	open  string // the method was looked up in something that is filled where we cannot see
}

// emission is an answer that leaves the program on the way: an envelope given to something unknown, or a call of
// something whose name says that it answers.
type emission struct {
	v     value
	kind  emitKind
	span  mcpaudit.Span
	file  *code.File
	depth int
	next  *emission
}

type emitKind uint8

const (
	emitEnvelope emitKind = iota // v is the envelope
	emitError                    // by name or code only; v is the code if known
	emitReply                    // by name only; v is the body
	emitStatus                   // an HTTP answer without a body
)

// condition is a test that evaluation could not decide, and the branch that was tried.
type condition struct {
	span  mcpaudit.Span
	text  string
	taken bool
	next  *condition
}

// waiting is something slow that was called after the test for the method.
type waiting struct {
	kind mcpaudit.WaitKind
	span mcpaudit.Span
	next *waiting
}

type frame struct {
	fn    *code.Func
	file  *code.File
	depth int
	up    *frame
	call  mcpaudit.Span // in the caller
	entry bool          // the function that was started from outside
}

func (f *frame) calls(fn *code.Func) bool {
	for ; f != nil; f = f.up {
		if f.fn == fn {
			return true
		}
	}
	return false
}

// res is one value an expression may have, in the state after it. thrown: evaluation ended in an exception v.
type res struct {
	st     state
	v      value
	thrown bool
}

type flowKind uint8

const (
	flowNext flowKind = iota
	flowReturn
	flowThrow
	flowBreak
	flowContinue
)

// flow is one way through a list of statements.
type flow struct {
	kind flowKind
	st   state
	vals []value
	span mcpaudit.Span // of the return or throw
	file *code.File
}

func (m *machine) tick() bool {
	m.steps++
	if m.steps > maxSteps {
		m.over = true
	}
	return !m.over
}

// subjectOf returns the paths that hold in a frame: those of its function and of the functions around it.
func (m *machine) subjectOf(fr *frame, path string) (method, base bool) {
	if path == "" {
		return false, false
	}
	for fn, s := range m.subjects {
		if fn == fr.fn || fn.File == fr.file && fn.Span.Start <= fr.fn.Span.Start && fr.fn.Span.End <= fn.Span.End {
			method = method || s.method[path]
			base = base || s.base[path]
		}
	}
	return method, base
}

// message is the value of the message itself.
var message = value{msg: true, present: true}

func (m *machine) methodValue() value { return value{k: str, s: m.trigger, method: true} }

// accessPath is the canonical spelling of an expression that reads a part of a variable: x.method, x["method"],
// x.get("method"), x?.method and x.Method are the same path in lower case of the last part. It is "" for others.
func accessPath(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name:
		return e.Text
	case code.Member:
		if x := accessPath(e.X); x != "" {
			return x + "." + canonical(e.Text)
		}
	case code.Index:
		if len(e.Args) == 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			if x := accessPath(e.X); x != "" {
				return x + "." + canonical(e.Args[0].Text)
			}
		}
	case code.Call:
		if e.X == nil {
			return ""
		}
		if e.X.Kind == code.Member && (e.X.Text == "get" || e.X.Text == "Get" || e.X.Text == "getString" || e.X.Text == "pop") &&
			len(e.Args) >= 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			if x := accessPath(e.X.X); x != "" {
				return x + "." + canonical(e.Args[0].Text)
			}
		}
		name := dotted(e.X)
		if e.X.Kind == code.Member && len(e.Args) == 0 {
			// Getters and conversions of the thing itself: req.GetMethod(), method.lower(), req.method().
			if x := accessPath(e.X.X); x != "" {
				if passThrough.MatchString(e.X.Text) {
					return x
				}
				if c := canonical(e.X.Text); c == "method" || c == "getmethod" || c == "get_method" {
					return x + ".method"
				}
			}
		}
		if len(e.Args) == 1 && passThrough.MatchString(name) {
			return accessPath(e.Args[0])
		}
		// getattr(x, "method", None)
		if name == "getattr" && len(e.Args) >= 2 && e.Args[1] != nil && e.Args[1].Kind == code.String {
			if x := accessPath(e.Args[0]); x != "" {
				return x + "." + canonical(e.Args[1].Text)
			}
		}
	case code.Await:
		return accessPath(e.X)
	case code.Assign: // (method := msg.get("method")) == "ping"
		return accessPath(e.Y)
	case code.Binary:
		// method || "", body.method ?? body.type: the first operand counts.
		if e.Text == "||" || e.Text == "??" {
			return accessPath(e.X)
		}
	case code.Template:
		if len(e.Args) == 1 && e.Text == "" {
			return accessPath(e.Args[0])
		}
	}
	return ""
}

func canonical(s string) string { return strings.ToLower(strings.TrimPrefix(s, "#")) }

// run evaluates a function as if a message had arrived and returns all ways through it.
func (m *machine) run(fn *code.Func) []flow {
	fr := &frame{fn: fn, file: fn.File, entry: true}
	return m.body(state{}, fr, fn, nil)
}

// body runs the body of a function whose parameters are not bound yet. args are bound by position; a parameter
// without an argument is unknown.
func (m *machine) body(st state, fr *frame, fn *code.Func, args []value) []flow {
	for i, prm := range fn.Params {
		v := value{}
		switch {
		case prm.Rest:
			if i < len(args) {
				v = value{k: array, obj: &fields{elems: args[i:]}}
				if i == len(args)-1 && args[i].k == object && fn.File.Lang == "python" && args[i].obj.typ == "" && args[i].span.End == 0 {
					v = args[i] // **kwargs; see bindKeywords
				}
			}
		case i < len(args):
			v = args[i]
		case !fr.entry && prm.Default == nil && args != nil:
			if fn.File.Lang == "typescript" || fn.File.Lang == "javascript" {
				v = value{k: undefined}
			}
		}
		if prm.Default != nil && (v.k == undefined || i >= len(args) && !fr.entry) {
			if rs := m.eval(st, fr, prm.Default); len(rs) == 1 && !rs[0].thrown {
				v = rs[0].v
			}
		}
		if len(prm.Fields) > 0 {
			st = m.destructure(st, fr, prm.Fields, v, "")
			continue
		}
		if v.k == unknown {
			if meth, base := m.subjectOf(fr, prm.Name); meth {
				v = m.methodValue()
			} else if base {
				v = message
			}
		}
		st.env = st.env.set(prm.Name, v)
	}
	// Functions declared in the body are visible from its start.
	for _, s := range fn.Body {
		if s != nil && s.Kind == code.StmtFunc && s.Func != nil {
			st.env = st.env.set(s.Func.Name, value{k: function, fn: &closure{fn: s.Func, env: st.env}})
		}
	}
	out := m.block(st, fr, fn.Body)
	for i := range out {
		if out[i].file == nil {
			out[i].file = fn.File
		}
		if out[i].kind == flowBreak || out[i].kind == flowContinue {
			out[i].kind = flowNext
		}
	}
	return out
}

// destructure binds the parts of a pattern. path is the access path of the value, "" if it has none.
func (m *machine) destructure(st state, fr *frame, fs []code.Field, v value, path string) state {
	for _, f := range fs {
		if f.Value == nil {
			continue
		}
		if f.Key == nil { // the rest
			if f.Value.Kind == code.Name {
				st.env = st.env.set(f.Value.Text, value{})
			}
			continue
		}
		key := f.KeyText()
		part, ok := v.obj.get(key)
		if v.k != object || !ok {
			part = value{}
			if v.k == object && !v.obj.open {
				part = value{k: undefined}
			}
		}
		sub := canonical(key)
		if path != "" {
			sub = path + "." + sub
		}
		if meth, _ := m.subjectOf(fr, sub); meth && part.k == unknown {
			part = m.methodValue()
		} else if part.k == unknown && (v.msg || m.isMessage(fr, path)) {
			part = m.messagePart(canonical(key))
		}
		if part.k == undefined && f.Default != nil {
			if rs := m.eval(st, fr, f.Default); len(rs) == 1 && !rs[0].thrown {
				part = rs[0].v
			}
		}
		switch f.Value.Kind {
		case code.Name:
			if part.k == unknown {
				if meth, _ := m.subjectOf(fr, f.Value.Text); meth {
					part = m.methodValue()
				}
			}
			st.env = st.env.set(f.Value.Text, part)
		case code.Binding:
			st = m.destructure(st, fr, f.Value.Fields, part, sub)
		}
	}
	return st
}

func (m *machine) isMessage(fr *frame, path string) bool {
	_, base := m.subjectOf(fr, path)
	return base
}

// messagePart is what is assumed of the members of the message: it is a request, so it has an id.
func (m *machine) messagePart(name string) value {
	switch name {
	case "method":
		return m.methodValue()
	case "id":
		return value{present: true}
	case "jsonrpc":
		return stringValue("2.0")
	case "params":
		return m.params
	case "result", "error":
		return value{k: undefined}
	}
	return value{}
}

// merge joins the ways that go on, where nothing that could become an answer tells them apart.
func (m *machine) merge(flows []flow) []flow {
	var out []flow
	for _, f := range flows {
		if f.kind != flowNext {
			out = append(out, f)
			continue
		}
		joined := false
		for i := range out {
			if out[i].kind == flowNext {
				if st, ok := join(out[i].st, f.st, len(flows) > maxFlows); ok {
					out[i].st, joined = st, true
					break
				}
			}
		}
		if !joined {
			out = append(out, f)
		}
	}
	if len(out) > 4*maxFlows {
		m.over = true
		out = out[:4*maxFlows]
	}
	return out
}

// join merges two states that differ only in variables whose difference cannot matter. force gives up the
// difference in any case.
func join(a, b state, force bool) (state, bool) {
	if a.emits != b.emits || a.hit != b.hit || a.open != b.open || a.gave != b.gave || a.waits != b.waits {
		return state{}, false
	}
	base := commonTail(a.env, b.env)
	names := map[string]bool{}
	for x := a.env; x != base; x = x.next {
		names[x.name] = true
	}
	for x := b.env; x != base; x = x.next {
		names[x.name] = true
	}
	env := a.env
	for name := range names {
		v, ok1 := a.env.lookup(name)
		w, ok2 := b.env.lookup(name)
		if ok1 == ok2 && same(v, w) {
			continue
		}
		if !force && (weighty(v) || weighty(w)) {
			return state{}, false
		}
		env = env.set(name, value{})
	}
	st := a
	st.env = env
	st.conds = commonConds(a.conds, b.conds)
	return st, true
}

// weighty values may become an answer or decide one.
func weighty(v value) bool {
	return v.k != unknown && v.k != number && v.k != str || v.encoded || v.failed
}

func commonTail(a, b *binding) *binding {
	seen := map[*binding]bool{}
	for ; a != nil; a = a.next {
		seen[a] = true
	}
	for ; b != nil; b = b.next {
		if seen[b] {
			return b
		}
	}
	return nil
}

func commonConds(a, b *condition) *condition {
	seen := map[*condition]bool{}
	for ; a != nil; a = a.next {
		seen[a] = true
	}
	for ; b != nil; b = b.next {
		if seen[b] {
			return b
		}
	}
	return nil
}
