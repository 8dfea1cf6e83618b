package cases

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
)

// Snippet is one code block of a pattern's page that must fire or stay silent.
type Snippet struct {
	Heading string // "missing, TypeScript"
	Fault   string // the fault that the heading names
	Before  bool
	Line    int // of the opening fence
	Files   []txtar.File
}

var (
	pageHeading = regexp.MustCompile("^### `([a-z-]+)`(.*)$")
	pageFence   = regexp.MustCompile("^```([a-z]*)$")
	// A comment in the first line names the file, and may pin the version of an SDK: "// server.ts, name 1.2.3". A block
	// that names the file "transcript.jsonl" is a conversation.
	pageFile = regexp.MustCompile(`^(?://|#) ([\w./-]+\.(?:ts|js|py|go|mod|jsonl))(?:, ([\w@/.-]+) (\d[\w.-]*))?$`)
)

// Snippets reads the section "Before and after" of a page. Each heading of the third level names a fault; below it
// stand blocks, each under a line "Before" or "After".
func Snippets(page string, p *mcpaudit.Pattern) ([]Snippet, error) {
	_, section, ok := strings.Cut(page, "\n## Before and after\n")
	if !ok {
		return nil, fmt.Errorf("page %s has no section \"Before and after\"", p.ID)
	}
	at := strings.Count(page[:len(page)-len(section)], "\n")
	if i := strings.Index(section, "\n## "); i >= 0 {
		section = section[:i]
	}
	var out []Snippet
	var cur Snippet
	kind := ""
	var block []string
	in := false
	for i, line := range strings.Split(section, "\n") {
		switch {
		case in && line == "```":
			in = false
			s := cur
			s.Files, ok = snippetFiles(block)
			switch {
			case !ok:
				return nil, fmt.Errorf("line %d: the first line of the block does not name its file", s.Line)
			case kind == "":
				return nil, fmt.Errorf("line %d: the block is neither Before nor After", s.Line)
			}
			s.Before = kind == "Before"
			out = append(out, s)
			kind = ""
		case in:
			block = append(block, line)
		case pageFence.MatchString(line):
			in, block = true, nil
			cur.Line = at + i + 1
		case line == "Before" || line == "After":
			kind = line
		default:
			if m := pageHeading.FindStringSubmatch(line); m != nil {
				if p.Fault(m[1]) == nil {
					return nil, fmt.Errorf("line %d: pattern %s has no fault %q", at+i+1, p.ID, m[1])
				}
				cur = Snippet{Heading: m[1] + m[2], Fault: m[1]}
			}
		}
	}
	if in {
		return nil, fmt.Errorf("line %d: the block does not end", cur.Line)
	}
	return out, nil
}

// snippetFiles makes a tree of a block: the file itself, and the manifest that pins the SDK.
func snippetFiles(block []string) ([]txtar.File, bool) {
	if len(block) == 0 {
		return nil, false
	}
	m := pageFile.FindStringSubmatch(block[0])
	if m == nil {
		return nil, false
	}
	name, sdk, version := m[1], m[2], m[3]
	files := []txtar.File{{Name: name, Data: []byte(strings.Join(block, "\n") + "\n")}}
	add := func(name, text string) { files = append(files, txtar.File{Name: name, Data: []byte(text)}) }
	switch {
	case strings.HasSuffix(name, ".go"):
		mod := "module example.com/server\n\ngo 1.24\n"
		if sdk != "" {
			mod += fmt.Sprintf("\nrequire %s v%s\n", sdk, version)
		}
		add("go.mod", mod)
	case sdk == "":
	case strings.HasSuffix(name, ".py"):
		add("pyproject.toml", fmt.Sprintf("[project]\nname = \"server\"\nversion = \"1.0.0\"\ndependencies = [\"%s==%s\"]\n", sdk, version))
	default:
		add("package.json", fmt.Sprintf("{\"name\": \"server\", \"dependencies\": {%q: %q}}\n", sdk, version))
	}
	return files, true
}

// Check says what is wrong with what an audit said of the snippet, or "".
func (s Snippet) Check(r Result) string {
	var faults []string
	judged := false
	for i := range r.Checks {
		if finding(&r.Checks[i]) {
			faults = append(faults, describe(&r.Checks[i]))
		}
		judged = judged || r.Checks[i].Verdict == mcpaudit.Passed
	}
	fires := false
	for _, f := range faults {
		fires = fires || strings.HasPrefix(f, s.Fault+": ")
	}
	switch {
	case s.Before && !fires:
		return fmt.Sprintf("want %s, got %q", s.Fault, faults)
	case !s.Before && len(faults) > 0:
		return fmt.Sprintf("want silence, got %q", faults)
	case !s.Before && !judged:
		return "want a pass, but nothing passed"
	}
	return ""
}
