package probe

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func streaming(t *testing.T, url string) *streamable {
	t.Helper()
	c, ok := newStreamable(testClient(t, httpOptions{}), url).(*streamable)
	if !ok {
		t.Fatal("newStreamable makes another type")
	}
	t.Cleanup(func() { c.close(context.Background()) })
	return c
}

// answer writes an answer in pieces, each of which is on its way before the next one is written.
func answer(w http.ResponseWriter, status int, kind string, pieces ...string) {
	w.Header()["Content-Type"] = nil // no guessing
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(status)
	more(w, pieces...)
}

// more writes on in an answer that has begun.
func more(w http.ResponseWriter, pieces ...string) {
	for _, p := range pieces {
		io.WriteString(w, p)
		w.(http.Flusher).Flush()
	}
}

func TestStreamableAnswers(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		want   []string
	}{
		{"JSON", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "Application/JSON; charset", `{"a":`, `1}`)
		},
			[]string{"status 7 200", `frame 7 {"a":1}`, "done 7"}},
		{"not JSON after all", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "application/json", "oops") },
			[]string{"status 7 200", "frame 7 oops", "done 7"}},
		{"no body", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202) }, []string{"status 7 202", "done 7"}},
		{"empty JSON", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "application/json") }, []string{"status 7 200", "done 7"}},
		{"blank JSON", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "application/json", "\r\n") }, []string{"status 7 200", "done 7"}},
		{"empty text", func(w http.ResponseWriter, _ *http.Request) { answer(w, 202, "text/plain") }, []string{"status 7 202", "done 7"}},
		{"text", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/html; charset=utf-8", "<p>") },
			[]string{"status 7 200", "frame 7 <p> (it came as text/html, which no client reads)", "done 7"}},
		{"no type", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "", "{}") },
			[]string{"status 7 200", "frame 7 {} (it came without a content type, which no client reads)", "done 7"}},
		{"an error in JSON", func(w http.ResponseWriter, _ *http.Request) { answer(w, 400, "application/json", `{"error":1}`) },
			[]string{"status 7 400", `frame 7 {"error":1}`, "done 7"}},
		{"an error in text", func(w http.ResponseWriter, _ *http.Request) { answer(w, 404, "text/plain", "no session") },
			[]string{"status 7 404", "frame 7 no session (it came as text/plain, which no client reads)", "done 7"}},
		{"events", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream;charset=utf-8", "\xef\xbb\xbfid: 1\nda", "ta:\n\n: hi\n\nevent: message\r", "\ndata: 1\r\n\r", "\ndata: {\ndata:2}\n\nevent: log\ndata: 3\n\nretry: 5\n\ndata\n\n")
		}, []string{"status 7 200", "id 7 1", "frame 7 1", "frame 7 {\n2}", "done 7"}},
		{"no events", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/event-stream") }, []string{"status 7 200", "done 7"}},
		{"an event without its end", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "data: 1\n\n", "data: 2\n")
		}, []string{"status 7 200", "frame 7 1", "done 7: the stream ended within an event, which clients throw away"}},
		{"a comment without its end", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "data: 1\n\n", ": bye\n")
		}, []string{"status 7 200", "frame 7 1", "done 7"}},
		{"gzip", func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Values("Accept-Encoding"); got != nil {
				t.Errorf("asked for the encoding %q", got)
			}
			w.Header().Set("Content-Encoding", "gzip")
			answer(w, 200, "application/json", "\x1f\x8b")
		}, []string{"status 7 200", "frame 7 \x1f\x8b (the body is encoded as gzip although nobody asked for it)", "done 7"}},
		{"gzip of nothing", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			answer(w, 202, "")
		}, []string{"status 7 202", "done 7"}},
		{"identity", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "Identity")
			answer(w, 200, "application/json", "1")
		}, []string{"status 7 200", "frame 7 1", "done 7"}},
		{"JSON that breaks off", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "application/json", `{"a`)
			panic(http.ErrAbortHandler)
		}, []string{"status 7 200", `frame 7 {"a (the body breaks off)`, "done 7: read the body: unexpected EOF"}},
		{"events that break off", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "data: 1\n\n", "data: 2\n")
			panic(http.ErrAbortHandler)
		}, []string{"status 7 200", "frame 7 1", "done 7: read the stream: unexpected EOF"}},
		{"as long as may be", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "application/json", strings.Repeat("x", maxFrame))
		}, []string{"status 7 200", "frame 7 " + strings.Repeat("x", 100), "done 7"}},
		{"too long", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "application/json", strings.Repeat("x", maxFrame+1))
		}, []string{"status 7 200", "frame 7 " + strings.Repeat("x", 100) + " (the body is longer than 16 MiB)", "done 7: the body is longer than 16 MiB"}},
		{"an event that is too long", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "id: 5\ndata: 1\n\ndata: ", strings.Repeat("x", maxFrame), "\n\ndata: 3\n\n")
		}, []string{"status 7 200", "id 7 5", "frame 7 1", "frame 7 data: " + strings.Repeat("x", 94) + " (the event is longer than 16 MiB)", "done 7: the event is longer than 16 MiB"}},
		{"a redirect to elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example/x?k=v", http.StatusTemporaryRedirect)
		},
			[]string{"status 7 307", "done 7: POST URL: the server redirects to another origin, http://other.example"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv := serving(t, tc.answer)
			c := streaming(t, srv.URL)
			c.send(t.Context(), 7, []byte("{}"), nil)
			got := untilEvent(t, c, "done")
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], srv.URL, "URL")
			}
			sameEvents(t, tc.want, got)
		})
	}
}

func TestStreamableUnreachable(t *testing.T) {
	url := closedPort(t)
	c := streaming(t, url)
	c.send(t.Context(), 1, []byte("{}"), nil)
	got := untilEvent(t, c, "done")
	if len(got) != 1 || !strings.HasPrefix(got[0], "done 1: POST "+url+": dial tcp ") {
		t.Errorf("got %q", got)
	}
}

// TestStreamableDoesNotWait: the head is heard of before there is a body, and an event before there is a next one.
func TestStreamableDoesNotWait(t *testing.T) {
	say := make(chan string)
	srv := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 200, "text/event-stream", "")
		for s := range say {
			more(w, s)
		}
	})
	c := streaming(t, srv.URL)
	c.send(t.Context(), 1, []byte("{}"), nil)
	sameEvents(t, []string{"status 1 200"}, untilEvent(t, c, "status"))
	for i := range 3 {
		say <- fmt.Sprintf("data: %d\n\n", i)
		sameEvents(t, []string{fmt.Sprintf("frame 1 %d", i)}, untilEvent(t, c, "frame"))
	}
	close(say)
	sameEvents(t, []string{"done 1"}, untilEvent(t, c, "done"))
}

// requests remembers what a server was sent.
type requests struct {
	mu   sync.Mutex
	seen []string
}

// see writes a request down with those of its headers that belong to the transport.
func (r *requests) see(req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	s := req.Method + " " + string(body)
	for _, k := range []string{"Accept", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version", "Origin", "Last-Event-Id"} {
		if v := req.Header.Values(k); v != nil {
			s += fmt.Sprintf(" %s=%s", k, strings.Join(v, "+"))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, s)
}

func (r *requests) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	return seen
}

func TestStreamableHeaders(t *testing.T) {
	var seen requests
	var host string
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen.see(r)
		host = r.Host
		switch r.URL.RawQuery + r.Header.Get("X-Case") {
		case "none":
		case "refuse":
			w.Header().Set("Mcp-Session-Id", "of-an-error")
			w.WriteHeader(500)
		default:
			w.Header().Set("Mcp-Session-Id", "s-"+r.Header.Get("X-Case"))
		}
	})
	c := streaming(t, srv.URL)
	n := 0
	ask := func(extra http.Header) {
		t.Helper()
		n++
		c.send(t.Context(), n, []byte(fmt.Sprint(n)), extra)
		untilEvent(t, c, fmt.Sprintf("done %d", n))
	}
	ask(http.Header{"X-Case": {"none"}})
	ask(http.Header{"X-Case": {"refuse"}})
	if id := c.sessionID(); id != "" {
		t.Errorf("session id %q before a success gave one", id)
	}
	ask(http.Header{"X-Case": {"first"}})
	ask(http.Header{"X-Case": {"second"}})
	if id := c.sessionID(); id != "s-first" {
		t.Errorf("session id is %q, want that of the first success", id)
	}
	c.negotiated("2025-06-18")
	ask(nil)
	ask(http.Header{"mcp-session-id": nil, "MCP-Protocol-Version": {"1999-01-01"}, "Origin": {"http://evil.example"}, "Host": {"evil.example"}})
	if host != "evil.example" {
		t.Errorf("Host is %q", host)
	}
	c.openStream(http.Header{"Last-Event-Id": {"e5"}}, 90)
	untilEvent(t, c, "done 90")
	if status, err := c.del(t.Context(), http.Header{"Mcp-Protocol-Version": nil}); status != 200 || err != nil {
		t.Error(status, err)
	}
	ask(nil)

	const post = " Accept=application/json, text/event-stream Content-Type=application/json"
	want := []string{
		"POST 1" + post, "POST 2" + post, "POST 3" + post,
		"POST 4" + post + " Mcp-Session-Id=s-first",
		"POST 5" + post + " Mcp-Session-Id=s-first Mcp-Protocol-Version=2025-06-18",
		"POST 6" + post + " Mcp-Protocol-Version=1999-01-01 Origin=http://evil.example",
		"GET  Accept=text/event-stream Mcp-Session-Id=s-first Mcp-Protocol-Version=2025-06-18 Last-Event-Id=e5",
		"DELETE  Mcp-Session-Id=s-first",
		"POST 7" + post + " Mcp-Session-Id=s-first Mcp-Protocol-Version=2025-06-18", // into the dead session
	}
	if diff := cmp.Diff(want, seen.take()); diff != "" {
		t.Errorf("requests mismatch (-want +got):\n%s", diff)
	}
}

// TestStreamableSessionBeforeStatus: whoever hears of the head of the answer may rely on its session id.
func TestStreamableSessionBeforeStatus(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Mcp-Session-Id", "s") })
	c := streaming(t, srv.URL)
	for range cap(c.out) { // nothing can be heard of as long as nobody reads
		c.out <- event{kind: evEventID}
	}
	c.send(t.Context(), 1, []byte("{}"), nil)
	for start := time.Now(); c.sessionID() == ""; time.Sleep(time.Millisecond) {
		if time.Since(start) > watchdog {
			t.Fatal("the session id waits for somebody who reads the events")
		}
	}
	for range cap(c.out) {
		<-c.out
	}
	e, _ := nextEvent(t, c)
	if e.kind != evStatus || e.header.Get("Mcp-Session-Id") != "s" {
		t.Errorf("got %q with the headers %v", eventWords(e), e.header)
	}
}

// hanging answers nothing but one event, for as long as the client stays.
func hanging(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	answer(w, 200, "text/event-stream", "data: 1\n\n")
	<-r.Context().Done()
}

func TestStreamableAbandon(t *testing.T) {
	srv := serving(t, hanging)
	c := streaming(t, srv.URL)
	c.abandon(1) // nothing is under way
	c.send(t.Context(), 1, []byte("{}"), nil)
	c.send(t.Context(), 2, []byte("{}"), nil)
	var got []string
	for range 4 {
		e, _ := nextEvent(t, c)
		got = append(got, eventWords(e))
	}
	slices.Sort(got)
	sameEvents(t, []string{"frame 1 1", "frame 2 1", "status 1 200", "status 2 200"}, got)
	c.abandon(1)
	sameEvents(t, []string{"done 1: the prober abandoned the request"}, untilEvent(t, c, "done"))
	c.abandon(1)
	c.abandon(2)
	sameEvents(t, []string{"done 2: the prober abandoned the request"}, untilEvent(t, c, "done"))
}

// TestStreamableAbandonedBody: what was read of a message that the prober gave up is not held against the server.
func TestStreamableAbandonedBody(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		answer(w, 200, "application/json", "{")
		<-r.Context().Done()
	})
	c := streaming(t, srv.URL)
	ctx, cancel := context.WithCancel(t.Context())
	c.send(ctx, 1, []byte("{}"), nil)
	untilEvent(t, c, "status")
	cancel()
	sameEvents(t, []string{"done 1: context canceled"}, untilEvent(t, c, "done"))
}

func TestStreamableManyAtOnce(t *testing.T) {
	const many = 50
	var together sync.WaitGroup
	together.Add(many)
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		together.Done()
		together.Wait() // none is answered before all are there
		answer(w, 200, "text/event-stream", "data: "+string(body)+"\n\n", "data: again\n\n")
	})
	c := streaming(t, srv.URL)
	for n := 1; n <= many; n++ {
		msg := []byte(fmt.Sprintf("m%d", n))
		c.send(t.Context(), n, msg, nil)
		clear(msg) // the caller may use it again
	}
	got := map[int][]string{}
	for done := 0; done < many; {
		e, _ := nextEvent(t, c)
		got[e.n] = append(got[e.n], eventWords(e))
		if e.kind == evDone {
			done++
		}
	}
	for n := 1; n <= many; n++ {
		sameEvents(t, []string{fmt.Sprintf("status %d 200", n), fmt.Sprintf("frame %d m%d", n, n), fmt.Sprintf("frame %d again", n), fmt.Sprintf("done %d", n)}, got[n])
	}
}

// flooding writes the same thing for as long as the client stays.
func flooding(what string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Mcp-Session-Id", "s")
		if r.Method == http.MethodDelete {
			return
		}
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, what); err != nil {
				return
			}
		}
	}
}

// fill waits until the queue of events is full.
func fill(t *testing.T, w *wire) {
	t.Helper()
	for start := time.Now(); len(w.out) < cap(w.out); time.Sleep(time.Millisecond) {
		if time.Since(start) > watchdog {
			t.Fatal("the queue does not fill")
		}
	}
}

// TestStreamableNobodyReads: close returns although the queue is full, and the queue ends as it should.
func TestStreamableNobodyReads(t *testing.T) {
	srv := serving(t, flooding("data: 1\n\n"))
	c := streaming(t, srv.URL)
	for n := range 5 {
		c.send(t.Context(), n+1, []byte("{}"), nil)
	}
	fill(t, c.wire)
	if end := c.close(t.Context()); end.status != 200 || end.problem != "" {
		t.Errorf("ending is %+v", end)
	}
	var last event
	for e := range c.events() {
		last = e
	}
	if got := eventWords(last); got != "closed: the prober closed the connection" {
		t.Errorf("the last event is %q", got)
	}
}

func TestStreamableLimits(t *testing.T) {
	for _, tc := range []struct{ name, flood, want string }{
		{"messages", "data: 1\n\n", "closed: read from the server: more than 10000 messages came"},
		{"bytes", "event: other\ndata: " + strings.Repeat("x", 1<<16) + "\n\n", "closed: read from the server: more than 64 MiB came"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv := serving(t, flooding(tc.flood))
			c := streaming(t, srv.URL)
			c.send(t.Context(), 1, []byte("{}"), nil)
			frames := 0
			got := untilEvent(t, c, "closed")
			for _, s := range got {
				if strings.HasPrefix(s, "frame") {
					frames++
				}
			}
			if got[len(got)-1] != tc.want || frames > maxEvents || tc.name == "messages" && frames != maxEvents {
				t.Errorf("after %d messages: %q, want %q", frames, got[len(got)-1], tc.want)
			}
			if !strings.HasPrefix(got[len(got)-2], "done 1: ") {
				t.Errorf("the request that was under way ends with %q", got[len(got)-2])
			}
			if _, open := nextEvent(t, c); open {
				t.Error("something comes after the end")
			}
			c.send(t.Context(), 2, []byte("{}"), nil) // into the void
			c.close(t.Context())
		})
	}
}

func TestStreamableOpenStream(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 200, "text/event-stream", "data: 1\n\n", "data: 2\n\n")
	})
	c := streaming(t, srv.URL)
	c.openStream(nil, 4)
	sameEvents(t, []string{"status 4 200", "frame 0 1", "frame 0 2", "done 4"}, untilEvent(t, c, "done"))

	srv = serving(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 405, "application/json", `{"error":1}`) })
	c = streaming(t, srv.URL)
	c.openStream(nil, 4)
	sameEvents(t, []string{"status 4 405", `frame 4 {"error":1}`, "done 4"}, untilEvent(t, c, "done"))

	srv = serving(t, hanging)
	c = streaming(t, srv.URL)
	c.openStream(nil, 4)
	sameEvents(t, []string{"status 4 200", "frame 0 1"}, untilEvent(t, c, "frame"))
	c.abandon(4)
	sameEvents(t, []string{"done 4: the prober abandoned the request"}, untilEvent(t, c, "done"))
	c.openStream(nil, 5)
	sameEvents(t, []string{"status 5 200", "frame 0 1"}, untilEvent(t, c, "frame"))
	c.close(t.Context())
	sameEvents(t, []string{"done 5: the prober closed the connection", "closed: the prober closed the connection"}, untilEvent(t, c, "closed"))
}

func TestStreamableClose(t *testing.T) {
	var seen requests
	status := 200
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		seen.see(r)
		w.Header().Set("Mcp-Session-Id", "s")
		if r.Method == http.MethodDelete {
			w.WriteHeader(status)
			io.WriteString(w, "text")
		}
	})
	begin := func() *streamable {
		c := streaming(t, srv.URL)
		c.send(t.Context(), 1, []byte("{}"), nil)
		untilEvent(t, c, "done")
		seen.take()
		return c
	}

	t.Run("twice", func(t *testing.T) {
		c := begin()
		c.negotiated("2025-11-25")
		// The time of the probe is up, but the session is still ended.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		first, second := c.close(ctx), c.close(t.Context())
		if first.status != 200 || first.problem != "" || second.status != 200 {
			t.Errorf("endings are %+v and %+v", first, second)
		}
		if diff := cmp.Diff([]string{"DELETE  Mcp-Session-Id=s Mcp-Protocol-Version=2025-11-25"}, seen.take()); diff != "" {
			t.Errorf("requests mismatch (-want +got):\n%s", diff)
		}
		sameEvents(t, []string{"closed: the prober closed the connection"}, untilEvent(t, c, "closed"))
		if _, open := nextEvent(t, c); open {
			t.Error("something comes after the end")
		}
	})
	t.Run("refused", func(t *testing.T) {
		status = 405
		defer func() { status = 200 }()
		c := begin()
		if got, err := c.del(t.Context(), nil); got != 405 || err != nil {
			t.Errorf("del says %d, %v", got, err)
		}
		c.close(t.Context())
		if end, all := c.close(t.Context()), seen.take(); end.status != 405 || end.problem != "" || len(all) != 2 {
			t.Errorf("ending is %+v after %q", end, all)
		}
	})
	t.Run("session deleted before", func(t *testing.T) {
		c := begin()
		if got, err := c.del(t.Context(), nil); got != 200 || err != nil {
			t.Errorf("del says %d, %v", got, err)
		}
		if end := c.close(t.Context()); end.status != 0 || len(seen.take()) != 1 {
			t.Errorf("ending is %+v", end)
		}
	})
	t.Run("no session", func(t *testing.T) {
		c := streaming(t, srv.URL)
		if end := c.close(t.Context()); end.status != 0 || end.problem != "" || len(seen.take()) != 0 {
			t.Errorf("ending is %+v", end)
		}
	})
}

// TestStreamableCloseIsBounded: a server that never answers the DELETE is left alone after a moment.
func TestStreamableCloseIsBounded(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Mcp-Session-Id", "s")
		if r.Method == http.MethodDelete {
			<-r.Context().Done()
		}
	})
	c := streaming(t, srv.URL)
	c.send(t.Context(), 1, []byte("{}"), nil)
	untilEvent(t, c, "done")
	end := c.close(t.Context())
	if want := "end the session: DELETE " + srv.URL + ": context deadline exceeded"; end.status != 0 || end.problem != want {
		t.Errorf("ending is %+v, want %q", end, want)
	}
}
