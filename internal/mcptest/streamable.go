package mcptest

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
	eventStream   = "text/event-stream"
)

// streamable serves the one address of Streamable HTTP.
func (v *server) streamable(w http.ResponseWriter, r *http.Request) {
	methods := map[string]http.HandlerFunc{http.MethodPost: v.post}
	if v.era != eraModern && !v.stateless {
		methods[http.MethodGet], methods[http.MethodDelete] = v.get, v.del
	}
	if serve := methods[r.Method]; serve != nil {
		serve(w, r)
		return
	}
	for _, m := range []string{http.MethodDelete, http.MethodGet, http.MethodPost} {
		if methods[m] != nil {
			w.Header().Add("Allow", m)
		}
	}
	v.httpError(w, http.StatusMethodNotAllowed, r.Method+" is not served here")
}

// accepts reports whether a client takes a media type.
func accepts(r *http.Request, kind string) bool {
	for _, a := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		got, _, _ := mime.ParseMediaType(strings.TrimSpace(a))
		major, _, _ := strings.Cut(kind, "/")
		if got == kind || got == "*/*" || got == major+"/*" {
			return true
		}
	}
	return false
}

// read takes the message out of a POST, or refuses it.
func (v *server) read(w http.ResponseWriter, r *http.Request) (msgs []message, batch, ok bool) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		v.httpError(w, http.StatusUnsupportedMediaType, "the content type is not application/json")
		return nil, false, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		v.httpError(w, http.StatusRequestEntityTooLarge, "the message cannot be read, or is too long")
		return nil, false, false
	}
	if msgs, batch = parse(body); !batch && msgs[0].problem != nil {
		v.answer(w, r, v.malformed(msgs[0].id, msgs[0].problem))
		return nil, false, false
	}
	return msgs, batch, true
}

func (v *server) post(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "application/json") || !accepts(r, eventStream) {
		v.httpError(w, http.StatusNotAcceptable, "the client does not accept both application/json and text/event-stream")
		return
	}
	msgs, batch, ok := v.read(w, r)
	if !ok || !v.takeTurn(r.Context().Done()) {
		return
	}
	defer v.passTurn()
	if v.modernRequest(r, &msgs[0]) {
		rep := v.malformed(nil, noBatches)
		if !batch {
			rep = v.modern(&msgs[0], r.Header)
		}
		v.answer(w, r, rep)
		return
	}
	if begins := !batch && msgs[0].request() && msgs[0].method == "initialize"; begins && r.Header.Get(headerSession) == "" {
		v.begin(w, r, msgs)
		return
	}
	s := v.joined(w, r, msgs[0].id)
	if s == nil {
		return
	}
	version := r.Header.Get(headerVersion)
	if version == "" {
		version = batchVersion // what a client is taken to speak that does not say it, and cannot be asked
	}
	v.answer(w, r, v.serve(s, msgs, batch, version))
}

// modernRequest reports whether a request belongs to the era without handshakes. Beside the envelope its header tells: a
// client that forgets the one is told so by the rules of the era it meant.
func (v *server) modernRequest(r *http.Request, m *message) bool {
	if v.era != eraDual {
		return v.era == eraModern
	}
	version, _ := envelope(m)
	return version != "" || r.Header.Get(headerVersion) == modernVersion
}

// begin answers the request that begins a session.
func (v *server) begin(w http.ResponseWriter, r *http.Request, msgs []message) {
	if v.stateless {
		v.answer(w, r, v.serve(v.shared, msgs, false, ""))
		return
	}
	s := newSession(rand.Text())
	rep := v.serve(s, msgs, false, "")
	if s.initialized { // nobody else knows the session yet
		v.mu.Lock()
		full := len(v.sessions) >= maxSessions
		if !full {
			v.sessions[s.id] = s
		}
		v.mu.Unlock()
		if full {
			v.httpError(w, http.StatusServiceUnavailable, "there are too many sessions")
			return
		}
		w.Header().Set(headerSession, s.id)
	}
	v.answer(w, r, rep)
}

// joined finds the session that a request belongs to, or refuses the request. id is the one of the message in it.
func (v *server) joined(w http.ResponseWriter, r *http.Request, id []byte) *session {
	s := v.shared
	if !v.stateless {
		name := r.Header.Get(headerSession)
		v.mu.Lock()
		s = v.sessions[name]
		v.mu.Unlock()
		switch {
		case name == "":
			v.httpError(w, http.StatusBadRequest, "the header Mcp-Session-Id is missing")
			return nil
		case s == nil && v.has("http-session-unknown-200") && id != nil:
			v.answer(w, r, v.refuse(id, invalid("there is no such session")))
			return nil
		case s == nil:
			v.httpError(w, http.StatusNotFound, "there is no such session")
			return nil
		}
	}
	if version := r.Header.Get(headerVersion); version != "" && !slices.Contains(legacyVersions, version) {
		s.mu.Lock()
		agreed := version == s.version // some behaviours agree to what does not exist
		s.mu.Unlock()
		if !agreed {
			v.httpError(w, http.StatusBadRequest, "the version in the header Mcp-Protocol-Version is not supported")
			return nil
		}
	}
	return s
}

// get opens the stream for what belongs to no request. This server has nothing to say there.
func (v *server) get(w http.ResponseWriter, r *http.Request) {
	if v.has("http-get-hangs") {
		<-r.Context().Done()
		return
	}
	if !accepts(r, eventStream) {
		v.httpError(w, http.StatusNotAcceptable, "the client does not accept text/event-stream")
		return
	}
	s := v.joined(w, r, nil)
	if s == nil {
		return
	}
	startStream(w)
	select {
	case <-r.Context().Done():
	case <-s.ended:
	}
}

func (v *server) del(w http.ResponseWriter, r *http.Request) {
	s := v.joined(w, r, nil)
	if s == nil {
		return
	}
	v.mu.Lock()
	delete(v.sessions, s.id)
	v.mu.Unlock()
	s.end()
	w.WriteHeader(http.StatusNoContent)
}

// answer turns a reply into the answer to a POST. A reply that waits does so in an open stream, if there is one.
func (v *server) answer(w http.ResponseWriter, r *http.Request, rep *reply) {
	stream := !v.json && (rep.status == 0 || rep.status == http.StatusOK)
	switch spoil := spoilers[rep.wire]; {
	case rep.drop:
		abort()
	case rep.accepted && len(rep.frames) == 0:
		w.WriteHeader(http.StatusAccepted)
		return
	case spoil != nil:
		if rep.settle(r.Context()) {
			spoil(v, w, r, rep.frames[0])
		}
		return
	}
	if stream && !v.has("http-gzip") {
		startStream(w)
	}
	if len(rep.frames) == 0 {
		<-r.Context().Done()
		return
	}
	if !rep.settle(r.Context()) {
		return
	}
	switch {
	case v.has("http-gzip"):
		v.compressed(w, rep, stream)
	case stream:
		for _, f := range rep.frames {
			w.Write(v.event("message", f))
			flush(w)
		}
	default:
		writeJSON(w, max(rep.status, http.StatusOK), rep.frames[0])
	}
}

func startStream(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", eventStream)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // or nginx would hold events back
	w.WriteHeader(http.StatusOK)
	flush(w)
}

// event is a message as an event of a stream.
func (v *server) event(kind string, data []byte) []byte {
	eol := "\n"
	if v.has("crlf") {
		eol = "\r\n"
	}
	return fmt.Appendf(nil, "event: %s%sdata: %s%s%s", kind, eol, data, eol, eol)
}

func (v *server) compressed(w http.ResponseWriter, rep *reply, stream bool) {
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	if stream {
		for _, f := range rep.frames {
			z.Write(v.event("message", f))
		}
	} else {
		z.Write(rep.frames[0])
	}
	z.Close()
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Set("Content-Type", "application/json")
	if stream {
		w.Header().Set("Content-Type", eventStream)
	}
	w.WriteHeader(max(rep.status, http.StatusOK))
	w.Write(body.Bytes())
}

// takeTurn waits until nothing else is under way, if the server does one thing after the other.
func (v *server) takeTurn(given <-chan struct{}) bool {
	if !v.has("ping-serial") {
		return true
	}
	select {
	case v.turn <- struct{}{}:
		return true
	case <-given:
		return false
	}
}

func (v *server) passTurn() {
	if v.has("ping-serial") {
		<-v.turn
	}
}
