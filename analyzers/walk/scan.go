package walk

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit"
)

const (
	maxSize = 2 << 20 // of a source file; what is larger was hardly written by hand
	maxLine = 1 << 20
	headLen = 1 << 10 // where the mark of generated code is looked for
)

// Scan reads the source files and calls fn for those that hold the needles, from Jobs goroutines at once and in no
// fixed order. The bytes belong to fn. What cannot be searched or should not be parsed becomes a gap or a count of
// the listing, which is complete when Scan returns; a file turns up either in fn or there. An error is that of ctx,
// or the first one that fn returns.
//
// A file without needles is not judged any further: "generated" or "invalid UTF-8" says something about a file that
// would have been parsed. Only what hides needles from the search, UTF-16 and NUL bytes, is a gap in every file.
func (l *Listing) Scan(ctx context.Context, needles *Needles, fn func(File, []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	find := needles.compile()
	var next atomic.Int64
	var wg sync.WaitGroup
	parts := make([]scanner, min(l.jobs, max(1, len(l.Files))))
	for i := range parts {
		s := &parts[i]
		*s = scanner{l: l, find: find, fn: fn, left: map[string]int{}}
		wg.Go(func() {
			for ctx.Err() == nil {
				// A few files at a time keep neighbours, which share folders in the kernel's cache, on one core.
				const batch = 16
				end := int(next.Add(batch))
				for i := end - batch; i < min(end, len(l.Files)); i++ {
					if err := s.file(l.Files[i]); err != nil {
						cancel(err)
						return
					}
				}
				if end >= len(l.Files) {
					return
				}
			}
		})
	}
	wg.Wait()
	for _, s := range parts {
		l.Gaps = append(l.Gaps, s.gaps...)
		l.Shells = append(l.Shells, s.shells...)
		l.Counts.Read += s.read
		for reason, n := range s.left {
			l.Counts.LeftOut[reason] += n
		}
	}
	sortGaps(l.Gaps)
	slices.Sort(l.Shells)
	return context.Cause(ctx)
}

// scanner is the share of one goroutine.
type scanner struct {
	l    *Listing
	find *finder
	fn   func(File, []byte) error
	buf  []byte
	gaps []mcpaudit.Gap
	read int
	left map[string]int

	shells []string
}

func (s *scanner) gap(f File, reason, detail string) {
	s.gaps = append(s.gaps, mcpaudit.Gap{Span: mcpaudit.Span{File: f.Path}, Lang: f.Lang, Reason: reason, Detail: detail})
}

func (s *scanner) file(f File) error {
	src, size, ok := s.load(f)
	if !ok {
		return nil
	}
	if size > maxSize {
		// Only the head was read. A file in a language that cannot be parsed loses nothing by its size.
		switch {
		case marked(src):
			s.left[Generated]++
		case hidden(src) == "" && squeezed(src):
			s.left[Minified]++
		case f.Lang != "":
			s.gap(f, mcpaudit.GapSize, fmt.Sprintf("%d bytes, the limit is %d", size, maxSize))
		}
		return nil
	}
	if f.Lang != "" {
		if why := hidden(src); why != "" {
			s.gap(f, mcpaudit.GapEncoding, why)
			return nil
		}
	}
	s.read++
	if !s.find.match(src) {
		return nil
	}
	switch line, long := longest(src); {
	case marked(src):
		s.left[Generated]++
	case squeezed(src):
		s.left[Minified]++
	case f.Lang == "":
		switch lang := otherLanguages[strings.ToLower(path.Ext(f.Path))]; {
		case f.Class != Source:
		case shells[lang]:
			s.left[Shell]++
			s.shells = append(s.shells, f.Path)
		default:
			s.gap(f, mcpaudit.GapLanguage, lang)
		}
	case long > maxLine:
		s.gap(f, mcpaudit.GapLongLine, fmt.Sprintf("line %d has %d bytes, the limit is %d", line, long, maxLine))
	case bytes.IndexByte(src, 0) >= 0:
		s.gap(f, mcpaudit.GapEncoding, fmt.Sprintf("NUL at byte %d", bytes.IndexByte(src, 0)))
	case !utf8.Valid(src):
		s.gap(f, mcpaudit.GapEncoding, fmt.Sprintf("invalid UTF-8 at byte %d", invalidAt(src)))
	default:
		return s.fn(f, slices.Clone(src))
	}
	return nil
}

// load reads a file into the scanner's buffer: all of it, or the first part of one that is too large.
func (s *scanner) load(f File) (src []byte, size int64, ok bool) {
	h, err := open(filepath.Join(s.l.root, filepath.FromSlash(f.Path)))
	if err != nil {
		// It was there when the tree was listed.
		detail := cause(err).Error()
		if os.IsNotExist(err) {
			detail = "vanished during the scan"
		}
		s.gap(f, mcpaudit.GapUnreadable, detail)
		return nil, 0, false
	}
	defer h.close()
	k := h.stat()
	switch {
	case k.err != nil:
		s.gap(f, mcpaudit.GapUnreadable, cause(k.err).Error())
		return nil, 0, false
	case !k.mode.IsRegular():
		s.gap(f, mcpaudit.GapNotRegular, describe(k.mode))
		return nil, 0, false
	}
	want := int(min(k.size, maxSize))
	if k.size > maxSize {
		want = 64 << 10
	}
	if cap(s.buf) < want+1 {
		s.buf = make([]byte, max(want+1, 256<<10))
	}
	// One byte more than the size tells a file that has grown since, and saves the read that would say "end".
	buf, n := s.buf[:want+1], 0
	for n < len(buf) {
		m, err := h.read(buf[n:])
		if err != nil {
			s.gap(f, mcpaudit.GapUnreadable, cause(err).Error())
			return nil, 0, false
		}
		n += m
		if m == 0 || n == want {
			break
		}
	}
	if k.size <= maxSize && n != want {
		s.gap(f, mcpaudit.GapUnreadable, "changed while it was read")
		return nil, 0, false
	}
	return buf[:n], k.size, true
}

// hidden says why a literal search cannot see the text, "" if it can. A source may well hold one NUL in a literal;
// every other byte of it is one in UTF-16, and a binary file is not UTF-8 either.
func hidden(src []byte) string {
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return "UTF-16 with a byte order mark"
	}
	i := bytes.IndexByte(src, 0)
	head := src[:min(len(src), headLen)]
	if i >= 0 && (bytes.Count(head, []byte{0}) > len(head)/4 || !utf8.Valid(src)) {
		return fmt.Sprintf("NUL at byte %d", i)
	}
	return ""
}

// marked reports whether the head says that a program wrote the file: "Code generated ... DO NOT EDIT" on one line
// as in Go, or the word "@generated".
func marked(src []byte) bool {
	head := src[:min(len(src), headLen)]
	if i := bytes.Index(head, []byte("Code generated")); i >= 0 {
		line, _, _ := bytes.Cut(head[i:], []byte("\n"))
		if bytes.Contains(line, []byte("DO NOT EDIT")) {
			return true
		}
	}
	const at = "@generated"
	for rest := head; ; {
		i := bytes.Index(rest, []byte(at))
		if i < 0 {
			return false
		}
		after := rest[i+len(at):]
		if (i == 0 || !wordByte(rest[i-1])) && (len(after) == 0 || !wordByte(after[0]) && !bytes.HasPrefix(after, []byte("/"))) {
			return true
		}
		rest = after
	}
}

func wordByte(b byte) bool {
	return b == '_' || b == '.' || b == '-' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// squeezed reports whether nobody wrote the lines: they are over 300 bytes long on average, and one is over 2000.
// The average leaves out a file with one long string or a picture in it.
func squeezed(src []byte) bool {
	lines := bytes.Count(src, []byte("\n")) + 1
	if len(src) <= 300*lines {
		return false
	}
	_, long := longest(src)
	return long > 2000
}

// longest gives the number and the length of the longest line.
func longest(src []byte) (line, length int) {
	n := 0
	for l := range bytes.Lines(src) {
		n++
		if len(l) > length {
			line, length = n, len(l)
		}
	}
	return line, length
}

func invalidAt(src []byte) int {
	at := 0
	for at < len(src) {
		r, n := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
	}
	return at
}
