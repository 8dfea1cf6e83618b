package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The environment variable that makes the test binary a server: "well" or "broken".
const actAs = "MCPTEST_ACT_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(actAs) {
	case "well":
		os.Exit(WellBehaved(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case "broken":
		os.Exit(Broken(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for what must come. Nothing is measured against it.
const patience = 30 * time.Second

// pipes is a server over stdio within the test.
type pipes struct {
	t    *testing.T
	in   *io.PipeWriter
	raw  *io.PipeReader
	out  *bufio.Reader
	code chan int
	errs *bytes.Buffer // to be read once the server has ended
}

// overPipes starts a server in the goroutine of a test. It has ended when the test has.
func overPipes(t *testing.T, broken bool, args ...string) *pipes {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &pipes{t: t, in: inW, raw: outR, out: bufio.NewReader(outR), code: make(chan int, 1), errs: &bytes.Buffer{}}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		code := run(ctx, "mcp-test", broken, args, inR, outW, p.errs)
		outW.Close()
		inR.Close()
		p.code <- code
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.Close()
		within(t, "the server to end", over)
	})
	return p
}

func within[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited for %s in vain", what)
	}
	panic("unreachable")
}

func (p *pipes) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatalf("write to the server: %v", err)
	}
}

// line reads one line with its end.
func (p *pipes) line() string {
	p.t.Helper()
	type result struct {
		line string
		err  error
	}
	c := make(chan result, 1)
	go func() {
		line, err := p.out.ReadString('\n')
		c <- result{line, err}
	}()
	r := within(p.t, "a line", c)
	if r.err != nil && r.err != io.EOF {
		p.t.Fatalf("read from the server: %v", r.err)
	}
	return r.line
}

// ask sends messages and reads until the answer to a last request, which it does not return.
func (p *pipes) ask(msgs ...string) []string {
	p.t.Helper()
	// A server that answers as it reads wants somebody who reads as they write.
	go io.WriteString(p.in, strings.Join(append(msgs, last), "\n")+"\n")
	var got []string
	for {
		line := strings.TrimRight(p.line(), "\r\n")
		if strings.Contains(line, `"id":"last"`) {
			return got
		}
		if line == "" {
			p.t.Fatalf("the output ended after %q", got)
		}
		got = append(got, line)
	}
}

// finish ends the input and returns the exit code and what else came.
func (p *pipes) finish() (int, string) {
	p.t.Helper()
	p.in.Close()
	rest := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(p.out)
		rest <- string(b)
	}()
	code := within(p.t, "the exit code", p.code)
	return code, within(p.t, "the rest of the output", rest)
}

const (
	hello = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	last  = `{"jsonrpc":"2.0","id":"last","method":"tools/list"}`
	ping1 = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pong1 = `{"jsonrpc":"2.0","id":1,"result":{}}`
)

// web is a server over HTTP within the test, and the session that a client has with it.
type web struct {
	t       *testing.T
	url     string
	session string
	ctx     context.Context
	let     context.CancelFunc // lets go of every request under way
}

func overHTTPServer(t *testing.T, args ...string) *web {
	t.Helper()
	h, err := Handler(args...)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, h)
}

func serve(t *testing.T, h http.Handler) *web {
	t.Helper()
	srv := httptest.NewServer(h)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		srv.CloseClientConnections()
		srv.Close()
	})
	return &web{t: t, url: srv.URL, ctx: ctx, let: cancel}
}

// client follows no redirects and expands nothing, so that a test sees what the server sent.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// do sends a request to a path with headers given as "Name: value"; one without a value is left out.
func (w *web) do(method, path, body string, headers ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(w.ctx, method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	if w.session != "" {
		req.Header.Set(headerSession, w.session)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		if value = strings.TrimSpace(value); value == "" {
			req.Header.Del(name)
		} else if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	return client.Do(req)
}

func (w *web) must(method, path, body string, headers ...string) *http.Response {
	w.t.Helper()
	resp, err := w.do(method, path, body, headers...)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	w.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// post posts a message and returns the status, the content type and the raw body.
func (w *web) post(body string, headers ...string) (status int, kind, got string) {
	w.t.Helper()
	resp := w.must(http.MethodPost, "/mcp", body, headers...)
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("read the body: %v", err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

// shake shakes hands over Streamable HTTP.
func (w *web) shake() {
	w.t.Helper()
	resp := w.must(http.MethodPost, "/mcp", hello)
	io.Copy(io.Discard, resp.Body)
	w.session = resp.Header.Get(headerSession)
	if resp.StatusCode != http.StatusOK {
		w.t.Fatalf("initialize: HTTP %d", resp.StatusCode)
	}
	if status, _, body := w.post(ready); status != http.StatusAccepted && body == "" {
		w.t.Fatalf("notifications/initialized: HTTP %d", status)
	}
}

// data returns the data of the message events in a body, or the body itself if it holds no events.
func data(body string) []string {
	var out []string
	for event := range strings.SplitSeq(strings.TrimRight(body, "\n"), "\n\n") {
		_, d, ok := strings.Cut(event, "event: message\ndata: ")
		if !ok {
			d = event
		}
		if d != "" {
			out = append(out, d)
		}
	}
	return out
}

// stream is a stream of HTTP+SSE.
type stream struct {
	*web
	body *bufio.Reader
	post string
}

func (w *web) openStream() *stream {
	w.t.Helper()
	resp := w.must(http.MethodGet, "/sse", "")
	s := &stream{web: w, body: bufio.NewReader(resp.Body)}
	kind, d := s.event()
	if kind != "endpoint" || !strings.HasPrefix(d, "/messages?sessionId=") {
		w.t.Fatalf("the first event is %q with %q", kind, d)
	}
	s.post = d
	return s
}

// event reads one event; kind is empty at the end of the stream.
func (s *stream) event() (kind, d string) {
	s.t.Helper()
	type result struct{ kind, data string }
	c := make(chan result, 1)
	go func() {
		var r result
		for {
			line, err := s.body.ReadString('\n')
			line = strings.TrimRight(line, "\r\n")
			if line == "" || err != nil {
				c <- r
				return
			}
			name, value, _ := strings.Cut(line, ": ")
			if name == "event" {
				r.kind = value
			} else {
				r.data = value
			}
		}
	}()
	r := within(s.t, "an event", c)
	return r.kind, r.data
}

// tell posts a message, which the server has to accept.
func (s *stream) tell(msg string) {
	s.t.Helper()
	resp := s.must(http.MethodPost, s.post, msg)
	io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusAccepted {
		s.t.Fatalf("POST %s: HTTP %d", msg, resp.StatusCode)
	}
}

// until returns the messages that come before the answer to the request named.
func (s *stream) until(id string) []string {
	s.t.Helper()
	var got []string
	for {
		kind, d := s.event()
		if kind != "message" {
			s.t.Fatalf("got an event %q with %q after %q", kind, d, got)
		}
		if strings.Contains(d, `"id":"`+id+`"`) {
			return got
		}
		got = append(got, d)
	}
}

// process is a server in a process of its own.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs bytes.Buffer
	end  chan error
}

// inProcess starts the test binary as a server. It is killed at the end of the test, if it has not ended before.
func inProcess(t *testing.T, kind string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(exe, args...), end: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), actAs+"="+kind, "MCPTEST_SECRET=hunter2")
	// Files, since exec would wait for whoever else holds a pipe that it made itself.
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr, p.out = outW, errW, bufio.NewReader(outR)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	outW.Close()
	errW.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&p.errs, errR)
	}()
	over := make(chan struct{})
	go func() {
		defer close(over)
		err := p.cmd.Wait()
		<-read
		p.end <- err
	}()
	t.Cleanup(func() {
		p.in.Close()
		p.cmd.Process.Kill()
		<-over
		outR.Close()
		errR.Close()
	})
	return p
}

func (p *process) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatalf("write to the server: %v", err)
	}
}

// line reads one line without its end. It can be waited for as long as the test binary can.
func (p *process) line() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil && err != io.EOF {
		p.t.Fatalf("read from the server: %v", err)
	}
	return strings.TrimRight(line, "\r\n")
}

// wait returns the exit code.
func (p *process) wait() int {
	p.t.Helper()
	var exit *exec.ExitError
	switch err := within(p.t, "the process to end", p.end); {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	default:
		p.t.Fatal(err)
	}
	return 0
}
