package manifest

import (
	"bytes"
	"strings"
)

// Script reads the dependencies that a Python script names in its own head:
//
//	# /// script
//	# dependencies = ["mcp>=1.2"]
//	# ///
//
// Offsets are those of the whole file; Path is empty. A head that cannot be read has no dependencies.
func Script(src []byte) []Dependency {
	toml, starts := scriptHead(src)
	if toml == nil {
		return nil
	}
	doc, err := parseTOML(toml)
	if err != nil {
		return nil
	}
	f := &source{}
	var out []Dependency
	for _, r := range doc.get("dependencies").list() {
		// Of the block, lines lost what stood before them; each remembers where it began.
		line := bytes.Count(toml[:min(r.offset, len(toml))], []byte("\n"))
		column := r.offset - 1 - bytes.LastIndexByte(toml[:min(r.offset, len(toml))], '\n')
		if d, ok := f.requirement(r.string(), starts[min(line, len(starts)-1)]+column); ok {
			out = append(out, d)
		}
	}
	return out
}

// scriptHead cuts the block out of its comments.
func scriptHead(src []byte) (toml []byte, starts []int) {
	if !bytes.Contains(src, []byte("/// script")) {
		return nil, nil
	}
	at, open := 0, false
	for raw := range bytes.Lines(src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := at
		at += len(raw)
		if at == len(raw) {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		switch {
		case !open:
			open = line == "# /// script"
		case line == "# ///":
			return toml, starts
		case line == "#":
			toml, starts = append(toml, '\n'), append(starts, start+1)
		case strings.HasPrefix(line, "# "):
			toml, starts = append(append(toml, line[2:]...), '\n'), append(starts, start+2)
		default:
			return nil, nil // a block that is not closed is none
		}
	}
	return nil, nil
}
