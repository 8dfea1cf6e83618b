package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func legacy(t *testing.T, url string) *legacySSE {
	t.Helper()
	c, ok := newLegacySSE(testClient(t, httpOptions{}), url).(*legacySSE)
	if !ok {
		t.Fatal("newLegacySSE makes another type")
	}
	t.Cleanup(func() { c.close(context.Background()) })
	return c
}

// sseServer speaks HTTP+SSE: its stream says what comes from say, and its other address does as post says.
func sseServer(t *testing.T, say <-chan string, post http.HandlerFunc) string {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			post(w, r)
			return
		}
		if r.Header.Get("Accept") != "text/event-stream" {
			t.Errorf("GET accepts %q", r.Header.Get("Accept"))
		}
		answer(w, 200, "text/event-stream", "")
		for {
			select {
			case s, ok := <-say:
				if !ok {
					return
				}
				more(w, s)
			case <-r.Context().Done():
				return
			}
		}
	}).URL
}

func TestLegacySSEConversation(t *testing.T) {
	var seen requests
	say := make(chan string, 10)
	url := sseServer(t, say, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "/v1/messages?sessionId=5" {
			t.Errorf("POST to %s", r.URL)
		}
		seen.see(r)
		answer(w, 202, "text/plain", "Accepted")
		say <- "event: message\ndata: {\"a\":1}\n\nevent: other\ndata: 2\n\ndata: 3\n\ndata:\n\nevent: endpoint\ndata: /other\n\n"
	})
	c := legacy(t, url+"/v1/sse?token=abc")
	if c.endpoint() != "" {
		t.Error("the endpoint is known before it was named")
	}
	msg := []byte("ping")
	c.send(t.Context(), 3, msg, http.Header{"Origin": {"http://evil.example"}})
	clear(msg)
	say <- ": hello\n\nid: 1\ndata:\n\nevent: endpoint\ndata:  messages?sessionId=5 \n\n"
	var got []string
	for range 4 {
		e, _ := nextEvent(t, c)
		got = append(got, eventWords(e))
	}
	slices.Sort(got) // the stream and the POST run side by side
	sameEvents(t, []string{"done 3", `frame 0 3`, `frame 0 {"a":1}`, "status 3 202"}, got)
	if want := url + "/v1/messages?sessionId=5"; c.endpoint() != want {
		t.Errorf("endpoint is %q, want %q", c.endpoint(), want)
	}
	if diff := cmp.Diff([]string{"POST ping Content-Type=application/json Origin=http://evil.example"}, seen.take()); diff != "" {
		t.Errorf("requests mismatch (-want +got):\n%s", diff)
	}
	close(say)
	sameEvents(t, []string{"closed"}, untilEvent(t, c, "closed"))
	if _, open := nextEvent(t, c); open {
		t.Error("something comes after the end")
	}
	c.send(t.Context(), 4, []byte("{}"), nil) // into the void
	if end := c.close(t.Context()); end.status != 0 || end.problem != "" {
		t.Errorf("ending is %+v", end)
	}
}

func TestLegacySSEOpening(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		want   string
	}{
		{"refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(405) }, 405, "closed: GET answered HTTP 405"},
		{"not 200", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 202, "text/event-stream", "event: endpoint\ndata: /p\n\n")
		}, 202, "closed: GET answered HTTP 202"},
		{"no stream", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/html; a=b", "<p>") }, 200,
			`closed: GET answered with content type "text/html", not text/event-stream`},
		{"encoded", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			answer(w, 200, "text/event-stream", "x")
		}, 200, "closed: the body is encoded as br although nobody asked for it"},
		{"nothing", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/event-stream", ": x\n\n") }, 200,
			"closed: the stream ended before the event endpoint came"},
		{"half of it", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: /p\n")
		}, 200, "closed: the stream ended within an event, which clients throw away"},
		{"a message", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "text/event-stream", "data: {}\n\n") }, 200,
			`closed: the first event was "message", not endpoint`},
		{"another event", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: ready\ndata: x\n\nevent: endpoint\ndata: /p\n\n")
		}, 200, `closed: the first event was "ready", not endpoint`},
		{"another origin", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: http://u:p@other.example/p?k=v\n\n")
		}, 200, "closed: the event endpoint names another origin, http://other.example"},
		{"another scheme", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: file:///etc/passwd\n\n")
		}, 200, "closed: the event endpoint names another origin, file:"},
		{"no URL", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: http://%zz\n\n")
		}, 200, "closed: the event endpoint has no URL as its data"},
		{"empty", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata:\n\n")
		}, 200, "closed: the event endpoint has no data"},
		{"too long", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: /", strings.Repeat("x", maxFrame))
		}, 200, "closed: the event is longer than 16 MiB"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example/", http.StatusFound)
		}, 302,
			"closed: GET URL: the server redirects to another origin, http://other.example"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv := serving(t, tc.answer)
			c := legacy(t, srv.URL)
			e, _ := nextEvent(t, c)
			if got := strings.ReplaceAll(eventWords(e), srv.URL, "URL"); got != tc.want || e.status != tc.status {
				t.Errorf("got %q with HTTP %d, want %q with %d", got, e.status, tc.want, tc.status)
			}
			if _, open := nextEvent(t, c); open {
				t.Error("something comes after the end")
			}
			if c.endpoint() != "" {
				t.Errorf("endpoint is %q", c.endpoint())
			}
		})
	}
	t.Run("unreachable", func(t *testing.T) {
		e, _ := nextEvent(t, legacy(t, closedPort(t)))
		if e.kind != evClosed || e.err == nil || e.status != 0 {
			t.Errorf("got %q", eventWords(e))
		}
	})
}

// TestLegacySSEEndpointKeepsTheUser: an absolute URL of the same origin does not lose the user information.
func TestLegacySSEEndpointKeepsTheUser(t *testing.T) {
	say := make(chan string)
	post := make(chan string, 1)
	url := sseServer(t, say, func(_ http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		post <- user
	})
	c := legacy(t, strings.Replace(url, "http://", "http://me:pw@", 1))
	c.send(t.Context(), 1, nil, nil)
	say <- "event: endpoint\ndata: " + url + "/p\n\n"
	sameEvents(t, []string{"status 1 200", "done 1"}, untilEvent(t, c, "done"))
	if user := <-post; user != "me" {
		t.Errorf("POST by %q, want me", user)
	}
}

func TestLegacySSEWaitsForTheEndpoint(t *testing.T) {
	say := make(chan string)
	url := sseServer(t, say, func(http.ResponseWriter, *http.Request) {})
	c := legacy(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	c.send(ctx, 1, []byte("{}"), nil)
	cancel()
	sameEvents(t, []string{"done 1: context canceled"}, untilEvent(t, c, "done"))
	c.send(t.Context(), 2, []byte("{}"), nil)
	c.abandon(2)
	sameEvents(t, []string{"done 2: the prober abandoned the request"}, untilEvent(t, c, "done"))
	c.send(t.Context(), 3, []byte("{}"), nil)
	say <- "event: endpoint\ndata: /p\n\n"
	sameEvents(t, []string{"status 3 200", "done 3"}, untilEvent(t, c, "done"))

	say = make(chan string)
	url = sseServer(t, say, nil)
	c = legacy(t, url)
	c.send(t.Context(), 1, []byte("{}"), nil)
	close(say)
	sameEvents(t, []string{"done 1: the stream ended before it was known where to POST", "closed: the stream ended before the event endpoint came"}, untilEvent(t, c, "closed"))
}

func TestLegacySSEPosts(t *testing.T) {
	for _, tc := range []struct {
		name string
		post http.HandlerFunc
		want []string
	}{
		{"JSON that says nothing", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, "application/json", "{}") }, []string{"status 1 200", "done 1"}},
		{"refused in JSON", func(w http.ResponseWriter, _ *http.Request) { answer(w, 400, "application/json", "{}") }, []string{"status 1 400", "frame 1 {}", "done 1"}},
		{"refused in text", func(w http.ResponseWriter, _ *http.Request) { answer(w, 404, "text/plain", "gone") },
			[]string{"status 1 404", "frame 1 gone (it came as text/plain, which no client reads)", "done 1"}},
		{"refused without a word", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, []string{"status 1 500", "done 1"}},
		{"much", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil { // the client does not read on for ever
				io.WriteString(w, strings.Repeat("x", 1<<16))
			}
		}, []string{"status 1 200", "done 1"}},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example/", http.StatusTemporaryRedirect)
		},
			[]string{"status 1 307", "done 1: POST URL/p: the server redirects to another origin, http://other.example"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			say := make(chan string, 1)
			say <- "event: endpoint\ndata: /p\n\n"
			url := sseServer(t, say, tc.post)
			c := legacy(t, url)
			c.send(t.Context(), 1, []byte("{}"), nil)
			got := untilEvent(t, c, "done")
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], url, "URL")
			}
			sameEvents(t, tc.want, got)
		})
	}
}

// TestLegacySSEPostAfterTheStream: a server that ends the stream over a message may still say what was wrong with it.
func TestLegacySSEPostAfterTheStream(t *testing.T) {
	say := make(chan string, 1)
	ended := make(chan struct{})
	say <- "event: endpoint\ndata: /p\n\n"
	url := sseServer(t, say, func(w http.ResponseWriter, _ *http.Request) {
		close(say)
		<-ended
		w.WriteHeader(418)
	})
	c := legacy(t, url)
	c.send(t.Context(), 1, []byte("{}"), nil)
	<-c.gone
	close(ended)
	sameEvents(t, []string{"status 1 418", "done 1", "closed"}, untilEvent(t, c, "closed"))
}

// TestLegacySSEPostForEver: a POST that is never answered does not outlive the stream for long.
func TestLegacySSEPostForEver(t *testing.T) {
	say := make(chan string, 1)
	say <- "event: endpoint\ndata: /p\n\n"
	url := sseServer(t, say, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		close(say)
		<-r.Context().Done()
	})
	c := legacy(t, url)
	c.send(t.Context(), 1, []byte("{}"), nil)
	sameEvents(t, []string{"done 1: the connection has ended", "closed"}, untilEvent(t, c, "closed"))
}

func TestLegacySSEClose(t *testing.T) {
	for _, tc := range []struct {
		name   string
		full   bool
		stream http.HandlerFunc
	}{
		{"no head", false, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"idle", false, func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, "text/event-stream", "")
			<-r.Context().Done()
		}},
		{"flood that nobody reads", true, func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, "text/event-stream", "event: endpoint\ndata: /p\n\n")
			flooding("data: 1\n\n")(w, r)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := legacy(t, serving(t, tc.stream).URL)
			c.send(t.Context(), 1, []byte("{}"), nil)
			if tc.full {
				fill(t, c.wire)
			}
			c.close(t.Context())
			c.close(t.Context())
			var last event
			for e := range c.events() {
				last = e
			}
			if got := eventWords(last); got != "closed: the prober closed the connection" {
				t.Errorf("the last event is %q", got)
			}
		})
	}
}

func TestLegacySSELimits(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		answer(w, 200, "text/event-stream", "event: endpoint\ndata: /p\n\n")
		flooding("data: 1\n\n")(w, r)
	})
	got := untilEvent(t, legacy(t, srv.URL), "closed")
	if len(got) != maxEvents+1 || got[maxEvents] != "closed: read from the server: more than 10000 messages came" {
		t.Errorf("got %d events, the last is %q", len(got), got[len(got)-1])
	}
}

// heardEvents are those of a stream that have data, and the error that it ended with.
func heardEvents(t *testing.T, r io.Reader, limit int) ([]sseEvent, error) {
	t.Helper()
	var out []sseEvent
	err := readEvents(r, limit, func(e sseEvent) error {
		if len(e.data) > limit {
			t.Errorf("an event has %d bytes, over the limit of %d", len(e.data), limit)
		}
		if len(e.data) > 0 {
			e.data = bytes.Clone(e.data)
			out = append(out, e)
		}
		return nil
	})
	return out, err
}

// expectedEvents reads a stream as the HTML standard says, all at once. In one thing it follows the parser instead: a
// byte order mark is also skipped after blank lines.
func expectedEvents(in string) (out []sseEvent, finished bool) {
	in = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(in)
	finished = true
	block := in
	if i := strings.LastIndex(in, "\n\n"); i >= 0 {
		block = in[i+2:]
	}
	for _, line := range strings.Split(block, "\n") {
		finished = finished && (line == "" || line[0] == ':')
	}
	lines := strings.Split(strings.TrimPrefix(strings.TrimLeft(in, "\n"), "\xef\xbb\xbf"), "\n")
	kind, data := "", []string(nil)
	for _, line := range lines[:len(lines)-1] {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if joined := strings.Join(data, "\n"); joined != "" {
				out = append(out, sseEvent{kind: kind, data: []byte(joined)})
			}
			kind, data = "", nil
		case name == "event":
			kind = value
		case name == "data":
			data = append(data, value)
		}
	}
	return out, finished
}

// pieces gives bytes in pieces whose lengths are the bytes of cut, over and over.
type pieces struct {
	r   io.Reader
	cut []byte
	i   int
}

func (p *pieces) Read(b []byte) (int, error) {
	n := len(b)
	if len(p.cut) > 0 {
		n = min(n, 1+int(p.cut[p.i%len(p.cut)]))
		p.i++
	}
	return p.r.Read(b[:n])
}

func sameStream(t *testing.T, in string, cut []byte, limit int) ([]sseEvent, error) {
	t.Helper()
	whole, wholeErr := heardEvents(t, strings.NewReader(in), limit)
	for name, r := range map[string]io.Reader{
		"byte by byte":    iotest.OneByteReader(strings.NewReader(in)),
		"in pieces":       &pieces{r: strings.NewReader(in), cut: cut},
		"end with a byte": iotest.DataErrReader(strings.NewReader(in)),
	} {
		got, err := heardEvents(t, r, limit)
		if diff := cmp.Diff(whole, got, cmp.AllowUnexported(sseEvent{})); diff != "" {
			t.Errorf("%s, events mismatch (-whole +got):\n%s", name, diff)
		}
		if fmt.Sprint(err) != fmt.Sprint(wholeErr) {
			t.Errorf("%s: got error %v, want %v", name, err, wholeErr)
		}
	}
	return whole, wholeErr
}

var streams = []string{
	"",
	"data: 1\n\n",
	"data: 1\r\rdata: 2\r\n\r\ndata: 3\n\r\n\n",
	"data: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\ndata: 4\r\rdata: 5\r\n\n",
	"event: message\ndata: {\"a\":1}\nid: 5\n\n",
	"\xef\xbb\xbfdata: 1\n\n",
	"\n\n\xef\xbb\xbfdata: 1\n\n",
	": comment\n\n:\n\nretry: 10\n\ndata\n\ndata:\ndata:\n\n",
	"data: 1\n\ndata: 2\n",
	"data: 1\n\ndata",
	"data: 1\n\n: bye",
	"event: a\n\ndata: 1\n\n",
	"data:  two spaces\ndatax: no\n data: no\n\n",
	"data: \xff\x00\n\n",
	strings.Repeat("data: 0123456789\n", 10) + "\ndata: 2\n\n",
	"data: 0123456789012345678901234567890123456789\n\n",
}

// withoutIDs takes out what expectedEvents knows nothing of.
func withoutIDs(events []sseEvent) {
	for i := range events {
		events[i].id = ""
	}
}

func TestReadEvents(t *testing.T) {
	for _, in := range streams {
		got, err := sameStream(t, in, []byte{0, 1, 2}, 1000)
		withoutIDs(got)
		want, finished := expectedEvents(in)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(sseEvent{})); diff != "" {
			t.Errorf("%q: mismatch (-want +got):\n%s", in, diff)
		}
		if errors.Is(err, errUnfinished) == finished {
			t.Errorf("%q: got error %v, finished is %t", in, err, finished)
		}
		sameStream(t, in, []byte{0, 1, 2}, 20)
	}
}

func TestReadEventsLimit(t *testing.T) {
	const event = "data: 1234\r\n" // of which one byte is the second half of the end of the line
	got, err := heardEvents(t, strings.NewReader(event+"\r\n"+event+"\n"), len(event)-1)
	if err != nil || len(got) != 2 {
		t.Errorf("at the limit: got %v and error %v", got, err)
	}
	got, err = heardEvents(t, strings.NewReader(strings.Repeat("\n", 100)+event+"\n"), len(event)-1)
	if err != nil || len(got) != 1 {
		t.Errorf("blank lines count as part of an event: got %v and error %v", got, err)
	}
	got, err = heardEvents(t, strings.NewReader("data: 1\n\n"+event+"\r\n"), len(event)-2)
	want := []sseEvent{{data: []byte("1")}, {data: []byte("data: 1234"), bad: "the event is longer than 10 bytes"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sseEvent{})); diff != "" || err == nil || err.Error() != want[1].bad {
		t.Errorf("over the limit, with error %v: mismatch (-want +got):\n%s", err, diff)
	}
}

// TestReadEventsStops: the reader of the events can end the stream, at an event that is too long as well.
func TestReadEventsStops(t *testing.T) {
	stop := errors.New("stop")
	for _, in := range []string{"data: 1\n\ndata: 2\n\n", "data: 123456789\n\n"} {
		n := 0
		err := readEvents(strings.NewReader(in), 10, func(sseEvent) error { n++; return stop })
		if err != stop || n != 1 {
			t.Errorf("%q: got error %v after %d events", in, err, n)
		}
	}
}

// FuzzReadEvents: no stream panics, none gives more than the limit, and how it is cut on its way makes no difference.
func FuzzReadEvents(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s), []byte{0, 3, 1}, uint16(20))
		f.Add([]byte(s), []byte{}, uint16(5000))
	}
	f.Fuzz(func(t *testing.T, in, cut []byte, limit uint16) {
		got, err := sameStream(t, string(in), cut, 1+int(limit))
		if len(in) > int(limit) {
			return
		}
		withoutIDs(got)
		want, finished := expectedEvents(string(in))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(sseEvent{})); diff != "" {
			t.Errorf("mismatch (-want +got):\n%s", diff)
		}
		if errors.Is(err, errUnfinished) == finished || !finished && err == nil {
			t.Errorf("got error %v, finished is %t", err, finished)
		}
	})
}

// FuzzBody: the same for whole answers of any content type.
func FuzzBody(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s), []byte{0, 3, 1}, "text/event-stream", "")
	}
	f.Add([]byte(`{"a":1}`), []byte{}, "application/json; charset=utf-8", "")
	f.Add([]byte("<p>"), []byte{1}, "text/html", "gzip")
	f.Fuzz(func(t *testing.T, in, cut []byte, kind, enc string) {
		hear := func(r io.Reader) []string {
			w := newWire(nil, "")
			head := http.Header{"Content-Type": {kind}, "Content-Encoding": {enc}}
			w.start(t.Context(), 1, func(ctx context.Context) error {
				return w.body(ctx, &http.Response{Header: head, Body: io.NopCloser(r)}, 1, 0)
			})
			go w.finish(watchdog, event{})
			var out []string
			for e := range w.events() {
				if len(e.data) > maxFrame {
					t.Errorf("a message has %d bytes", len(e.data))
				}
				if e.kind == evFrame && encoding(head) != "" {
					e.data = nil // how much of it is shown is up to chance
				}
				out = append(out, eventWords(e))
			}
			return out
		}
		sameEvents(t, hear(bytes.NewReader(in)), hear(&pieces{r: bytes.NewReader(in), cut: cut}))
	})
}
