package fakemcp

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// handler serves both transports that there are over HTTP.
func (v *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", v.endpoint)
	mux.HandleFunc("GET /sse", v.stream)
	mux.HandleFunc("POST /messages", v.message)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case v.has("http-401"):
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "who are you?", http.StatusUnauthorized)
		case v.has("http-403"):
			http.Error(w, "not for you", http.StatusForbidden)
		case !v.has("http-no-origin-check") && (!local(hostOf(r.Host)) || !v.ownOrigin(r.Header.Get("Origin"))):
			http.Error(w, "foreign origin", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (v *server) ownOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && local(u.Hostname())
}

// endpoint is the one of Streamable HTTP.
func (v *server) endpoint(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		v.post(w, r)
	case http.MethodGet:
		v.get(w, r)
	case http.MethodDelete:
		v.delete(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "no such method", http.StatusMethodNotAllowed)
	}
}

func (v *server) post(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "the body is not JSON", http.StatusUnsupportedMediaType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return
	}
	msgs, batch := parse(body)
	if !batch && v.modernRequest(&msgs[0], r) {
		v.send(w, r, v.modern(&msgs[0], r.Header))
		return
	}
	s, status := v.sessionOf(w, r, &msgs[0])
	if s == nil {
		if status == http.StatusNotFound && v.has("http-session-unknown-200") {
			v.send(w, r, v.refuse(msgs[0].id, &rpcError{Code: -32001, Message: "session not found"}))
			return
		}
		rep := v.refuse(nil, &rpcError{Code: -32000, Message: "there is no such session"})
		rep.status = status
		v.send(w, r, rep)
		return
	}
	if version := r.Header.Get("Mcp-Protocol-Version"); version != "" && !slices.Contains(legacyVersions, version) && msgs[0].method != "initialize" {
		http.Error(w, "unsupported protocol version", http.StatusBadRequest)
		return
	}
	rep := v.serve(s, msgs, batch, r.Header.Get("Mcp-Protocol-Version"))
	if msgs[0].problem != nil && !batch {
		rep.status = http.StatusBadRequest
	}
	v.send(w, r, rep)
}

// modernRequest tells the eras apart by the envelope, request by request.
func (v *server) modernRequest(m *message, r *http.Request) bool {
	version, _ := envelope(m)
	return v.era == eraModern || v.era == eraDual && (version != "" || r.Header.Get("Mcp-Protocol-Version") == modernVersion)
}

// sessionOf finds the session of a request, or opens one for initialize. Without a session it returns the status.
func (v *server) sessionOf(w http.ResponseWriter, r *http.Request, m *message) (*session, int) {
	if v.stateless {
		return v.shared, 0
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	id := r.Header.Get("Mcp-Session-Id")
	if id == "" && m.method == "initialize" {
		s := newSession(rand.Text())
		v.sessions[s.id] = s
		w.Header().Set("Mcp-Session-Id", s.id)
		return s, 0
	}
	if id == "" {
		return nil, http.StatusBadRequest
	}
	if s := v.sessions[id]; s != nil {
		return s, 0
	}
	return nil, http.StatusNotFound
}

func (v *server) get(w http.ResponseWriter, r *http.Request) {
	switch {
	case v.has("http-get-hangs"):
		<-r.Context().Done()
		return
	case v.stateless || v.era == eraModern:
		w.Header().Set("Allow", "POST")
		http.Error(w, "there is no stream", http.StatusMethodNotAllowed)
		return
	}
	v.mu.Lock()
	s := v.sessions[r.Header.Get("Mcp-Session-Id")]
	v.mu.Unlock()
	if s == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	begin(w)
	select {
	case <-s.ended:
	case <-r.Context().Done():
	}
}

func (v *server) delete(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.sessions[r.Header.Get("Mcp-Session-Id")]
	if s == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
		return
	}
	delete(v.sessions, s.id)
	close(s.ended)
	w.WriteHeader(http.StatusOK)
}

// begin starts a stream of events.
func begin(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush(w)
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func event(w http.ResponseWriter, kind string, data []byte) {
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data)
	flush(w)
}

// send does what a reply says, over the POST that asked for it.
func (v *server) send(w http.ResponseWriter, r *http.Request, rep *reply) {
	switch {
	case rep.drop:
		panic(http.ErrAbortHandler)
	case rep.accepted && len(rep.frames) == 0:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if v.has("ping-serial") {
		select {
		case v.turn <- struct{}{}:
			defer func() { <-v.turn }()
		case <-r.Context().Done():
			return
		}
	}
	if len(rep.frames) == 0 { // the client is left to wait
		begin(w)
		<-r.Context().Done()
		return
	}
	if rep.wire != "" && v.spoilt(w, r, rep) {
		return
	}
	json := (v.json || rep.status >= 400) && len(rep.frames) == 1
	if !json {
		begin(w)
	}
	if !rep.settle(r.Context()) {
		return
	}
	if json {
		w.Header().Set("Content-Type", "application/json")
		if rep.status != 0 {
			w.WriteHeader(rep.status)
		}
		w.Write(rep.frames[0])
		return
	}
	for _, f := range rep.frames {
		event(w, "message", f)
	}
}

// spoilt answers in the way that a behaviour spoils; false if it is none of HTTP.
func (v *server) spoilt(w http.ResponseWriter, r *http.Request, rep *reply) bool {
	f := rep.frames[0]
	switch rep.wire {
	case "http-500-ping":
		http.Error(w, "internal server error", http.StatusInternalServerError)
	case "http-200-empty":
		w.Header().Set("Content-Type", "application/json")
	case "http-empty-stream":
		begin(w)
	case "http-slowloris":
		begin(w)
		for i := 0; ; i++ {
			select {
			case <-r.Context().Done():
				return true
			case <-time.After(time.Second):
			}
			w.Write(filler[:1])
			flush(w)
		}
	case "http-redirect-loop":
		http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
	case "http-redirect-elsewhere":
		http.Redirect(w, r, v.elsewhere+"/mcp", http.StatusTemporaryRedirect)
	case "http-huge-body", "endless-line":
		w.Header().Set("Content-Type", "application/json")
		for range (1 << 30) / len(filler) {
			if _, err := w.Write(filler); err != nil {
				return true
			}
		}
	case "http-huge-header":
		w.Header().Set("X-Filler", strings.Repeat(string(filler), 32))
		w.Header().Set("Content-Type", "application/json")
		w.Write(f)
	case "http-202-ping":
		w.WriteHeader(http.StatusAccepted)
	case "http-html":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>It works</title>")
	case "http-wrong-type":
		w.Header().Set("Content-Type", "text/plain")
		w.Write(f)
	case "http-gzip":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(f)
		z.Close()
	case "half-frame", "half-frame-http":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(f)))
		w.Write(half(f))
		flush(w)
		panic(http.ErrAbortHandler)
	case "ping-unflushed":
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(bytes.Join([][]byte{[]byte("data: "), f, []byte("\n\n")}, nil))
		wait(r.Context(), 30*time.Second)
	default:
		return false
	}
	return true
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
