package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit/report/quote"
)

func TestSnippet(t *testing.T) {
	for _, tc := range []struct {
		name, line, span string
		want             snippet
	}{
		{"plain", "a pong b", "pong", snippet{"a pong b", 2, 6}},
		{"tab", "a\tpong", "pong", snippet{"a   pong", 4, 8}},
		{"tab at a stop", "abcd\tpong", "pong", snippet{"abcd    pong", 8, 12}},
		{"tab in the span", "a\tb", "a\tb", snippet{"a   b", 0, 5}},
		{"wide", "日本 pong", "pong", snippet{"日本 pong", 5, 9}},
		{"wide span", "a日本b", "日本", snippet{"a日本b", 1, 5}},
		{"full width", "ＡＢ pong", "pong", snippet{"ＡＢ pong", 5, 9}},
		{"half width", "ｱｲ pong", "pong", snippet{"ｱｲ pong", 3, 7}},
		{"emoji", "😀 pong", "pong", snippet{"😀 pong", 3, 7}},
		{"combining", "e\u0301 pong", "pong", snippet{"e\u0301 pong", 2, 6}},
		{"decomposed hangul", "\u1112\u1161\u11ab pong", "pong", snippet{"\u1112\u1161\u11ab pong", 3, 7}},
		{"tab after wide", "日\tpong", "pong", snippet{"日  pong", 4, 8}},
		{"escaped", "\u202e pong", "pong", snippet{`\u202e pong`, 7, 11}},
		{"escaped span", "a\x00b", "\x00", snippet{`a\x00b`, 1, 5}},
		{"backslash", `"\n" pong`, "pong", snippet{`"\n" pong`, 5, 9}},
		{"broken UTF-8", "\xff\xfe pong", "pong", snippet{`\xff\xfe pong`, 9, 13}},
		{"empty span", "ab", "", snippet{"ab", 0, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at := strings.Index(tc.line, tc.span)
			got := newSnippet(quote.Quoter{}, []byte(tc.line), at, at+len(tc.span))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("mismatch (-want +got)\n%s", diff)
			}
		})
	}
}

func TestSnippetCut(t *testing.T) {
	for _, tc := range []struct {
		name, before, span, after string
		left, right               bool
	}{
		{"fits", strings.Repeat("a", 78), "pong", strings.Repeat("b", 78), false, false},
		{"one too many", strings.Repeat("a", 78), "pong", strings.Repeat("b", 79), true, true},
		{"at the start", "", "pong", strings.Repeat("b", 400), false, true},
		{"at the end", strings.Repeat("a", 400), "pong", "", true, false},
		{"in the middle", strings.Repeat("a", 200), "pong", strings.Repeat("b", 200), true, true},
		{"wide", strings.Repeat("日", 199), "pong", strings.Repeat("本", 200), true, true},
		{"combining", strings.Repeat("e\u0301", 200), "pong", strings.Repeat("e\u0301", 200), true, true},
		{"escaped", strings.Repeat("\x00", 200), "pong", strings.Repeat("\u202e", 200), true, true},
		{"huge", strings.Repeat("日", 1<<16), "pong", strings.Repeat("本", 1<<16), true, true},
		{"huge and broken", strings.Repeat("\x97", 1<<16), "pong", strings.Repeat("\x97", 1<<16), true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line := tc.before + tc.span + tc.after
			got := newSnippet(quote.Quoter{}, []byte(line), len(tc.before), len(tc.before)+len(tc.span))
			if under := underlined(got); under != tc.span {
				t.Errorf("%q is underlined, want %q, in %q", under, tc.span, got.Text)
			}
			if n := cells(got.Text, 0); n > maxWide {
				t.Errorf("the line is %d cells wide", n)
			}
			if left, right := strings.HasPrefix(got.Text, "…"), strings.HasSuffix(got.Text, "…"); left != tc.left || right != tc.right {
				t.Errorf("cut left %t, right %t, want %t and %t: %q", left, right, tc.left, tc.right, got.Text)
			}
		})
	}
}

// underlined reads the snippet as a terminal draws it: what stands in the cells From to To.
func underlined(s snippet) string {
	var out strings.Builder
	at := 0
	for _, r := range s.Text {
		w := cells(string(r), at)
		if at >= s.From && at+w <= s.To && (w > 0 || at > s.From) {
			out.WriteRune(r)
		}
		at += w
	}
	return out.String()
}

func FuzzSnippet(f *testing.F) {
	f.Add("a\tb 日本 \u202e\xff e\u0301", 2, 9)
	f.Add(strings.Repeat("日\t", 300), 400, 403)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, line string, from, to int) {
		s := newSnippet(quote.Quoter{}, []byte(line), from, to)
		wide := cells(s.Text, 0)
		if !utf8.ValidString(s.Text) || strings.ContainsAny(s.Text, "\t\n") {
			t.Errorf("%q is shown as %q", line, s.Text)
		}
		if wide > maxWide || s.From < 0 || s.From >= s.To || s.From > wide || s.To > wide+1 {
			t.Errorf("%q %d..%d: %d cells, underline %d..%d", line, from, to, wide, s.From, s.To)
		}
	})
}
