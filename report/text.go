package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/report/quote"
)

// TextOptions choose the form of the text, never what is found.
type TextOptions struct {
	Why   bool // the verdict of every pattern on every server
	Quiet bool // findings only; a run that read nothing, and a probe that is not complete, say so all the same
	Color bool
	CI    bool // the output goes to a runner that looks for commands in its log
	// Rel turns a path from the root of the scan into the one that is shown, such as that from the current folder,
	// from where a terminal can open it; nil shows it as it is.
	Rel func(string) string
}

// Text writes the report for people. It is no stable interface; scripts read JSON.
//
// The place of a finding comes first, because terminals and editors link it there. Then come its source lines behind
// a gutter and what to do about it. After the findings the text explains its silence: the verdicts that are no
// findings, what could not be read, and the counts.
func Text(w io.Writer, r *Report, o TextOptions) error {
	if err := r.verify(); err != nil {
		return err
	}
	t := &text{report: r, options: o, files: newFiles(r), quote: quote.Quoter{CI: o.CI}, probes: r.repo().Probes}
	for i := range r.Checks {
		if c := &r.Checks[i]; shown(c) {
			t.finding(c)
			t.blank()
		}
	}
	if !r.Verdict.Analysed {
		t.nothing()
	}
	if o.Quiet {
		for _, p := range t.untold(func(p *mcpaudit.Probe) bool { return !p.Complete() }) {
			t.probe(p, nil)
		}
	} else {
		t.coverage()
		t.gaps()
		t.blank()
		t.tail()
	}
	body := bytes.TrimRight(t.out.Bytes(), "\n")
	if len(body) > 0 {
		body = append(body, '\n')
	}
	_, err := w.Write(body)
	return err
}

type text struct {
	report  *Report
	options TextOptions
	files   *files
	quote   quote.Quoter
	probes  []*mcpaudit.Probe // those that no line tells of yet
	out     bytes.Buffer
}

// line writes one line. What is given has been quoted.
func (t *text) line(parts ...string) {
	for _, p := range parts {
		t.out.WriteString(p)
	}
	t.out.WriteByte('\n')
}

// blank leaves one blank line before what comes next.
func (t *text) blank() {
	if t.out.Len() > 0 && !bytes.HasSuffix(t.out.Bytes(), []byte("\n\n")) {
		t.out.WriteByte('\n')
	}
}

// paint colours a part of a line. The colour ends with the part, so that none reaches the next line.
func (t *text) paint(r role, s string) string {
	if !t.options.Color || s == "" {
		return s
	}
	return "\x1b[" + codes[r] + "m" + s + "\x1b[0m"
}

func (t *text) finding(c *mcpaudit.Check) {
	rule := fmt.Sprintf("%s[%s/%s]", c.Level, t.quote.Visible(string(c.Pattern)), t.quote.Visible(c.Fault))
	t.line(t.paint(rolePlace, t.where(c)+":"), " ", t.paint(levelRole(c.Level), rule), ": ", t.quote.Visible(c.Message))
	current := ""
	if p := c.Primary(); p != nil {
		current = p.File
	}
	for _, e := range c.Evidence {
		if e.Span != nil && e.Role != mcpaudit.Hidden {
			t.evidence(c, e, e.Span.File != current)
			current = e.Span.File
		}
	}
	for _, h := range c.Hints {
		t.hint(t.quote.Visible(h))
	}
	if hasPage(c.Pattern) {
		t.hint("mcpaudit explain " + t.quote.Visible(string(c.Pattern)))
	}
	for _, e := range c.Evidence {
		if e.Exchange != nil && e.Role != mcpaudit.Hidden {
			t.exchange(e)
		}
	}
}

func (t *text) hint(s string) { t.line(t.paint(roleHint, "hint:"), " ", s) }

// where names the place of a finding, or the server if it was heard only.
func (t *text) where(c *mcpaudit.Check) string {
	p := c.Primary()
	switch {
	case p == nil && c.Subject.Server == "":
		return "repository"
	case p == nil:
		return "server " + t.quote.Name(c.Subject.Server)
	}
	place := t.place(*p, true)
	// In the log of a runner nothing foreign starts a line.
	if t.options.CI && !strings.HasPrefix(place, `"`) {
		place = "./" + place
	}
	return place
}

// place is path:line or path:line:column, or the path alone where the source is not in the report.
func (t *text) place(s mcpaudit.Span, column bool) string {
	p := t.path(s.File)
	x := t.files.index(s.File)
	if x == nil {
		return p
	}
	pos := x.at(s.Start)
	p += ":" + strconv.Itoa(pos.Line)
	if column {
		p += ":" + strconv.Itoa(pos.Column)
	}
	return p
}

func (t *text) path(file string) string {
	if t.options.Rel != nil {
		file = t.options.Rel(file)
	}
	return t.quote.Path(file)
}

// evidence shows the first line of a span. The place is named where it is not in the file that was named last.
func (t *text) evidence(c *mcpaudit.Check, e mcpaudit.Evidence, name bool) {
	note := t.quote.Visible(e.Note)
	x := t.files.index(e.Span.File)
	if name || x == nil {
		where := t.paint(roleFrame, "   at ") + t.place(*e.Span, true)
		if x == nil {
			where += ": the source is not in the report"
			if note != "" {
				where += "; " + note
			}
		}
		t.line(where)
	}
	if x == nil {
		return
	}
	start, end := x.line(e.Span.Start)
	s := newSnippet(t.quote, x.src[start:end], e.Span.Start-start, e.Span.End-start)
	mark, ink := "^", levelRole(c.Level)
	if e.Role == mcpaudit.Related {
		mark, ink = "-", roleFrame
	}
	row := t.paint(roleFrame, fmt.Sprintf("%5d |", x.at(e.Span.Start).Line))
	if s.Text != "" {
		row += " " + s.Text
	}
	t.line(row)
	row = t.paint(roleFrame, "      |") + strings.Repeat(" ", s.From+1) + t.paint(ink, strings.Repeat(mark, s.To-s.From))
	if note != "" {
		row += " " + t.paint(ink, note)
	}
	t.line(row)
}

// fewMessages is how many of the messages of one side are shown at most.
const fewMessages = 3

// exchange shows what was said and heard. Words of ours stand in brackets; a reply is JSON or in double quotes.
func (t *text) exchange(e mcpaudit.Evidence) {
	x := e.Exchange
	sent := "(nothing)"
	if len(x.Sent) > 0 {
		// What is sent many times is the same over and over.
		sent = strings.Join(t.messages(sentMessages(x.Sent), 1, 0), "  ")
	}
	var heard []string
	if x.Status != 0 {
		heard = append(heard, fmt.Sprintf("(HTTP %d)", x.Status))
	}
	// The answer that a step waited for ends it.
	heard = append(heard, t.messages(x.Received, fewMessages-1, 1)...)
	if len(x.Received) == 0 {
		heard = append(heard, "(no answer)")
	}
	if x.Exited != nil {
		heard = append(heard, fmt.Sprintf("(exited with %d)", *x.Exited))
	}
	row := sent + "  ->  " + strings.Join(heard, "  ")
	if e.Note != "" {
		row += "  (" + t.quote.Visible(e.Note) + ")"
	}
	t.line(t.paint(roleHint, "heard:"), " ", row)
	if x.Repeat == "" {
		return
	}
	again, err := t.quote.Shell(x.Repeat)
	if err != nil {
		again = "(not shown: the line holds characters that a terminal or a runner may act on)"
	}
	t.line(t.paint(roleHint, "again:"), " ", again)
}

// messages quotes the messages of one side. Of many it takes some from either end and counts the rest; of several it
// shows less of each.
func (t *text) messages(all []json.RawMessage, first, last int) []string {
	if len(all) == 1 {
		return []string{t.quote.Reply(all[0])}
	}
	var out []string
	for i, m := range all {
		switch {
		case len(all) <= fewMessages || i < first || i >= len(all)-last:
			out = append(out, t.quote.Brief(m))
		case i == first:
			out = append(out, fmt.Sprintf("(%d more)", len(all)-first-last))
		}
	}
	return out
}

// sentMessages takes apart what was sent in one step: messages, one a line. One that is no JSON, as a test of what a
// peer makes of it, is not taken apart.
func sentMessages(sent json.RawMessage) []json.RawMessage {
	lines := bytes.Split(sent, []byte("\n"))
	if json.Valid(sent) || !json.Valid(lines[0]) {
		return []json.RawMessage{sent}
	}
	out := make([]json.RawMessage, len(lines))
	for i, l := range lines {
		out[i] = l
	}
	return out
}
