package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// hello is what a server says of itself in the handshake.
type hello struct {
	name         string
	revision     mcpaudit.Revision
	capabilities map[string]json.RawMessage
}

// newest is the newest revision that opens with a handshake.
func newest() mcpaudit.Revision { return legacyRevisions()[len(legacyRevisions())-1] }

func legacyRevisions() []mcpaudit.Revision {
	var out []mcpaudit.Revision
	for _, r := range mcpaudit.Revisions {
		if !r.Modern() {
			out = append(out, r)
		}
	}
	return out
}

func initialize(id json.RawMessage, rev mcpaudit.Revision, version string) []byte {
	return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcpaudit","version":%q}}}`, id, rev, version))
}

var initialized = []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

// handshakeError says why a server cannot be talked to. Credentials are a reason of their own: the user can help.
type handshakeError struct {
	why         string
	credentials bool
	gone        bool // it could not be reached, or has left: it may be there in a moment
}

func (e *handshakeError) Error() string { return e.why }

// initialize opens a legacy conversation up to, and without, notifications/initialized.
func (s *session) initialize(ctx context.Context, scenario string, id json.RawMessage, rev mcpaudit.Revision, version string, wait time.Duration) (*Record, error) {
	rec := s.say(ctx, step{scenario: scenario, msgs: [][]byte{initialize(id, rev, version)}, wait: wait})
	h, err := readHello(rec, id)
	if err != nil {
		return rec, err
	}
	s.hello, s.rev = h, h.revision
	// A revision that does not exist, or that has no handshake, is not repeated: what follows is about other things.
	if slices.Contains(legacyRevisions(), h.revision) {
		s.c.negotiated(h.revision)
	}
	return rec, nil
}

// readHello finds the answer to initialize in a record.
func readHello(rec *Record, id json.RawMessage) (*hello, error) {
	switch rec.Status {
	case 401:
		return nil, &handshakeError{why: "HTTP 401: the server wants credentials; give them with --header-env", credentials: true}
	case 403:
		why := "HTTP 403: the server forbids it"
		for _, said := range append(rec.Received, rec.Unread...) {
			why += ", and says: " + strings.TrimSpace(string(cut(said)))
			break
		}
		return nil, &handshakeError{why: why + "; if it wants credentials, give them with --header-env", credentials: true}
	}
	a := hear(rec, id)
	switch {
	case a.match == nil && rec.Exited != nil:
		return nil, &handshakeError{why: "the server " + exitWords(*rec.Exited) + " instead of answering initialize", gone: true}
	case a.match == nil && rec.Closed:
		why := "the connection ended before initialize was answered"
		if rec.Note != "" {
			why += ": " + rec.Note
		}
		return nil, &handshakeError{why: why, gone: true}
	case a.match == nil && rec.Status >= 400:
		return nil, &handshakeError{why: fmt.Sprintf("initialize is answered with HTTP %d", rec.Status), gone: busy(rec.Status)}
	case a.match == nil && rec.Status == 0 && rec.Transport != "stdio" && rec.Note != "":
		return nil, &handshakeError{why: "the server cannot be reached: " + rec.Note, gone: true}
	case a.match == nil && a.odd != "":
		return nil, &handshakeError{why: "initialize has no answer that a client understands: " + a.odd}
	case a.match == nil:
		why := "initialize is not answered"
		if rec.Note != "" {
			why += ": " + rec.Note
		}
		return nil, &handshakeError{why: why}
	case a.match.err != nil:
		return nil, &handshakeError{why: "initialize is refused: " + string(cut(a.match.err))}
	}
	var res struct {
		ProtocolVersion string                     `json:"protocolVersion"`
		Capabilities    map[string]json.RawMessage `json:"capabilities"`
		ServerInfo      struct {
			Name string `json:"name"`
		} `json:"serverInfo"`
	}
	if err := json.Unmarshal(a.match.result, &res); err != nil || res.ProtocolVersion == "" {
		return nil, &handshakeError{why: "the answer to initialize names no protocolVersion"}
	}
	return &hello{res.ServerInfo.Name, mcpaudit.Revision(res.ProtocolVersion), res.Capabilities}, nil
}

func exitWords(code int) string {
	if code < 0 {
		return fmt.Sprintf("was ended by signal %d", -code)
	}
	return fmt.Sprintf("exited with %d", code)
}

func cut(b []byte) []byte {
	const most = 300
	if len(b) > most {
		return append(append([]byte(nil), b[:most]...), "…"...)
	}
	return b
}

var saysWhy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)error|exception|panic|fatal|cannot|not found|denied|missing|usage`)
})

// complaint is the line of stderr that seems to say why a server did not start: the last one with a word for it, else the
// last one at all. Stack traces end with lines that say nothing.
func complaint(stderr []byte) string {
	last := ""
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		if line != "" && (saysWhy().MatchString(line) || !saysWhy().MatchString(last)) {
			last = line
		}
	}
	return string(cut([]byte(last)))
}

func wantsCredentials(err error) bool {
	var h *handshakeError
	return errors.As(err, &h) && h.credentials
}
