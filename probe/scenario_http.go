package probe

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// httpFacts are what a server does with conditions that only HTTP has. Each is a ping under one odd condition, over a
// connection that is used for nothing else where a session may suffer.
var httpFacts = []exercise{
	{name: "http/origin", about: "a page of a foreign site sends the ping", place: onMain, needs: needs{http: true}, trigger: mcpaudit.TriggerHTTP,
		run: oddPing("501", http.Header{"Origin": {"http://evil.example"}})},
	{name: "http/host", about: "the ping is meant for another host", place: onMain, needs: needs{http: true}, trigger: mcpaudit.TriggerHTTP,
		run: oddPing("502", http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}})},
	{name: "http/no-session", about: "without the session id", place: onMain, needs: needs{streamable: true}, trigger: mcpaudit.TriggerHTTP,
		run: oddPing("503", http.Header{"Mcp-Session-Id": nil})},
	{name: "http/no-revision", about: "without the header of the revision", place: onMain, needs: needs{streamable: true}, trigger: mcpaudit.TriggerHTTP,
		run: oddPing("504", http.Header{"Mcp-Protocol-Version": nil})},
	{name: "http/bad-revision", about: "with a revision in the header that does not exist", place: onMain, needs: needs{streamable: true}, trigger: mcpaudit.TriggerHTTP,
		run: oddPing("505", http.Header{"Mcp-Protocol-Version": {"1999-01-01"}})},
	{name: "http/get", about: "the stream that GET opens", place: onFresh, needs: needs{streamable: true}, trigger: mcpaudit.TriggerHTTP, run: openStream},
	{name: "http/dead-session", about: "in a session that was deleted", place: onFresh, needs: needs{streamable: true}, trigger: mcpaudit.TriggerHTTP, run: deadSession},
}

// oddPing pings with headers that are other than they should be. A header without values is left out.
func oddPing(id string, extra http.Header) func(context.Context, *talk, exercise, *session) {
	return func(ctx context.Context, t *talk, e exercise, s *session) {
		s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage(json.RawMessage(id), "")}, wait: t.opts.Timeout, extra: extra})
	}
}

// openStream asks for the stream on which a server sends what nobody asked for, and looks at the head of the answer.
func openStream(ctx context.Context, t *talk, e exercise, s *session) {
	c, ok := s.c.(*streamable)
	if !ok {
		return
	}
	rec := &Record{Conn: s.number, Scenario: e.name, Transport: s.c.transport(), Revision: s.rev}
	t.record(rec)
	rq := &request{rec: rec, at: time.Now()}
	s.sent++
	s.status[s.sent] = rq
	c.openStream(nil, s.sent)
	s.listen(ctx, rec, t.short(), 0, func() bool { return rec.Status != 0 || rq.over })
	if rec.Status == 0 && rec.Note == "" {
		rec.Note = "GET is not answered within " + t.short().String()
	}
}

// deadSession ends a session and goes on using it.
func deadSession(ctx context.Context, t *talk, e exercise, s *session) {
	c, ok := s.c.(*streamable)
	if !ok || c.sessionID() == "" {
		return // without sessions none can die
	}
	status, err := c.del(ctx, nil)
	if err != nil || status >= 300 {
		note := "DELETE ends no session here"
		if err != nil {
			note = err.Error()
		}
		t.record(&Record{Conn: s.number, Scenario: e.name + "/delete", Transport: s.c.transport(), Revision: s.rev, Status: status, Note: note})
		return
	}
	s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage(json.RawMessage("601"), "")}, wait: t.opts.Timeout})
}
