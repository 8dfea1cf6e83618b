package fakemcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// lineWriter is the standard output of a server. Its messages come whole, whoever writes them.
type lineWriter struct {
	v    *server
	mu   sync.Mutex
	w    io.Writer
	any  bool         // something has been written
	kept bytes.Buffer // what a careless program keeps in a buffer
}

// write sends the messages of a reply. It returns false if the server is over with that.
func (l *lineWriter) write(r *reply) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range r.frames {
		if l.v.has("stdout-log") {
			fmt.Fprintln(l.w, "2026-01-01 00:00:00 INFO answering a request")
		}
		if l.v.has("bom") && !l.any {
			io.WriteString(l.w, "\ufeff")
		}
		l.any = true
		switch r.wire {
		case "endless-line":
			io.WriteString(l.w, `{"jsonrpc":"2.0","result":"`)
			for {
				if _, err := l.w.Write(filler); err != nil {
					return false
				}
			}
		case "half-frame":
			l.w.Write(half(f))
			return false
		case "ping-unflushed":
			l.kept.Write(append(f, '\n'))
			continue
		}
		l.w.Write(l.dress(f))
	}
	return true
}

// dress is a message in its line, or in what this server takes for one.
func (l *lineWriter) dress(f []byte) []byte {
	switch {
	case l.v.has("pretty-json"):
		var b bytes.Buffer
		if json.Indent(&b, f, "", "  ") == nil {
			f = b.Bytes()
		}
	case l.v.has("content-length"):
		return fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(f), f)
	case l.v.has("crlf"):
		return append(bytes.Clone(f), "\r\n"...)
	}
	return append(bytes.Clone(f), '\n')
}

// stdio serves one client over standard input and output until the input ends.
func (v *server) stdio(stdin io.Reader, stdout io.Writer) int {
	out := &lineWriter{v: v, w: stdout}
	if v.has("stdout-banner") {
		fmt.Fprintln(stdout, "mcptest 1.0.0 is listening on stdio")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(stdin)
		sc.Buffer(nil, 16<<20)
		for sc.Scan() {
			select {
			case lines <- bytes.Clone(sc.Bytes()):
			case <-ctx.Done():
				return
			}
		}
	}()
	s := newSession("")
	over := make(chan int, 1)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				if v.has("ignores-eof") || v.has("ignores-term") {
					time.Sleep(10 * time.Minute)
				}
				out.mu.Lock()
				defer out.mu.Unlock()
				stdout.Write(out.kept.Bytes())
				return 0
			}
			if len(bytes.TrimSpace(line)) > 0 {
				v.line(ctx, s, line, out, over)
			}
		case code := <-over:
			return code
		}
		select {
		case code := <-over:
			return code
		default:
		}
	}
}

// line serves one line.
func (v *server) line(ctx context.Context, s *session, line []byte, out *lineWriter, over chan<- int) {
	msgs, batch := parse(line)
	var r *reply
	if !batch && v.eraOf(s, &msgs[0]) == eraModern {
		r = v.modern(&msgs[0], nil)
	} else {
		r = v.serve(s, msgs, batch, "")
	}
	finish := func() {
		switch {
		case r.drop:
			end(over, r.exit)
		case r.settle(ctx) && !out.write(r):
			end(over, 0)
		}
	}
	// A program with one thread reads the next line when it has answered this one.
	if r.immediate() || v.has("ping-serial") {
		finish()
		return
	}
	go finish()
}

func end(over chan<- int, code int) {
	select {
	case over <- code:
	default:
	}
}
