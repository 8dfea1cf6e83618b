// Package cases holds the harness for the cases of a pattern. A pattern has one txtar with all its cases, every
// language side by side: the first two elements of a path name the case, what follows is a path in its tree.
//
//	-- ts/missing-switch/server.ts --
//	switch (method) { // want "ab-001839/missing"
//
// What is expected of a line stands in a comment at its end:
//
//	want "ab-001839/missing"          a finding of this fault has its primary place on this line
//	want "missing: code -32601"       the same, and the regular expression matches "message (level)"
//	ok                                no finding here, and something in the tree was judged
//	todo-want "missing"               ought to be found and is not yet; fails as soon as it is
//	todo-ok "missing"                 is found and ought not to be; fails as soon as it is not
//
// A finding that nothing asks for fails the case. A file "expect" says what else there is to say of the tree, one
// verdict on each line, and then covers every check without a finding:
//
//	pass: sdk: .* answers ping        verdict, and a regular expression for "reason: message"
//	fail: removed                     a finding at a place that can hold no comment; "fault: message (level)"
//	none                              nothing was judged: there is no server
//	todo pass: own-code               ought to be so and is not yet
//
// A file "transcript.jsonl" at the root of a case is a conversation with a running server, as the package probe writes it
// down, one record on each line. It is no file of the tree. The server in it joins the one in the tree that has its name
// or its tools; a case may also have no other file. Lines that start with # are comments, but these are options:
//
//	#! remote                         the server does not run on this machine
//	#! budget 50ms                    what the user allows a ping to take
package cases

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
)

// Case is one small tree together with what is expected of it.
type Case struct {
	Name    string       // "ts/missing-switch"
	Files   []txtar.File // names are relative to the tree; "expect" is not among them
	Notes   []Note
	Expects []Expect
	None    bool // nothing is judged
}

// Note is what a comment at the end of a line expects.
type Note struct {
	File    string
	Line    int
	Kind    string // "want", "ok", "todo-want" or "todo-ok"
	Fault   string
	Message *regexp.Regexp // nil: any
}

// Expect is one line of the file "expect".
type Expect struct {
	Verdict string
	Text    *regexp.Regexp
	Todo    bool
}

const expectFile = "expect"

var comment = regexp.MustCompile(`(?:^|\s)(?://|#)\s*(want|ok|todo-want|todo-ok)(?:\s+(["` + "`" + `].*["` + "`" + `]))?\s*$`)

// Split takes the archive of a pattern apart. It returns every mistake in it: a case that expects nothing, a name that
// occurs twice, a fault that the pattern does not have.
func Split(ar *txtar.Archive, p *mcpaudit.Pattern) ([]*Case, error) {
	var out []*Case
	var errs []error
	byName := map[string]*Case{}
	seen := map[string]bool{}
	for _, f := range ar.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if len(parts) < 3 || path.Clean(f.Name) != f.Name {
			errs = append(errs, fmt.Errorf("file %q: want language/case/path", f.Name))
			continue
		}
		if seen[f.Name] {
			errs = append(errs, fmt.Errorf("file %q occurs twice", f.Name))
			continue
		}
		seen[f.Name] = true
		name := parts[0] + "/" + parts[1]
		c := byName[name]
		if c == nil {
			c = &Case{Name: name}
			byName[name] = c
			out = append(out, c)
		} else if c != out[len(out)-1] {
			errs = append(errs, fmt.Errorf("case %s is torn apart by another one", name))
		}
		if err := c.Add(parts[2], f.Data, p); err != nil {
			errs = append(errs, fmt.Errorf("case %s: %w", name, err))
		}
	}
	for _, c := range out {
		if err := c.valid(); err != nil {
			errs = append(errs, fmt.Errorf("case %s: %w", c.Name, err))
		}
	}
	return out, errors.Join(errs...)
}

func (c *Case) valid() error {
	switch {
	case len(c.Files) == 0:
		return errors.New("it has no files")
	case c.None && len(c.Notes)+len(c.Expects) > 0:
		return errors.New("it expects that nothing is judged, and something else too")
	case !c.None && len(c.Notes)+len(c.Expects) == 0:
		return errors.New("it expects nothing: say want, ok or expect")
	}
	return nil
}

// Add adds a file of the tree and reads what it expects.
func (c *Case) Add(name string, data []byte, p *mcpaudit.Pattern) error {
	if name == expectFile {
		return c.expect(data)
	}
	c.Files = append(c.Files, txtar.File{Name: name, Data: data})
	if name == transcriptFile {
		_, _, err := transcript(data)
		return err
	}
	for i, line := range bytes.Split(data, []byte("\n")) {
		m := comment.FindSubmatch(line)
		if m == nil {
			continue
		}
		notes, err := parseNotes(string(m[1]), string(m[2]), p)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		for _, n := range notes {
			n.File, n.Line = name, i+1
			c.Notes = append(c.Notes, n)
		}
	}
	return nil
}

func parseNotes(kind, quoted string, p *mcpaudit.Pattern) ([]Note, error) {
	if kind == "ok" {
		if quoted != "" {
			return nil, errors.New("ok takes no argument")
		}
		return []Note{{Kind: kind}}, nil
	}
	var out []Note
	for quoted = strings.TrimSpace(quoted); quoted != ""; quoted = strings.TrimSpace(quoted) {
		q, err := strconv.QuotedPrefix(quoted)
		if err != nil {
			return nil, fmt.Errorf("%s: read %q: %w", kind, quoted, err)
		}
		quoted = quoted[len(q):]
		text, err := strconv.Unquote(q)
		if err != nil {
			return nil, fmt.Errorf("%s: unquote %s: %w", kind, q, err)
		}
		fault, expr, _ := strings.Cut(text, ":")
		fault = strings.TrimPrefix(fault, string(p.ID)+"/")
		n := Note{Kind: kind, Fault: fault}
		if p.Fault(fault) == nil {
			return nil, fmt.Errorf("%s: pattern %s has no fault %q", kind, p.ID, fault)
		}
		if expr = strings.TrimSpace(expr); expr != "" {
			if n.Message, err = regexp.Compile(expr); err != nil {
				return nil, fmt.Errorf("%s: %w", kind, err)
			}
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: name the fault", kind)
	}
	return out, nil
}

func (c *Case) expect(data []byte) error {
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if line == "none" {
			c.None = true
			continue
		}
		var e Expect
		line, e.Todo = strings.CutPrefix(line, "todo ")
		verdict, expr, ok := strings.Cut(line, ":")
		e.Verdict = verdict
		switch {
		case !ok:
			return fmt.Errorf("expect:%d: %q: want none or \"verdict: expression\"", i+1, line)
		case verdict != "pass" && verdict != "fail" && verdict != "undecided" && verdict != "not-applicable":
			return fmt.Errorf("expect:%d: unknown verdict %q", i+1, verdict)
		}
		re, err := regexp.Compile(strings.TrimSpace(expr))
		if err != nil {
			return fmt.Errorf("expect:%d: %w", i+1, err)
		}
		e.Text = re
		c.Expects = append(c.Expects, e)
	}
	return nil
}
