//go:build cgo

package python

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// literal gathers one string, which may be written as several adjacent ones.
type literal struct {
	text  strings.Builder // what comes before the first hole
	holes []*code.Expr
}

// add appends text, unless a hole came before it.
func (s *literal) add(text string) {
	if len(s.holes) == 0 {
		s.text.WriteString(text)
	}
}

// str lowers a string or a concatenation of strings: a Template if any part of its text is computed.
func (l *lowerer) str(n *syntax.Node) *code.Expr {
	var s literal
	if n.Is("concatenated_string") {
		for _, c := range kids(n) {
			if c.Is("string") {
				l.part(c, &s)
			} else {
				s.holes = append(s.holes, l.expr(c))
			}
		}
	} else {
		l.part(n, &s)
	}
	e := l.new(code.String, n)
	e.Text = s.text.String()
	if len(s.holes) > 0 {
		e.Kind, e.Args = code.Template, s.holes
	}
	return e
}

// part adds one string of a concatenation. The grammar has nodes for escapes and holes but none for the text between
// them, so the text is cut out of the source and decoded here.
func (l *lowerer) part(n *syntax.Node, s *literal) {
	open := n.First("string_start")
	if open == nil {
		s.holes = append(s.holes, l.new(code.Other, n))
		return
	}
	start := l.t.Text(open)
	prefix := strings.ToLower(strings.TrimRight(start, "\"'`"))
	if strings.HasSuffix(start, "`") { // Python 2: the text of an expression's value
		s.holes = append(s.holes, l.new(code.Other, n))
		return
	}
	end := n.End
	if c := n.First("string_end"); c != nil {
		end = c.Start
	}
	form := form{
		raw:    strings.Contains(prefix, "r"),
		bytes:  strings.Contains(prefix, "b"),
		format: strings.Contains(prefix, "f"),
	}
	pos := open.End
	for _, c := range n.Children {
		if c.Start < pos || c.End > end || !c.Is("interpolation", "ERROR") {
			continue
		}
		l.text(n, s, form, pos, c.Start)
		if eq := c.First("="); eq != nil { // f"{x=}" shows its own source too
			s.add(string(l.t.Src[c.Start+1 : eq.End]))
		}
		s.holes = append(s.holes, l.holes(c)...)
		pos = c.End
	}
	l.text(n, s, form, pos, end)
}

// text adds the literal text of a range. Text that cannot be decoded is a hole.
func (l *lowerer) text(n *syntax.Node, s *literal, f form, start, end int) {
	text, ok := f.decode(string(l.t.Src[start:max(start, end)]))
	if !ok {
		s.holes = append(s.holes, l.new(code.Other, n))
		return
	}
	s.add(text)
}

// holes are the expressions of one pair of braces: the value, and those inside its format.
func (l *lowerer) holes(n *syntax.Node) []*code.Expr {
	if n.Is("ERROR") {
		return []*code.Expr{l.expr(n)}
	}
	var out []*code.Expr
	for _, c := range kids(n) {
		switch {
		case c.Is("type_conversion"):
		case c.Is("format_specifier", "format_expression"):
			out = append(out, l.holes(c)...)
		default:
			out = append(out, l.expr(c))
		}
	}
	// Braces always compute something, even if recovery from a syntax error left nothing in them.
	if len(out) == 0 && n.Is("interpolation") {
		out = append(out, l.new(code.Other, n))
	}
	return out
}

// form is how the text between the quotes of a string is spelt.
type form struct{ raw, bytes, format bool }

// decode returns the value of the text. It fails for a character given by its Unicode name, which takes a table
// that is not worth its size here.
func (f form) decode(s string) (string, bool) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if f.raw && !f.format || !strings.ContainsAny(s, `\{}`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case f.format && (c == '{' || c == '}') && strings.HasPrefix(s[i+1:], string(c)):
			b.WriteByte(c)
			i += 2
		case c != '\\' || f.raw || i+1 == len(s):
			b.WriteByte(c)
			i++
		default:
			n, ok := f.escape(&b, s[i:])
			if !ok {
				return "", false
			}
			i += n
		}
	}
	return b.String(), true
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// escape decodes the escape sequence that s begins with and returns its length. As in Python, a backslash before
// any other character stays.
func (f form) escape(b *strings.Builder, s string) (int, bool) {
	c := s[1]
	if text, ok := simpleEscapes[c]; ok {
		b.WriteString(text)
		return 2, true
	}
	digits, base := 0, 16
	switch {
	case c == 'x':
		digits = 2
	case c == 'u' && !f.bytes:
		digits = 4
	case c == 'U' && !f.bytes:
		digits = 8
	case c == 'N' && !f.bytes:
		return 0, false
	case c >= '0' && c <= '7':
		base, digits = 8, 1
		for digits < 3 && digits+1 < len(s) && s[digits+1] >= '0' && s[digits+1] <= '7' {
			digits++
		}
	default:
		b.WriteByte('\\')
		return 1, true
	}
	start := 2
	if base == 8 {
		start = 1
	}
	if start+digits > len(s) {
		return 0, false
	}
	v, err := strconv.ParseUint(s[start:start+digits], base, 32)
	switch {
	case err != nil:
		return 0, false
	case f.bytes:
		b.WriteByte(byte(v))
	case v > utf8.MaxRune:
		return 0, false
	default:
		b.WriteRune(rune(v))
	}
	return start + digits, true
}
