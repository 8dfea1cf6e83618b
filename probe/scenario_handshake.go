package probe

import (
	"context"
	"slices"

	"github.com/mcpaudit/mcpaudit"
)

// handshakes open a connection with each revision that may be offered, and with revisions that do not exist. The newest
// one opens the main connection already.
var handshakes = append(revisionHandshakes(),
	exercise{name: "handshake/future", about: "a revision of the far future", place: onOwn, trigger: mcpaudit.TriggerUnreleased, method: "initialize", run: unreleased("2099-01-01")},
	exercise{name: "handshake/nonsense", about: "a revision that is no date", place: onOwn, trigger: mcpaudit.TriggerUnreleased, method: "initialize", run: unreleased("1.0.0")},
)

func revisionHandshakes() []exercise {
	var out []exercise
	for _, rev := range legacyRevisions() {
		out = append(out, exercise{name: "handshake/" + string(rev), about: "the revision " + string(rev), place: onOwn,
			trigger: mcpaudit.TriggerInitialize, method: "initialize",
			run: func(ctx context.Context, t *talk, e exercise, _ *session) { offer(ctx, t, e, rev) }})
	}
	return out
}

// offer shakes hands with an older revision and, where the server agrees to it, pings once: an answer may depend on what
// was agreed.
func offer(ctx context.Context, t *talk, e exercise, rev mcpaudit.Revision) {
	offers := t.offers()
	if rev == offers[0] || !slices.Contains(offers, rev) {
		return
	}
	s, err := t.hands(ctx, e.name, rev, t.starting())
	if err != nil {
		return // the record says it; to refuse a revision is not forbidden
	}
	defer s.close(ctx, "close")
	if s.rev != rev {
		return
	}
	t.settleIn(ctx, s)
	again := exercise{name: "ping/" + string(rev)}
	t.twice(ctx, again, s, step{scenario: again.name, msgs: [][]byte{pingMessage([]byte("1"), "")}, wait: t.opts.Timeout}, func() (*session, error) {
		s, err := t.hands(ctx, "handshake/again", rev, t.starting())
		if err == nil {
			t.settleIn(ctx, s)
		}
		return s, err
	})
}

// twice says something over a connection that has been opened for it, and once more over another one if there was no
// answer. What came of the last try counts.
func (t *talk) twice(ctx context.Context, e exercise, s *session, st step, open func() (*session, error)) {
	rec := s.say(ctx, st)
	if s.answered(rec) || rec.Status >= 400 || ctx.Err() != nil {
		return
	}
	f, err := open()
	if err != nil {
		t.missed(e, "the second try needs a connection: "+err.Error())
		return
	}
	defer f.close(ctx, "close")
	rec.Scenario = e.name + "/first-try"
	again := f.say(ctx, st)
	if f.answered(again) {
		again.Again = "answered"
		return
	}
	again.Again, again.Control = "silent", "silent"
	if t.alive(ctx, f) {
		again.Control = "answered"
	}
}

// unreleased offers what no server can know. To answer with an own revision is right; to agree is not.
func unreleased(rev mcpaudit.Revision) func(context.Context, *talk, exercise, *session) {
	return func(ctx context.Context, t *talk, e exercise, _ *session) {
		if s, err := t.hands(ctx, e.name, rev, t.starting()); err == nil {
			s.close(ctx, "close")
		}
	}
}

// early are pings at a time when a careless server is not ready for them. Each has its own connection, because a server
// may leave.
var early = []exercise{
	{name: "ping/before-init", about: "before initialize", place: onOwn, needs: needs{answers: true, ownRisk: true}, trigger: mcpaudit.TriggerPingBeforeInit, method: "ping", run: pingBeforeInit},
	{name: "ping/during-init", about: "between initialize and notifications/initialized", place: onOwn, needs: needs{answers: true, ownRisk: true}, trigger: mcpaudit.TriggerPingDuringInit, method: "ping", run: pingDuringInit},
	{name: "ping/one-write", about: "initialize, initialized and ping in one write", place: onOwn, needs: needs{answers: true, stdio: true}, trigger: mcpaudit.TriggerPingBeside, method: "ping", run: pingOneWrite},
}

func pingBeforeInit(ctx context.Context, t *talk, e exercise, _ *session) {
	s, err := t.open(ctx)
	if err != nil {
		t.missed(e, err.Error())
		return
	}
	defer s.close(ctx, "close")
	s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage([]byte("1"), "")}, wait: max(t.short(), 2*t.startup)})
}

func pingDuringInit(ctx context.Context, t *talk, e exercise, _ *session) {
	s, err := t.hands(ctx, "handshake/again", t.offers()[0], t.starting())
	if err != nil {
		t.missed(e, err.Error())
		return
	}
	defer s.close(ctx, "close")
	rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{pingMessage([]byte("1"), "")}, wait: t.short()})
	if s.closed {
		return
	}
	// A server may hold the answer back until the client is initialized; then it comes now.
	t.settleIn(ctx, s)
	if !s.answered(rec) {
		t.outlive(ctx, s, rec)
	}
}

// pingOneWrite sends everything at once, as a fast client does. Nothing may be lost between two reads.
func pingOneWrite(ctx context.Context, t *talk, e exercise, _ *session) {
	s, err := t.open(ctx)
	if err != nil {
		t.missed(e, err.Error())
		return
	}
	defer s.close(ctx, "close")
	t.twice(ctx, e, s, step{scenario: e.name, wait: t.starting(), joined: true,
		msgs: [][]byte{initialize(t.initID, t.offers()[0], t.opts.Version), initialized, pingMessage([]byte("1"), "")}},
		func() (*session, error) { return t.open(ctx) })
}
