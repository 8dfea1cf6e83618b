//go:build cgo

package typescript

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// literal lowers a literal without parts, or returns nil for anything else.
func (l *lowering) literal(n *syntax.Node) *code.Expr {
	e := &code.Expr{Span: l.span(n)}
	switch n.Type {
	case "string":
		e.Kind, e.Text = code.String, l.stringText(n)
	case "template_string":
		return l.template(n)
	case "number":
		e.Kind, e.Text = code.Number, l.text(n)
	case "true", "false":
		e.Kind, e.Text = code.Bool, n.Type
	case "null":
		e.Kind = code.Null
	case "undefined":
		e.Kind = code.Undefined
	case "regex":
		e.Text = l.text(n)
	default:
		return nil
	}
	return e
}

// stringText decodes a string literal, quotes and all.
func (l *lowering) stringText(n *syntax.Node) string {
	s := l.text(n)
	if s == "" {
		return ""
	}
	quote := s[:1]
	s = s[1:]
	return unescape(strings.TrimSuffix(s, quote))
}

// template lowers a template literal; one without holes is a plain string.
func (l *lowering) template(n *syntax.Node) *code.Expr {
	e := &code.Expr{Kind: code.String, Span: l.span(n)}
	text := l.text(n)
	end := max(n.Start+1, n.End-1)
	if !strings.HasSuffix(text[min(1, len(text)):], "`") {
		end = n.End // unterminated
	}
	for _, c := range n.Children {
		if c.Type != "template_substitution" {
			continue
		}
		if e.Kind == code.String {
			e.Kind, end = code.Template, c.Start
		}
		hole := firstNamed(c)
		if hole == nil {
			hole = c
		}
		e.Args = append(e.Args, l.expr(hole))
	}
	if start := min(n.Start+1, end); start < end {
		e.Text = unescape(strings.ReplaceAll(string(l.t.Src[start:end]), "\r\n", "\n"))
	}
	return e
}

// unescape decodes the escapes of string and template literals. An escape that is none keeps its characters
// without the backslash, as the language says.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := unescapeOne(&b, s[i+1:])
		i += 1 + n
	}
	return b.String()
}

var simpleEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v'}

// unescapeOne decodes what follows a backslash and returns how many bytes that took.
func unescapeOne(b *strings.Builder, s string) int {
	if c, ok := simpleEscapes[s[0]]; ok {
		b.WriteByte(c)
		return 1
	}
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s[0] == '\n' || s[0] == '\r':
		return 1
	case strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029"):
		return len("\u2028")
	case s[0] == 'x':
		if r, ok := hex(s, 1, 3); ok {
			b.WriteRune(r)
			return 3
		}
	case s[0] == 'u':
		if r, n, ok := unicodeEscape(s); ok {
			if utf16.IsSurrogate(r) && strings.HasPrefix(s[n:], `\u`) {
				if low, m, ok := unicodeEscape(s[n+1:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						b.WriteRune(pair)
						return n + 1 + m
					}
				}
			}
			b.WriteRune(r) // half a pair becomes U+FFFD
			return n
		}
	case '0' <= s[0] && s[0] <= '7':
		limit := 2
		if s[0] <= '3' {
			limit = 3 // up to \377
		}
		n := 1
		for n < limit && n < len(s) && '0' <= s[n] && s[n] <= '7' {
			n++
		}
		v, err := strconv.ParseUint(s[:n], 8, 16)
		if err == nil {
			b.WriteRune(rune(v))
			return n
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	b.WriteString(s[:n])
	return n
}

// unicodeEscape decodes u0041 and u{1F600}.
func unicodeEscape(s string) (r rune, n int, ok bool) {
	if strings.HasPrefix(s, "u{") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0, false
		}
		r, ok := hex(s, 2, end)
		return r, end + 1, ok
	}
	if !strings.HasPrefix(s, "u") {
		return 0, 0, false
	}
	r, ok = hex(s, 1, 5)
	return r, 5, ok
}

func hex(s string, from, to int) (rune, bool) {
	if to > len(s) || from >= to {
		return 0, false
	}
	v, err := strconv.ParseUint(s[from:to], 16, 32)
	return rune(v), err == nil && v <= utf8.MaxRune
}
