package patterns

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

// sections are the headings of every page, in this order.
var sections = []string{
	"Why it hurts", "What the protocol says", "Faults", "Before and after", "How it is found", "When to ignore it",
	"References", "Attribution",
}

// unassigned are numbers of the catalogue that nobody here has seen the entries of. They are never guessed.
var unassigned = []mcpaudit.ID{"ab-001832", "ab-001850"}

func stem(p *mcpaudit.Pattern) string { return strings.ReplaceAll(string(p.ID), "-", "") }

// TestFiles holds the catalogue against the folder: three files for each pattern, and no file without its pattern.
func TestFiles(t *testing.T) {
	want := map[string]bool{}
	for _, p := range All() {
		for _, name := range []string{stem(p) + ".go", stem(p) + ".md", filepath.Join("testdata", stem(p)+".txtar")} {
			want[name] = true
			if _, err := os.Stat(name); err != nil {
				t.Errorf("pattern %s: %v", p.ID, err)
			}
		}
	}
	if len(want) == 0 {
		t.Fatal("the catalogue is empty")
	}
	for _, glob := range []string{"[am][ba][0-9]*.go", "*.md", "testdata/*"} {
		found, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if !want[name] && name != "README.md" {
				t.Errorf("%s belongs to no pattern", name)
			}
		}
	}
}

func TestIDs(t *testing.T) {
	seen := map[string]mcpaudit.ID{}
	for _, p := range All() {
		if !regexp.MustCompile(`^(ab|ma)-[0-9]{6}$`).MatchString(string(p.ID)) {
			t.Errorf("id %q: want ab-NNNNNN or ma-NNNNNN", p.ID)
		}
		if slices.Contains(unassigned, p.ID) {
			t.Errorf("id %s is not known", p.ID)
		}
		for _, name := range []string{string(p.ID), p.Slug} {
			if other, ok := seen[name]; ok {
				t.Errorf("%s is used by %s and %s", name, other, p.ID)
			}
			seen[name] = p.ID
		}
	}
	for _, id := range unassigned {
		if _, ok := Get(string(id)); ok {
			t.Errorf("Get(%q) finds a pattern that is not known", id)
		}
	}
}

func TestGet(t *testing.T) {
	for _, p := range All() {
		number := string(p.ID)[3:]
		_, short, _ := strings.Cut(p.Slug, ".")
		for _, name := range []string{string(p.ID), strings.ToUpper(string(p.ID)), number, strings.TrimLeft(number, "0"), p.Slug, short} {
			if got, ok := Get(name); !ok || got != p {
				t.Errorf("Get(%q) does not find %s", name, p.ID)
			}
		}
	}
	for _, name := range []string{"", "ab-", "ab-999999", "0", "server"} {
		if got, ok := Get(name); ok {
			t.Errorf("Get(%q) finds %s", name, got.ID)
		}
	}
}

func TestPages(t *testing.T) {
	for _, p := range All() {
		t.Run(string(p.ID), func(t *testing.T) {
			for _, problem := range pageProblems(p, p.Doc) {
				t.Error(problem)
			}
		})
	}
}

var heading = regexp.MustCompile(`(?m)^## (.*)$`)

// pageProblems says what a page lacks. It knows the shape of a page only; that the code in it is judged as it says is
// tested where code can be read.
func pageProblems(p *mcpaudit.Pattern, page string) []string {
	var out []string
	first, rest, _ := strings.Cut(page, "\n")
	if want := "# " + string(p.ID) + ": " + p.Title; first != want {
		out = append(out, "the first line is "+first+", want "+want)
	}
	summary, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
	if summary == "" || strings.ContainsAny(summary[:1], "#|-`") || !strings.HasSuffix(summary, ".") {
		out = append(out, "the title is not followed by one sentence that sums the pattern up")
	}
	var got []string
	text := map[string]string{}
	at := heading.FindAllStringSubmatchIndex(page, -1)
	for i, m := range at {
		end := len(page)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		name := page[m[2]:m[3]]
		got = append(got, name)
		text[name] = page[m[1]:end]
		if strings.TrimSpace(text[name]) == "" {
			out = append(out, "section "+name+" is empty")
		}
	}
	if diff := cmp.Diff(sections, got); diff != "" {
		out = append(out, "sections (-want +got):\n"+diff)
	}
	var rows []string
	for _, line := range strings.Split(text["Faults"], "\n") {
		if cells := strings.Split(line, "|"); strings.HasPrefix(line, "| `") && len(cells) == 6 {
			rows = append(rows, strings.Trim(cells[1], " `")+" "+strings.TrimSpace(cells[2]))
		}
	}
	var faults []string
	for _, f := range p.Faults {
		faults = append(faults, f.Key+" "+f.Persona.String())
	}
	slices.Sort(rows)
	slices.Sort(faults)
	if diff := cmp.Diff(faults, rows); diff != "" {
		out = append(out, "table of faults (-pattern +page):\n"+diff)
	}
	for _, ref := range p.Refs {
		if !strings.Contains(page, ref) {
			out = append(out, "the page does not have the reference "+ref)
		}
	}
	if !strings.Contains(page, p.Slug) || !strings.Contains(page, "| "+p.Severity.String()+" |") {
		out = append(out, "the page does not state slug and severity")
	}
	if strings.HasPrefix(string(p.ID), "ma-") && strings.Contains(text["Attribution"], "AuditBuffet") {
		out = append(out, "a pattern of our own is attributed to AuditBuffet")
	}
	if strings.HasPrefix(string(p.ID), "ab-") {
		for _, want := range []string{"AuditBuffet Pattern Catalog", "CC-BY-4.0", "https://auditbuffet.com/patterns/" + string(p.ID), "Changed here"} {
			if !strings.Contains(text["Attribution"], want) {
				out = append(out, "the attribution lacks "+want)
			}
		}
	}
	return out
}

// TestPageProblems breaks a good page in each way that must be noticed.
func TestPageProblems(t *testing.T) {
	for _, tt := range []struct{ id, name, old, new, want string }{
		{"ab-001839", "title", "# ab-001839", "# ab-001840", "the first line"},
		{"ab-001839", "summary", "Every server", "- Every server", "one sentence"},
		{"ab-001839", "section gone", "## Why it hurts", "### Why it hurts", "sections"},
		{"ab-001839", "section added", "## Attribution", "## Notes\n\nx\n\n## Attribution", "sections"},
		{"ab-001839", "fault gone", "| `decoy` | pedantic", "| decoy | pedantic", "table of faults"},
		{"ab-001839", "fault unknown", "| `decoy` | pedantic", "| `decoys` | pedantic", "table of faults"},
		{"ab-001839", "persona", "| `slow` | pedantic", "| `slow` | regular", "table of faults"},
		{"ab-001839", "licence", "CC-BY-4.0", "CC0", "attribution lacks CC-BY-4.0"},
		{"ab-001839", "changes", "Changed here:", "Note:", "attribution lacks Changed here"},
		{"ab-001839", "severity", "| low |", "| high |", "slug and severity"},
		{"ma-000201", "someone else's", "This pattern is our own", "This pattern is of the AuditBuffet Pattern Catalog", "attributed to AuditBuffet"},
		{"ma-000201", "reference", "2026-07-28/changelog", "2026-07-28/changes", "does not have the reference"},
		{"ma-000304", "fault of no running server", "| `late-pong` | regular", "| `serial-loop` | regular", "table of faults"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := Get(tt.id)
			if !ok {
				t.Fatal("no pattern to break")
			}
			page := strings.ReplaceAll(p.Doc, tt.old, tt.new)
			if page == p.Doc {
				t.Fatalf("the page does not hold %q", tt.old)
			}
			got := strings.Join(pageProblems(p, page), "\n")
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want a problem with %q", got, tt.want)
			}
		})
	}
}
