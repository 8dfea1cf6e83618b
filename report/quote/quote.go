// Package quote makes foreign text safe to show. Everything a server says, every name, path and source line is
// hostile: it speaks to the terminal, to the log parser of a CI runner and to the reader's eye. No foreign string
// reaches a report except through this package.
//
// The escapes are those of a Go string literal, so that nothing is lost: the text that is shown can be turned back
// into the bytes that were read. The CI rule, the cut of a long text and source lines give that up.
package quote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nameCap  = 200  // runes of a name
	briefCap = 300  // runes of one of several message bodies
	bodyCap  = 2000 // runes of a message body

	// Languages that stack marks need up to four; more of them grow over the lines above and below.
	maxMarks = 4
)

// invisible holds what a terminal shows as nothing or as a blank, what steers the direction of text, and the
// selectors that change how the rune before them looks. unicode.IsPrint lets a part of them through.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1},
		{Lo: 0x034f, Hi: 0x034f, Stride: 1},
		{Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1},
		{Lo: 0x180b, Hi: 0x180f, Stride: 1},
		{Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1},
		{Lo: 0x2800, Hi: 0x2800, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xfe00, Hi: 0xfe0f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1},
		{Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
	},
	R32:         []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
	LatinOffset: 1,
}

// Hostile reports whether a rune must not be shown as it is: controls but the tab, direction marks, invisible and
// unassigned runes, private use.
func Hostile(r rune) bool {
	return r != '\t' && (!unicode.IsPrint(r) || unicode.Is(invisible, r))
}

// Quoter quotes for one sink. The zero value is for terminals and files.
type Quoter struct {
	// CI takes the power from commands that runners look for anywhere in a log line: "##" is written "# #". What
	// is written cannot be turned back then.
	CI bool
}

// form says where the quoted text will stand, and so what has to be escaped besides what is hostile.
type form int

const (
	bare     form = iota // after text of ours
	inQuotes             // between double quotes
	inGutter             // a source line, which has to look as it does in an editor
)

// Pieces yields the pieces of which a Line consists, each with the offset in s of what it stands for. A snippet
// needs them to find the columns of a span.
func (q Quoter) Pieces(s string) iter.Seq2[int, string] { return q.pieces(s, inGutter) }

func (q Quoter) pieces(s string, f form) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		marks := 0
		for i, n := 0, 0; i < len(s); i += n {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			if unicode.Is(unicode.M, r) {
				marks++
			} else {
				marks = 0
			}
			piece := s[i : i+n]
			switch {
			case r == utf8.RuneError && n == 1:
				piece = fmt.Sprintf(`\x%02x`, s[i])
			case f != inGutter && r == '\\':
				piece = `\\`
			case f == inQuotes && r == '"':
				piece = `\"`
			case f == inQuotes && r == '\t':
				piece = `\t`
			case Hostile(r) || marks > maxMarks:
				piece = escape(r)
			case q.CI && r == '#' && strings.HasPrefix(s[i+n:], "#"):
				piece = "# "
			}
			if !yield(i, piece) {
				return
			}
		}
	}
}

func escape(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func join(pieces iter.Seq2[int, string]) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p)
	}
	return b.String()
}

// Visible returns s as one line without anything hostile. It may be wherever our own text comes before it.
func (q Quoter) Visible(s string) string { return join(q.pieces(s, bare)) }

// Line returns a source line for a place behind our gutter. Tabs stay; the snippet turns them into columns. A
// backslash stays too, for source is full of them and a reader compares the line with the file; so an escape of ours
// cannot be told from one that the author wrote.
func (q Quoter) Line(s string) string { return join(q.Pieces(s)) }

// Name returns a name in double quotes, cut at 200 runes. The quotes keep it from the start of a line and show
// where it ends; the mark of a cut stands outside of them, so that no name can forge it.
func (q Quoter) Name(s string) string { return q.cut(s, nameCap) }

// Body returns what a peer said in double quotes, cut at 2,000 runes.
func (q Quoter) Body(s string) string { return q.cut(s, bodyCap) }

// Reply returns a message of the wire: JSON as one line, anything else as a Body. JSON needs no quotes of ours,
// because it shows by itself where it ends; what stands before it keeps it from the start of a line.
func (q Quoter) Reply(raw []byte) string { return q.message(raw, bodyCap) }

// Brief is Reply for one of several messages on a line: it is cut at 300 runes.
func (q Quoter) Brief(raw []byte) string { return q.message(raw, briefCap) }

func (q Quoter) message(raw []byte, limit int) string {
	var line bytes.Buffer
	if json.Compact(&line, raw) == nil && utf8.RuneCount(line.Bytes()) <= limit {
		return q.Visible(line.String())
	}
	return q.cut(string(raw), limit)
}

func (q Quoter) cut(s string, limit int) string {
	end := len(s)
	for i, n := 0, 0; i < len(s); n++ {
		if n == limit {
			end = i
			break
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	quoted := `"` + join(q.pieces(s[:end], inQuotes)) + `"`
	if end < len(s) {
		quoted += fmt.Sprintf("… (+%d bytes)", len(s)-end)
	}
	return quoted
}

// Path returns a path as it is if terminals and editors may link it and no log parser can take it for a command,
// otherwise in double quotes. It is never cut, because a reader must be able to find the file.
func (q Quoter) Path(s string) string {
	if plainPath(s) {
		return s
	}
	return `"` + join(q.pieces(s, inQuotes)) + `"`
}

func plainPath(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return s != "" && strings.Trim(s, letters+"_./@+~-[]()") == "" && strings.ContainsRune(letters+"_.[", rune(s[0]))
}

// Shell returns a shell line as it is, because an escape would change what it does. A line that cannot be shown
// that way is refused.
func (q Quoter) Shell(line string) (string, error) {
	if q.Line(line) != line || strings.Contains(line, "\t") {
		return "", fmt.Errorf("show a shell line: it holds characters that a terminal or a runner may act on")
	}
	return line, nil
}

// Visible quotes for terminals and files; see [Quoter.Visible].
func Visible(s string) string { return Quoter{}.Visible(s) }

// Line quotes for terminals and files; see [Quoter.Line].
func Line(s string) string { return Quoter{}.Line(s) }

// Name quotes for terminals and files; see [Quoter.Name].
func Name(s string) string { return Quoter{}.Name(s) }

// Body quotes for terminals and files; see [Quoter.Body].
func Body(s string) string { return Quoter{}.Body(s) }

// Path quotes for terminals and files; see [Quoter.Path].
func Path(s string) string { return Quoter{}.Path(s) }
