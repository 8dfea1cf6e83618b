package mcptest

import (
	"crypto/rand"
	"io"
	"net/http"
)

// openSSE opens the stream on which everything is said. Its first event says where messages are posted.
func (v *server) openSSE(w http.ResponseWriter, r *http.Request) {
	s := newSession(rand.Text())
	s.stream = r.Context()
	v.mu.Lock()
	full := len(v.streams) >= maxSessions
	if !full {
		v.streams[s.id] = s
	}
	v.mu.Unlock()
	if full {
		v.httpError(w, http.StatusServiceUnavailable, "there are too many sessions")
		return
	}
	defer func() {
		v.mu.Lock()
		delete(v.streams, s.id)
		v.mu.Unlock()
	}()
	startStream(w)
	endpoint := "/messages?sessionId=" + s.id
	if v.has("sse-endpoint-elsewhere") {
		endpoint = v.elsewhere + endpoint
	}
	if !v.has("sse-no-endpoint") {
		w.Write(v.event("endpoint", []byte(endpoint)))
		flush(w)
	}
	for {
		select {
		case b := <-s.out:
			w.Write(b)
			flush(w)
		case <-s.ended:
			abort()
		case <-r.Context().Done():
			return
		}
	}
}

// postSSE takes a message. What there is to say to it comes on the stream, so that the POST does not wait.
func (v *server) postSSE(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	s := v.streams[r.URL.Query().Get("sessionId")]
	v.mu.Unlock()
	if s == nil {
		v.httpError(w, http.StatusNotFound, "there is no such session")
		return
	}
	msgs, batch, ok := v.read(w, r)
	if !ok || !v.takeTurn(r.Context().Done()) {
		return
	}
	rep := v.serve(s, msgs, batch, "")
	if rep.drop {
		v.passTurn()
		s.end()
		abort()
	}
	go v.tell(s, rep)
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, "Accepted")
}

// tell puts a reply on the stream when it is due.
func (v *server) tell(s *session, rep *reply) {
	defer v.passTurn()
	if !rep.settle(s.stream) {
		return
	}
	for _, f := range rep.frames {
		event := v.event("message", f)
		if rep.wire == "half-frame" {
			event = event[:len(event)/2]
		}
		select {
		case s.out <- event:
		case <-s.ended:
			return
		case <-s.stream.Done():
			return
		}
		if rep.wire == "half-frame" {
			s.end()
			return
		}
	}
}
