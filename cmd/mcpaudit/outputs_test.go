package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseOutputs(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []string
		want   []output
		err    string
	}{
		{"nothing", nil, []output{{"text", ""}}, ""},
		{"a file leaves stdout to text", []string{"json=a"}, []output{{"text", ""}, {"json", "a"}}, ""},
		{"a machine format takes stdout", []string{"text", "json"}, []output{{"json", ""}}, ""},
		{"a dash is stdout", []string{"json=-"}, []output{{"json", ""}}, ""},
		{"twice the same", []string{"json", "json"}, []output{{"json", ""}}, ""},
		{"text to a file and to stdout", []string{"text=a", "text"}, []output{{"text", ""}, {"text", "a"}}, ""},
		{"two on stdout", []string{"json", "json-v1"}, nil, "formats json and json-v1 both want stdout"},
		{"one file for two", []string{"json=a", "text=./a"}, nil, `formats json and text both want the file "./a"`},
		{"unknown", []string{"yaml=a"}, nil, `unknown format "yaml"`},
		{"empty", []string{""}, nil, `unknown format ""`},
		{"no file name", []string{"json="}, nil, "format json has an empty file name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseOutputs(tt.values)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(output{})); diff != "" {
				t.Errorf("mismatch (-want +got)\n%s", diff)
			}
			msg := ""
			if err != nil {
				msg = err.Error()
			}
			if msg != tt.err || codeOf(err) != map[bool]int{true: exitUsage}[err != nil] {
				t.Errorf("error %q with code %d, want %q", msg, codeOf(err), tt.err)
			}
		})
	}
}

// A report that cannot be finished leaves the old one as it was, and nothing beside it.
func TestWriteFileFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := writeFile(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "old" {
		t.Errorf("the file holds %q, want %q", got, "old")
	}
	if n := count(t, filepath.Dir(path)); n != 1 {
		t.Errorf("%d files are left, want 1", n)
	}
}
