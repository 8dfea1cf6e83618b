package read

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// mode says how a router answers: it hands out envelopes, or it returns the bare result and a caller wraps it.
type mode struct {
	bare  bool
	index int  // bare: which of several returned values is the result
	weak  bool // known only from how it refuses an unknown method
}

// way is one flow together with what it means on the wire.
type way struct {
	flow
	out mcpaudit.Outcome
	// lost: nothing is answered because a result was thrown away on the way, so that a caller may still have it.
	nothing bool
}

// answer reads off a flow how the message was answered.
func answer(f flow, trig mcpaudit.Trigger, md mode) way {
	w := way{flow: f, out: mcpaudit.Outcome{Trigger: trig, Confidence: mcpaudit.High}}
	at := func(s mcpaudit.Span, note string) {
		w.out.Evidence = mcpaudit.At(mcpaudit.Related, s, note)
	}
	vals := unpack(f.vals)
	env, sent, found := envelope(f, vals)
	if found {
		if sent.depth > 2 {
			w.out.Confidence = mcpaudit.Medium
		}
		// A result is shown where it is made, a refusal where the router decides on it.
		readEnvelope(&w.out, env, f.file)
		at(sent.span, "")
		if w.out.Channel == mcpaudit.ChannelProtocolError {
			at(sent.site, "")
		}
		return w
	}
	for e := f.st.emits; e != nil; e = e.next {
		switch e.kind {
		case emitError:
			w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
			w.out.Code = mcpaudit.Value{Text: e.v.s, Known: e.v.k == number}
			if e.v.k == number {
				w.out.Confidence = mcpaudit.High
			}
			at(e.site, "")
			return w
		case emitReply:
			w.out.Channel, w.out.Confidence = mcpaudit.ChannelResult, mcpaudit.Medium
			w.out.Body = shape(e.v, nil, e.file)
			at(e.span, "")
			return w
		}
	}
	if f.kind == flowThrow {
		w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
		at(f.span, "throws")
		for _, v := range vals {
			if c, ok := codeOf(v); ok {
				w.out.Code, w.out.Confidence = c, mcpaudit.High
			}
		}
		return w
	}
	if md.bare {
		bareAnswer(&w, vals, md)
		return w
	}
	if len(f.vals) > 0 {
		at(f.span, "")
	}
	for _, v := range vals {
		if c, ok := codeOf(v); ok {
			w.out.Channel, w.out.Code, w.out.Confidence = mcpaudit.ChannelProtocolError, c, mcpaudit.High
			return w
		}
	}
	for _, v := range vals {
		switch {
		case v.failed:
			w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
			return w
		case v.k == unknown && v.call != "" && !httpMaker(v.call):
			w.out.Channel, w.out.Why = mcpaudit.ChannelUndecided, fmt.Sprintf("the answer comes from %s, which cannot be followed", v.call)
			return w
		case v.k == unknown && !v.present && f.kind == flowReturn:
			w.out.Channel, w.out.Why = mcpaudit.ChannelUndecided, "the answer is a value that cannot be followed"
			return w
		case v.k == object && v.call == "":
			w.out.Channel, w.out.Why = mcpaudit.ChannelUndecided, "the answer is an object that is not recognised as a response"
			return w
		}
	}
	if f.st.gave != "" {
		w.out.Channel, w.out.Why = mcpaudit.ChannelForwarded, fmt.Sprintf("the message is handed on to %s", f.st.gave)
		return w
	}
	w.out.Channel, w.nothing = mcpaudit.ChannelSilence, true
	for e := f.st.emits; e != nil; e = e.next {
		if e.kind == emitStatus {
			at(e.site, "the answer ends here without a JSON-RPC message")
		}
	}
	return w
}

// httpMaker are HTTP responses without a JSON-RPC body: whatever they carry is no answer to a request.
func httpMaker(name string) bool {
	l := lastPart(name)
	return l == "Response" || l == "HttpResponse" || l == "HTTPException" || l == "NextResponse"
}

// unpack takes a returned tuple apart.
func unpack(vals []value) []value {
	if len(vals) == 1 && vals[0].k == array && vals[0].obj != nil && !vals[0].encoded && len(vals[0].obj.elems) <= 4 {
		return vals[0].obj.elems
	}
	return vals
}

// envelope finds the answer of a flow: the last one that was given away, else a returned one.
func envelope(f flow, vals []value) (value, emission, bool) {
	for e := f.st.emits; e != nil; e = e.next {
		if e.kind == emitEnvelope {
			return e.v, *e, true
		}
	}
	if f.kind != flowReturn && f.kind != flowNext {
		return value{}, emission{}, false
	}
	for _, v := range vals {
		if isEnvelope(v) {
			span := f.span
			if v.span.End > 0 {
				span = v.span
			}
			return v, emission{span: span, site: f.span}, true
		}
		// Response(content={...}), JSONResponse({...}): the object was given to a class outside the tree.
		// {"statusCode": 200, "body": json.dumps(...)}, {kind: "response", payload: {...}} likewise.
		if v.k == object && !v.encoded {
			for _, k := range v.obj.keys {
				if in := v.obj.vals[k]; isEnvelope(in) {
					return in, emission{span: f.span, site: f.span}, true
				}
			}
		}
	}
	return value{}, emission{}, false
}

// member finds a member of an envelope in whatever spelling.
func memberOf(v value, name string) (value, bool) {
	for _, k := range v.obj.keys {
		if strings.EqualFold(k, name) {
			return v.obj.vals[k], true
		}
	}
	return value{}, false
}

func readEnvelope(out *mcpaudit.Outcome, env value, f *code.File) {
	if e, ok := memberOf(env, "error"); ok && e.k != null && e.k != undefined {
		out.Channel = mcpaudit.ChannelProtocolError
		if c, ok := codeOf(e); ok {
			out.Code = c
		}
		if e.k == object {
			if msg, ok := memberOf(e, "message"); ok && msg.k == str {
				out.Text = mcpaudit.Value{Text: msg.s, Known: true}
			}
		}
		if r, both := memberOf(env, "result"); e.k != unknown || !both || r.k == null || r.k == undefined {
			return
		}
		// error is unknown beside a result: one of the two is empty, and we cannot say which.
		out.Channel, out.Why = mcpaudit.ChannelUndecided, "the response has both a result and an error that cannot be followed"
		return
	}
	out.Channel = mcpaudit.ChannelResult
	r, ok := memberOf(env, "result")
	if !ok {
		r = value{k: undefined}
		if fieldOf(env, "result") != nil { // a struct that has the field: its zero value
			r = value{k: null}
		}
	}
	out.Body = shape(r, fieldOf(env, "result"), f)
	if env.obj.open && !ok {
		out.Channel, out.Why = mcpaudit.ChannelUndecided, "the response is put together from parts that cannot be followed"
	}
}

// fieldOf is the declaration of a member of a response struct, or nil.
func fieldOf(v value, name string) *code.ClassField {
	if v.obj.cls == nil {
		return nil
	}
	for i, f := range v.obj.cls.Fields {
		if strings.EqualFold(f.JSON, name) || f.JSON == "" && strings.EqualFold(f.Name, name) {
			return &v.obj.cls.Fields[i]
		}
	}
	return nil
}

// codeOf reads a JSON-RPC error code out of an error value.
func codeOf(v value) (mcpaudit.Value, bool) {
	if v.k == number && rpcCode.MatchString(v.s) {
		return mcpaudit.Value{Text: v.s, Known: true}, true
	}
	if v.k == object && v.obj != nil {
		for _, k := range v.obj.keys {
			if x := v.obj.vals[k]; strings.EqualFold(k, "code") && x.k == number {
				return mcpaudit.Value{Text: x.s, Known: true}, true
			}
		}
	}
	return mcpaudit.Value{}, false
}

// shape is the JSON shape of a result as the encoder leaves it. fld is the field that holds it, where its encoding
// is declared.
func shape(v value, fld *code.ClassField, f *code.File) mcpaudit.Shape {
	s := mcpaudit.Shape{Kind: mcpaudit.ShapeUnknown}
	if v.span.End > 0 && f != nil && v.span.File == f.Path {
		s.Text = text(f, v.span)
	}
	drop := ""
	typ := ""
	if fld != nil {
		drop, typ = fld.Drop, fld.Type
	}
	dynamic := typ == "" || typ == "any" || typ == "interface{}"
	switch v.k {
	case object:
		s.Kind, s.Open = mcpaudit.ShapeObject, v.obj.open
		for _, k := range v.obj.keys {
			if v.obj.vals[k].k == undefined {
				continue
			}
			s.Keys = append(s.Keys, wireName(v.obj.cls, k))
		}
		empty := len(s.Keys) == 0 && !s.Open
		if empty && !dynamic {
			inner := strings.TrimPrefix(typ, "*")
			isMap := strings.HasPrefix(inner, "map[")
			isStruct := v.obj.typ == "struct{}" || v.obj.cls != nil
			switch {
			case drop == "omitempty" && isMap:
				s.Kind, s.Lost = mcpaudit.ShapeAbsent, "omitempty"
			case drop == "omitzero" && isStruct && !strings.HasPrefix(typ, "*"):
				s.Kind, s.Lost = mcpaudit.ShapeAbsent, "omitzero"
			}
		}
		if v.obj.cls != nil && empty && f != nil && f.Lang != "go" {
			// An object of the author's class: its encoder may add anything.
			s.Open = len(v.obj.cls.Fields) > 0
		}
		if v.obj.cls == nil && v.obj.typ != "" && !knownEmpty(v.obj.typ) && len(s.Keys) == 0 {
			s.Open = true // a type outside the tree
		}
		if v.obj.cls != nil && f != nil && f.Lang == "go" && len(s.Keys) == 0 {
			for _, cf := range v.obj.cls.Fields {
				if cf.Drop == "" && cf.JSON != "-" && !cf.Embedded {
					s.Keys = append(s.Keys, cmpOr(cf.JSON, cf.Name))
				}
			}
		}
	case array:
		s.Kind = mcpaudit.ShapeArray
	case str:
		s.Kind = mcpaudit.ShapeString
		s.Text = fmt.Sprintf("%q", v.s)
		if v.method {
			s.Kind = mcpaudit.ShapeUnknown
		}
	case number:
		s.Kind, s.Text = mcpaudit.ShapeNumber, v.s
	case boolean:
		s.Kind, s.Text = mcpaudit.ShapeBool, v.s
	case null:
		s.Kind = mcpaudit.ShapeNull
		if drop != "" {
			s.Kind, s.Lost = mcpaudit.ShapeAbsent, drop
		}
	case undefined:
		s.Kind = mcpaudit.ShapeAbsent
		if f == nil || script(f.Lang) {
			s.Lost = "undefined"
		}
	}
	return s
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// knownEmpty are types outside the tree whose zero value is an empty object on the wire.
func knownEmpty(typ string) bool {
	return typ == "struct{}" || strings.HasPrefix(typ, "map[") || typ == "EmptyResult" || strings.HasSuffix(typ, ".EmptyResult") ||
		strings.HasSuffix(typ, "gin.H") || typ == "H"
}

// bareAnswer reads a router that returns the result itself, perhaps beside a code or an error.
func bareAnswer(w *way, vals []value, md mode) {
	if w.span.End > 0 {
		w.out.Evidence = mcpaudit.At(mcpaudit.Related, w.span, "")
	}
	var body value
	if md.index < len(vals) {
		body = vals[md.index]
	} else if w.file != nil {
		body = nothing(w.file.Lang)
	}
	for i, v := range vals {
		if i == md.index {
			continue
		}
		if c, ok := codeOf(v); ok {
			w.out.Channel, w.out.Code = mcpaudit.ChannelProtocolError, c
			return
		}
		if v.failed || (v.k == object && i > md.index && body.k == null) {
			w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
			return
		}
		if v.k == unknown && body.k == null {
			w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
			if v.call == "" {
				w.out.Channel, w.out.Why = mcpaudit.ChannelUndecided, "the returned error cannot be followed"
			}
			return
		}
	}
	if c, ok := codeOf(body); ok {
		w.out.Channel, w.out.Code = mcpaudit.ChannelProtocolError, c
		return
	}
	if body.failed {
		w.out.Channel, w.out.Confidence = mcpaudit.ChannelProtocolError, mcpaudit.Medium
		return
	}
	if body.k == null || body.k == undefined {
		w.nothing = true
	}
	w.out.Channel = mcpaudit.ChannelResult
	w.out.Body = shape(body, nil, w.file)
	if w.out.Body.Kind == mcpaudit.ShapeUnknown {
		w.out.Channel, w.out.Why = mcpaudit.ChannelUndecided, "the result is a value that cannot be followed"
		if body.call != "" {
			w.out.Why = fmt.Sprintf("the result comes from %s, which cannot be followed", body.call)
		}
	}
}

// resultKeys are members that only the result of the method has.
var resultKeys = map[string][]string{
	"initialize": {"protocolversion", "serverinfo"}, "tools/list": {"tools"}, "resources/list": {"resources"},
	"prompts/list": {"prompts"}, "tools/call": {"content"}, "resources/read": {"contents"},
	"prompts/get": {"messages"}, "server/discover": {"supportedversions"},
}

// looksLike reports whether a value is the bare result of the method.
func looksLike(v value, method string) bool {
	if v.k != object || v.obj == nil {
		return false
	}
	for _, k := range v.obj.keys {
		if slices.Contains(resultKeys[method], strings.ToLower(strings.ReplaceAll(k, "_", ""))) {
			return true
		}
	}
	t := strings.ToLower(v.obj.typ)
	return method == "initialize" && strings.Contains(t, "initialize") && strings.Contains(t, "result") ||
		method == "tools/list" && strings.Contains(t, "tools") && strings.Contains(t, "result")
}
