package cases

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// source are the extensions that mutations touch.
var source = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".go"}

func (c *Case) mapped(suffix string, fn func(data []byte) []byte) *Case {
	out := *c
	out.Name += suffix
	out.Files = slices.Clone(c.Files)
	for i, f := range out.Files {
		if slices.Contains(source, path.Ext(f.Name)) {
			out.Files[i].Data = fn(f.Data)
		}
	}
	return &out
}

// Windows gives the case as an editor on Windows would save it: CRLF at the ends of lines, a byte order mark in front.
// Nothing may change.
func (c *Case) Windows() *Case {
	return c.mapped(" with CRLF and BOM", func(data []byte) []byte {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		return append([]byte("\ufeff"), data...)
	})
}

// constant is a name that is given a method: PING = "ping", MethodPing Method = "ping", ToolsList: 'tools/list'.
var constant = regexp.MustCompile(`\b([A-Za-z_][A-Za-z0-9_]*)(?:\s*:\s*[A-Za-z_.]+|[ \t]+[A-Za-z_.]+)?\s*[:=]\s*["'](?:ping|initialize|server/discover|(?:tools|resources|prompts)/[a-z]+)["']`)

// Renamed gives the case with its constants for methods renamed, and false if it has none. A name of lower-case
// letters only is left alone: it is a member of a message, such as "method".
func (c *Case) Renamed() (*Case, bool) {
	var names []string
	for _, f := range c.Files {
		if !slices.Contains(source, path.Ext(f.Name)) {
			continue
		}
		for _, m := range constant.FindAllSubmatch(f.Data, -1) {
			if name := string(m[1]); name != strings.ToLower(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return nil, false
	}
	re := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	return c.mapped(" with other names", func(data []byte) []byte {
		return re.ReplaceAll(data, []byte("${1}X"))
	}), true
}

// Below gives the files of the case in a folder.
func (c *Case) Below(dir string) []txtar.File {
	out := slices.Clone(c.Files)
	for i, f := range out {
		out[i].Name = path.Join(dir, f.Name)
	}
	return out
}
