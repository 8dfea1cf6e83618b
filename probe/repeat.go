package probe

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

// String is the target as a person would type it into a shell, without its secrets.
func (t Target) String() string {
	if t.URL != "" {
		return RedactURL(t.URL)
	}
	argv, _ := RedactArgs(t.Argv)
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = shellWord(a)
	}
	return strings.Join(words, " ")
}

// command is the target without what was given as the value of a variable.
func (t *talk) command() string {
	shown := Target{URL: t.target.URL}
	for _, a := range t.target.Argv {
		if slices.Contains(t.redact.secrets, a) {
			a = hidden
		}
		shown.Argv = append(shown.Argv, a)
	}
	return shown.String()
}

// shellWord quotes an argument for a POSIX shell, unless it needs none.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// repeat is one line for a POSIX shell that does a step again, with the handshake that it needs. What cannot be written
// down in a line, such as bytes that are no text, gives "". Whoever pastes the line runs it, so nothing that the server
// said may get into it: not its revision, unless it is one of ours, and not its session, but by way of a variable.
func (t *talk) repeat(r *Record) string {
	if len(r.Sent) == 0 || slices.ContainsFunc(r.Sent, func(b Bytes) bool { return bytes.ContainsAny(b, "\x00\n\r") }) {
		return ""
	}
	sent := r.Sent
	if strings.HasSuffix(r.Scenario, "/burst") {
		sent = sent[:min(len(sent), 10)]
	}
	switch r.Transport {
	case "stdio":
		return t.repeatStdio(r, sent)
	case "streamable-http":
		return t.repeatStreamable(r, sent)
	}
	return t.repeatSSE(r, sent)
}

// handshaken are the scenarios that bring their own beginning, or have none.
func handshaken(r *Record) bool {
	return strings.HasPrefix(r.Scenario, "handshake") || r.Scenario == "ping/before-init" || r.Scenario == "ping/one-write" || strings.HasPrefix(r.Scenario, "modern/")
}

func (t *talk) before(r *Record) [][]byte {
	if handshaken(r) {
		return nil
	}
	msgs := [][]byte{initialize(t.initID, revisionOf(r), t.opts.Version)}
	if r.Scenario != "ping/during-init" {
		msgs = append(msgs, initialized)
	}
	return msgs
}

// repeatStdio keeps the input open for a moment, because many servers leave as soon as it ends.
func (t *talk) repeatStdio(r *Record, sent []Bytes) string {
	var words []string
	for _, m := range t.before(r) {
		words = append(words, shellWord(string(m)))
	}
	for _, m := range sent {
		words = append(words, shellWord(string(m)))
	}
	env := ""
	for _, e := range t.opts.Env {
		name, _, _ := strings.Cut(e, "=")
		env += fmt.Sprintf("%s=\"$%s\" ", name, name)
	}
	cd := ""
	if t.opts.Dir != "" {
		cd = "cd " + shellWord(t.opts.Dir) + " && "
	}
	return fmt.Sprintf("%s{ printf '%%s\\n' %s; sleep 2; } | %s%s", cd, strings.Join(words, " "), env, t.command())
}

const curl = "curl -sS -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'"

// headers repeats what the user gave, by the names of variables that the reader has to fill in.
func (t *talk) headers() string {
	var b strings.Builder
	var names []string
	for name := range t.opts.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, " -H %s", shellWord(name+": "+hidden))
	}
	return b.String()
}

func (t *talk) repeatStreamable(r *Record, sent []Bytes) string {
	to := " " + shellWord(t.target.String())
	post := func(msg []byte, more string) string {
		return curl + t.headers() + more + " -d " + shellWord(string(msg)) + to
	}
	var parts []string
	session := ""
	if strings.HasPrefix(r.Scenario, "modern/") {
		method := strings.TrimPrefix(r.Scenario, "modern/")
		if method == "discover" {
			method = "server/discover"
		}
		session = fmt.Sprintf(" -H 'MCP-Protocol-Version: %s' -H 'Mcp-Method: %s'", mcpaudit.FirstModern, method)
	}
	for i, m := range t.before(r) {
		if i == 0 {
			parts = append(parts, "s=$("+post(m, " -D - -o /dev/null")+" | tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss][Ee][Ss][Ss][Ii][Oo][Nn]-[Ii][Dd]: //p')")
			session = fmt.Sprintf(" ${s:+-H \"Mcp-Session-Id: $s\"} -H 'MCP-Protocol-Version: %s'", revisionOf(r))
			continue
		}
		parts = append(parts, post(m, session))
	}
	for _, m := range sent {
		parts = append(parts, post(m, " -i"+session+odd(r.Scenario)))
	}
	return strings.Join(parts, "; ")
}

// odd are the headers of the exercises that have an odd one.
func odd(scenario string) string {
	switch scenario {
	case "http/origin":
		return " -H 'Origin: http://evil.example'"
	case "http/host":
		return " -H 'Host: evil.example' -H 'Origin: http://evil.example'"
	}
	return ""
}

// revisionOf is the revision to ask for.
func revisionOf(r *Record) mcpaudit.Revision {
	if !slices.Contains(mcpaudit.Revisions, r.Revision) || r.Revision.Modern() {
		return newest()
	}
	return r.Revision
}

// repeatSSE needs the stream and the posts at the same time, and the endpoint from the former for the latter.
func (t *talk) repeatSSE(r *Record, sent []Bytes) string {
	u, err := url.Parse(t.target.URL)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	origin := u.Scheme + "://" + u.Host
	parts := []string{"f=$(mktemp)", "curl -sSN" + t.headers() + " " + shellWord(t.target.String()) + ` >"$f" & sleep 1`,
		`p=$(sed -n 's/^data: *//p' "$f" | head -n 1 | tr -d '\r')`, fmt.Sprintf(`case $p in /*) p=%[1]s$p;; %[1]s/*) ;; *) p=;; esac`, shellWord(origin))} // the headers go to no other origin
	return strings.Join(append(append(parts, t.posts(r, sent)...), `sleep 1`, `kill $!`, `cat "$f"`), "; ")
}

func (t *talk) posts(r *Record, sent []Bytes) []string {
	var parts []string
	for _, m := range t.before(r) {
		parts = append(parts, curl+t.headers()+" -d "+shellWord(string(m))+` "$p"`)
	}
	for _, m := range sent {
		parts = append(parts, curl+t.headers()+" -d "+shellWord(string(m))+` "$p"`)
	}
	return parts
}
