package peers

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "measure what every peer answers and write measured.md")

// A peer that says nothing is asked something else; it is given this long to answer that, and this long again for an
// answer that comes late. No test depends on either.
const (
	silence = 10 * time.Second
	late    = 300 * time.Millisecond
)

var offers = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01"}

// lab is a peer over one transport, ready to be asked on connections of its own.
type lab struct {
	t    *testing.T
	r    Ready
	tr   Transport
	url  string
	rows [][2]string
}

// TestMeasured writes down what each peer answers. It runs with -update only: to be sure of a silence takes time.
func TestMeasured(t *testing.T) {
	if !*update {
		t.Skip("runs with -update only")
	}
	var mu sync.Mutex
	tables := map[string]map[Transport][][2]string{}
	t.Run("all", func(t *testing.T) {
		each(t, func(t *testing.T, r Ready, tr Transport) {
			l := &lab{t: t, r: r, tr: tr}
			l.measure()
			mu.Lock()
			defer mu.Unlock()
			if tables[r.Name] == nil {
				tables[r.Name] = map[Transport][][2]string{}
			}
			tables[r.Name][tr] = l.rows
		})
	})
	var b strings.Builder
	b.WriteString("# What the peers answer\n\nWritten by `go test ./internal/peers -run TestMeasured -update`; see measure_test.go for what was sent.\n" +
		"`{}` is an empty result with the id of the request, `silent` no answer while a later request was answered.\n" +
		"Over HTTP the status stands first where it is not 200.\n")
	for _, p := range All() {
		fmt.Fprintf(&b, "\n## %s: %s %s\n\n", p.Name, p.SDK, p.Version(t))
		line := func(first string, cell func(tr Transport) string) {
			b.WriteString("| " + first + " |")
			for _, tr := range Transports {
				if p.Offers(tr) {
					b.WriteString(" " + strings.ReplaceAll(cell(tr), "|", "\\|") + " |")
				}
			}
			b.WriteString("\n")
		}
		line("sent", func(tr Transport) string { return string(tr) })
		line("---", func(Transport) string { return "---" })
		line("era", func(tr Transport) string { return string(p.Ways[tr].Era) })
		for _, tr := range Transports {
			if !p.Offers(tr) {
				continue
			}
			for i, row := range tables[p.Name][tr] {
				line(row[0], func(tr Transport) string { return tables[p.Name][tr][i][1] })
			}
			break
		}
	}
	if t.Failed() {
		return
	}
	if err := os.WriteFile("measured.md", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fresh is a connection on which nothing was said yet. Over stdio that takes a process.
func (l *lab) fresh() conn {
	if l.tr == Stdio {
		return openStdio(l.t, l.r)
	}
	if l.url == "" {
		l.url = l.r.Start(l.t, l.tr)
	}
	return dial(l.t, l.url, l.tr)
}

// shaken is one on which the handshake is done, where the peer knows it.
func (l *lab) shaken() conn {
	c := l.fresh()
	if l.r.Ways[l.tr].Era != Modern {
		shake(l.t, c, "2025-11-25")
	}
	return c
}

func (l *lab) row(what, answer string) { l.rows = append(l.rows, [2]string{what, answer}) }

func (l *lab) measure() {
	var echoed []string
	for _, offer := range offers {
		c := l.fresh()
		m, err := call(c, "0", initialize("0", offer), silence)
		var result struct{ ProtocolVersion string }
		json.Unmarshal(m.Result, &result)
		switch {
		case result.ProtocolVersion == offer:
			echoed = append(echoed, offer)
			l.row("initialize "+offer, "same")
		case result.ProtocolVersion != "":
			l.row("initialize "+offer, result.ProtocolVersion)
		default:
			l.row("initialize "+offer, describe(c, "0", m, err))
		}
	}
	if diff := cmp.Diff(l.r.Ways[l.tr].Revisions, echoed); diff != "" {
		l.t.Errorf("revisions that initialize negotiates (-declared +measured):\n%s", diff)
	}

	c := l.fresh()
	l.row("`server/discover` first", l.wait(c, "1", modern("1", "server/discover", "")))
	l.row("then enveloped ping", l.wait(c, "2", modern("2", "ping", "")))
	l.row("then initialize", l.wait(c, "3", initialize("3", "2025-11-25")))

	l.row("ping before initialize", l.ask(l.fresh(), "1", bare("1"), initialize(`"then"`, "2025-11-25")+"\n"+initialized))
	c = l.fresh()
	if l.r.Ways[l.tr].Era != Modern {
		ask(l.t, c, "0", initialize("0", "2025-11-25"))
		if c, ok := c.(*httpConn); ok {
			c.revision = "2025-11-25"
		}
	}
	l.row("ping before initialized", l.wait(c, "1", bare("1")))

	c = l.shaken()
	for _, id := range []string{"0", `""`, "-7", "9007199254740991", `"a"`} {
		l.row("ping, id "+id, l.ask(c, id, bare(id), bare(`"then"`)))
	}
	for _, params := range []string{`{}`, `{"_meta":{"progressToken":"t"}}`} {
		l.row("ping, params "+params, l.ask(c, "1", `{"jsonrpc":"2.0","id":1,"method":"ping","params":`+params+`}`, bare(`"then"`)))
	}
	l.row("ping without id", l.ask(c, "", `{"jsonrpc":"2.0","method":"ping"}`, bare(`"then"`)))
	l.row("unknown method", l.ask(c, "1", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, bare(`"then"`)))
	l.row("unknown notification", l.ask(c, "", `{"jsonrpc":"2.0","method":"notifications/no_such"}`, bare(`"then"`)))
	l.row("ping, id null", l.ask(l.shaken(), "null", bare("null"), bare(`"then"`)))
	l.row("broken JSON", l.ask(l.shaken(), "", `{"jsonrpc":"2.0","id":1,"method":"ping"`, bare(`"then"`)))

	end, kind := "-", "-"
	switch c := l.shaken().(type) {
	case *stdioConn:
		end = c.end()
	case *httpConn:
		if err := c.send(bare("1")); err != nil {
			l.t.Error(err)
		}
		kind = map[bool]string{true: "stream", false: "JSON"}[c.stream]
		if c.session != "" {
			kind += ", session"
		}
	}
	l.row("end of stdin", end)
	l.row("kind of answer", kind)
}

// end closes stdin and says how the process leaves.
func (c *stdioConn) end() string {
	c.stdin.Close()
	for {
		switch _, err := c.next(silence); {
		case errors.Is(err, errSilent):
			return "stays"
		case err != nil:
			c.cmd.Wait()
			return fmt.Sprintf("leaves, %v", c.cmd.ProcessState)
		}
	}
}

func bare(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// wait sends a frame and waits for what is answered, which may be nothing.
func (l *lab) wait(c conn, id, frame string) string {
	if err := c.send(frame); err != nil {
		return describe(c, id, message{}, err)
	}
	m, err := reply(c, silence)
	return describe(c, id, m, err)
}

// ask sends a frame and behind it others, one with the id "then", to know when there is nothing to wait for.
func (l *lab) ask(c conn, id, frame, then string) string {
	err := c.send(frame)
	if c, ok := c.(*httpConn); ok || err != nil {
		m := message{}
		if err == nil {
			m, err = reply(c, 0)
		}
		text := describe(c, id, m, err)
		for _, f := range strings.Split(then, "\n") {
			if c.send(f) != nil {
				text += ", and nothing after it"
			}
		}
		c.came = nil
		return text
	}
	status := ""
	if c, ok := c.(*sseConn); ok && c.status >= 300 {
		status = fmt.Sprintf("%d %.90q, ", c.status, c.body)
	}
	for _, f := range strings.Split(then, "\n") {
		c.send(f) // a peer that left is noticed below
	}
	var answer message
	got, answered, order, wait := false, false, "", silence
	for !got || !answered {
		m, err := reply(c, wait)
		switch {
		case err == nil && string(m.ID) == `"then"`:
			answered, wait = true, late
		case err == nil && !got:
			answer, got = m, true
			if answered && strings.Contains(then, "initialize") {
				order = " after the handshake"
			}
		case err == nil: // a second answer
			order += ", and another"
		case !got:
			return status + describe(c, id, message{}, err)
		case errors.Is(err, io.EOF):
			return status + describe(c, id, answer, nil) + ", then it leaves"
		default:
			return status + describe(c, id, answer, nil) + ", and nothing after it"
		}
	}
	return status + describe(c, id, answer, nil) + order
}

// reply is the next message that is not a request or a notification of the peer.
func reply(c conn, wait time.Duration) (message, error) {
	for {
		frame, err := c.next(wait)
		if err != nil {
			return message{}, err
		}
		var m message
		if err := json.Unmarshal([]byte(frame), &m); err != nil {
			return message{}, fmt.Errorf("%.80q", frame)
		}
		if m.Method == "" {
			return m, nil
		}
	}
}

func describe(c conn, id string, m message, err error) string {
	status := ""
	if c, ok := c.(*httpConn); ok && c.status != 200 && c.status != 0 {
		status = fmt.Sprintf("%d ", c.status)
	}
	var text string
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE):
		return "leaves"
	case errors.Is(err, errSilent) && status != "":
		return status + "and no body"
	case errors.Is(err, errSilent):
		return "silent"
	case err != nil:
		return status + err.Error()
	case m.Error != nil:
		var data struct{ Supported []string }
		json.Unmarshal(m.Error.Data, &data)
		text = fmt.Sprintf("%d %.90q", m.Error.Code, m.Error.Message)
		if data.Supported != nil {
			text += fmt.Sprintf(", supported %v", data.Supported)
		}
	default:
		var result struct {
			SupportedVersions []string
			ProtocolVersion   string
		}
		json.Unmarshal(m.Result, &result)
		switch {
		case result.SupportedVersions != nil:
			text = fmt.Sprintf("versions %v", result.SupportedVersions)
		case result.ProtocolVersion != "":
			text = "negotiates " + result.ProtocolVersion
		default:
			text = fmt.Sprintf("`%.90s`", m.Result)
		}
	}
	if m.ID == nil {
		text += ", no id"
	} else if string(m.ID) != id {
		text += ", id " + string(m.ID)
	}
	return status + text
}
