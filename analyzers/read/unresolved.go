package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

// later are functions that run a function they are given, once, with something we do not know.
var later = []string{
	"then", "finally", "setImmediate", "nextTick", "queueMicrotask", "run", "execute", "schedule", "submit",
	"create_task", "ensure_future", "run_until_complete", "gather", "Go", "runWithContext", "withSpan", "startSpan", "trace",
	"runInContext", "asyncHandler", "transaction", "all", "startActiveSpan", "wrap",
}

// unresolved is a call of something that is not in the tree. If an answer is among the arguments, it leaves here.
func (m *machine) unresolved(st state, fr *frame, e *code.Expr, name string, args []value, kw *fields, recv value) []res {
	all := slices.Clone(args)
	if kw != nil {
		for _, k := range kw.keys {
			all = append(all, kw.vals[k])
		}
	}
	last := lastPart(name)
	if len(all) == 0 && slices.Contains(emptyMakers, last) {
		return one(st, value{k: object, obj: &fields{typ: last, vals: map[string]value{}}, span: e.Span})
	}
	if len(args) == 1 && slices.Contains(passMakers, last) {
		return one(st, args[0])
	}
	// console.log is how small stdio servers send; anything but JSON text that goes there is a log all the same.
	logs := name != "console.log" && logName.MatchString(name) || name == "print" && kw != nil && has(kw, "file")
	if !logs {
		for _, v := range all {
			if v.encoded || name != "console.log" {
				st = m.emitIfEnvelope(st, fr, v, e.Span)
			}
		}
	}
	if !logs && handName.MatchString(last) && slices.ContainsFunc(all, func(v value) bool { return v.msg }) {
		st.gave = name
	}
	if onward.MatchString(last) {
		st.gave = name
	}
	m.wait(&st, fr, e, name)
	// A function handed to something that runs it.
	if slices.Contains(later, last) || e.New && last == "Promise" {
		for _, v := range args {
			if v.k == function && v.fn.fn.Name == "" {
				if rs, ok := m.follow(st, fr, &code.Expr{}, v.fn, value{}, nil, nil); ok {
					for i := range rs {
						rs[i].v.present = true
					}
					return rs
				}
			}
		}
	}
	out := value{present: e.New, call: name, span: e.Span}
	if logs {
		return one(st, value{})
	}
	if e.New || isClassLike(last) || kw != nil && len(kw.keys) > 0 && last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		// An object of a class outside the tree: its keyword arguments or its one object are what it holds.
		obj := &fields{typ: last, open: true, vals: map[string]value{}}
		if kw != nil && len(kw.keys) > 0 {
			for _, k := range kw.keys {
				obj = obj.with(k, kw.vals[k])
			}
		}
		out = value{k: object, obj: obj, span: e.Span, call: name, failed: errorType.MatchString(last) || status(kw) >= 400}
		for _, v := range args {
			if v.k == number && rpcCode.MatchString(v.s) {
				out.failed = true
				out.obj = out.obj.with("code", v)
			}
		}
		if len(args) == 1 && args[0].k == object && len(obj.keys) == 0 {
			for _, k := range args[0].obj.keys {
				out.obj = out.obj.with(k, args[0].obj.vals[k])
			}
		}
		return one(st, out)
	}
	// A helper that we cannot see, whose name or arguments say that it makes or sends an answer.
	code, txt := value{}, false
	id := false
	for i, v := range all {
		switch {
		case v.k == number && rpcCode.MatchString(v.s):
			code = v
		case v.k == str && errorText.MatchString(v.s):
			txt = true
		case v.present && i < len(args) && i < len(e.Args) && idName.MatchString(lastName(e.Args[i])):
			id = true
		}
	}
	switch {
	case code.k == number || errorName.MatchString(last) && (txt || id):
		out.failed = true
		if code.k != number {
			code = value{}
		}
		st.emits = &emission{v: code, kind: emitError, span: e.Span, file: fr.file, depth: fr.depth, site: m.site(fr, e.Span), next: st.emits}
	case name == "http.Error" || name == "http.NotFound":
		st.emits = &emission{kind: emitStatus, span: e.Span, file: fr.file, depth: fr.depth, site: m.site(fr, e.Span), next: st.emits}
	case errorName.MatchString(last) || txt:
		out.failed = true
	case id && replyName.MatchString(last) && len(args) > 0:
		st.emits = &emission{v: args[len(args)-1], kind: emitReply, span: e.Span, file: fr.file, depth: fr.depth, site: m.site(fr, e.Span), next: st.emits}
	case (last == "end" || last == "sendStatus" || last == "WriteHeader" || last == "Status" || last == "send") && httpish(name):
		st.emits = &emission{kind: emitStatus, span: e.Span, file: fr.file, depth: fr.depth, site: m.site(fr, e.Span), next: st.emits}
	}
	return one(st, out)
}

func httpish(name string) bool {
	head, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"res", "response", "reply", "c", "w", "rw", "ctx", "resp"}, head)
}

func isClassLike(name string) bool {
	return len(name) > 2 && name[0] >= 'A' && name[0] <= 'Z' && strings.ToUpper(name) != name &&
		(strings.HasSuffix(name, "Response") || strings.HasSuffix(name, "Result") || strings.HasSuffix(name, "Error") ||
			strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Message"))
}

// emptyMakers and passMakers are the constructors of SDKs that make an empty result, or that pass their argument on.
var emptyMakers, passMakers = func() (e, p []string) {
	for _, s := range sdk.All() {
		e, p = append(e, s.Empties...), append(p, s.Passes...)
	}
	return e, p
}()

func has(f *fields, key string) bool { _, ok := f.get(key); return ok }

// status is the HTTP status among keyword arguments, or 0.
func status(kw *fields) int {
	if kw == nil {
		return 0
	}
	for _, k := range []string{"status", "status_code"} {
		if v, ok := kw.get(k); ok && v.k == number {
			n := 0
			for _, c := range v.s {
				n = n*10 + int(c-'0')
			}
			return n
		}
	}
	return 0
}

// site is the place to point at: the call in the router, not one inside a helper.
func (m *machine) site(fr *frame, span mcpaudit.Span) mcpaudit.Span {
	for f := fr; f.up != nil && m.subjects[f.fn] == nil; f = f.up {
		if f.call.End > 0 {
			span = f.call
		}
	}
	return span
}

// wait records a slow call once the method has been told apart.
func (m *machine) wait(st *state, fr *frame, e *code.Expr, name string) {
	if !st.hit || st.emits != nil {
		return // before the method is told apart, or after the answer
	}
	for _, w := range waitNames {
		if w.re.MatchString(name) {
			st.waits = &waiting{mcpaudit.WaitKind(w.kind), m.site(fr, e.Span), st.waits}
			return
		}
	}
}

// emitIfEnvelope records an answer that is given away. An array is a batch of answers.
func (m *machine) emitIfEnvelope(st state, fr *frame, v value, span mcpaudit.Span) state {
	if v.k == array && v.obj != nil {
		for _, x := range v.obj.elems {
			if isEnvelope(x) {
				v = x
				break
			}
		}
	}
	if v.k == str && !v.encoded && !v.method {
		if env, ok := envelopeText(v.s, span); ok {
			v = env
		}
	}
	// Message{Event: "message", Data: data}: the text of the answer inside something that is sent.
	if v.k == object && !v.encoded && !isEnvelope(v) {
		for _, k := range v.obj.keys {
			if in := v.obj.vals[k]; in.encoded && isEnvelope(in) {
				v = in
				break
			}
		}
	}
	if isEnvelope(v) {
		st.emits = &emission{v: v, kind: emitEnvelope, span: span, file: fr.file, depth: fr.depth, site: m.site(fr, span), next: st.emits}
	}
	return st
}
