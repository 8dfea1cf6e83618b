package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// The ping matrix. The first one is the form that the specification shows; the ids are those that careless code mistakes:
// zero and the empty string count as false in some languages, numbers become texts, and what is large loses its last
// digit.
var pings = []exercise{
	pingExercise("ping/integer", "an id that is a number, no params", mcpaudit.TriggerPing, "1", "", false),
	// Next, so that a server which answers one ping only is not taken for one that dislikes an id.
	pingExercise("ping/again", "a second one", mcpaudit.TriggerPingAgain, "2", "", true),
	{name: "ping/latency", about: "a warm series against a control request", place: onMain, needs: needs{answers: true}, trigger: mcpaudit.TriggerPingSeries, method: "ping", run: pingLatency},
	pingExercise("ping/string", "an id that is a string", mcpaudit.TriggerPingID, `"ping-a"`, "", true),
	pingExercise("ping/zero", "the id 0", mcpaudit.TriggerPingID, "0", "", true),
	pingExercise("ping/negative", "a negative id", mcpaudit.TriggerPingID, "-7", "", true),
	pingExercise("ping/empty-id", "an empty string as id", mcpaudit.TriggerPingID, `""`, "", true),
	// The largest number that every language reads exactly. Beyond it, silence would be forgivable.
	pingExercise("ping/large", "the id 2^53-1", mcpaudit.TriggerPingID, "9007199254740991", "", true),
	pingExercise("ping/params-empty", "empty params", mcpaudit.TriggerPingParams, "21", "{}", true),
	pingExercise("ping/params-meta", "params with _meta", mcpaudit.TriggerPingParams, "22", `{"_meta":{"progressToken":"mcpaudit"}}`, true),
	{name: "ping/beside", about: "in one go with another request", place: onMain, needs: needs{answers: true}, trigger: mcpaudit.TriggerPingBeside, method: "ping", run: pingBeside},
	{name: "ping/burst", about: "50 in a row", place: onMain, needs: needs{answers: true}, trigger: mcpaudit.TriggerPingAgain, method: "ping", run: pingBurst},
	{name: "ping/no-id", about: "without an id: a notification, which nobody answers", place: onMain, needs: needs{answers: true}, trigger: mcpaudit.TriggerPingNoID, run: pingNoID},
	{name: "ping/during-call", about: "while a tool runs", place: onMain, needs: needs{answers: true, calls: true}, trigger: mcpaudit.TriggerPingDuringCall, method: "ping", run: pingDuringCall},
}

func pingExercise(name, about string, trigger mcpaudit.Trigger, id, params string, variant bool) exercise {
	return exercise{name: name, about: about, place: onMain, needs: needs{answers: variant}, trigger: trigger, method: "ping",
		run: func(ctx context.Context, t *talk, e exercise, s *session) {
			rec := t.ping(ctx, e, s, json.RawMessage(id), params)
			plain := trigger == mcpaudit.TriggerPing || trigger == mcpaudit.TriggerPingAgain
			if plain && outcome(trigger, rec, json.RawMessage(id)).Channel != mcpaudit.ChannelResult {
				t.deaf = true
			}
		}}
}

// pingMessage puts the members in the order of the specification's example.
func pingMessage(id json.RawMessage, params string) []byte {
	msg := `{"jsonrpc":"2.0","method":"ping"`
	if params != "" {
		msg += `,"params":` + params
	}
	if id != nil {
		msg += `,"id":` + string(id)
	}
	return []byte(msg + "}")
}

// ping sends one ping and makes sure of what came back.
func (t *talk) ping(ctx context.Context, e exercise, s *session, id json.RawMessage, params string) *Record {
	try := func(s *session, wait time.Duration) *Record {
		return s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage(id, params)}, wait: wait})
	}
	rec := try(s, t.short())
	if e.trigger != mcpaudit.TriggerPingAgain {
		return t.confirm(ctx, e, s, rec, id, try)
	}
	return t.confirm(ctx, e, s, rec, id, func(s *session, wait time.Duration) *Record {
		// On a fresh connection the second ping needs a first one.
		s.say(ctx, step{scenario: "ping/first", msgs: [][]byte{pingMessage(json.RawMessage("1"), "")}, wait: t.short()})
		return try(s, wait)
	})
}

// confirm believes an answer at once, but silence, an end of the connection, and a bare HTTP error only after a control
// request and a second, slower try on a connection of its own. It returns the record that counts; the other one stays in
// the transcript under another name.
func (t *talk) confirm(ctx context.Context, e exercise, s *session, rec *Record, id json.RawMessage, try func(*session, time.Duration) *Record) *Record {
	first := hear(rec, id)
	if first.match != nil || first.near != nil && first.echo == mcpaudit.IDType || rec.Status == 401 || rec.Status == 403 || ctx.Err() != nil {
		return rec
	}
	if !s.closed {
		rec.Control = "silent"
		if t.alive(ctx, s) {
			rec.Control = "answered"
		}
		if hear(rec, id).match != nil {
			return rec // late, but here
		}
	}
	f, err := t.fresh(ctx)
	if err != nil {
		t.missed(e, "the second try needs a connection: "+err.Error())
		return rec
	}
	defer f.close(ctx, "close")
	before := t.alive(ctx, f)
	again := try(f, t.opts.Timeout)
	rec.Scenario = e.name + "/first-try"
	if a := hear(again, id); a.match != nil || a.near != nil {
		again.Again = "answered"
		return again
	}
	again.Again, again.Control = "silent", "silent"
	switch {
	case !f.closed && t.alive(ctx, f):
		again.Control = "answered"
	case before:
		again.Control = "lost" // it was alive before this ping
	}
	if rec.Control == "silent" {
		s.close(ctx, "close")
	}
	return again
}

func pingBeside(ctx context.Context, t *talk, e exercise, s *session) {
	id := json.RawMessage("31")
	try := func(s *session, wait time.Duration) *Record {
		other := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, s.nextID(), t.control))
		return s.say(ctx, step{scenario: e.name, msgs: [][]byte{other, pingMessage(id, "")}, wait: wait})
	}
	t.confirm(ctx, e, s, try(s, t.opts.Timeout), id, try)
}

const burst = 50

// pingBurst writes 50 pings without waiting. Over HTTP, where each of them is a request of its own, five are under way at
// a time: the question is whether all are answered, not how much load a server bears.
func pingBurst(ctx context.Context, t *talk, e exercise, s *session) {
	try := func(s *session, _ time.Duration) *Record { return t.volley(ctx, e, s) }
	rec := try(s, 0)
	for _, id := range requestIDs(rec) {
		if hear(rec, id).match == nil {
			t.confirm(ctx, e, s, rec, id, try)
			return
		}
	}
}

// volley sends the pings and sums them up in one record.
func (t *talk) volley(ctx context.Context, e exercise, s *session) *Record {
	at, together := 0, burst
	if t.http != nil {
		together = 5
	}
	sum := &Record{Conn: s.number, Scenario: e.name, Transport: s.c.transport(), Revision: s.rev}
	t.record(sum)
	t.quietly(func() {
		for at < burst && !s.closed && ctx.Err() == nil {
			var msgs [][]byte
			for ; len(msgs) < together && at < burst; at++ {
				msgs = append(msgs, pingMessage(json.RawMessage(fmt.Sprint(100+at)), ""))
			}
			rec := s.say(ctx, step{scenario: e.name, msgs: msgs, wait: t.opts.Timeout, quiet: 100 * time.Millisecond})
			sum.add(rec)
			if !s.answered(rec) {
				break
			}
		}
	})
	return sum
}

// add puts a further record into one that sums several up.
func (r *Record) add(o *Record) {
	r.Sent, r.Received = append(r.Sent, o.Sent...), append(r.Received, o.Received...)
	r.Status = max(r.Status, o.Status)
	if r.Header == nil {
		r.Header = o.Header
	}
	r.TookMs = max(r.TookMs, o.TookMs)
	r.Unread = append(r.Unread, o.Unread...)
	r.Exited, r.Closed, r.Cut = o.Exited, o.Closed, o.Cut
	if r.Note == "" {
		r.Note = o.Note
	}
}

// requestIDs are the ids of the requests that a record sent.
func requestIDs(r *Record) []json.RawMessage {
	var ids []json.RawMessage
	for _, b := range r.Sent {
		for _, m := range parse(b) {
			if m.request() {
				ids = append(ids, m.id)
			}
		}
	}
	return ids
}

// How long nothing must come after a message that nobody answers: the longer time where a pattern judges it.
const (
	silenceWindow = time.Second
	factWindow    = 300 * time.Millisecond
)

func pingNoID(ctx context.Context, t *talk, e exercise, s *session) {
	t.mute(ctx, e, s, pingMessage(nil, ""), silenceWindow)
}

// mute sends what must not be answered, listens, and makes sure that the server lives on.
func (t *talk) mute(ctx context.Context, e exercise, s *session, msg []byte, window time.Duration) {
	rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{msg}, wait: window})
	t.outlive(ctx, s, rec)
}

// outlive finds out whether a server lives on after a message. Some leave only when the next one comes; what ended them is
// the one before.
func (t *talk) outlive(ctx context.Context, s *session, rec *Record) {
	rec.Control = "silent"
	if t.alive(ctx, s) {
		rec.Control = "answered"
	}
	if s.closed && rec.Exited == nil && !s.answered(rec) {
		rec.Closed, rec.Exited = true, s.exited
	}
}

const (
	warmUp  = 3
	samples = 10
)

// pingLatency takes the time of warm pings, each beside a control request, so that a slow machine is not taken for a slow
// server.
func pingLatency(ctx context.Context, t *talk, e exercise, s *session) {
	sum := &Record{Conn: s.number, Scenario: e.name, Transport: s.c.transport(), Revision: s.rev}
	t.record(sum)
	t.quietly(func() {
		for i := range warmUp + samples {
			c := t.ask(ctx, s, "control")
			p := s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage(json.RawMessage(fmt.Sprint(200+i)), "")}, wait: t.opts.Timeout})
			sum.Sent, sum.Received, sum.Status = p.Sent, p.Received, p.Status
			if !s.answered(p) || !s.answered(c) {
				sum.Note = fmt.Sprintf("the series broke off at ping %d", i+1)
				return
			}
			if i >= warmUp {
				sum.Samples, sum.Controls = append(sum.Samples, p.TookMs), append(sum.Controls, c.TookMs)
			}
		}
	})
	sum.TookMs = median(sum.Samples)
	if len(sum.Samples) < samples {
		t.missed(e, sum.Note)
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// quietly keeps single exchanges of a series out of the transcript.
func (t *talk) quietly(f func()) {
	t.scrap = true
	defer func() { t.scrap = false }()
	f()
}

// headStart is how long a tool runs before the ping follows. One that is done by then was not slow enough to tell.
const headStart = 300 * time.Millisecond

// pingDuringCall calls the tools that may be called, one after the other, until one of them takes its time. Where none
// does, the occasion never came; that is no fault of the probe.
func pingDuringCall(ctx context.Context, t *talk, e exercise, s *session) {
	for i, tool := range t.callable(ctx, s) {
		if s.closed {
			break
		}
		call := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s,"arguments":{}}}`, 300+2*i, tool))
		c := s.say(ctx, step{scenario: "call", msgs: [][]byte{call}, wait: headStart})
		if s.answered(c) {
			continue
		}
		rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage(json.RawMessage(fmt.Sprint(301+2*i)), "")}, wait: t.opts.Timeout})
		rec.Sent = append([]Bytes{call}, rec.Sent...) // who repeats it needs both
		rec.Note = ""
		if s.answered(c) && c.TookMs > 0 {
			rec.Note = noteCallFirst
		}
		if !s.answered(c) { // let the tool end, so that it does not disturb what follows
			s.say(ctx, step{scenario: "call/end", wait: t.opts.Timeout, until: func() bool { return s.answered(c) }})
		}
		return
	}
}

// noteCallFirst marks the record of a ping during a call when the result of the call had come by the time of the pong.
const noteCallFirst = "the result of the call came first"

// callable lists the names of the tools that may be called, in JSON: those that were named, else those that say that
// they only read and ask for nothing.
func (t *talk) callable(ctx context.Context, s *session) []json.RawMessage {
	var names []json.RawMessage
	for _, n := range t.opts.Call {
		if quoted, err := json.Marshal(n); err == nil { // a string always is JSON
			names = append(names, quoted)
		}
	}
	if len(names) > 0 {
		return names
	}
	id := s.nextID()
	rec := s.say(ctx, step{scenario: "list", msgs: [][]byte{[]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/list"}`, id))}, wait: t.opts.Timeout})
	for _, tool := range toolsIn(rec, id) {
		if tool.readOnly && tool.noArgs {
			names = append(names, tool.name)
		}
	}
	return names
}

// listedTool is a tool as tools/list shows it.
type listedTool struct {
	name             json.RawMessage
	readOnly, noArgs bool
}

func toolsIn(rec *Record, id json.RawMessage) []listedTool {
	m := hear(rec, id).match
	if m == nil {
		return nil
	}
	var list struct {
		Tools []struct {
			Name        json.RawMessage `json:"name"`
			Annotations struct {
				ReadOnlyHint bool `json:"readOnlyHint"`
			} `json:"annotations"`
			InputSchema struct {
				Required []string `json:"required"`
			} `json:"inputSchema"`
		} `json:"tools"`
	}
	if json.Unmarshal(m.result, &list) != nil {
		return nil
	}
	var out []listedTool
	for _, x := range list.Tools {
		if jsonType(x.Name) == "string" {
			out = append(out, listedTool{x.Name, x.Annotations.ReadOnlyHint, len(x.InputSchema.Required) == 0})
		}
	}
	return out
}
