package mcptest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// front does what is done to every request, whatever it says, and reports whether it did something.
func (v *server) front(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case v.has("http-401"):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "unauthorized", http.StatusUnauthorized)
	case v.has("http-403"):
		http.Error(w, "forbidden", http.StatusForbidden)
	case v.has("http-html"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>Welcome</title><p>Nothing to see here.\n")
	case v.has("http-redirect-loop"):
		w.Header().Set("Location", r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	case v.has("http-redirect-elsewhere"):
		w.Header().Set("Location", v.elsewhere+r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	default:
		return false
	}
	return true
}

// wireFault is the behaviour that spoils the bytes of an answer to ping, if there is one.
func (v *server) wireFault() string {
	for _, b := range v.faults {
		if len(b.slots) > 0 && b.slots[0] == slotBytes {
			return b.Name
		}
	}
	return ""
}

// spoilers spoil the answer to a POST over Streamable HTTP. frame is what should have been said.
var spoilers = map[string]func(v *server, w http.ResponseWriter, r *http.Request, frame []byte){
	"endless-line": func(v *server, w http.ResponseWriter, r *http.Request, _ []byte) {
		startStream(w)
		io.WriteString(w, "data: ")
		endless(r.Context(), w)
	},
	"half-frame": func(v *server, w http.ResponseWriter, _ *http.Request, frame []byte) {
		if v.json {
			w.Header().Set("Content-Type", "application/json")
			w.Write(frame[:len(frame)/2])
		} else {
			startStream(w)
			event := v.event("message", frame)
			w.Write(event[:len(event)/2])
		}
		flush(w)
		abort()
	},
	"ping-unflushed": func(v *server, w http.ResponseWriter, r *http.Request, frame []byte) {
		// Nothing goes out before the buffer of net/http is full, or this function returns.
		if v.json {
			w.Header().Set("Content-Type", "application/json")
			w.Write(frame)
		} else {
			w.Header().Set("Content-Type", eventStream)
			w.Write(v.event("message", frame))
		}
		(&reply{wait: v.lateness("ping-unflushed")}).settle(r.Context())
	},
	"http-200-empty": func(_ *server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		writeJSON(w, http.StatusOK, nil)
	},
	"http-202-ping": func(_ *server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.WriteHeader(http.StatusAccepted)
	},
	"http-500-ping": func(_ *server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
	},
	"http-empty-stream": func(_ *server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		startStream(w)
	},
	"http-huge-body": func(_ *server, w http.ResponseWriter, r *http.Request, frame []byte) {
		w.Header().Set("Content-Type", "application/json")
		// The result is the same but for its size, which the schema does not limit.
		start, end, _ := strings.Cut(string(frame), `"result":{`)
		_, err := io.WriteString(w, start+`"result":{"_meta":{"x":"`)
		chunk := bytes.Repeat([]byte("a"), 1<<20)
		for n := 0; n < 1<<10 && err == nil && r.Context().Err() == nil; n++ {
			_, err = w.Write(chunk)
		}
		io.WriteString(w, `"}`+end)
	},
	"http-huge-header": func(_ *server, w http.ResponseWriter, _ *http.Request, frame []byte) {
		w.Header().Set("X-Filler", strings.Repeat("a", 16<<20))
		writeJSON(w, http.StatusOK, frame)
	},
	"http-slowloris": func(v *server, w http.ResponseWriter, r *http.Request, frame []byte) {
		startStream(w)
		start := "data: " + strings.TrimSuffix(string(frame), "}") + `,"_meta":{"x":"`
		tick := time.NewTicker(v.lateness("http-slowloris"))
		defer tick.Stop()
		for i := 0; ; i++ {
			c := byte('a')
			if i < len(start) {
				c = start[i]
			}
			if _, err := w.Write([]byte{c}); err != nil {
				return
			}
			flush(w)
			select {
			case <-tick.C:
			case <-r.Context().Done():
				return
			}
		}
	},
	"http-wrong-type": func(_ *server, w http.ResponseWriter, _ *http.Request, frame []byte) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write(frame)
	},
}
