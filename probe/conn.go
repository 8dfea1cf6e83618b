package probe

import (
	"context"
	"net/http"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// Limits of what is read from a peer. They are far above what a server has to say and far below what would hurt.
const (
	maxFrame  = 16 << 20 // bytes of one message
	maxTotal  = 64 << 20 // bytes of one connection
	maxKept   = 64 << 10 // bytes of a message or of stderr that are kept once they have been judged
	maxEvents = 10_000   // messages of one connection
)

// conn is one connection to a server, which hands raw bytes out and in. Nothing is parsed below it but the framing of
// the transport: lines, HTTP bodies, server-sent events.
type conn interface {
	// send starts to write one message and returns at once; extra headers matter over HTTP only. What comes of it
	// arrives as events that carry the number n. The caller chooses n: 1, 2, 3 ...
	send(ctx context.Context, n int, msg []byte, extra http.Header)
	// events delivers everything that happens, in order. It is closed after the event evClosed.
	events() <-chan event
	// negotiated tells the connection which revision has been agreed on, for the headers of what follows.
	negotiated(rev mcpaudit.Revision)
	// close ends the connection in the order that the transport asks for, and kills what is left of it. It is bounded
	// in time and may be called twice.
	close(ctx context.Context) ending
	transport() mcpaudit.Transport
}

type eventKind int

const (
	evWritten eventKind = iota // stdio: the message has been handed to the peer
	evFrame                    // a message, or what stands in the place of one
	evStatus                   // HTTP: the head of the answer to POST n
	evEventID                  // HTTP: a stream gave an id at which it may be resumed, in data
	evDone                     // HTTP: the answer to POST n has ended; err says why if it broke off
	evClosed                   // nothing more can come; err says why, nil is the peer's own end
)

// event is one thing that happened on a connection.
type event struct {
	kind   eventKind
	at     time.Time
	n      int // the message that it belongs to; 0 for what came unasked: stdout, the stream of a GET
	data   []byte
	bad    string // evFrame: why data is no message, such as a line that is too long
	status int
	header http.Header
	err    error
	exited *int // evClosed over stdio: the exit code, if there is one
}

// ending says how a connection came to its end.
type ending struct {
	exited *int          // stdio: the exit code; negative for a signal
	clean  bool          // stdio: the process left by itself after the end of its input
	killed bool          // stdio: a signal was needed
	left   int           // stdio: processes that the server had started and left behind
	took   time.Duration // from the end of input to the end of the process
	status int           // HTTP: of the DELETE that ends the session; 0 if none was sent
	stderr []byte        // stdio: the last bytes of it

	received [][]byte // stdio: what came while the process was ending
	problem  string   // what went wrong on the way
}
