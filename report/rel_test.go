package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRel takes the folder that Rel adds away again: what is left is the text without Rel, so nothing but paths has
// changed, and JSON never changes.
func TestRel(t *testing.T) {
	const folder = "nested/folder/"
	below := TextOptions{Why: true, Rel: func(p string) string { return folder + p }}
	for _, tc := range []struct {
		fixture string
		want    []string
	}{
		{"findings", []string{folder + "src/server.ts:"}},
		{"servers", []string{folder}},
		{"gaps", []string{folder}},
		{"missing-source", []string{folder}},
	} {
		out := string(write(t, textForm(below), fixtures[tc.fixture]()))
		for _, w := range tc.want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q is not in\n%s", tc.fixture, w, out)
			}
		}
		plain := string(write(t, forms["why"], fixtures[tc.fixture]()))
		if diff := cmp.Diff(plain, strings.ReplaceAll(out, folder, "")); diff != "" {
			t.Errorf("%s: mismatch (-as it is +without the folder)\n%s", tc.fixture, diff)
		}
	}
}
