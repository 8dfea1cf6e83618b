package cases

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
)

var pattern = &mcpaudit.Pattern{ID: "ab-000001", Faults: []mcpaudit.Fault{{Key: "gone"}, {Key: "odd"}}}

const tree = `
-- ts/one/a.ts --
first
second // want "ab-000001/gone: nobody"
third // ok
`

func split(t *testing.T, text string) *Case {
	t.Helper()
	list, err := Split(txtar.Parse([]byte(text)), pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("got %d cases, want 1", len(list))
	}
	return list[0]
}

// at is a finding on a line of a.ts; the sources below have two bytes on each line.
func at(line int, fault, message string) mcpaudit.Check {
	return mcpaudit.Check{
		Verdict: mcpaudit.Failed, Fault: fault, Message: message, Level: mcpaudit.Error, Status: mcpaudit.Active,
		Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, mcpaudit.Span{File: "a.ts", Start: 2 * (line - 1), End: 2 * line}, "")},
	}
}

func passed(message string) mcpaudit.Check {
	return mcpaudit.Check{Verdict: mcpaudit.Passed, Reason: mcpaudit.ReasonSDK, Message: message}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name, tree string
		checks     []mcpaudit.Check
		want       []string
	}{
		{"as wanted", tree, []mcpaudit.Check{at(2, "gone", "nobody answers")}, nil},
		{"nothing found", tree, nil, []string{
			"a.ts:2: want gone: nobody, got nothing",
			"a.ts:3: want ok, but nothing in the tree was judged",
		}},
		{"another message", tree, []mcpaudit.Check{at(2, "gone", "somebody answers")}, []string{
			"a.ts:2: want gone: nobody, got gone: somebody answers (error)",
			"a.ts:2: want nothing, got gone: somebody answers (error)",
		}},
		{"another fault", tree, []mcpaudit.Check{at(2, "odd", "nobody")}, []string{
			"a.ts:2: want gone: nobody, got odd: nobody (error)",
			"a.ts:2: want nothing, got odd: nobody (error)",
		}},
		{"another line", tree, []mcpaudit.Check{at(3, "gone", "nobody")}, []string{
			"a.ts:2: want gone: nobody, got nothing",
			"a.ts:3: want nothing, got gone: nobody (error)",
		}},
		{"twice", tree, []mcpaudit.Check{at(2, "gone", "nobody"), at(2, "gone", "nobody")}, []string{
			"a.ts:2: want nothing, got gone: nobody (error)",
		}},
		{"two on a line", "-- py/x/a.ts --\na # want \"gone\" `odd: \\d`\n", []mcpaudit.Check{at(1, "odd", "7"), at(1, "gone", "")}, nil},
		{"level", "-- py/x/a.ts --\na # want \"gone: warning\"\n", []mcpaudit.Check{at(1, "gone", "")}, []string{
			"a.ts:1: want gone: warning, got gone:  (error)", "a.ts:1: want nothing, got gone:  (error)",
		}},
		{"todo-want that is missed", "-- go/x/a.ts --\na // todo-want \"gone\"\n", nil, nil},
		{"todo-want that is found", "-- go/x/a.ts --\na // todo-want \"gone\"\n", []mcpaudit.Check{at(1, "gone", "")}, []string{
			"a.ts:1: gone is found by now: make todo-want a want",
		}},
		{"todo-ok that is found", "-- go/x/a.ts --\na // todo-ok \"gone\"\n", []mcpaudit.Check{at(1, "gone", "")}, nil},
		{"todo-ok that is silent", "-- go/x/a.ts --\na // todo-ok \"gone\"\n", []mcpaudit.Check{passed("")}, []string{
			"a.ts:1: gone is not found any more: make todo-ok an ok",
		}},
		{"expect", "-- go/x/a.ts --\n-- go/x/expect --\n# why\npass: sdk: .*itself\n", []mcpaudit.Check{passed("answers itself")}, nil},
		{"expect nothing like it", "-- go/x/a.ts --\n-- go/x/expect --\npass: ^own\n", []mcpaudit.Check{passed("answers itself")}, []string{
			"expect: want pass: ^own, got none like it", "expect does not mention pass: sdk: answers itself",
		}},
		{"expect is complete", "-- go/x/a.ts --\n-- go/x/expect --\npass: one\n", []mcpaudit.Check{passed("one"), passed("two")}, []string{
			"expect does not mention pass: sdk: two",
		}},
		{"expect a finding", "-- go/x/a.ts --\n-- go/x/expect --\nfail: odd: x\n", []mcpaudit.Check{at(1, "odd", "x")}, nil},
		{"expect todo", "-- go/x/a.ts --\n-- go/x/expect --\ntodo pass: one\n", []mcpaudit.Check{passed("two")}, nil},
		{"expect todo that is so", "-- go/x/a.ts --\n-- go/x/expect --\ntodo pass: one\n", []mcpaudit.Check{passed("one")}, []string{
			"expect: pass: one is so by now: drop the todo",
		}},
		{"none", "-- go/x/a.ts --\n-- go/x/expect --\nnone\n", nil, nil},
		{"none but one", "-- go/x/a.ts --\n-- go/x/expect --\nnone\n", []mcpaudit.Check{passed("two")}, []string{
			"want nothing judged, got pass: sdk: two",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Result{Checks: tt.checks, Sources: map[string][]byte{"a.ts": []byte(strings.Repeat("x\n", 9))}}
			if diff := cmp.Diff(tt.want, split(t, tt.tree).Compare(r)); diff != "" {
				t.Errorf("mismatch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGapsFail(t *testing.T) {
	r := Result{Gaps: []mcpaudit.Gap{{Span: mcpaudit.Span{File: "a.ts"}, Reason: mcpaudit.GapParse, Detail: "bad"}, {Reason: mcpaudit.GapLanguage}}}
	got := split(t, "-- go/x/a.ts --\n-- go/x/expect --\nnone\n").Compare(r)
	if diff := cmp.Diff([]string{"a.ts: gap parse: bad"}, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, tt := range []struct{ name, tree, want string }{
		{"no case", "-- a.ts --\n", "want language/case/path"},
		{"expects nothing", "-- ts/x/a.ts --\n// wanted\n", "it expects nothing"},
		{"only an expect", "-- ts/x/expect --\nnone\n", "it has no files"},
		{"unknown fault", "-- ts/x/a.ts --\na // want \"lost\"\n", `no fault "lost"`},
		{"another pattern", "-- ts/x/a.ts --\na // want \"ab-000002/gone\"\n", `no fault "ab-000002/gone"`},
		{"no fault", "-- ts/x/a.ts --\na // want\n", "name the fault"},
		{"ok with fault", "-- ts/x/a.ts --\na // ok \"gone\"\n", "ok takes no argument"},
		{"bad expression", "-- ts/x/a.ts --\na // want \"gone: (\"\n", "missing closing"},
		{"bad verdict", "-- ts/x/a.ts --\n-- ts/x/expect --\ngood: x\n", `unknown verdict "good"`},
		{"no verdict", "-- ts/x/a.ts --\n-- ts/x/expect --\npass\n", "want none or"},
		{"none and more", "-- ts/x/a.ts --\na // ok\n-- ts/x/expect --\nnone\n", "something else too"},
		{"torn", "-- ts/x/a.ts --\na // ok\n-- ts/y/a.ts --\na // ok\n-- ts/x/b.ts --\n", "torn apart"},
		{"twice", "-- ts/x/a.ts --\na // ok\n-- ts/x/a.ts --\na // ok\n", "occurs twice"},
		{"broken transcript", "-- wire/x/transcript.jsonl --\n# why\n{\"scenario\":\n-- wire/x/expect --\nnone\n", "case wire/x: transcript.jsonl: read line 2"},
		{"unknown member", "-- wire/x/transcript.jsonl --\n{\"scenario\":\"handshake\",\"send\":[]}\n", "case wire/x: transcript.jsonl: read line 1"},
		{"unknown scenario", "-- wire/x/transcript.jsonl --\n#! remote\n\n{\"scenario\":\"pong/integer\"}\n", `case wire/x: transcript.jsonl:3: there is no scenario "pong/integer"`},
		{"unknown option", "-- wire/x/transcript.jsonl --\n\n#! far\n", "case wire/x: transcript.jsonl:2: option"},
		{"bad budget", "-- wire/x/transcript.jsonl --\n#! budget much\n", "case wire/x: transcript.jsonl:1: read the budget"},
		{"no budget", "-- wire/x/transcript.jsonl --\n#! budget 0s\n", "case wire/x: transcript.jsonl:1: read the budget"},
		{"transcript that expects nothing", "-- wire/x/transcript.jsonl --\n# ok\n", "it expects nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Split(txtar.Parse([]byte(tt.tree)), pattern)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestTranscript(t *testing.T) {
	const text = "# A comment.\n#! remote\n#! budget 50ms\n\n{\"scenario\":\"handshake\"}\n{\"scenario\":\"ping/2024-11-05\"}\n{\"scenario\":\"ping/integer\"}\n"
	records, c, err := transcript([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if c.Local || !c.Agreed || c.Budget != 50*time.Millisecond || len(records) != 3 {
		t.Errorf("got %d records and %+v", len(records), c)
	}
	if _, c, err := transcript(nil); err != nil || !c.Local || c.Agreed || c.Budget != 0 {
		t.Errorf("without options: got %+v, %v", c, err)
	}
}

func TestMutations(t *testing.T) {
	c := split(t, "-- ts/x/a.ts --\nconst PING: string = \"ping\";\nenum M { List = 'tools/list' }\nuse(PING, M.List, { method: \"ping\" }) // ok\n-- ts/x/notes.md --\nPING\n")
	other, ok := c.Renamed()
	if !ok {
		t.Fatal("no constant found")
	}
	want := "const PINGX: string = \"ping\";\nenum M { ListX = 'tools/list' }\nuse(PINGX, M.ListX, { method: \"ping\" }) // ok\n"
	if diff := cmp.Diff(want, string(other.Files[0].Data)); diff != "" {
		t.Errorf("renamed: mismatch (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("PING\n", string(other.Files[1].Data)); diff != "" {
		t.Errorf("renamed in prose: mismatch (-want +got):\n%s", diff)
	}
	win := c.Windows()
	if got := string(win.Files[0].Data); !strings.HasPrefix(got, "\ufeffconst") || strings.Count(got, "\r\n") != 3 {
		t.Errorf("windows: got %q", got)
	}
	if diff := cmp.Diff("tests/x/a.ts", c.Below("tests/x")[0].Name); diff != "" {
		t.Errorf("below: mismatch (-want +got):\n%s", diff)
	}
	const talk = "-- wire/x/transcript.jsonl --\n{\"scenario\":\"handshake\",\"note\":\"const PING = \\\"ping\\\"\"}\n-- wire/x/expect --\nnone\n"
	wire := split(t, talk)
	if diff := cmp.Diff(wire.Files, wire.Windows().Files); diff != "" {
		t.Errorf("windows: the transcript was changed (-want +got):\n%s", diff)
	}
	if _, ok := wire.Renamed(); ok {
		t.Error("a constant was found in the transcript")
	}
	if got := wire.Below("tests/x")[0].Name; got == transcriptFile {
		t.Error("below: the transcript is still at the root")
	}
	if _, ok := split(t, "-- ts/x/a.ts --\nconst m = { method: \"ping\" } // ok\n").Renamed(); ok {
		t.Error("the member of a message was taken for a constant")
	}
}

func TestSnippets(t *testing.T) {
	page := "# x\n\n## Before and after\n\n### `gone`, TypeScript\n\nBefore\n\n```ts\n// a.ts, some-sdk 1.2.3\nx\n```\n\nAfter\n\n```ts\n// a.ts\ny\n```\n\nBefore\n\n```jsonl\n# transcript.jsonl\n{}\n```\n\n## Next\n"
	got, err := Snippets(page, pattern)
	if err != nil {
		t.Fatal(err)
	}
	want := []Snippet{
		{Heading: "gone, TypeScript", Fault: "gone", Before: true, Line: 9, Files: []txtar.File{
			{Name: "a.ts", Data: []byte("// a.ts, some-sdk 1.2.3\nx\n")},
			{Name: "package.json", Data: []byte("{\"name\": \"server\", \"dependencies\": {\"some-sdk\": \"1.2.3\"}}\n")},
		}},
		{Heading: "gone, TypeScript", Fault: "gone", Line: 16, Files: []txtar.File{{Name: "a.ts", Data: []byte("// a.ts\ny\n")}}},
		{Heading: "gone, TypeScript", Fault: "gone", Before: true, Line: 23, Files: []txtar.File{{Name: "transcript.jsonl", Data: []byte("# transcript.jsonl\n{}\n")}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		s    Snippet
		r    Result
		want string
	}{
		{want[0], Result{Checks: []mcpaudit.Check{at(1, "gone", "")}}, ""},
		{want[0], Result{Checks: []mcpaudit.Check{at(1, "odd", "")}}, "want gone"},
		{want[1], Result{Checks: []mcpaudit.Check{passed("")}}, ""},
		{want[1], Result{}, "nothing passed"},
		{want[1], Result{Checks: []mcpaudit.Check{at(1, "odd", "")}}, "want silence"},
	} {
		if got := tt.s.Check(tt.r); got != tt.want && (tt.want == "" || !strings.Contains(got, tt.want)) {
			t.Errorf("before %t: got %q, want %q", tt.s.Before, got, tt.want)
		}
	}
	for _, bad := range []string{
		"# x\n", "\n## Before and after\n### `lost`\n", "\n## Before and after\n```ts\n// a.ts\n```\n",
		"\n## Before and after\nBefore\n```ts\nx\n```\n", "\n## Before and after\nBefore\n```ts\n// a.ts\n",
	} {
		if _, err := Snippets(bad, pattern); err == nil {
			t.Errorf("page %q was taken", bad)
		}
	}
}
