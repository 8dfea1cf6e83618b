package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit/report/quote"
)

// clip is how many bytes on either side of a span are laid out at all. It is far more than fits, and keeps a
// minified file of one line from being laid out for each of its findings.
const clip = 1024

// snippet is what is shown of a source line: quoted, tabs turned into blanks, cut around a span. From and To are
// the cells of the span in Text.
type snippet struct {
	Text     string
	From, To int
}

// cell is a quoted piece of a line and where it is drawn.
type cell struct {
	text     string
	from, to int
}

// newSnippet lays a line out around the bytes from..to of it. The underline is at least one cell wide; it may stand
// behind the last character, where a span is empty.
func newSnippet(q quote.Quoter, src []byte, from, to int) snippet {
	line, from, to, cutLeft, cutRight := clipLine(src, from, to)
	var row []cell
	total, a, b := 0, -1, -1
	for at, piece := range q.Pieces(line) {
		// A span starts with the piece that holds its first byte and ends with the one that holds its last.
		if at <= from {
			a = total
		}
		w := cells(piece, total)
		if piece == "\t" {
			piece = strings.Repeat(" ", w)
		}
		row = append(row, cell{piece, total, total + w})
		total += w
		if at < to {
			b = total
		}
	}
	if from >= len(line) {
		a = total
	}
	a = max(a, 0)
	b = max(b, a+1)

	lo, hi := 0, total
	if cutLeft || cutRight || total > maxWide {
		inside := maxWide - 2 // the two marks of the cut
		lo = max(0, min(a-(inside-min(b-a, inside))/2, total-inside))
		hi = min(total, lo+inside)
		cutLeft, cutRight = cutLeft || lo > 0, cutRight || hi < total
	}
	return cutRow(row, lo, hi, a, b, cutLeft, cutRight)
}

func cutRow(row []cell, lo, hi, a, b int, cutLeft, cutRight bool) snippet {
	var text strings.Builder
	first, last := lo, lo
	for _, c := range row {
		// Marks whose base was cut away would be drawn on our own sign.
		if c.from < lo || c.to > hi || c.to == c.from && text.Len() == 0 && cutLeft {
			continue
		}
		if text.Len() == 0 {
			first = c.from
			if cutLeft {
				text.WriteString("…")
				first--
			}
		}
		text.WriteString(c.text)
		last = c.to
	}
	if cutRight {
		text.WriteString("…")
		b = min(b, last)
	}
	from := max(a, lo) - first
	return snippet{Text: text.String(), From: from, To: max(from+1, b-first)}
}

// clipLine cuts a very long line at the starts of runes. Tab stops count from the cut then, which moves text and
// underline together.
func clipLine(line []byte, from, to int) (clipped string, newFrom, newTo int, cutLeft, cutRight bool) {
	from = max(0, min(from, len(line)))
	to = max(from, min(to, len(line)))
	start := runeStart(line, max(0, from-clip))
	end := runeStart(line, min(len(line), min(to, from+clip)+clip))
	return string(line[start:end]), from - start, min(to, end) - start, start > 0, end < len(line)
}

func runeStart(s []byte, i int) int {
	for n := 0; n < utf8.UTFMax && i > 0 && i < len(s) && !utf8.RuneStart(s[i]); n++ {
		i--
	}
	return i
}
