package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// postGrace is how long POSTs may go on once the stream has ended: their status belongs to the story of the end.
const postGrace = time.Second

// legacySSE is a connection over HTTP+SSE, the transport of revision 2024-11-05: everything that the server says comes on
// the stream of one GET, whose first event names the address that messages are POSTed to.
type legacySSE struct {
	*wire
	known chan struct{} // closed when the address is known
	gone  chan struct{} // closed when the stream has ended
	mu    sync.Mutex
	post  string
}

func newLegacySSE(client *httpClient, rawURL string) conn {
	c := &legacySSE{wire: newWire(client, rawURL), known: make(chan struct{}), gone: make(chan struct{})}
	c.running.Go(func() {
		last := c.listen()
		close(c.gone)
		go c.finish(postGrace, last)
	})
	return c
}

func (c *legacySSE) transport() mcpaudit.Transport { return "http+sse" }

// negotiated does nothing: the transport is older than the header of the revision.
func (c *legacySSE) negotiated(mcpaudit.Revision) {}

// endpoint is the address that the server named, "" before it did.
func (c *legacySSE) endpoint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.post
}

// listen reads the stream to its end, and says what that end was.
func (c *legacySSE) listen() event {
	resp, err := c.client.do(c.ctx, http.MethodGet, c.url, nil, http.Header{"Accept": {"text/event-stream"}}, nil)
	if resp == nil {
		return event{err: err}
	}
	defer resp.Body.Close()
	last := event{status: resp.StatusCode, header: resp.Header, err: err}
	switch kind, enc := mediaType(resp.Header), encoding(resp.Header); {
	case err != nil:
	case resp.StatusCode != http.StatusOK:
		last.err = fmt.Errorf("GET answered HTTP %d", resp.StatusCode)
	case kind != "text/event-stream":
		last.err = fmt.Errorf("GET answered with content type %.80q, not text/event-stream", kind)
	case enc != "":
		last.err = errors.New(undecodable(enc))
	default:
		last.err = readEvents(&metered{resp.Body, c.wire}, maxFrame, c.take)
		if last.err == nil && c.endpoint() == "" {
			last.err = errors.New("the stream ended before the event endpoint came")
		}
	}
	return last
}

// take handles one event of the stream.
func (c *legacySSE) take(e sseEvent) error {
	switch {
	case c.endpoint() != "":
		if e.bad != "" || e.message() {
			c.emit(event{kind: evFrame, data: e.data, bad: e.bad})
		}
	case e.bad != "":
		return errors.New(e.bad)
	case e.kind == "endpoint":
		return c.settle(string(bytes.TrimSpace(e.data)))
	case len(e.data) > 0: // one without data is none to a client
		return fmt.Errorf("the first event was %.80q, not endpoint", cmp.Or(e.kind, "message"))
	}
	return nil
}

// settle resolves the address of the event endpoint. One of another origin is refused, as clients do: the server would
// decide where the headers of the user go.
func (c *legacySSE) settle(data string) error {
	base, err := url.Parse(c.url)
	if err != nil {
		return errors.New("resolve the endpoint: the URL of the stream is malformed")
	}
	ref, err := url.Parse(data)
	switch {
	case data == "":
		return errors.New("the event endpoint has no data")
	case err != nil:
		return errors.New("the event endpoint has no URL as its data")
	}
	to := base.ResolveReference(ref)
	if !sameOrigin(base, to) {
		return fmt.Errorf("the event endpoint names another origin, %s", originOf(to))
	}
	if to.User == nil {
		to.User = base.User // an absolute URL names none, and the way in is the same
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.post = to.String()
	close(c.known)
	return nil
}

// send POSTs one message as soon as it is known where to. The body of the answer says nothing in this transport, unless
// it explains a refusal.
func (c *legacySSE) send(ctx context.Context, n int, msg []byte, extra http.Header) {
	msg = bytes.Clone(msg)
	c.start(ctx, n, func(ctx context.Context) error {
		select {
		case <-c.known:
		case <-c.gone:
			return errors.New("the stream ended before it was known where to POST")
		case <-ctx.Done():
			return ctx.Err()
		}
		resp, err := c.client.do(ctx, http.MethodPost, c.endpoint(), msg, http.Header{"Content-Type": {"application/json"}}, extra)
		if resp == nil {
			return err
		}
		c.emit(event{kind: evStatus, n: n, status: resp.StatusCode, header: resp.Header})
		switch {
		case err != nil:
			return err
		case resp.StatusCode >= 400:
			return c.body(ctx, resp, n, n)
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, io.LimitReader(&metered{resp.Body, c.wire}, maxKept))
		return err
	})
}

// close ends the stream, which is all there is to end.
func (c *legacySSE) close(context.Context) ending {
	c.hangUp()
	return ending{}
}
