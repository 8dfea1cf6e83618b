package peers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// replyTime bounds the wait for an answer that must come, so it is generous.
const replyTime = time.Minute

// conn talks to a peer in frames. It knows no more of MCP than the transports ask for, and nothing of the prober, which
// is tested against the same peers.
type conn interface {
	// send writes a frame.
	send(frame string) error
	// next returns a frame that came, io.EOF where there will be none any more, and errSilent after some time.
	next(wait time.Duration) (string, error)
}

var errSilent = errors.New("nothing came")

func open(t testing.TB, r Ready, tr Transport) conn {
	t.Helper()
	if tr == Stdio {
		return openStdio(t, r)
	}
	return dial(t, r.Start(t, tr), tr)
}

// dial opens another connection to a server that runs.
func dial(t testing.TB, url string, tr Transport) conn {
	t.Helper()
	if tr == SSE {
		return openSSE(t, url)
	}
	return &httpConn{t: t, url: url}
}

type frames chan string

func (f frames) next(wait time.Duration) (string, error) {
	select {
	case frame, ok := <-f:
		if !ok {
			return "", io.EOF
		}
		return frame, nil
	case <-time.After(wait):
		return "", errSilent
	}
}

type stdioConn struct {
	frames
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func openStdio(t testing.TB, r Ready) conn {
	t.Helper()
	argv := r.Argv(t)
	cmd := exec.Command(argv[0], argv[1:]...)
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr tail
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", r.Name, err)
	}
	c := &stdioConn{make(frames, 100), cmd, stdin}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(c.frames)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c.frames <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		killGroup(cmd)
		<-done
		cmd.Wait()
		if t.Failed() {
			t.Logf("stderr of %s:\n%s", r.Name, &stderr)
		}
	})
	return c
}

func (c *stdioConn) send(frame string) error {
	_, err := io.WriteString(c.stdin, frame+"\n")
	return err
}

// httpConn posts each frame and keeps what comes back until it is asked for.
type httpConn struct {
	t        testing.TB
	url      string
	session  string
	revision string
	status   int  // of the last answer
	stream   bool // it was a stream of events
	came     []string
}

func (c *httpConn) send(frame string) error {
	status, header, body, err := post(c.t, c.url, frame, func(h http.Header) {
		if c.session != "" {
			h.Set("Mcp-Session-Id", c.session)
		}
		var m message
		json.Unmarshal([]byte(frame), &m)
		switch rev := m.Params.Meta.Revision; {
		case rev != "":
			h.Set("MCP-Protocol-Version", rev)
			h.Set("Mcp-Method", m.Method)
			if m.Params.Name != "" {
				h.Set("Mcp-Name", m.Params.Name)
			}
		case c.revision != "":
			h.Set("MCP-Protocol-Version", c.revision)
		}
	})
	if err != nil {
		return err
	}
	c.status = status
	c.stream = strings.HasPrefix(header.Get("Content-Type"), "text/event-stream")
	if id := header.Get("Mcp-Session-Id"); id != "" && status == http.StatusOK {
		c.session = id
	}
	if c.stream {
		for e := range events(bytes.NewReader(body)) {
			if e.data != "" {
				c.came = append(c.came, e.data)
			}
		}
	} else if body := strings.TrimSpace(string(body)); body != "" {
		c.came = append(c.came, body)
	}
	return nil
}

func (c *httpConn) next(time.Duration) (string, error) {
	if len(c.came) == 0 {
		return "", errSilent
	}
	frame := c.came[0]
	c.came = c.came[1:]
	return frame, nil
}

func post(t testing.TB, url, frame string, headers func(http.Header)) (int, http.Header, []byte, error) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(frame))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Content-Type", "application/json")
	headers(req.Header)
	resp, err := (&http.Client{Timeout: replyTime}).Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, body, err
}

type sseConn struct {
	frames
	t      testing.TB
	post   string
	status int    // of the last answer
	body   string // likewise
}

func openSSE(t testing.TB, stream string) conn {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, stream, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("open the stream: %v", err)
	}
	c := &sseConn{frames: make(frames, 100), t: t}
	endpoint := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(c.frames)
		for e := range events(resp.Body) {
			switch e.name {
			case "endpoint":
				endpoint <- e.data
			case "", "message":
				c.frames <- e.data
			}
		}
	}()
	t.Cleanup(func() {
		resp.Body.Close()
		<-done
	})
	select {
	case ref := <-endpoint:
		base, err := url.Parse(stream)
		if err != nil {
			t.Fatal(err)
		}
		target, err := base.Parse(ref)
		if err != nil {
			t.Fatal(err)
		}
		c.post = target.String()
	case <-done:
		t.Fatalf("the stream ended before it named an endpoint (status %d)", resp.StatusCode)
	case <-time.After(replyTime):
		t.Fatal("the stream names no endpoint")
	}
	return c
}

func (c *sseConn) send(frame string) error {
	status, _, body, err := post(c.t, c.post, frame, func(http.Header) {})
	c.status, c.body = status, strings.TrimSpace(string(body))
	return err
}

type event struct{ name, data string }

// events reads a stream of server-sent events.
func events(r io.Reader) func(yield func(event) bool) {
	return func(yield func(event) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		var e event
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case lines.Text() == "":
				if e != (event{}) && !yield(e) {
					return
				}
				e = event{}
			case field == "event":
				e.name = value
			case field == "data":
				e.data += value
			}
		}
	}
}

// message is what the tests read of a frame. What must be compared to the byte is kept raw.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name string `json:"name"`
		Meta struct {
			Revision string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// ask sends a request with the id and returns its answer. Whatever else comes meanwhile is the peer's own talk.
func ask(t testing.TB, c conn, id, request string) message {
	t.Helper()
	m, err := call(c, id, request, replyTime)
	if err != nil {
		t.Fatalf("send %s: %v", request, err)
	}
	return m
}

func call(c conn, id, request string, wait time.Duration) (message, error) {
	if err := c.send(request); err != nil {
		return message{}, err
	}
	for {
		frame, err := c.next(wait)
		if err != nil {
			return message{}, err
		}
		var m message
		if err := json.Unmarshal([]byte(frame), &m); err != nil {
			return message{}, fmt.Errorf("a frame that is no message: %.200q", frame)
		}
		if m.Method == "" && string(m.ID) == id {
			return m, nil
		}
	}
}

func initialize(id, revision string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"initialize","params":{"protocolVersion":%q,`+
		`"capabilities":{},"clientInfo":{"name":"mcpaudit-peers","version":"0.0.0"}}}`, id, revision)
}

const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// modern is a request of the revision without a handshake.
func modern(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/clientInfo":{"name":"mcpaudit-peers","version":"0.0.0"}}}}`, id, method, params)
}

// shake makes the handshake and returns the revision that the peer wants.
func shake(t testing.TB, c conn, offer string) string {
	t.Helper()
	m := ask(t, c, "0", initialize("0", offer))
	var result struct {
		Revision string `json:"protocolVersion"`
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		t.Fatalf("read the answer to initialize: %v (error %+v)", err, m.Error)
	}
	if c, ok := c.(*httpConn); ok {
		c.revision = result.Revision
	}
	if err := c.send(initialized); err != nil {
		t.Fatal(err)
	}
	return result.Revision
}
