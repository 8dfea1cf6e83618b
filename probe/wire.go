package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	errAbandoned = errors.New("the prober abandoned the request")
	errHungUp    = errors.New("the prober closed the connection")
	errEnded     = errors.New("the connection has ended")
)

// wire is what the two transports over HTTP have in common: requests that run side by side, one queue of events, and one
// end to all of it.
type wire struct {
	client *httpClient
	url    string
	out    chan event
	quit   chan struct{} // closed when nobody has to be waited for who reads the events
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	posts   map[int]context.CancelCauseFunc
	over    bool // no request may start any more
	running sync.WaitGroup

	left   atomic.Int64 // bytes that may still be read
	frames atomic.Int64
	once   sync.Once
	closed sync.Once
}

func newWire(client *httpClient, rawURL string) *wire {
	w := &wire{client: client, url: rawURL, out: make(chan event, 64), quit: make(chan struct{}), posts: map[int]context.CancelCauseFunc{}}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.left.Store(maxTotal)
	return w
}

func (w *wire) events() <-chan event { return w.out }

// start runs a request on its own until it is over, ctx is, or the connection is. It always ends with evDone, unless the
// connection has ended before it began.
func (w *wire) start(ctx context.Context, n int, work func(context.Context) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(w.ctx, func() { cancel(context.Cause(w.ctx)) })
	w.posts[n] = cancel
	w.running.Go(func() {
		err := work(ctx)
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		release()
		cancel(nil)
		w.mu.Lock()
		delete(w.posts, n)
		w.mu.Unlock()
		w.emit(event{kind: evDone, n: n, err: err})
	})
}

// abandon ends the request n, if it is still under way.
func (w *wire) abandon(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.posts[n]; cancel != nil {
		cancel(errAbandoned)
	}
}

func (w *wire) emit(e event) {
	e.at = time.Now()
	if e.kind == evFrame {
		switch n := w.frames.Add(1); {
		case n == maxEvents+1:
			w.fail(fmt.Errorf("read from the server: more than %d messages came", maxEvents))
			return
		case n > maxEvents:
			return
		}
	}
	// A queue with room takes even what comes while the connection is being closed.
	select {
	case w.out <- e:
		return
	default:
	}
	select {
	case w.out <- e:
	case <-w.quit:
	}
}

// fail ends the connection from within one of its requests, which finish is going to wait for.
func (w *wire) fail(err error) { go w.finish(0, event{err: err}) }

// finish ends all requests, at the latest after a time of grace, and closes the queue with evClosed as its last event.
// The first call decides why; every call returns when all is done.
func (w *wire) finish(grace time.Duration, last event) {
	w.once.Do(func() {
		w.mu.Lock()
		w.over = true
		w.mu.Unlock()
		timer := time.AfterFunc(grace, func() { w.cancel(errEnded) })
		w.running.Wait()
		timer.Stop()
		w.cancel(errEnded)
		last.kind, last.at = evClosed, time.Now()
		select {
		case w.out <- last:
		case <-w.quit:
			w.squeeze(last)
		}
		close(w.out)
	})
}

// squeeze puts an event into a queue that nobody may be reading, at the cost of the oldest ones. It does not try for ever:
// the queue is closed next, which says as much.
func (w *wire) squeeze(e event) {
	for range cap(w.out) + 2 {
		select {
		case w.out <- e:
			return
		default:
		}
		select {
		case <-w.out:
		default:
		}
	}
}

// hangUp ends the connection from without. It does not depend on anybody who reads the events.
func (w *wire) hangUp() {
	w.closed.Do(func() { close(w.quit) })
	w.cancel(errHungUp)
	w.finish(0, event{err: errHungUp})
}

// metered takes what is read off what a connection may read in all.
type metered struct {
	r io.Reader
	w *wire
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if m.w.left.Add(-int64(n)) < 0 {
		err = fmt.Errorf("read from the server: more than %d MiB came", maxTotal>>20)
		m.w.fail(err)
		return 0, err
	}
	return n, err
}

// body reads the body of an answer into events. What comes in a stream of events is delivered under the number of, 0 for
// what was not asked for, and everything else under n.
func (w *wire) body(ctx context.Context, resp *http.Response, n, of int) error {
	defer resp.Body.Close()
	r := &metered{resp.Body, w}
	if enc := encoding(resp.Header); enc != "" {
		return w.encoded(r, n, enc)
	}
	kind := mediaType(resp.Header)
	if kind != "text/event-stream" {
		return w.whole(ctx, r, n, kind)
	}
	last := ""
	return readEvents(r, maxFrame, func(e sseEvent) error {
		if e.bad == "" && e.id != last {
			last = e.id
			w.emit(event{kind: evEventID, n: n, data: []byte(e.id)})
		}
		if e.bad != "" || e.message() {
			w.emit(event{kind: evFrame, n: of, data: e.data, bad: e.bad})
		}
		return nil
	})
}

// whole reads a body that is one message. Whether it is JSON is not asked here, only whether it says so.
func (w *wire) whole(ctx context.Context, r io.Reader, n int, kind string) error {
	data, err := io.ReadAll(io.LimitReader(r, maxFrame+1))
	e := event{kind: evFrame, n: n, data: data}
	switch {
	case kind == "":
		e.bad = "it came without a content type, which no client reads"
	case kind != "application/json":
		e.bad = fmt.Sprintf("it came as %.80s, which no client reads", kind)
	}
	switch {
	case len(data) > maxFrame:
		e.data, e.bad = bytes.Clone(data[:maxKept]), fmt.Sprintf("the body is longer than %d MiB", maxFrame>>20)
		err = errors.New(e.bad)
	case err != nil && ctx.Err() != nil:
		return err // that it is not whole is our own doing
	case err != nil:
		e.bad = "the body breaks off"
		err = fmt.Errorf("read the body: %w", err)
	}
	if len(bytes.TrimSpace(e.data)) > 0 {
		w.emit(e)
	}
	return err
}

// encoded delivers the first bytes of a body that nobody can read.
func (w *wire) encoded(r io.Reader, n int, enc string) error {
	buf := make([]byte, maxKept)
	got, err := io.ReadAtLeast(r, buf, 1)
	if got == 0 {
		if err == io.EOF {
			err = nil
		}
		return err
	}
	w.emit(event{kind: evFrame, n: n, data: buf[:got:got], bad: undecodable(enc)})
	return nil
}

func undecodable(enc string) string {
	return fmt.Sprintf("the body is encoded as %.80s although nobody asked for it", enc)
}

// encoding is the content coding of a body, "" for none.
func encoding(h http.Header) string {
	enc := strings.ToLower(strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ", ")))
	if enc == "identity" {
		return ""
	}
	return enc
}

// mediaType is the content type without its parameters. A parameter that is malformed does not matter to any client.
func mediaType(h http.Header) string {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
