package report

import (
	"sort"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit"
)

// stride is about how many bytes lie between two marks of an index.
const stride = 512

// index finds positions in one file. The root package finds one by reading the file from its start; a report asks
// for many, some of them in minified lines of megabytes, so the line starts and every few hundred bytes the number of
// code points so far are kept.
type index struct {
	src   []byte
	lines []int // the first byte of each line
	marks []mark
}

// mark says how many code points lie before a byte that starts one.
type mark struct{ offset, runes int }

func newIndex(src []byte) *index {
	x := &index{src: src, lines: []int{0}, marks: []mark{{}}}
	for i, runes := 0, 0; i < len(src); runes++ {
		if i-x.marks[len(x.marks)-1].offset >= stride {
			x.marks = append(x.marks, mark{i, runes})
		}
		if src[i] == '\n' {
			x.lines = append(x.lines, i+1)
		}
		_, n := utf8.DecodeRune(src[i:])
		i += n
	}
	return x
}

// at gives what mcpaudit.PositionAt gives.
func (x *index) at(offset int) mcpaudit.Position {
	offset = max(0, min(offset, len(x.src)))
	line := sort.SearchInts(x.lines, offset+1)
	return mcpaudit.Position{Line: line, Column: 1 + x.runes(offset) - x.runes(x.lines[line-1])}
}

// runes counts the code points before an offset. One that the offset cuts counts a code point for each of its bytes,
// as in utf8.RuneCount.
func (x *index) runes(offset int) int {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].offset > offset }) - 1
	return x.marks[i].runes + utf8.RuneCount(x.src[x.marks[i].offset:offset])
}

// line returns the bounds of the line that holds an offset, without its line end.
func (x *index) line(offset int) (start, end int) {
	offset = max(0, min(offset, len(x.src)))
	n := sort.SearchInts(x.lines, offset+1)
	start, end = x.lines[n-1], len(x.src)
	if n < len(x.lines) {
		end = x.lines[n] - 1
	}
	if end > start && x.src[end-1] == '\r' {
		end--
	}
	return start, end
}

// files holds the indexes of the files that a report points into.
type files struct {
	sources map[string][]byte
	indexes map[string]*index
}

func newFiles(r *Report) *files {
	return &files{sources: r.repo().Sources, indexes: map[string]*index{}}
}

// index returns the index of a file, or nil if the report does not hold its source. Positions are unknown then;
// none is made up.
func (f *files) index(path string) *index {
	if x, ok := f.indexes[path]; ok {
		return x
	}
	src, ok := f.sources[path]
	if !ok {
		return nil
	}
	x := newIndex(src)
	f.indexes[path] = x
	return x
}
