package mcpaudit

import (
	"bytes"
	"unicode/utf8"
)

// Position is a place for people: 1-based line, 1-based column in code points.
type Position struct{ Line, Column int }

// PositionAt converts a byte offset. An offset outside the source is cut to its ends. CRLF counts as one line
// end; a byte order mark counts as a code point of the first line, as editors that show columns by code point do.
func PositionAt(src []byte, offset int) Position {
	offset = max(0, min(offset, len(src)))
	line := 1 + bytes.Count(src[:offset], []byte("\n"))
	start := 1 + bytes.LastIndexByte(src[:offset], '\n')
	return Position{Line: line, Column: 1 + utf8.RuneCount(src[start:offset])}
}

// LineAt returns the line that holds the offset, without its line end, and the offset of its first byte.
func LineAt(src []byte, offset int) (line []byte, start int) {
	offset = max(0, min(offset, len(src)))
	start = 1 + bytes.LastIndexByte(src[:offset], '\n')
	end := bytes.IndexByte(src[start:], '\n')
	if end < 0 {
		end = len(src) - start
	}
	return bytes.TrimSuffix(src[start:start+end], []byte("\r")), start
}
