package probe

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tmaxmax/go-sse"
)

// sseEvent is one event of a stream.
type sseEvent struct {
	kind string
	id   string // the last one that the stream gave, "" for none so far
	data []byte
	bad  string // why data is not the whole of it
}

// message reports whether an event carries a message. Those of other types are none, and those without data are there to
// keep a stream alive, or to give a client an id to resume at.
func (e sseEvent) message() bool { return (e.kind == "" || e.kind == "message") && len(e.data) > 0 }

// errUnfinished ends a stream whose last event lacks the blank line that would have sent it off.
var errUnfinished = errors.New("the stream ended within an event, which clients throw away")

// readEvents delivers the events of a stream as they come. It returns nil where the stream ends between two events.
func readEvents(r io.Reader, limit int, each func(sseEvent) error) error {
	whole := &wholeEvents{r: r, limit: limit, buf: make([]byte, 32<<10)}
	// The parser has a limit of its own, which is out of reach: the last line end of an event is not counted here.
	for ev, err := range sse.Read(whole, &sse.ReadConfig{MaxEventSize: limit + 2}) {
		switch {
		case errors.Is(err, errLongEvent):
			bad := "the event is longer than " + size(limit)
			if err := each(sseEvent{data: whole.event[:min(maxKept, limit)], bad: bad}); err != nil {
				return err
			}
			return errors.New(bad)
		case err != nil:
			return fmt.Errorf("read the stream: %w", err)
		}
		if err := each(sseEvent{kind: ev.Type, id: ev.LastEventID, data: []byte(ev.Data)}); err != nil {
			return err
		}
	}
	if whole.content {
		return errUnfinished
	}
	return nil
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

var errLongEvent = errors.New("the event is too long")

// wholeEvents passes a stream on, event by event. The parser behind it would look at an event from its beginning every
// time that some bytes of it arrive, give up on a long one sooner or later as the bytes happen to be cut, and not say
// whether it threw an unfinished one away.
type wholeEvents struct {
	r     io.Reader
	limit int
	buf   []byte
	ready bytes.Buffer // events that are complete
	err   error        // what comes after them

	event   []byte // the one under way
	line    int    // bytes of the line under way
	cr      bool   // the last byte was a carriage return
	content bool   // the event under way is more than comments
}

func (e *wholeEvents) Read(p []byte) (int, error) {
	for e.ready.Len() == 0 {
		if e.err != nil {
			return 0, e.err
		}
		n, err := e.r.Read(e.buf)
		e.err = err
		for _, b := range e.buf[:n] {
			if e.pass(b); len(e.event) > e.limit {
				e.err = errLongEvent
				break
			}
		}
	}
	return e.ready.Read(p)
}

// pass takes one byte. A line ends with CR, LF or both, and is passed on with LF: a CR and the LF of the next, empty line
// would make one end of two. An event ends with a line that is empty. Empty lines between two events are left out.
func (e *wholeEvents) pass(b byte) {
	second := b == '\n' && e.cr // the other half of an end of line
	e.cr = b == '\r'
	end := b == '\n' || b == '\r'
	switch {
	case second, end && len(e.event) == 0:
	case end && e.line == 0:
		e.ready.Write(e.event)
		e.ready.WriteByte('\n')
		e.event, e.content = e.event[:0], false
	default:
		e.content = e.content || e.line == 0 && b != ':'
		e.line++
		if end {
			e.line, b = 0, '\n'
		}
		e.event = append(e.event, b)
	}
}
