package report

import (
	"bytes"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/report/quote"
)

var update = flag.Bool("update", false, "write the golden files anew")

// forms are the outputs that are kept of every fixture.
var forms = map[string]Writer{
	"text":  textForm(TextOptions{}),
	"why":   textForm(TextOptions{Why: true}),
	"quiet": textForm(TextOptions{Quiet: true}),
	"color": textForm(TextOptions{Color: true}),
	"ci":    textForm(TextOptions{CI: true}),
	"json":  JSON,
}

func textForm(o TextOptions) Writer {
	return func(w io.Writer, r *Report) error { return Text(w, r, o) }
}

// kept says which of the forms of a fixture have a golden file of their own. All forms are written and compared
// with themselves in any case.
func kept(fixture, form string) bool {
	switch form {
	case "text", "json":
		return true
	case "why":
		return slices.Contains([]string{"findings", "servers", "gaps", "probe-heard", "probe-incomplete"}, fixture)
	case "quiet":
		return slices.Contains([]string{"servers", "unread", "probe-finding", "probe-incomplete", "probe-failed"}, fixture)
	case "color":
		return fixture == "findings"
	}
	return fixture == "hostile" || fixture == "probe-hostile"
}

func TestGolden(t *testing.T) {
	wanted := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			file := filepath.Join("testdata", name+"."+form+".golden")
			wanted[file] = kept(name, form)
			t.Run(name+"/"+form, func(t *testing.T) {
				r := fixtures[name]()
				first, second := write(t, forms[form], r), write(t, forms[form], r)
				if diff := cmp.Diff(string(first), string(second)); diff != "" {
					t.Errorf("the second run differs (-first +second)\n%s", diff)
				}
				if diff := cmp.Diff(fixtures[name](), r, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("the writer changed the report (-before +after)\n%s", diff)
				}
				if form != "color" {
					harmless(t, first)
				}
				if !wanted[file] {
					return
				}
				if *update {
					if err := os.WriteFile(file, first, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(first)); diff != "" {
					t.Errorf("mismatch (-want +got)\n%s", diff)
				}
			})
		}
	}
	all, err := filepath.Glob("testdata/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if !wanted[file] {
			t.Errorf("%s belongs to no fixture", file)
		}
	}
}

func write(t *testing.T, w Writer, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := w(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// harmless holds for every output without colour: it is UTF-8, has nothing that acts on a terminal, names no path
// of the machine, and no line is a command to a runner.
func harmless(t *testing.T, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Error("the output is not UTF-8")
	}
	if bytes.HasPrefix(out, []byte("\ufeff")) || bytes.Contains(out, []byte("/home/user")) {
		t.Error("the output has a byte order mark or an absolute path")
	}
	for _, r := range string(out) {
		if r != '\n' && quote.Hostile(r) || r != '\n' && unicode.IsControl(r) {
			t.Errorf("the output holds %U", r)
		}
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("a runner reads this line as a command: %q", line)
		}
	}
}

func TestCILog(t *testing.T) {
	for name, fixture := range fixtures {
		out := string(write(t, forms["ci"], fixture()))
		if strings.Contains(out, "##") {
			t.Errorf("%s: the log of a runner holds a command:\n%s", name, out)
		}
	}
}

// TestColor takes the colours away: what is left is the plain text, so nothing is said by colour alone. No colour
// reaches the end of a line.
func TestColor(t *testing.T) {
	for name, fixture := range fixtures {
		colored := string(write(t, forms["color"], fixture()))
		plain := colored
		for _, c := range codes {
			plain = strings.ReplaceAll(plain, "\x1b["+c+"m", "")
		}
		plain = strings.ReplaceAll(plain, "\x1b[0m", "")
		if diff := cmp.Diff(string(write(t, forms["text"], fixture())), plain); diff != "" {
			t.Errorf("%s: mismatch (-plain +colour taken away)\n%s", name, diff)
		}
		for line := range strings.Lines(colored) {
			if i := strings.LastIndex(line, "\x1b["); i >= 0 && !strings.HasPrefix(line[i:], "\x1b[0m") {
				t.Errorf("%s: the colour goes on after %q", name, line)
			}
		}
	}
}

func TestGet(t *testing.T) {
	for _, name := range Formats() {
		w, err := Get(name)
		if err != nil {
			t.Errorf("Get(%q): %v", name, err)
			continue
		}
		if out := write(t, w, clean()); len(out) == 0 || !bytes.HasSuffix(out, []byte("\n")) || bytes.HasSuffix(out, []byte("\n\n")) {
			t.Errorf("%s: the report is empty or does not end in one newline", name)
		}
	}
	want := `unknown format "jsn", want one of text, json, json-v1`
	if _, err := Get("jsn"); err == nil || err.Error() != want {
		t.Errorf("Get: %v, want %s", err, want)
	}
}

func TestRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Report){
		"ab-001839 has a verdict but is not among the patterns that ran": func(r *Report) { r.Patterns = nil },
		"a finding of ab-001839 has no level, status or fault":           func(r *Report) { r.Checks[0].Level = 0 },
		"a finding of ab-001839 is ignored by nothing":                   func(r *Report) { r.Checks[0].Status = mcpaudit.Ignored },
	} {
		for form, w := range forms {
			r := findings()
			spoil(r)
			var b bytes.Buffer
			if err := w(&b, r); err == nil || !strings.Contains(err.Error(), name) || b.Len() > 0 {
				t.Errorf("%s: wrote %d bytes, error %v, want %q", form, b.Len(), err, name)
			}
		}
	}
}

// TestWriteError makes sure that a full disk is not taken for a report.
func TestWriteError(t *testing.T) {
	for form, w := range forms {
		if err := w(full{}, findings()); err != io.ErrShortWrite {
			t.Errorf("%s: %v, want %v", form, err, io.ErrShortWrite)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
