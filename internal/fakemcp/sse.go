package fakemcp

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
)

// stream is the GET of HTTP+SSE: it names the address for posts, and carries everything that the server says.
func (v *server) stream(w http.ResponseWriter, r *http.Request) {
	s := newSession(rand.Text())
	v.mu.Lock()
	v.sessions[s.id] = s
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		delete(v.sessions, s.id)
		v.mu.Unlock()
		close(s.ended)
	}()
	begin(w)
	to := "/messages?sessionId=" + s.id
	switch {
	case v.has("sse-no-endpoint"):
	case v.has("sse-endpoint-elsewhere"):
		event(w, "endpoint", []byte(v.elsewhere+to))
	default:
		event(w, "endpoint", []byte(to))
	}
	for {
		select {
		case f := <-s.out:
			if f == nil {
				return
			}
			event(w, "message", f)
		case <-r.Context().Done():
			return
		}
	}
}

// message takes a post. The answer goes over the stream.
func (v *server) message(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	s := v.sessions[r.URL.Query().Get("sessionId")]
	v.mu.Unlock()
	if s == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return
	}
	msgs, batch := parse(body)
	rep := v.serve(s, msgs, batch, "")
	if rep.drop {
		v.push(s, nil)
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(http.StatusAccepted)
	fmt.Fprint(w, "Accepted")
	deliver := func() {
		if !rep.settle(r.Context()) {
			return
		}
		for _, f := range rep.frames {
			if rep.wire == "half-frame-http" {
				f = nil
			}
			v.push(s, f)
		}
	}
	if v.has("ping-serial") {
		v.turn <- struct{}{}
		defer func() { <-v.turn }()
	}
	flush(w)
	deliver()
}

// push hands a message to the stream; nil ends it.
func (v *server) push(s *session, f []byte) {
	select {
	case s.out <- f:
	case <-s.ended:
	}
}
