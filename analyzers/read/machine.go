package read

import (
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
	env      *binding
	emits    *emission
	conds    *condition
	waits    *waiting
	hit      bool     // a test for exactly this method, or for a prefix of it, was true on the way
	volatile *binding // variables that a function may assign to at any time
	gave     string   // the function that the message itself was given to, which may answer it
	open     string   // the method was looked up in something that is filled where we cannot see
}

// emission is an answer that leaves the program on the way: an envelope given to something unknown, or a call of
// something whose name says that it answers.
type emission struct {
	v     value
	kind  emitKind
	span  mcpaudit.Span
	site  mcpaudit.Span // the call in the router that led there, or span
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
			for _, n := range assignedNames(s.Func.Body, s.Func) {
				st.volatile = st.volatile.set(n, value{})
			}
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
