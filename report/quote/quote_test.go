package quote

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestVisible(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "tools/list", "tools/list"},
		{"tab stays", "a\tb", "a\tb"},
		{"line ends", "a\r\nb", `a\r\nb`},
		{"escape sequence", "\x1b[31m", `\x1b[31m`},
		{"nul and delete", "\x00\x7f", `\x00\x7f`},
		{"eight-bit control sequence", "\u009b31m\u0085", `\u009b31m\u0085`},
		{"broken UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"encoded surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"replacement character itself", "\ufffd", "\ufffd"},
		{"right-to-left override", "a\u202eb", `a\u202eb`},
		{"isolates and marks", "\u2066\u2069\u200e\u200f\u061c", `\u2066\u2069\u200e\u200f\u061c`},
		{"zero width", "\u200b\u200c\u200d\ufeff\u2060", `\u200b\u200c\u200d\ufeff\u2060`},
		{"blank letters", "\u115f\u1160\u3164\uffa0\u2800", `\u115f\u1160\u3164\uffa0\u2800`},
		{"soft hyphen and joiner", "\u00ad\u034f", `\u00ad\u034f`},
		{"separators", "\u2028\u2029", `\u2028\u2029`},
		{"variation selectors", "\ufe0f\u180b\u17b4", `\ufe0f\u180b\u17b4`},
		{"interlinear", "\ufff9\ufffa\ufffb", `\ufff9\ufffa\ufffb`},
		{"tag characters", "\U000e0041\U000e01ef", `\U000e0041\U000e01ef`},
		{"other blanks", "\u00a0\u3000\u2003", `\u00a0\u3000\u2003`},
		{"private use", "\ue000\U000f0000", `\ue000\U000f0000`},
		{"unassigned", "\u0378\U0010ffff", `\u0378\U0010ffff`},
		{"letters of the world", "żółć 日本語 한국어 עברית", "żółć 日本語 한국어 עברית"},
		{"emoji", "ok 😀", "ok 😀"},
		{"four marks", "a\u0301\u0302\u0303\u0304", "a\u0301\u0302\u0303\u0304"},
		{"six marks", "a\u0301\u0302\u0303\u0304\u0305\u0306b\u0301", "a\u0301\u0302\u0303\u0304" + `\u0305\u0306` + "b\u0301"},
		{"backslash", `\u202e`, `\\u202e`},
		{"double quote outside of quotes", `say "hi"`, `say "hi"`},
		{"runner command", "##vso[task]", "##vso[task]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Visible(tc.in)); diff != "" {
				t.Errorf("mismatch (-want +got)\n%s", diff)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"escapes of the source", `"\n\\" + '\u202e'`, `"\n\\" + '\u202e'`},
		{"tab stays", "\treturn", "\treturn"},
		{"escape sequence", "\x1b[31m", `\x1b[31m`},
		{"direction", "a\u202eb", `a\u202eb`},
		{"broken UTF-8", "\\\xff", `\\xff`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Line(tc.in)); diff != "" {
				t.Errorf("mismatch (-want +got)\n%s", diff)
			}
		})
	}
}

func TestName(t *testing.T) {
	long := strings.Repeat("é", nameCap)
	for _, tc := range []struct{ in, want string }{
		{"", `""`},
		{"files", `"files"`},
		{`a"b\c`, `"a\"b\\c"`},
		{"a\tb\nc", `"a\tb\nc"`},
		{long, `"` + long + `"`},
		{long + "é!", `"` + long + `"… (+3 bytes)`},
		{long[:2*(nameCap-1)] + "\xff\xfe", `"` + long[:2*(nameCap-1)] + `\xff"… (+1 bytes)`},
		{`x"… (+1 bytes)`, `"x\"… (+1 bytes)"`},
	} {
		if diff := cmp.Diff(tc.want, Name(tc.in)); diff != "" {
			t.Errorf("Name(%.20q) mismatch (-want +got)\n%s", tc.in, diff)
		}
	}
}

func TestBody(t *testing.T) {
	want := `"` + strings.Repeat("x", bodyCap) + `"… (+7 bytes)`
	if diff := cmp.Diff(want, Body(strings.Repeat("x", bodyCap+7))); diff != "" {
		t.Errorf("mismatch (-want +got)\n%s", diff)
	}
}

func TestReply(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", bodyCap) + `"}`
	for _, tc := range []struct{ in, want string }{
		{"{\n  \"id\": 7\n}\n", `{"id":7}`},
		{`{"a":"\n"}`, `{"a":"\\n"}`},
		{"{\"a\":\"\u202e\"}", `{"a":"\u202e"}`},
		{"ready\n", `"ready\n"`},
		{`{"a":1} -> {"b":2}`, `"{\"a\":1} -> {\"b\":2}"`},
		{"", `""`},
		{long, `"{\"a\":\"` + strings.Repeat("x", bodyCap-6) + `"… (+8 bytes)`},
	} {
		if diff := cmp.Diff(tc.want, Quoter{}.Reply([]byte(tc.in))); diff != "" {
			t.Errorf("Reply(%.40q) mismatch (-want +got)\n%s", tc.in, diff)
		}
	}
	for in, want := range map[string]string{
		`{"id": 7}`: `{"id":7}`,
		long:        `"{\"a\":\"` + strings.Repeat("x", briefCap-6) + `"… (+1708 bytes)`,
	} {
		if diff := cmp.Diff(want, Quoter{}.Brief([]byte(in))); diff != "" {
			t.Errorf("Brief(%.40q) mismatch (-want +got)\n%s", in, diff)
		}
	}
}

func TestPath(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"src/server.ts", "src/server.ts"},
		{".github/a_b+c~d@1-2", ".github/a_b+c~d@1-2"},
		{"[id]/page(1).tsx", "[id]/page(1).tsx"},
		{"_x", "_x"},
		{"", `""`},
		{"-rf", `"-rf"`},
		{"/etc/passwd", `"/etc/passwd"`},
		{"@scope/x.ts", `"@scope/x.ts"`},
		{"a b.ts", `"a b.ts"`},
		{"::error::x.ts", `"::error::x.ts"`},
		{"a:b.ts", `"a:b.ts"`},
		{"##[error]x.ts", `"##[error]x.ts"`},
		{"é.ts", `"é.ts"`},
		{"a\nb.ts", `"a\nb.ts"`},
		{"a\u202eb.ts", `"a\u202eb.ts"`},
		{"\xff.ts", `"\xff.ts"`},
	} {
		if diff := cmp.Diff(tc.want, Path(tc.in)); diff != "" {
			t.Errorf("Path(%q) mismatch (-want +got)\n%s", tc.in, diff)
		}
	}
}

func TestCI(t *testing.T) {
	q := Quoter{CI: true}
	for _, tc := range []struct{ in, want string }{
		{"##vso[task.setvariable]", "# #vso[task.setvariable]"},
		{"a ##[error] b ##teamcity[x]", "a # #[error] b # #teamcity[x]"},
		{"####", "# # # #"},
		{"# one #", "# one #"},
	} {
		if diff := cmp.Diff(tc.want, q.Visible(tc.in)); diff != "" {
			t.Errorf("Visible(%q) mismatch (-want +got)\n%s", tc.in, diff)
		}
	}
	if diff := cmp.Diff(`"# #x"`, q.Path("##x")); diff != "" {
		t.Errorf("Path mismatch (-want +got)\n%s", diff)
	}
}

func TestShell(t *testing.T) {
	ci := Quoter{CI: true}
	for _, tc := range []struct {
		q    Quoter
		line string
		ok   bool
	}{
		{Quoter{}, `printf '%s\n' '{"a":"\\"}' | node dist/index.js`, true},
		{ci, `s=$(curl -sS -D - -d '{"id":1}' http://localhost/mcp | tr -d '\r'); curl -i ${s:+-H "Mcp-Session-Id: $s"} http://localhost/mcp`, true},
		{Quoter{}, `echo ##x`, true},
		{ci, `echo ##x`, false},
		{Quoter{}, "echo \x1b[2J", false},
		{Quoter{}, "echo\trm", false},
		{Quoter{}, "echo a\nrm b", false},
		{Quoter{}, "echo \u202eab", false},
		{Quoter{}, "echo \xff", false},
	} {
		got, err := tc.q.Shell(tc.line)
		if ok := err == nil; ok != tc.ok || ok && got != tc.line {
			t.Errorf("Shell(%q) = %q, %v, want ok %v", tc.line, got, err, tc.ok)
		}
	}
}

// TestEveryRune holds the table against what Unicode itself says of every rune there is.
func TestEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || r == '\t' {
			continue
		}
		out := Visible(string(r))
		if unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
			unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) ||
			unicode.Is(unicode.Bidi_Control, r) {
			if out == string(r) {
				t.Errorf("%U is shown as it is", r)
			}
		}
		if r <= 0xffff {
			check(t, string(r))
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "plain", `\`, `\\x41`, "\"\\\"", "\x1b]0;x\x07", "a\xe2\x80", "\u202e\\u202e",
		"a\u0301\u0301\u0301\u0301\u0301\u0301", "##[error]", "\xf0\x9f\x98", "😀\ufe0f", "\ufeffx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}

// check holds for every input: the output has nothing hostile in it, is UTF-8, gives the input back, and the
// pieces tell which bytes they stand for.
func check(t *testing.T, s string) {
	t.Helper()
	ci := Quoter{CI: true}
	// literal is the Go string literal that the output is, or "" where there is no way back.
	for _, form := range []struct{ out, literal string }{
		{Visible(s), `"` + strings.ReplaceAll(Visible(s), `"`, `\"`) + `"`},
		{quoted(s), quoted(s)},
		{ci.Visible(s), ""},
		{ci.Name(s), ""},
		{ci.Line(s), ""},
	} {
		out, literal := form.out, form.literal
		if !utf8.ValidString(out) {
			t.Errorf("%q becomes broken UTF-8 %q", s, out)
		}
		for _, r := range out {
			if Hostile(r) || unicode.IsControl(r) && r != '\t' {
				t.Errorf("%q becomes %q, which holds %U", s, out, r)
			}
		}
		if literal == "" {
			if strings.Contains(out, "##") {
				t.Errorf("%q becomes %q, which holds a runner command", s, out)
			}
			continue
		}
		back, err := strconv.Unquote(strings.ReplaceAll(literal, "\t", `\t`))
		if err != nil || back != s {
			t.Errorf("%q becomes %s, which reads back as %q (%v)", s, literal, back, err)
		}
	}
	// A backslash is all that a source line has in another way.
	if plain := strings.ReplaceAll(s, `\`, "/"); Line(plain) != Visible(plain) {
		t.Errorf("%q is shown as %q, want %q", plain, Line(plain), Visible(plain))
	}
	end := 0
	for at := range (Quoter{}).Pieces(s) {
		if at != end {
			t.Errorf("%q has a piece at %d, want %d", s, at, end)
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		end = at + n
	}
	if end != len(s) {
		t.Errorf("the pieces of %q end at %d", s, end)
	}
}

func quoted(s string) string { return `"` + join(Quoter{}.pieces(s, inQuotes)) + `"` }

func ExampleVisible() {
	fmt.Println(Visible("pay \u202eten\u202c"))
	// Output: pay \u202eten\u202c
}
