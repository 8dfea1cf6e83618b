package mcptest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// demo shows a behaviour by what is said and answered, over every transport that the behaviour has.
type demo struct {
	args string
	talk []exchange // want may be several messages, one a line
	dead bool       // the server has nothing more to say afterwards
}

// shaken is a demo that begins with a handshake.
func shaken(args string, talk ...exchange) demo {
	return demo{args: args, talk: append([]exchange{{hello, greeting("2025-11-25")}, {ready, ""}}, talk...)}
}

// answered is the commonest demo: how an ordinary ping is answered.
func answered(want string) []demo { return []demo{shaken("", exchange{ping1, want})} }

func (d demo) run(t *testing.T, b Behaviour) {
	args := append([]string{b.Name, "--name", "mcp-test", "--tools", "look,slow"}, strings.Fields(d.args)...)
	if b.Stdio {
		t.Run("stdio", func(t *testing.T) { d.overStdio(t, args) })
	}
	if b.HTTP {
		t.Run("http", func(t *testing.T) { d.overHTTP(t, args) })
	}
	if b.SSE {
		t.Run("sse", func(t *testing.T) { d.overSSE(t, args) })
	}
}

func (e exchange) frames() []string {
	return strings.FieldsFunc(e.want, func(r rune) bool { return r == '\n' })
}

func (e exchange) check(t *testing.T, got []string) {
	t.Helper()
	if diff := cmp.Diff(e.frames(), got); diff != "" && len(e.frames())+len(got) > 0 {
		t.Errorf("%s: answer mismatch (-want +got):\n%s", e.send, diff)
	}
}

func (d demo) overStdio(t *testing.T, args []string) {
	p := overPipes(t, true, args...)
	for _, e := range d.talk {
		p.send(e.send)
		var got []string
		for range e.frames() {
			got = append(got, strings.TrimSuffix(p.line(), "\n"))
		}
		e.check(t, got)
	}
	if !d.dead {
		if got := p.ask(); len(got) > 0 {
			t.Errorf("before the control request %q was answered", got)
		}
	}
	if _, rest := p.finish(); rest != "" {
		t.Errorf("after all that came %q", rest)
	}
}

func (d demo) overHTTP(t *testing.T, args []string) {
	w := overHTTPServer(t, args...)
	var open []io.Reader
	for _, e := range d.talk {
		resp := w.must(http.MethodPost, "/mcp", e.send)
		if id := resp.Header.Get(headerSession); id != "" {
			w.session = id
		}
		if e.want == "" && resp.StatusCode == http.StatusOK {
			open = append(open, resp.Body) // a stream in which nothing may come
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%s: read the answer: %v", e.send, err)
		}
		e.check(t, data(string(body)))
	}
	if !d.dead {
		if status, _, body := w.post(last); status != 200 || !strings.Contains(body, `"id":"last"`) {
			t.Errorf("the control request: HTTP %d with %q", status, body)
		}
	}
	w.let()
	for _, r := range open {
		if body, _ := io.ReadAll(r); len(body) > 0 {
			t.Errorf("what should not be answered is answered %q", body)
		}
	}
}

func (d demo) overSSE(t *testing.T, args []string) {
	s := overHTTPServer(t, args...).openStream()
	for _, e := range d.talk {
		s.tell(e.send)
		var got []string
		for range e.frames() {
			_, d := s.event()
			got = append(got, d)
		}
		e.check(t, got)
	}
	if !d.dead {
		s.tell(last)
		if got := s.until("last"); len(got) > 0 {
			t.Errorf("before the control request %q was answered", got)
		}
	}
	s.let()
	if kind, d := s.event(); kind != "" {
		t.Errorf("after all that came %q with %q", kind, d)
	}
}
