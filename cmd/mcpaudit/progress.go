package main

import (
	"fmt"
	"io"
	"time"
)

// progressDelay is how long a run may take before it says that it is still at work.
const progressDelay = 500 * time.Millisecond

// progress is one line on stderr that is rewritten in place and gone at the end. The lock of its ui guards it.
type progress struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	last  time.Time
	shown bool
}

// wantProgress says whether anybody could see the line and would want it.
func wantProgress(mode string, terminal, quiet bool, env func(string) string) bool {
	return mode != "never" && terminal && !quiet && env("TERM") != "dumb" && env("CI") == ""
}

func newProgress(w io.Writer, now func() time.Time) *progress {
	return &progress{w: w, now: now, start: now()}
}

// step shows how far the run is, at most ten times a second.
func (p *progress) step(done, total int) {
	now := p.now()
	if now.Sub(p.start) < progressDelay || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[Kread %d of %d files", done, total)
}

// wipe erases the line; the next step draws it again.
func (p *progress) wipe() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// drawProgress draws a step of the run if this ui has a progress line.
func (u *ui) drawProgress(done, total int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bar != nil {
		u.bar.step(done, total)
	}
}

// endProgress erases the line for good.
func (u *ui) endProgress() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.bar != nil {
		u.bar.wipe()
		u.bar = nil
	}
}
