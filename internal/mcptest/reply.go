package mcptest

import (
	"context"
	"slices"
	"time"
)

// reply is what a server does about something that a client sent. The transports know no method and no fault of one;
// they do what a reply says.
type reply struct {
	frames   [][]byte // messages, in their order; none although not accepted: the client is left to wait
	accepted bool     // there is nothing to say: it was a notification or a response
	status   int      // HTTP; 0: what the transport sees fit

	until   <-chan struct{} // nothing is sent before it is closed; nil: at once
	wait    time.Duration   // and then not before this has passed
	stopped <-chan struct{} // closed: the client has cancelled, nothing is sent
	done    func()          // called when the reply has been sent or given up

	wire string // the behaviour that spoils the bytes of it
	drop bool   // the connection ends without an answer: over stdio, where there is no other way, the process with exit
	exit int
}

// immediate reports whether settle would not wait.
func (r *reply) immediate() bool { return r.until == nil && r.wait <= 0 }

// settle waits until a reply is due. It returns false if it is not to be sent any more. However it ends, the reply
// counts as over.
func (r *reply) settle(ctx context.Context) bool {
	if r.done != nil {
		defer r.done()
	}
	if r.until != nil {
		select {
		case <-r.until:
		case <-r.stopped:
			return false
		case <-ctx.Done():
			return false
		}
	}
	if r.wait <= 0 {
		return true
	}
	timer := time.NewTimer(r.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.stopped:
		return false
	case <-ctx.Done():
		return false
	}
}

// join makes one reply of those to the members of a batch: an array of all that is to be said.
func join(replies []*reply) *reply {
	out := &reply{accepted: true}
	body := []byte{'['}
	var done []func()
	for _, r := range replies {
		out.accepted = out.accepted && r.accepted
		out.wait = max(out.wait, r.wait)
		if r.until != nil {
			out.until = r.until
		}
		if r.done != nil {
			done = append(done, r.done)
		}
		if r.drop {
			out.drop, out.exit = true, r.exit
		}
		for _, f := range r.frames {
			if len(body) > 1 {
				body = append(body, ',')
			}
			body = append(body, f...)
		}
	}
	out.done = func() {
		for _, f := range done {
			f()
		}
	}
	if len(body) > 1 {
		out.frames = [][]byte{append(slices.Clip(body), ']')}
	}
	return out
}
