package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxMessage is how long a message may be. A longer one ends the server: its end cannot be found any more.
const maxMessage = 4 << 20

// stdio serves one client until its input ends, and returns the exit code.
func (v *server) stdio(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	switch {
	case v.has("exits-at-once"):
		fmt.Fprintln(stderr, "mcp-broken: it ends before it begins, as it was told to")
		return 7, nil
	case v.has("never-starts"):
		v.lingerOn(ctx)
		return 0, nil
	case v.has("children"):
		if err := v.spawn(stdout, stderr); err != nil {
			return 0, err
		}
	}
	if v.has("stdout-banner") {
		fmt.Fprintln(stdout, "Welcome to mcp-broken, listening on stdio")
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait() // once the context has ended, so that it does not take long
	defer cancel()
	lines, ended := readLines(ctx, stdin)
	out := &lineWriter{server: v, w: stdout}
	s := newSession("")
	for {
		var line []byte
		select {
		case line = <-lines:
		case err := <-ended:
			out.flush()
			if v.has("ignores-eof") || v.has("ignores-term") {
				v.lingerOn(ctx)
			}
			return 0, err
		case <-ctx.Done():
			return 0, nil
		}
		switch r := v.line(s, line); {
		case r.drop:
			return r.exit, nil
		case r.immediate(), v.has("ping-serial"):
			out.send(ctx, r)
		default:
			running.Go(func() { out.send(ctx, r) })
		}
	}
}

// readLines reads on its own, since nothing can interrupt a read. It ends with the input, or with the first line that
// nobody wants any more. All lines are taken before the end is told.
func readLines(ctx context.Context, stdin io.Reader) (<-chan []byte, <-chan error) {
	lines, ended := make(chan []byte), make(chan error, 1)
	go func() {
		sc := bufio.NewScanner(stdin)
		sc.Buffer(nil, maxMessage)
		for sc.Scan() {
			line := bytes.TrimSpace(sc.Bytes())
			if len(line) == 0 {
				continue
			}
			select {
			case lines <- bytes.Clone(line):
			case <-ctx.Done():
				return
			}
		}
		err := sc.Err()
		if err != nil {
			err = fmt.Errorf("read stdin: %w", err)
		}
		ended <- err
	}()
	return lines, ended
}

// line decides about one line of input.
func (v *server) line(s *session, line []byte) *reply {
	msgs, batch := parse(line)
	if v.eraOf(s, &msgs[0]) == eraLegacy {
		return v.serve(s, msgs, batch, "")
	}
	if batch {
		return v.malformed(nil, noBatches)
	}
	return v.modern(&msgs[0], nil)
}

// lingerOn does nothing for a while.
func (v *server) lingerOn(ctx context.Context) { (&reply{wait: v.linger}).settle(ctx) }

// spawn starts two processes and forgets them. The first one inherits stdout, as careless children do.
func (v *server) spawn(stdout, stderr io.Writer) error {
	for _, detached := range []bool{false, true} {
		cmd := sleeper(v.linger, detached)
		if f, ok := stdout.(*os.File); ok && !detached {
			cmd.Stdout = f
		}
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("start a child: %w", err)
		}
		fmt.Fprintf(stderr, "started child %d\n", cmd.Process.Pid)
		go cmd.Wait() // matters only to a process that goes on living, such as a test
	}
	return nil
}

// lineWriter writes one message after the other, each in a line if it is not told otherwise.
type lineWriter struct {
	*server
	w io.Writer

	mu     sync.Mutex
	begun  bool
	stuck  bool   // a line without an end has begun, or stdout is closed: nothing more can be said
	unsent []byte // what is to be written at the end
}

// send writes a reply when it is due.
func (o *lineWriter) send(ctx context.Context, r *reply) {
	if !r.settle(ctx) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range r.frames {
		switch {
		case o.stuck:
		case r.wire == "half-frame":
			o.stuck = true
			o.w.Write(f[:len(f)/2])
			if c, ok := o.w.(io.Closer); ok {
				c.Close()
			}
		case r.wire == "endless-line":
			o.stuck = true
			go endless(ctx, o.w)
		case r.wire == "ping-unflushed":
			o.unsent = append(o.unsent, o.framed(f)...)
		default:
			o.w.Write(o.framed(f)) // that a client has gone is told by the end of its input
		}
	}
}

func (o *lineWriter) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.stuck && len(o.unsent) > 0 {
		o.w.Write(o.unsent)
	}
}

// framed is a message as it goes over the wire.
func (o *lineWriter) framed(f []byte) []byte {
	var b bytes.Buffer
	if o.has("bom") && !o.begun {
		b.WriteString("\ufeff")
	}
	o.begun = true
	if o.has("stdout-log") {
		b.WriteString("INFO about to answer\n")
	}
	switch {
	case o.has("content-length"):
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(f), f)
	case o.has("pretty-json") && json.Indent(&b, f, "", "  ") == nil:
		b.WriteByte('\n')
	case o.has("crlf"):
		b.Write(f)
		b.WriteString("\r\n")
	default:
		b.Write(f)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// endless writes the beginning of a message and goes on for as long as somebody reads.
func endless(ctx context.Context, w io.Writer) {
	chunk := bytes.Repeat([]byte("a"), 64<<10)
	_, err := io.WriteString(w, `{"jsonrpc":"2.0","result":{"_meta":{"x":"`)
	for err == nil && ctx.Err() == nil {
		_, err = w.Write(chunk)
	}
}
