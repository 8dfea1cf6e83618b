package walk

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Needles are the literals that make a file worth parsing: it holds one of Any, or both halves of one of Pairs.
// They are compared byte by byte. The search skips ahead by the length of the shortest literal, so a literal of
// three bytes costs about three times as much as one of eight.
type Needles struct {
	Any   []string
	Pairs [][2]string
}

// finder is the compiled form: one pass over the bytes for all literals, after Wu and Manber. It looks at the two
// bytes at the end of a window as wide as the shortest literal. Where no literal has these two bytes so near to its
// head, the window moves on without a look at the bytes before them.
type finder struct {
	words []word
	width int
	skip  *[1 << 16]uint8     // by two bytes: how far the window may move
	heads map[uint16][]uint16 // by the two bytes that end the window: which words to compare
	pairs int
	all   bool // an empty literal: every file counts
}

type word struct {
	text string
	any  bool
	half []int // 2*pair+side of the pairs that it is a half of
}

func (n *Needles) compile() *finder {
	f := &finder{pairs: len(n.Pairs)}
	index := map[string]int{}
	add := func(s string) *word {
		i, ok := index[s]
		if !ok {
			i = len(f.words)
			index[s] = i
			f.words = append(f.words, word{text: s})
		}
		return &f.words[i]
	}
	single := slices.Clone(n.Any)
	for i, p := range n.Pairs {
		if p[0] == "" || p[1] == "" {
			single = append(single, p[0]+p[1]) // every file holds the empty half
			continue
		}
		for side, s := range p {
			w := add(s)
			w.half = append(w.half, 2*i+side)
		}
	}
	for _, s := range single {
		if s == "" {
			f.all = true
			return f
		}
		add(s).any = true
	}
	if len(f.words) == 0 {
		return f
	}
	f.width = 255
	for _, w := range f.words {
		f.width = min(f.width, len(w.text))
	}
	if f.width < 2 {
		return f // see match
	}
	f.skip = new([1 << 16]uint8)
	for i := range f.skip {
		f.skip[i] = uint8(f.width - 1)
	}
	f.heads = map[uint16][]uint16{}
	for i, w := range f.words {
		for j := 1; j < f.width; j++ {
			two := binary.LittleEndian.Uint16([]byte(w.text[j-1 : j+1]))
			f.skip[two] = min(f.skip[two], uint8(f.width-1-j))
			if j == f.width-1 {
				f.heads[two] = append(f.heads[two], uint16(i))
			}
		}
	}
	return f
}

// match reports whether the bytes satisfy the needles.
func (f *finder) match(b []byte) bool {
	switch {
	case f.all:
		return true
	case len(f.words) == 0:
		return false
	case f.width < 2:
		return f.slow(b)
	}
	halves := make([]bool, 2*f.pairs)
	skip := f.skip
	for i := f.width - 1; i < len(b); {
		two := uint16(b[i-1]) | uint16(b[i])<<8
		if s := skip[two]; s != 0 {
			i += int(s)
			continue
		}
		rest := b[i-f.width+1:]
		for _, n := range f.heads[two] {
			w := &f.words[n]
			if len(rest) >= len(w.text) && string(rest[:len(w.text)]) == w.text && w.found(halves) {
				return true
			}
		}
		i++
	}
	return false
}

// found notes a literal and reports whether that settles the matter.
func (w *word) found(halves []bool) bool {
	for _, h := range w.half {
		halves[h] = true
		if halves[h^1] {
			return true
		}
	}
	return w.any
}

// slow serves literals of one byte, for which no window skips anything.
func (f *finder) slow(b []byte) bool {
	halves := make([]bool, 2*f.pairs)
	return slices.ContainsFunc(f.words, func(w word) bool {
		return bytes.Contains(b, []byte(w.text)) && w.found(halves)
	})
}
