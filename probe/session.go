package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// session is a conversation over one connection. It matches answers to requests by id and JSON type, never by their
// order, and keeps everything that was said.
type session struct {
	c      conn
	number int
	modern bool // a client of revision 2026-07-28 writes no responses
	rev    mcpaudit.Revision
	sent   int
	lastID int // of the ids 9001, 9002 ... of control requests
	asked  []*request
	status map[int]*request // HTTP: what a POST carried
	hello  *hello

	closed  bool
	exited  *int
	lastErr error
	records func(*Record)
	ended   func(ending)
}

// request is a message that was sent in a step, and the record of that step.
type request struct {
	id      json.RawMessage // nil: a notification
	rec     *Record
	at      time.Time
	answers int
	over    bool // HTTP: the answer to the POST has ended
}

// step is what one exercise says and how long it listens.
type step struct {
	scenario string
	msgs     [][]byte // sent without waiting for an answer in between
	wait     time.Duration
	quiet    time.Duration // how long to listen on once every request has its answer
	until    func() bool   // ends the step early; for one that sends nothing
	posted   bool          // HTTP: it is enough that the messages have arrived
	joined   bool          // stdio: all messages are handed over in one piece
	extra    http.Header
}

// say sends the messages of a step and listens until every request among them has an answer, or until time is up. The
// record is complete but for what comes late: an answer that arrives in a later step is added to the record that it
// belongs to.
func (s *session) say(ctx context.Context, st step) *Record {
	rec := &Record{Conn: s.number, Scenario: st.scenario, Transport: s.c.transport(), Revision: s.rev}
	s.records(rec)
	s.drain(ctx)
	var mine []*request
	for _, m := range st.msgs {
		rec.Sent = append(rec.Sent, m)
		rq := &request{rec: rec, at: time.Now()}
		if parsed := parse(m); len(parsed) == 1 && parsed[0].request() {
			rq.id = parsed[0].id
		}
		mine = append(mine, rq)
		s.asked = append(s.asked, rq)
		if !st.joined {
			s.send(ctx, m, rq, st.extra)
		}
	}
	if st.joined {
		s.send(ctx, bytes.Join(st.msgs, []byte("\n")), nil, nil)
	}
	s.listen(ctx, rec, st.wait, st.quiet, func() bool { return s.settled(mine) || st.until != nil && st.until() || st.posted && arrived(mine) })
	return rec
}

// listen takes what comes until a condition holds, and then for a quiet time longer.
func (s *session) listen(ctx context.Context, rec *Record, wait, quiet time.Duration, enough func() bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	settled := false
	for !s.closed {
		if !settled && enough() {
			settled = true
			timer.Reset(quiet)
		}
		if settled && quiet == 0 {
			break
		}
		select {
		case e, ok := <-s.c.events():
			s.take(ctx, e, ok, rec)
		case <-timer.C:
			return
		case <-ctx.Done():
			rec.Cut = true
			return
		}
	}
	if s.closed {
		rec.Closed, rec.Exited = true, s.exited
		if s.lastErr != nil && rec.Note == "" {
			rec.Note = s.lastErr.Error()
		}
	}
}

func (s *session) send(ctx context.Context, msg []byte, rq *request, extra http.Header) {
	s.sent++
	if rq != nil {
		s.status[s.sent] = rq
	}
	if !s.closed {
		s.c.send(ctx, s.sent, msg, extra)
	}
}

// settled reports whether nothing more is owed: every request was answered or refused or, where answers come in the body
// of a POST, that body has ended. A step without requests listens for its whole time over a stream, because nobody knows
// when a server that should be silent has stopped thinking.
func (s *session) settled(mine []*request) bool {
	inline := s.c.transport() == "streamable-http"
	requests := slices.ContainsFunc(mine, func(rq *request) bool { return rq.id != nil })
	for _, rq := range mine {
		switch {
		case rq.id != nil && rq.answers > 0:
		case rq.over && (inline || rq.rec.Status >= 400):
		case rq.id == nil && requests:
		default:
			return false
		}
	}
	return len(mine) > 0
}

// arrived reports whether every message was taken, whatever came of it.
func arrived(mine []*request) bool {
	return !slices.ContainsFunc(mine, func(rq *request) bool { return !rq.over })
}

// drain takes what has arrived since the last step, which has nothing to do with the next one.
func (s *session) drain(ctx context.Context) {
	for {
		select {
		case e, ok := <-s.c.events():
			s.take(ctx, e, ok, nil)
		default:
			return
		}
		if s.closed {
			return
		}
	}
}

// take files one event. rec is the record of the step that is under way, nil between steps.
func (s *session) take(ctx context.Context, e event, ok bool, rec *Record) {
	if !ok {
		s.closed = true
		return
	}
	switch e.kind {
	case evClosed:
		s.closed, s.exited, s.lastErr = true, e.exited, e.err
	case evWritten:
		if e.err != nil {
			s.lastErr = fmt.Errorf("write to the server: %w", e.err)
		}
	case evStatus:
		if rq := s.status[e.n]; rq != nil && rq.rec.Status == 0 {
			rq.rec.Status, rq.rec.Header = e.status, keepHeaders(e.header)
		} else if rq != nil && e.status != rq.rec.Status && e.status >= 300 {
			rq.rec.Status = e.status // of several, the one that tells
		}
	case evEventID:
		if rq := s.status[e.n]; rq != nil {
			rq.rec.EventID = string(e.data)
		}
	case evDone:
		if rq := s.status[e.n]; rq != nil {
			rq.over = true
			if e.err != nil && rq.rec.Note == "" {
				rq.rec.Note = e.err.Error()
			}
		}
	case evFrame:
		s.frame(ctx, e, rec)
	}
}

// frame finds out which record a message belongs to, and answers what a client has to answer.
func (s *session) frame(ctx context.Context, e event, rec *Record) {
	owner := rec
	if rq := s.status[e.n]; e.n > 0 && rq != nil {
		owner = rq.rec
	}
	if e.bad == "" {
		for _, m := range parse(e.data) {
			switch {
			case m.response() && m.hasID:
				if rq := s.find(m.id, owner); rq != nil {
					rq.answers++
					owner = rq.rec
					if owner.TookMs == 0 {
						owner.TookMs = max(ms(e.at.Sub(rq.at)), 0.001)
					}
				}
			case m.request() && !s.modern:
				s.reply(ctx, m)
			}
		}
	}
	if owner == nil {
		owner = &Record{Conn: s.number, Scenario: "output", Transport: s.c.transport(), Revision: s.rev}
		s.records(owner)
	}
	if e.bad == "" {
		owner.Received = append(owner.Received, e.data)
		return
	}
	owner.Unread = append(owner.Unread, e.data)
	if owner.Note == "" {
		owner.Note = e.bad
	}
}

// find returns the request that an id answers. Ids are never reused on a connection but where an exercise is about
// ids; then it is the request of the step that is under way.
func (s *session) find(id json.RawMessage, prefer *Record) *request {
	var found *request
	for _, rq := range s.asked {
		if rq.id != nil && sameID(rq.id, id) && (found == nil || rq.rec == prefer) {
			found = rq
		}
	}
	return found
}

// reply answers a request of the server as a client without capabilities does: ping always, the rest with an error. A
// server that waits for an answer must not be blamed for waiting.
func (s *session) reply(ctx context.Context, m message) {
	answer := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"the client offers no such method"}}`, m.id))
	if m.method == "ping" {
		answer = []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.id))
	}
	s.send(ctx, answer, nil, nil)
}

// nextID makes an id for a request whose id is of no interest.
func (s *session) nextID() json.RawMessage {
	s.lastID++
	return json.RawMessage(fmt.Sprint(9000 + s.lastID))
}

// answered reports whether a step got an answer to each of its requests, be it right or wrong.
func (s *session) answered(rec *Record) bool {
	n := 0
	for _, rq := range s.asked {
		if rq.rec == rec && rq.id != nil {
			if rq.answers == 0 {
				return false
			}
			n++
		}
	}
	return n > 0
}

// close ends the conversation and records how it went.
func (s *session) close(ctx context.Context, scenario string) ending {
	end := s.c.close(ctx)
	rec := &Record{Conn: s.number, Scenario: scenario, Transport: s.c.transport(), Revision: s.rev, Exited: end.exited,
		Status: end.status, Closed: true, TookMs: ms(end.took), Note: endingWords(end)}
	for _, b := range end.received { // an answer that was slow finds its question
		s.frame(ctx, event{kind: evFrame, at: time.Now(), data: b}, rec)
	}
	for e := range s.c.events() { // what was still on its way
		if e.kind == evFrame {
			rec.Received = append(rec.Received, e.data)
		}
	}
	s.closed = true
	s.records(rec)
	s.ended(end)
	return end
}

func endingWords(e ending) string {
	words := e.problem
	add := func(s string) {
		if words != "" {
			words += "; "
		}
		words += s
	}
	if e.killed {
		add("the process did not end with its input")
	}
	if e.left > 0 {
		add(fmt.Sprintf("the server left %d processes behind", e.left))
	}
	return words
}
