package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// Bounds of a probe. A server that breaks connection after connection is not asked for ever.
const (
	maxConns  = 60
	maxMains  = 6
	shortPart = 4 // the first try of a request gets this part of the timeout
)

// talk is one probe under way.
type talk struct {
	target Target
	opts   Options
	redact *redactor
	http   *httpClient // nil: stdio
	sse    bool        // the server speaks HTTP+SSE and not Streamable HTTP
	env    []string

	records []*Record
	scrap   bool // exchanges of a series are summed up in one record
	conns   int
	mains   int
	main    *session
	initID  json.RawMessage
	startup time.Duration // what the first handshake took

	legacy  error // why there is no legacy conversation; nil: there is one
	modern  *session
	deaf    bool // an ordinary ping is not answered
	control string
	ran     int
	notRun  []mcpaudit.Exercise
	stderr  string        // of the first server that failed to start
	grace   time.Duration // how long a process gets to leave
	doing   string        // the exercise under way
	died    string        // the one after which the server could not be reached any more
}

func newTalk(target Target, opts Options) *talk {
	t := &talk{target: target, opts: opts, redact: newRedactor(), initID: json.RawMessage(`"mcpaudit-init"`), grace: endGrace}
	for _, e := range opts.Env {
		_, v, _ := strings.Cut(e, "=")
		t.redact.add(v)
	}
	for _, vs := range opts.Header {
		t.redact.add(vs...)
	}
	_, told := RedactArgs(target.Argv)
	t.redact.add(told...)
	t.env = environment(opts.Env)
	if target.URL != "" {
		t.redact.add(urlSecrets(target.URL)...)
		t.http = newHTTPClient(httpOptions{header: opts.Header, version: opts.Version})
	}
	return t
}

func (t *talk) record(r *Record) {
	if !t.scrap {
		t.records = append(t.records, r)
	}
}

func (t *talk) short() time.Duration { return t.opts.Timeout / shortPart }

// starting is how long a later handshake may take: a server that needed long the first time will again.
func (t *talk) starting() time.Duration { return max(t.opts.Timeout, 3*t.startup) }

func (t *talk) transport() mcpaudit.Transport {
	switch {
	case t.http == nil:
		return "stdio"
	case t.sse:
		return "http+sse"
	}
	return "streamable-http"
}

// run does all exercises that apply. What applies and cannot be done is remembered with the reason.
func (t *talk) run(parent context.Context) {
	ctx, cancel := context.WithTimeout(parent, t.opts.Total)
	defer cancel()
	defer t.closeAll(ctx)
	t.legacy = errors.New("no revision with a handshake was asked for")
	if len(t.offers()) > 0 {
		t.legacy = t.begin(ctx)
	}
	for _, e := range chosen(t.opts.Scenarios) {
		t.doing = e.name
		why, applies := t.skip(ctx, e)
		switch {
		case !applies:
		case why != "":
			t.missed(e, why)
		default:
			before := len(t.notRun)
			t.do(ctx, e)
			if len(t.notRun) == before {
				t.ran++
			}
		}
	}
}

// do opens the connection that an exercise runs over, if it does not do so itself, and runs it.
func (t *talk) do(ctx context.Context, e exercise) {
	var s *session
	var err error
	switch e.place {
	case onMain:
		s, err = t.ready(ctx)
	case onFresh:
		if s, err = t.fresh(ctx); err == nil {
			defer s.close(ctx, "close")
		}
	}
	if err != nil {
		t.missed(e, err.Error())
		return
	}
	e.run(ctx, t, e, s)
}

// offers are the revisions with a handshake that may be offered, newest first.
func (t *talk) offers() []mcpaudit.Revision {
	var out []mcpaudit.Revision
	for _, r := range t.opts.Revisions {
		if !r.Modern() {
			out = append([]mcpaudit.Revision{r}, out...)
		}
	}
	return out
}

// skip says whether an exercise applies to this server, and if it does, why it cannot be done.
func (t *talk) skip(ctx context.Context, e exercise) (why string, applies bool) {
	n := e.needs
	switch {
	case n.stdio && t.http != nil, n.http && t.http == nil, n.streamable && t.transport() != "streamable-http":
		return "", false
	case n.ownRisk && !t.target.local() && len(t.opts.Scenarios) == 0:
		return "", false
	case n.calls && !t.opts.Calls && len(t.opts.Call) == 0:
		return "", false
	case e.place == onModern:
		// Whether there is a modern era is found out by the exercise itself.
	case t.legacy != nil && !wantsCredentials(t.legacy):
		// Without a handshake there is nothing to try out; the failure itself is told once.
		return "", false
	case t.legacy != nil:
		return t.legacy.Error(), true
	case n.answers && t.deaf:
		return "", false
	}
	switch {
	case t.died != "":
		return "the server cannot be reached any more since " + t.died, true
	case ctx.Err() != nil:
		return t.overtime(), true
	}
	return "", true
}

func (t *talk) overtime() string {
	return fmt.Sprintf("the time of the whole probe, %s, was up", t.opts.Total)
}

func (t *talk) missed(e exercise, why string) {
	t.notRun = append(t.notRun, mcpaudit.Exercise{Name: e.name, Why: t.redact.text(why)})
}

// begin opens the main connection: the newest revision that may be offered, waiting until the server is ready. Over
// HTTP it finds out which of the two transports is spoken.
func (t *talk) begin(ctx context.Context) error {
	deadline := time.Now().Add(t.opts.WaitReady)
	for {
		start := time.Now()
		s, err := t.greet(ctx, t.opts.WaitReady)
		if err == nil {
			t.startup = time.Since(start)
			t.main = s
			t.mains = 1
			t.settleIn(ctx, s)
			return nil
		}
		var h *handshakeError
		// A port that nobody listens on may be opened in a moment. A command that ends will end again.
		if t.http == nil || !errors.As(err, &h) || !h.gone || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
		}
		t.conns = 0 // to knock at a door is not to go in
	}
}

// greet opens a connection and shakes hands, in the second way that there is if the first one fails: the other transport
// of HTTP, or an id that is a number where a text is refused.
func (t *talk) greet(ctx context.Context, wait time.Duration) (*session, error) {
	first, err := t.hands(ctx, "handshake", t.offers()[0], wait)
	var h *handshakeError
	if err == nil || wantsCredentials(err) || errors.As(err, &h) && h.gone && t.http == nil || ctx.Err() != nil {
		return first, err
	}
	if t.http != nil && !t.sse {
		t.sse = true
		if s, sseErr := t.hands(ctx, "handshake", t.offers()[0], min(wait, t.opts.Timeout)); sseErr == nil || wantsCredentials(sseErr) {
			return s, sseErr
		}
		t.sse = false
	}
	if errors.As(err, &h) && h.gone {
		return nil, err
	}
	t.initID = json.RawMessage("90001")
	if s, numberErr := t.hands(ctx, "handshake", t.offers()[0], min(wait, t.opts.Timeout)); numberErr == nil {
		return s, nil
	}
	t.initID = json.RawMessage(`"mcpaudit-init"`)
	return nil, err
}

// hands opens a connection and sends initialize.
func (t *talk) hands(ctx context.Context, scenario string, rev mcpaudit.Revision, wait time.Duration) (*session, error) {
	s, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.initialize(ctx, scenario, t.initID, rev, t.opts.Version, wait); err != nil {
		end := s.close(ctx, "close")
		if t.stderr == "" {
			t.stderr = t.redact.text(complaint(end.stderr))
		}
		return nil, err
	}
	return s, nil
}

// open makes a connection without saying anything.
func (t *talk) open(ctx context.Context) (*session, error) {
	if t.conns++; t.conns > maxConns {
		return nil, &handshakeError{why: fmt.Sprintf("more than %d connections would be needed", maxConns)}
	}
	s := &session{number: t.conns, status: map[int]*request{}, records: t.record, ended: t.noteEnd}
	switch t.transport() {
	case "stdio":
		c, err := startStdio(t.target.Argv, t.opts.Dir, t.env, t.grace)
		if err != nil {
			return nil, &handshakeError{why: err.Error(), gone: true}
		}
		s.c = c
	case "http+sse":
		s.c = newLegacySSE(t.http, t.target.URL)
	default:
		s.c = newStreamable(t.http, t.target.URL)
	}
	return s, nil
}

// settleIn ends the handshake and finds the request that serves as a control.
func (t *talk) settleIn(ctx context.Context, s *session) {
	wait := time.Duration(0) // a pipe keeps the order
	if t.http != nil {
		wait = t.opts.Timeout
	}
	s.say(ctx, step{scenario: "initialized", msgs: [][]byte{initialized}, wait: wait, posted: true})
	if t.control == "" {
		t.control = "tools/list" // an error is an answer too
		for _, what := range []string{"tools", "resources", "prompts"} {
			if _, ok := s.hello.capabilities[what]; ok {
				t.control = what + "/list"
				break
			}
		}
	}
}

// ready returns the main connection, and opens it anew if the last exercise has broken it.
func (t *talk) ready(ctx context.Context) (*session, error) {
	if t.main != nil && !t.main.closed {
		return t.main, nil
	}
	if t.main != nil {
		t.main.close(ctx, "close")
		t.main = nil
	}
	if t.mains++; t.mains > maxMains {
		return nil, fmt.Errorf("the connection broke %d times", maxMains)
	}
	s, err := t.fresh(ctx)
	if err != nil {
		return nil, err
	}
	t.main = s
	return s, nil
}

// fresh opens a connection of its own and brings it to the same state as the main one.
func (t *talk) fresh(ctx context.Context) (*session, error) {
	s, err := t.hands(ctx, "handshake/again", t.offers()[0], t.starting())
	if err != nil {
		if t.died == "" && ctx.Err() == nil {
			t.died = t.doing // a server that has died is not knocked at again and again
		}
		return nil, err
	}
	t.settleIn(ctx, s)
	return s, nil
}

// ask sends a control request and reports whether anything came back.
func (t *talk) ask(ctx context.Context, s *session, scenario string) *Record {
	id := s.nextID()
	return s.say(ctx, step{scenario: scenario, msgs: [][]byte{[]byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, t.control))}, wait: t.opts.Timeout})
}

func (t *talk) alive(ctx context.Context, s *session) bool {
	return !s.closed && s.answered(t.ask(ctx, s, "control"))
}

// noteEnd: a server that had to be killed once is not waited for again, or the waiting would eat up the time of the probe.
func (t *talk) noteEnd(e ending) {
	if e.killed {
		t.grace = shortGrace
	}
}

func (t *talk) closeAll(ctx context.Context) {
	if t.main != nil {
		t.main.close(ctx, "close")
	}
	if t.modern != nil {
		t.modern.close(ctx, "close")
	}
	if t.http != nil {
		t.http.close()
	}
}
