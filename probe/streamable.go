package probe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/mcpaudit/mcpaudit"
)

// streamable is a connection over Streamable HTTP: every message is a POST, and what the server has to say to it comes in
// its body. There is no connection in the sense of a wire that can break; one POST may fail and the next one work.
type streamable struct {
	*wire
	state sync.Mutex
	id    string // of the session
	gone  bool   // the session has been deleted
	rev   mcpaudit.Revision
	once  sync.Once
	end   ending
}

func newStreamable(client *httpClient, rawURL string) conn {
	return &streamable{wire: newWire(client, rawURL)}
}

func (c *streamable) transport() mcpaudit.Transport { return "streamable-http" }

func (c *streamable) negotiated(rev mcpaudit.Revision) {
	c.state.Lock()
	defer c.state.Unlock()
	c.rev = rev
}

// sessionID is the id that the server gave, "" if it gave none.
func (c *streamable) sessionID() string {
	c.state.Lock()
	defer c.state.Unlock()
	return c.id
}

// headers are those that say which conversation a request belongs to. They are taken when a message is handed over, not
// when its turn comes.
func (c *streamable) headers(accept string) http.Header {
	c.state.Lock()
	defer c.state.Unlock()
	h := http.Header{}
	if accept != "" {
		h.Set("Accept", accept)
	}
	if c.id != "" {
		h.Set("Mcp-Session-Id", c.id)
	}
	if c.rev != "" {
		h.Set("Mcp-Protocol-Version", string(c.rev))
	}
	return h
}

// send POSTs one message. An extra header replaces the one that would have been sent; without values it removes it.
func (c *streamable) send(ctx context.Context, n int, msg []byte, extra http.Header) {
	h, msg := c.headers("application/json, text/event-stream"), bytes.Clone(msg)
	h.Set("Content-Type", "application/json")
	c.start(ctx, n, func(ctx context.Context) error {
		resp, err := c.client.do(ctx, http.MethodPost, c.url, msg, h, extra)
		if resp == nil {
			return err
		}
		// The id is known before anybody hears of the answer.
		c.join(resp)
		c.emit(event{kind: evStatus, n: n, status: resp.StatusCode, header: resp.Header})
		if err != nil {
			return err
		}
		return c.body(ctx, resp, n, n)
	})
}

// join takes the session id of the first answer that has one.
func (c *streamable) join(resp *http.Response) {
	c.state.Lock()
	defer c.state.Unlock()
	if id := resp.Header.Get("Mcp-Session-Id"); c.id == "" && resp.StatusCode < 300 {
		c.id = id
	}
}

// openStream asks for the stream on which a server may say what belongs to no request. Its head and its end carry the
// number n, its messages 0. With the header Last-Event-ID it resumes another stream.
func (c *streamable) openStream(extra http.Header, n int) {
	h := c.headers("text/event-stream")
	c.start(c.ctx, n, func(ctx context.Context) error {
		resp, err := c.client.do(ctx, http.MethodGet, c.url, nil, h, extra)
		if resp == nil {
			return err
		}
		c.emit(event{kind: evStatus, n: n, status: resp.StatusCode, header: resp.Header})
		if err != nil {
			return err
		}
		return c.body(ctx, resp, n, 0)
	})
}

// del ends the session. The connection goes on using its id, which is how a dead session is tried out.
func (c *streamable) del(ctx context.Context, extra http.Header) (status int, err error) {
	resp, err := c.client.do(ctx, http.MethodDelete, c.url, nil, c.headers(""), extra)
	if resp == nil {
		return 0, err
	}
	defer resp.Body.Close()
	if err == nil {
		// A connection is kept alive only if the body has been read. A body that is cut here costs no more than that.
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxKept))
	}
	if resp.StatusCode < 300 {
		c.state.Lock()
		defer c.state.Unlock()
		c.gone = true
	}
	return resp.StatusCode, err
}

// close ends the session, if there is one, and everything that is still under way. The server gets its moment even if
// the time of the probe is up: sessions that nobody ends pile up there.
func (c *streamable) close(ctx context.Context) ending {
	c.once.Do(func() {
		c.state.Lock()
		alive := c.id != "" && !c.gone
		c.state.Unlock()
		if alive {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTimeout)
			defer cancel()
			var err error
			if c.end.status, err = c.del(ctx, nil); err != nil {
				c.end.problem = fmt.Sprintf("end the session: %v", err)
			}
		}
		c.hangUp()
	})
	return c.end
}
