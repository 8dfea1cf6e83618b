package probe

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// Context is what a transcript does not say of itself.
type Context struct {
	Local  bool          // the server runs on this machine
	Budget time.Duration // for the median of warm pings
	Agreed bool          // the user asked for that budget
	Repeat func(*Record) string
	redact *redactor
}

// Listen makes a server of the model out of the records of one probe, in the order of the conversation. It is nil if no
// handshake of any era was answered. What a scenario was about follows from its name; what came of it, from the bytes.
func Listen(records []Record, c Context) *mcpaudit.Server {
	if c.redact == nil {
		c.redact = newRedactor()
	}
	if c.Budget == 0 {
		c.Budget = DefaultBudget
	}
	b := &builder{Context: c, server: &mcpaudit.Server{}}
	for i := range records {
		b.take(&records[i])
	}
	return b.done()
}

type builder struct {
	Context
	server         *mcpaudit.Server
	legacy, modern *mcpaudit.Router
	offered        bool // a handshake was tried
}

func (b *builder) router(at **mcpaudit.Router, rec *Record, ev mcpaudit.Evidence) *mcpaudit.Router {
	if *at == nil {
		*at = &mcpaudit.Router{Name: string(rec.Transport), Form: mcpaudit.FormWire, Complete: true, Evidence: ev, Heard: &mcpaudit.Heard{Transport: rec.Transport}}
	}
	return *at
}

func (b *builder) evidence(rec *Record) mcpaudit.Evidence {
	again := ""
	if b.Repeat != nil {
		again = b.Repeat(rec)
	}
	return mcpaudit.Evidence{Role: mcpaudit.Primary, Exchange: rec.exchange(b.redact, again)}
}

// take files one record. Scenarios that are not in the table are the machinery of the conversation.
func (b *builder) take(rec *Record) {
	if strings.HasPrefix(rec.Scenario, "handshake") {
		b.offered = true
		b.handshake(rec)
	}
	if strings.HasSuffix(rec.Scenario, "/discover") {
		b.discover(rec)
	}
	if rec.Scenario == "output" || hasNoise(rec) {
		b.noise(rec)
	}
	e, known := exerciseOf(rec.Scenario)
	if !known {
		return
	}
	router := b.legacy
	if e.place == onModern {
		router = b.modern
	}
	if router == nil || e.method == "initialize" || e.method == "server/discover" {
		return // these have made the router
	}
	o := b.outcome(e, rec)
	switch {
	case e.trigger == mcpaudit.TriggerUnknownMethod:
		router.Default = append(router.Default, o)
	case e.method == "":
		router.Heard.Other = append(router.Heard.Other, o)
	default:
		rt := b.route(router, e.method)
		rt.Outcomes = append(rt.Outcomes, o)
	}
	if e.method == "tools/list" {
		for _, id := range requestIDs(rec) {
			b.tools(rec, id)
		}
	}
}

// exerciseOf finds the exercise that a record belongs to. A ping under an older revision is an ordinary ping.
func exerciseOf(scenario string) (exercise, bool) {
	for _, e := range exercises() {
		if e.name == scenario {
			return e, true
		}
	}
	if rev, ok := strings.CutPrefix(scenario, "ping/"); ok && dated(mcpaudit.Revision(rev)) {
		return exercise{name: scenario, place: onOwn, trigger: mcpaudit.TriggerPing, method: "ping"}, true
	}
	return exercise{}, false
}

func (b *builder) route(r *mcpaudit.Router, method string) *mcpaudit.Route {
	if rt := r.Route(method); rt != nil {
		return rt
	}
	rt := &mcpaudit.Route{Method: mcpaudit.Value{Text: method, Known: true}, Change: mcpaudit.Added}
	r.Routes = append(r.Routes, rt)
	return rt
}

// handshake learns the name, the revisions and the legacy era from an answer to initialize.
func (b *builder) handshake(rec *Record) {
	ids := requestIDs(rec)
	if len(ids) == 0 {
		return
	}
	h, err := readHello(rec, ids[0])
	if err != nil {
		return
	}
	ev := b.evidence(rec)
	r := b.router(&b.legacy, rec, ev)
	r.Eras.Legacy = mcpaudit.Yes
	// What a server merely echoes is no revision that it serves; nor does the handshake ever agree on a modern one.
	if slices.Contains(legacyRevisions(), h.revision) {
		r.Eras.Add(h.revision, ev)
	}
	if b.server.Name == "" {
		b.server.Name = b.redact.text(h.name)
		b.server.Evidence = append(b.server.Evidence, ev)
	}
	trigger := mcpaudit.TriggerInitialize
	if !slices.Contains(mcpaudit.Revisions, offeredIn(rec)) {
		trigger = mcpaudit.TriggerUnreleased
	}
	rt := b.route(r, "initialize")
	rt.Outcomes = append(rt.Outcomes, b.outcome(exercise{trigger: trigger, method: "initialize"}, rec))
}

func offeredIn(rec *Record) mcpaudit.Revision {
	for _, raw := range rec.Sent {
		var m struct {
			Params struct {
				ProtocolVersion mcpaudit.Revision `json:"protocolVersion"`
			} `json:"params"`
		}
		if json.Unmarshal(raw, &m) == nil && m.Params.ProtocolVersion != "" {
			return m.Params.ProtocolVersion
		}
	}
	return ""
}

func (b *builder) discover(rec *Record) {
	revs := modernRevisions(rec)
	if len(revs) == 0 {
		return
	}
	ev := b.evidence(rec)
	r := b.router(&b.modern, rec, ev)
	for _, rev := range revs {
		r.Eras.Add(rev, ev)
	}
	rt := b.route(r, "server/discover")
	rt.Outcomes = append(rt.Outcomes, b.outcome(exercise{trigger: mcpaudit.TriggerDiscover, method: "server/discover"}, rec))
	if b.server.Name == "" {
		b.server.Name = b.redact.text(discoveredName(rec))
		b.server.Evidence = append(b.server.Evidence, ev)
	}
}

func discoveredName(rec *Record) string {
	var res struct {
		Meta struct {
			Info struct {
				Name string `json:"name"`
			} `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	if m := hear(rec, json.RawMessage(`"mcpaudit-discover"`)).match; m != nil {
		_ = json.Unmarshal(m.result, &res)
	}
	return res.Meta.Info.Name
}

func (b *builder) tools(rec *Record, id json.RawMessage) {
	for _, tool := range toolsIn(rec, id) {
		var name string
		if json.Unmarshal(tool.name, &name) == nil {
			b.server.Tools = append(b.server.Tools, mcpaudit.Tool{Name: b.redact.text(name), Evidence: b.evidence(rec)})
		}
	}
}

// outcome is what came of one exercise.
func (b *builder) outcome(e exercise, rec *Record) mcpaudit.Outcome {
	ids := requestIDs(rec)
	var o mcpaudit.Outcome
	switch {
	case e.trigger == mcpaudit.TriggerPingSeries:
		o = b.series(rec)
	case len(ids) > 1 && strings.HasSuffix(e.name, "/burst"):
		o = all(e.trigger, rec, ids)
	case len(ids) > 0:
		// Where several requests went out together, the last one is what the exercise is about.
		o = outcome(e.trigger, rec, ids[len(ids)-1])
	default:
		o = unasked(e.trigger, rec)
	}
	if e.trigger == mcpaudit.TriggerPingDuringCall {
		o.Heard.Late = rec.Note == noteCallFirst
	}
	if o.Heard != nil {
		o.Heard.Local = b.Local
	}
	o.Evidence = b.evidence(rec)
	return o
}

// series is a number of warm pings. The time of the median is what counts.
func (b *builder) series(rec *Record) mcpaudit.Outcome {
	o := mcpaudit.Outcome{Trigger: mcpaudit.TriggerPingSeries, Channel: mcpaudit.ChannelUndecided, Why: rec.Note, Confidence: mcpaudit.Certain}
	a := &mcpaudit.Answer{ID: mcpaudit.IDSame, Asked: len(rec.Samples), Took: millis(median(rec.Samples)), Control: millis(median(rec.Controls)), Budget: b.Budget, Agreed: b.Agreed}
	o.Heard = a
	if len(rec.Samples) >= samples {
		o.Channel, o.Body, o.Why = mcpaudit.ChannelResult, mcpaudit.Shape{Kind: mcpaudit.ShapeObject}, ""
	}
	return o
}

func millis(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }

// all is the outcome of many requests at once: the worst answer among them, and how many were lost or came twice.
func all(trigger mcpaudit.Trigger, rec *Record, ids []json.RawMessage) mcpaudit.Outcome {
	var worst *mcpaudit.Outcome
	lost, times := 0, 1
	for _, id := range ids {
		o := outcome(trigger, rec, id)
		if o.Heard.Times == 0 {
			lost++
		}
		times = max(times, o.Heard.Times)
		if worst == nil || o.Channel != mcpaudit.ChannelResult && worst.Channel == mcpaudit.ChannelResult {
			worst = &o
		}
	}
	worst.Heard.Lost, worst.Heard.Times, worst.Heard.Asked = lost, times, len(ids)
	return *worst
}

// unasked is the outcome of a message that wants no answer: silence, or what came all the same. Requests and
// notifications of the server are its own affair.
func unasked(trigger mcpaudit.Trigger, rec *Record) mcpaudit.Outcome {
	o := mcpaudit.Outcome{Trigger: trigger, Channel: mcpaudit.ChannelSilence, Confidence: mcpaudit.Certain, Heard: &mcpaudit.Answer{Asked: 1, Took: rec.took()}}
	if rec.Exited != nil {
		o.Channel, o.Why = mcpaudit.ChannelCrash, "the server "+exitWords(*rec.Exited)
	}
	for _, frame := range rec.Received {
		for _, m := range parse(frame) {
			if !m.response() {
				continue
			}
			body(&o, &m)
			o.Heard.Times++
			o.Heard.ID = echoOf(&m, nil)
			return o
		}
	}
	if rec.Control == "silent" && o.Channel == mcpaudit.ChannelSilence {
		o.Why = "after it the server answers nothing any more"
	}
	return o
}

// hasNoise reports whether something came that is no message.
func hasNoise(rec *Record) bool {
	return rec.Transport == "stdio" && (len(rec.Unread) > 0 || slices.ContainsFunc(rec.Received, func(b Bytes) bool {
		return slices.ContainsFunc(parse(b), func(m message) bool { return m.problem != "" })
	}))
}

func (b *builder) noise(rec *Record) {
	r := b.legacy
	if r == nil {
		r = b.modern
	}
	if r == nil || slices.ContainsFunc(r.Heard.Other, func(o mcpaudit.Outcome) bool { return o.Trigger == mcpaudit.TriggerOutput }) {
		return
	}
	why := ""
	if len(rec.Unread) > 0 {
		why = rec.Note
	}
	for _, f := range rec.Received {
		for _, m := range parse(f) {
			if m.problem != "" && why == "" {
				why = m.problem
			}
		}
	}
	r.Heard.Other = append(r.Heard.Other, mcpaudit.Outcome{Trigger: mcpaudit.TriggerOutput, Channel: mcpaudit.ChannelResult, Why: why,
		Confidence: mcpaudit.Certain, Evidence: b.evidence(rec)})
}

// done puts the server together.
func (b *builder) done() *mcpaudit.Server {
	s := b.server
	for _, r := range []*mcpaudit.Router{b.legacy, b.modern} {
		if r == nil {
			continue
		}
		s.Routers = append(s.Routers, r)
		s.Eras.Merge(r.Eras)
		if !slices.Contains(s.Transports, r.Heard.Transport) {
			s.Transports = append(s.Transports, r.Heard.Transport)
		}
		b.pingable(r)
	}
	if len(s.Routers) == 0 {
		return nil
	}
	// An era that did not answer is known not to be there, which reading code can never say.
	if b.legacy == nil && b.offered {
		s.Eras.Legacy = mcpaudit.No
	}
	if s.Name == "" {
		s.Name = "(no name)"
	}
	return s
}

// pingable says why nothing is known of ping, where no ping was sent or none could be judged.
func (b *builder) pingable(r *mcpaudit.Router) {
	if rt := r.Route("ping"); rt == nil || len(rt.Outcomes) == 0 {
		r.Heard.Unheard = "no ping was sent"
	}
}

// result sums the talk up.
func (t *talk) result() *Result {
	res := &Result{}
	full := make([]Record, len(t.records))
	for i, r := range t.records {
		full[i] = *r
		res.Records = append(res.Records, r.redacted(t.redact))
	}
	res.Server = Listen(full, Context{Local: t.target.local(), Budget: t.opts.Budget, Agreed: t.opts.Agreed, redact: t.redact,
		Repeat: func(r *Record) string { return t.repeat(r) }})
	p := &mcpaudit.Probe{Target: t.command(), Transport: t.transport(), Ran: t.ran, NotRun: t.notRun}
	if s := res.Server; s != nil {
		p.Server, p.Revisions = s.Name, s.Eras.Revisions
		for _, r := range s.Routers {
			if rt := r.Route("ping"); rt != nil {
				for _, o := range rt.Outcomes {
					if o.Trigger == mcpaudit.TriggerPingSeries && o.Channel == mcpaudit.ChannelResult {
						p.Median, p.Control, p.Samples = o.Heard.Took, o.Heard.Control, o.Heard.Asked
					}
				}
			}
		}
	}
	p.Failure = t.failure(res.Server)
	res.Probe = p
	return res
}

// failure says why there was no conversation.
func (t *talk) failure(s *mcpaudit.Server) string {
	if s != nil || t.legacy == nil {
		return ""
	}
	why := t.legacy.Error()
	if len(t.offers()) == 0 {
		why = "the server does not speak revision " + string(mcpaudit.FirstModern) + ", and nothing else was asked for"
	}
	if t.stderr != "" {
		why += "; its stderr says: " + t.stderr
	}
	return t.redact.text(why)
}
