package main

// The law of this user interface. Everything below and every command obeys it.
//
//   - Findings and machine formats go to stdout, everything else to stderr.
//   - What goes to stderr is one line, lower case, with the prefix "mcpaudit: ", without a period:
//     "mcpaudit: warning: ...", "mcpaudit: error: ...". Help stands on "hint:" lines of its own.
//   - An error says what was being done to what. What the user or the audited repository wrote appears in it
//     only quoted, so that it can neither start a line nor move the cursor.
//   - Colour only where report.WantColor allows it, for each stream by itself. Meaning is never in colour alone.
//   - -q leaves findings and errors. Nothing asks a question; nothing waits for a key.
//   - A reader that goes away (a closed pipe) ends the output quietly and does not change the exit code.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/mcpaudit/mcpaudit/report/quote"
)

// ui writes to stderr. It is safe for use by several goroutines.
type ui struct {
	mu    sync.Mutex
	w     io.Writer
	quiet bool
	// bar is the progress line, if there is one; it is wiped before anything else is written.
	bar *progress
}

// error reports what ended the run, with the hints that the error carries.
func (u *ui) error(err error) {
	u.print("error: " + oneLine(err.Error()))
	var e *exitError
	if errors.As(err, &e) {
		for _, h := range e.hints {
			u.hint(h)
		}
	}
}

// warningf reports what the user should know although the run goes on.
func (u *ui) warningf(format string, args ...any) {
	if !u.quiet {
		u.print("warning: " + oneLine(fmt.Sprintf(format, args...)))
	}
}

// notef reports what was done.
func (u *ui) notef(format string, args ...any) {
	u.print(oneLine(fmt.Sprintf(format, args...)))
}

func (u *ui) hint(s string) {
	u.write("hint: " + oneLine(s) + "\n")
}

func (u *ui) print(s string) {
	u.write("mcpaudit: " + s + "\n")
}

func (u *ui) write(s string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bar != nil {
		u.bar.wipe()
	}
	io.WriteString(u.w, s)
}

// oneLine keeps a message on its line, whatever an error from elsewhere holds: what could move the cursor or hide is
// shown as its escape. "##" anywhere in a line is a command to some CI runners.
func oneLine(s string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "##", "# #") {
		if quote.Hostile(r) {
			escaped := strconv.QuoteRuneToASCII(r)
			b.WriteString(escaped[1 : len(escaped)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isTerminal reports whether a person looks at the stream.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// pipeWriter forgets what cannot be delivered once the reader has gone, and keeps every other error.
type pipeWriter struct {
	w      io.Writer
	closed bool
}

func (p *pipeWriter) Write(b []byte) (int, error) {
	if p.closed {
		return len(b), nil
	}
	n, err := p.w.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.closed = true
		return len(b), nil
	}
	return n, err
}
