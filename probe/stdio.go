package probe

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// How long a server gets to leave by itself once its input has ended, and once more after it has been asked to.
const (
	endGrace   = 2 * time.Second
	shortGrace = 500 * time.Millisecond // for the end of the input, once it has been seen that it is not enough
)

// stdioConn is a process that reads messages on its standard input and writes them on its standard output. It runs in a
// process group of its own, with an environment that holds what the user allowed.
type stdioConn struct {
	cmd    *exec.Cmd
	marker string // an environment variable that all descendants inherit
	in     *os.File
	out    chan event
	stop   chan struct{} // closed when nobody listens any more
	writes chan write
	stderr *tail
	grace  time.Duration

	readers sync.WaitGroup // of stdout and stderr
	talkers sync.WaitGroup // those who put events into out
	done    chan struct{}  // closed when the process has been waited for
	exit    *int
	stopped sync.Once
	once    sync.Once
	end     ending
}

type write struct {
	n   int
	msg []byte
}

// startStdio starts a command. env is the whole environment of the new process; grace is what it gets to leave in the end.
func startStdio(argv []string, dir string, env []string, grace time.Duration) (*stdioConn, error) {
	c := &stdioConn{marker: "MCPAUDIT_PROBE=" + rand.Text(), out: make(chan event, 64), stop: make(chan struct{}),
		writes: make(chan write, maxEvents), done: make(chan struct{}), stderr: &tail{}, grace: grace}
	// No context: a process that is killed by the package os/exec takes its descendants' pipes with it only if it is
	// alone. This one is ended by close, as a group.
	c.cmd = exec.Command(argv[0], argv[1:]...)
	c.cmd.Dir, c.cmd.Env = dir, append(env, c.marker)
	ownGroup(c.cmd)
	// The pipes are made here and not by os/exec, which would wait for whoever else holds the write end.
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", errors.Join(err, inR.Close(), inW.Close()))
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", errors.Join(err, inR.Close(), inW.Close(), outR.Close(), outW.Close()))
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inR, outW, errW
	err = c.cmd.Start()
	inR.Close()
	outW.Close()
	errW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		errR.Close()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	c.in = inW
	c.readers.Add(2)
	c.talkers.Go(func() { c.read(outR) })
	c.talkers.Go(c.write)
	go func() {
		c.talkers.Wait()
		close(c.out)
	}()
	go func() {
		defer c.readers.Done()
		defer errR.Close()
		io.Copy(c.stderr, errR)
	}()
	go func() {
		c.cmd.Wait()
		code := c.cmd.ProcessState.ExitCode()
		if s, ok := signalOf(c.cmd.ProcessState); ok {
			code = -s
		}
		c.exit = &code
		close(c.done)
	}()
	// What descendants of a dead server still hold open must not keep the readers for ever.
	go func() {
		<-c.done
		select {
		case <-c.stop:
		case <-time.After(grace):
		}
		deadline := time.Now()
		outR.SetReadDeadline(deadline)
		errR.SetReadDeadline(deadline)
	}()
	return c, nil
}

func (c *stdioConn) transport() mcpaudit.Transport { return "stdio" }
func (c *stdioConn) events() <-chan event          { return c.out }
func (c *stdioConn) negotiated(mcpaudit.Revision)  {}

// send queues a message. A server that does not read its input blocks the writer, not the prober.
func (c *stdioConn) send(_ context.Context, n int, msg []byte, _ http.Header) {
	select {
	case c.writes <- write{n, msg}:
	case <-c.stop:
	}
}

func (c *stdioConn) write() {
	for {
		select {
		case w := <-c.writes:
			_, err := c.in.Write(append(bytes.Clone(w.msg), '\n'))
			c.emit(event{kind: evWritten, at: time.Now(), n: w.n, err: err})
			if err != nil {
				return
			}
		case <-c.stop:
			return
		}
	}
}

// read cuts the output into lines. A line that is too long is delivered once, cut, and read on to its end; what is left
// without an end is delivered as it is, marked.
func (c *stdioConn) read(out *os.File) {
	defer c.readers.Done()
	defer out.Close()
	err := readLines(out, c.emit)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil // the process has gone; others hold its output open
	}
	closed := event{kind: evClosed, at: time.Now(), err: err}
	// A server that closes its output mostly leaves; then the exit code belongs to the story.
	select {
	case <-c.done:
		closed.exited = c.exit
	case <-c.stop:
	case <-time.After(200 * time.Millisecond):
	}
	c.emit(closed)
}

// readLines delivers the lines of a stream as frames. It returns nil at its end.
func readLines(r io.Reader, emit func(event)) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	total, frames, long := 0, 0, false
	for {
		part, err := br.ReadSlice('\n')
		at := time.Now()
		if total += len(part); total > maxTotal {
			return fmt.Errorf("read stdout: more than %d MiB came", maxTotal>>20)
		}
		if !long {
			line = append(line, part...)
			if long = len(line) > maxFrame; long {
				emit(event{kind: evFrame, at: at, data: line[:maxKept:maxKept], bad: fmt.Sprintf("the line is longer than %d MiB", maxFrame>>20)})
				line = nil
			}
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			if len(bytes.TrimSpace(line)) > 0 {
				emit(event{kind: evFrame, at: at, data: line, bad: "the output ends within the line"})
			}
			if err == io.EOF {
				err = nil
			}
			return err
		}
		if !long && len(bytes.TrimSpace(line)) > 0 {
			if frames++; frames > maxEvents {
				return fmt.Errorf("read stdout: more than %d lines came", maxEvents)
			}
			emit(event{kind: evFrame, at: at, data: bytes.TrimRight(line, "\r\n")})
		}
		line, long = nil, false
	}
}

func (c *stdioConn) emit(e event) {
	select {
	case c.out <- e:
	case <-c.stop:
	}
}

// close ends the input, waits, asks, and kills: the order of the specification. Whatever the server left behind in its
// group, or anywhere else with our marker, is killed too.
func (c *stdioConn) close(ctx context.Context) ending {
	c.once.Do(func() {
		start := time.Now()
		c.in.Close()
		taken := make(chan struct{})
		go func() { // an output that nobody reads would keep the process from leaving
			defer close(taken)
			for e := range c.out {
				if e.kind == evFrame {
					c.end.received = append(c.end.received, e.data)
				}
			}
		}()
		c.end.clean = c.waitFor(ctx, c.grace)
		c.end.took = time.Since(start)
		if !c.end.clean {
			c.end.killed = true
			terminate(c.cmd)
			if !c.waitFor(ctx, endGrace) {
				kill(c.cmd)
				<-c.done
			}
		}
		c.end.left = sweep(c.cmd, c.marker)
		c.stopped.Do(func() { close(c.stop) })
		c.readers.Wait()
		<-taken
		c.end.exited, c.end.stderr = c.exit, c.stderr.bytes()
	})
	return c.end
}

func (c *stdioConn) waitFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
		// No time is left to be polite, but a process that has gone must not be called killed.
		select {
		case <-c.done:
			return true
		default:
		}
	}
	return false
}

// tail keeps the last bytes that were written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*maxKept {
		t.buf = append([]byte(nil), t.buf[len(t.buf)-maxKept:]...)
	}
	return len(p), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.buf[max(0, len(t.buf)-maxKept):])
}
