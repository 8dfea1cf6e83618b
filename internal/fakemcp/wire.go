package fakemcp

import (
	"slices"
	"strings"
)

// wireFault is the behaviour that spoils the bytes of an answer to ping, or "".
func (v *server) wireFault() string {
	i := slices.IndexFunc(v.faults, func(f string) bool {
		switch f {
		case "endless-line", "half-frame", "half-frame-http", "ping-unflushed", "http-500-ping", "http-200-empty", "http-empty-stream", "http-slowloris",
			"http-redirect-loop", "http-redirect-elsewhere", "http-huge-body", "http-huge-header", "http-202-ping", "http-html",
			"http-wrong-type", "http-gzip":
			return true
		}
		return false
	})
	if i < 0 {
		return ""
	}
	return v.faults[i]
}

// filler is what fills a line or a body that does not end.
var filler = []byte(strings.Repeat("x", 64<<10))

// half is the part of a message that gets out before the end.
func half(frame []byte) []byte { return frame[:len(frame)/2] }
