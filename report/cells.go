package report

import (
	"unicode"

	"golang.org/x/text/width"
)

const (
	tabStop = 4
	maxWide = 160 // cells of a source line that are shown
)

// joining are the Hangul vowels and finals of decomposed text. They are drawn in the cells of the initial.
var joining = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x1160, Hi: 0x11ff, Stride: 1}, {Lo: 0xd7b0, Hi: 0xd7ff, Stride: 1}}}

// cells says how many terminal cells a quoted text takes if it starts in a given cell.
func cells(s string, at int) int {
	n := 0
	for _, r := range s {
		n += runeCells(r, at+n)
	}
	return n
}

func runeCells(r rune, at int) int {
	switch {
	case r == '\t':
		return tabStop - at%tabStop
	case unicode.In(r, unicode.Mn, unicode.Me, joining):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
