package walk

import (
	"bytes"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreRule is one line of a .gitignore file.
type ignoreRule struct {
	base    string // the folder that the file lies in
	glob    string
	plain   string // the glob, if nothing in it is special
	suffix  string // what follows the star of a glob such as "*.log"
	head    string // what stands before the first special character
	anchor  bool   // compared with the path from base, else with the last name only
	dirOnly bool
	keep    bool // a line that begins with "!"
}

func parseIgnore(src []byte, base string) []ignoreRule {
	var out []ignoreRule
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	for raw := range bytes.Lines(src) {
		line := strings.TrimRight(string(raw), "\r\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		r := ignoreRule{base: base}
		line, r.keep = strings.CutPrefix(line, "!")
		line, r.dirOnly = strings.CutSuffix(line, "/")
		r.anchor = strings.Contains(line, "/")
		// Braces are ordinary characters here, alternatives for doublestar.
		r.glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(line, "/"))
		const special = `*?[]\`
		if i := strings.IndexAny(r.glob, special); i >= 0 {
			r.head = r.glob[:i]
		} else {
			r.plain = r.glob
		}
		if tail, ok := strings.CutPrefix(r.glob, "*"); ok && !r.anchor && !strings.ContainsAny(tail, special) {
			r.suffix = tail
		}
		if r.glob != "" && doublestar.ValidatePattern(r.glob) {
			out = append(out, r)
		}
	}
	return out
}

// ignored applies the rules to a path whose folders are not ignored: the last rule that matches decides, and a
// folder that is ignored is never entered, so that nothing in it can be taken back.
func ignored(rules []ignoreRule, p string, dir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if r := &rules[i]; r.match(p, dir) {
			return !r.keep
		}
	}
	return false
}

func (r *ignoreRule) match(p string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	name := path.Base(p)
	if r.anchor {
		name = p
		if r.base != "." {
			name = strings.TrimPrefix(p, r.base+"/")
		}
		// "a/**" is everything in a, not a itself.
		if strings.TrimSuffix(r.glob, "/**") == name {
			return !strings.HasSuffix(r.glob, "/**")
		}
	}
	switch {
	case r.plain != "":
		return name == r.plain
	case !strings.HasPrefix(name, r.head):
		return false
	case r.suffix != "":
		return strings.HasSuffix(name, r.suffix)
	}
	ok, _ := doublestar.Match(r.glob, name)
	return ok
}
