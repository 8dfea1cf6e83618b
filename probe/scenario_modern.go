package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/mcpaudit/mcpaudit"
)

// modernLeg asks for the era without a handshake, over a connection of its own: the first request may decide about the
// era of a process. A server counts as modern only if it names a modern revision.
var modernLeg = []exercise{
	{name: "modern/discover", about: "server/discover, without a handshake", place: onModern, trigger: mcpaudit.TriggerDiscover, method: "server/discover", run: discover},
	{name: "modern/ping", about: "a ping with the envelope of revision 2026-07-28, which has no ping", place: onModern, trigger: mcpaudit.TriggerPingModern, method: "ping", run: pingModern},
}

// envelope is the part of a modern request that says who asks.
func envelope(version string) string {
	return fmt.Sprintf(`{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"mcpaudit","version":%q}}}`, mcpaudit.FirstModern, version)
}

func modernMessage(id, method, version string) []byte {
	return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, envelope(version)))
}

func modernHeader(method string) http.Header {
	return http.Header{"Mcp-Protocol-Version": {string(mcpaudit.FirstModern)}, "Mcp-Method": {method}, "Mcp-Session-Id": nil}
}

func (t *talk) offersModern() bool {
	return slices.ContainsFunc(t.opts.Revisions, mcpaudit.Revision.Modern)
}

func discover(ctx context.Context, t *talk, e exercise, _ *session) {
	if !t.offersModern() || t.sse || wantsCredentials(t.legacy) {
		return
	}
	s, err := t.open(ctx)
	if err != nil {
		t.missed(e, err.Error())
		return
	}
	s.modern = true
	// A legacy server may be silent here. It gets as long as it needed for its handshake, and some more.
	wait := max(t.short(), 2*t.startup)
	if t.legacy != nil {
		wait = t.opts.WaitReady
	}
	rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{modernMessage(`"mcpaudit-discover"`, "server/discover", t.opts.Version)}, wait: min(wait, max(t.opts.WaitReady, time.Second)), extra: modernHeader("server/discover")})
	if len(modernRevisions(rec)) == 0 {
		s.close(ctx, "close")
		return
	}
	s.rev = mcpaudit.FirstModern
	t.modern = s
}

// modernRevisions reads which modern revisions a server names, in the answer to server/discover or in the refusal of the
// one that was asked for.
func modernRevisions(rec *Record) []mcpaudit.Revision {
	m := hear(rec, json.RawMessage(`"mcpaudit-discover"`)).match
	if m == nil {
		return nil
	}
	var ok struct {
		SupportedVersions []string `json:"supportedVersions"`
	}
	var refused struct {
		Data struct {
			Supported []string `json:"supported"`
		} `json:"data"`
	}
	_ = json.Unmarshal(m.result, &ok)
	_ = json.Unmarshal(m.err, &refused)
	var revs []mcpaudit.Revision
	for _, v := range append(ok.SupportedVersions, refused.Data.Supported...) {
		if r := mcpaudit.Revision(v); dated(r) && r.Modern() {
			revs = append(revs, r)
		}
	}
	return revs
}

// dated reports whether a text has the form of a revision, so that "latest" does not count as a late one.
func dated(r mcpaudit.Revision) bool {
	_, err := time.Parse(time.DateOnly, string(r))
	return err == nil
}

func pingModern(ctx context.Context, t *talk, e exercise, _ *session) {
	s := t.modern
	if s == nil {
		return // no modern era: nothing to ask
	}
	id := json.RawMessage(`"mcpaudit-ping"`)
	rec := s.say(ctx, step{scenario: e.name, msgs: [][]byte{modernMessage(string(id), "ping", t.opts.Version)}, wait: t.opts.Timeout, extra: modernHeader("ping")})
	if hear(rec, id).match != nil || s.closed {
		return
	}
	rec.Control = "silent"
	c := s.say(ctx, step{scenario: "control", msgs: [][]byte{modernMessage(`"mcpaudit-control"`, "server/discover", t.opts.Version)}, wait: t.opts.Timeout, extra: modernHeader("server/discover")})
	if s.answered(c) {
		rec.Control = "answered"
	}
}
