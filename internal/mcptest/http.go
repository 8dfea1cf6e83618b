package mcptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// maxSessions is how many clients are remembered.
const maxSessions = 4096

// handler serves both transports. Those who have the revision of 2024-11-05 only need the second one.
func (v *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", v.streamable)
	if v.era != eraModern {
		mux.HandleFunc("GET /sse", v.openSSE)
		mux.HandleFunc("POST /messages", v.postSSE)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case v.front(w, r):
		case !v.has("http-no-origin-check") && !local(r):
			v.httpError(w, http.StatusForbidden, "neither Host nor Origin may name another machine")
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// local reports whether a request was meant for this machine and does not come from a page of a foreign site, which a
// name that resolves to 127.0.0.1 could send here.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if !loopback(host) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && loopback(u.Hostname())
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	if len(host) > 1 && host[0] == '[' {
		host = host[1 : len(host)-1]
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// httpError refuses a request of HTTP. Its body is an error without an id, which tells people more than a status.
func (v *server) httpError(w http.ResponseWriter, status int, words string) {
	writeJSON(w, status, v.refuse(nil, invalid(words)).frames[0])
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}

func flush(w http.ResponseWriter) { http.NewResponseController(w).Flush() }

// abort ends the connection of a request without a proper end of its body.
func abort() { panic(http.ErrAbortHandler) }

// listen serves HTTP until stdin ends, or a signal comes.
func (v *server) listen(ctx context.Context, stdin io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	srv := &http.Server{
		Handler:           v.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	over := make(chan struct{})
	if !v.stays {
		go func() {
			defer close(over)
			io.Copy(io.Discard, stdin)
		}()
	}
	if err = writeURL(v.urlFile, "http://"+l.Addr().String()); err == nil {
		select {
		case <-over:
		case <-ctx.Done():
		case err = <-served:
			return fmt.Errorf("serve: %w", err)
		}
	}
	cancel() // ends all that is under way
	grace, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if srv.Shutdown(grace) != nil {
		srv.Close()
	}
	return err
}

// writeURL makes the file appear with all that it holds: who waits for it never reads half a URL.
func writeURL(file, base string) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".url-*")
	if err != nil {
		return fmt.Errorf("write the URL: %w", err)
	}
	_, err = io.WriteString(tmp, base+"\n")
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("write the URL: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}
