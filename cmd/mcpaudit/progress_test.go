package main

import (
	"bytes"
	"testing"
	"time"
)

func TestWantProgress(t *testing.T) {
	for _, tt := range []struct {
		name            string
		mode            string
		terminal, quiet bool
		env             map[string]string
		want            bool
	}{
		{"a terminal", "auto", true, false, nil, true},
		{"no terminal", "auto", false, false, nil, false},
		{"never", "never", true, false, nil, false},
		{"quiet", "auto", true, true, nil, false},
		{"a dumb terminal", "auto", true, false, map[string]string{"TERM": "dumb"}, false},
		{"a CI", "auto", true, false, map[string]string{"CI": "true"}, false},
	} {
		got := wantProgress(tt.mode, tt.terminal, tt.quiet, func(k string) string { return tt.env[k] })
		if got != tt.want {
			t.Errorf("%s: got %t, want %t", tt.name, got, tt.want)
		}
	}
}

// The line comes after half a second, makes room for messages, and is gone at the end.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	u := &ui{w: &out, bar: newProgress(&out, func() time.Time { return now })}
	step := func(after time.Duration, done int, want string) {
		t.Helper()
		now = now.Add(after)
		out.Reset()
		u.drawProgress(done, 9)
		if out.String() != want {
			t.Errorf("step %d wrote %q, want %q", done, out.String(), want)
		}
	}
	step(400*time.Millisecond, 1, "")
	step(200*time.Millisecond, 2, "\r\x1b[Kread 2 of 9 files")
	step(50*time.Millisecond, 3, "")
	step(100*time.Millisecond, 4, "\r\x1b[Kread 4 of 9 files")

	out.Reset()
	u.warningf("careful")
	if want := "\r\x1b[Kmcpaudit: warning: careful\n"; out.String() != want {
		t.Errorf("a message wrote %q, want %q", out.String(), want)
	}
	step(100*time.Millisecond, 5, "\r\x1b[Kread 5 of 9 files")
	out.Reset()
	u.endProgress()
	if want := "\r\x1b[K"; out.String() != want {
		t.Errorf("the end wrote %q, want %q", out.String(), want)
	}
	step(time.Second, 6, "")
}
