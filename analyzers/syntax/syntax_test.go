//go:build cgo

package syntax

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/mcpaudit/mcpaudit"
)

// language makes one for a test, with a query if there is one.
func language(name string, grammar func() *sitter.Language, query string) *Language {
	l := &Language{Name: name, Grammar: grammar}
	if query != "" {
		l.Queries = fstest.MapFS{"facts.scm": {Data: []byte(query)}, "README": {Data: []byte("no query")}}
	}
	return l
}

func parse(t testing.TB, l *Language, src string) *Tree {
	t.Helper()
	tree, gap := l.Parse(context.Background(), "a", []byte(src))
	if gap != nil {
		t.Fatalf("%s: %+v", l.Name, *gap)
	}
	return tree
}

var grammars = map[string]func() *sitter.Language{
	"typescript": typescript.GetLanguage, "tsx": tsx.GetLanguage, "javascript": javascript.GetLanguage,
	"python": python.GetLanguage, "go": golang.GetLanguage,
}

func TestGrammars(t *testing.T) {
	for name, tt := range map[string]struct{ src, root, first string }{
		"typescript": {"let a: number = 1;\n", "program", "lexical_declaration"},
		"tsx":        {"const a = <b>{c}</b>;\n", "program", "lexical_declaration"},
		"javascript": {"f(1);\n", "program", "expression_statement"},
		"python":     {"a = 1\n", "module", "expression_statement"},
		"go":         {"package a\n", "source_file", "package_clause"},
	} {
		tree := parse(t, language(name, grammars[name], ""), tt.src)
		if len(tree.Gaps) > 0 || tree.Root.Type != tt.root || len(tree.Root.NamedChildren()) == 0 || tree.Root.NamedChildren()[0].Type != tt.first {
			t.Errorf("%s: gaps %v, root %s with %v", name, tree.Gaps, tree.Root.Type, tree.Root.Children)
		}
		if n := tree.Root.NamedChildren()[0]; n.Parent != tree.Root || tree.Span(n).Start != 0 || !strings.HasPrefix(tt.src, tree.Text(n)) {
			t.Errorf("%s: the first node is %q at %+v", name, tree.Text(n), tree.Span(n))
		}
	}
}

func TestNode(t *testing.T) {
	tree := parse(t, language("python", python.GetLanguage, ""), "def f(a, b):  # why\n    # more\n    return a\n")
	fn := tree.Root.First("class_definition", "function_definition")
	if tree.Text(fn.Child("name")) != "f" || fn.Child("nothing") != nil || fn.First("nothing") != nil {
		t.Errorf("the name is %q", tree.Text(fn.Child("name")))
	}
	params := fn.Child("parameters")
	if got := len(params.NamedChildren()); got != 2 {
		t.Errorf("%d parameters, want 2 and no punctuation", got)
	}
	for _, n := range fn.NamedChildren() {
		if n.Type == "comment" {
			t.Error("a comment is among the named children")
		}
	}
	if !fn.Is("x", "function_definition") || fn.Is("x") || fn.Is() {
		t.Error("Is looks at the wrong types")
	}
	imp := parse(t, language("python", python.GetLanguage, ""), "from m import a, b\n").Root.Children[0]
	if got := len(imp.All("name")); got != 2 {
		t.Errorf("%d nodes in the field name, want 2", got)
	}
	var none *Node
	if none.Child("a") != nil || none.All("a") != nil || none.NamedChildren() != nil || none.First("a") != nil || none.Is("a") {
		t.Error("nothing has children")
	}
	if tree.Text(none) != "" || tree.Span(none) != (mcpaudit.Span{File: "a"}) {
		t.Error("nothing has a text or a place")
	}
}

// TestQueryLint: what a query may say is checked when it is loaded, for a mistake in it would be silence later.
func TestQueryLint(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"right", `((string) @method (#match? @method "ping"))`, ""},
		{"right with a negation", `((identifier) @operand (#not-eq? @operand "x"))`, ""},
		{"every name of the vocabulary", `(import_statement name: (_) @import) (string) @method (identifier) @operand`, ""},
		{"an unknown capture", `(string) @text`, "capture @text is not in the vocabulary"},
		{"an unknown predicate", `((string) @method (#any-of? @method "ping"))`, "predicate #any-of?"},
		{"an unknown negation", `((string) @method (#not-lua-match? @method "ping"))`, "predicate #not-lua-match?"},
		{"a predicate on two captures", `((call function: (_) @operand arguments: (_) @method) (#eq? @operand @method))`, "want #name?"},
		{"a bad regular expression", `((string) @method (#match? @method "("))`, "missing closing )"},
		{"an unknown node", `(no_such_node) @method`, "no_such_node"},
		{"an unknown field", `(call nothing: (_) @method)`, "nothing"},
		{"broken", `((string) @method`, "load query"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := language("python", python.GetLanguage, tt.query)
			err := l.Check()
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "python/facts.scm") {
				t.Fatalf("got %v, want %q and the name of the file", err, tt.want)
			}
			// A language whose query is broken reads nothing, and says so.
			tree, gap := l.Parse(context.Background(), "a.py", []byte("a = 1\n"))
			if tree != nil || gap == nil || gap.Reason != mcpaudit.GapCrash || gap.Span.File != "a.py" || gap.Lang != "python" {
				t.Errorf("got %v and %+v, want no tree and a gap", tree, gap)
			}
		})
	}
}

type brokenFS struct{ fstest.MapFS }

func (b brokenFS) ReadFile(string) ([]byte, error) { return nil, errors.New("no luck") }

func TestQueryUnreadable(t *testing.T) {
	l := &Language{Name: "python", Grammar: python.GetLanguage, Queries: brokenFS{fstest.MapFS{"facts.scm": {}}}}
	if err := l.Check(); err == nil || !strings.Contains(err.Error(), "no luck") {
		t.Errorf("got %v, want what the file system said", err)
	}
}

func TestCaptures(t *testing.T) {
	src := "import a\nif m == 'ping': pass\nif m == 'pong': pass\nif n == 'ping': pass\n"
	for _, tt := range []struct {
		name, query string
		want        []string
	}{
		{"all", `(string) @method`, []string{"'ping'", "'pong'", "'ping'"}},
		{"match", `((string) @method (#match? @method "^.ping"))`, []string{"'ping'", "'ping'"}},
		{"not match", `((string) @method (#not-match? @method "^.ping"))`, []string{"'pong'"}},
		{"eq", `((string) @method (#eq? @method "'pong'"))`, []string{"'pong'"}},
		{"not eq", `((string) @method (#not-eq? @method "'pong'"))`, []string{"'ping'", "'ping'"}},
		{"a test of another capture", `((comparison_operator (identifier) @operand (string) @method) (#eq? @operand "n"))`, []string{"'ping'"}},
		{"two predicates", `((comparison_operator (identifier) @operand (string) @method) (#eq? @operand "m") (#match? @method "pong"))`, []string{"'pong'"}},
		{"source order over two patterns", `((string) @method (#eq? @method "'pong'")) ((string) @method (#eq? @method "'ping'"))`, []string{"'ping'", "'pong'", "'ping'"}},
		{"none", `((string) @method (#eq? @method "x"))`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(t, language("python", python.GetLanguage, tt.query), src).Captured("method")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCaptureOrder: what several files of queries find comes in the order of the source.
func TestCaptureOrder(t *testing.T) {
	l := language("python", python.GetLanguage, "")
	l.Queries = fstest.MapFS{"a.scm": {Data: []byte(`(identifier) @operand`)}, "b.scm": {Data: []byte(`(string) @method`)}}
	var got []string
	for _, c := range parse(t, l, "a == 'x'\nb == 'y'\n").Captures {
		got = append(got, c.Name)
	}
	if diff := cmp.Diff([]string{"operand", "method", "operand", "method"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDepth: a tree that is too deep to walk by recursion is a gap, one just below is read.
func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		lang, open, shut string
		n                int
		deep             bool
	}{
		{"javascript", "(", ")", 900, false}, {"javascript", "(", ")", 10_000, true},
		{"typescript", "[", "]", 10_000, true}, {"python", "[", "]", 10_000, true},
		{"javascript", "{", "}", 10_000, true}, {"go", "(", ")", 10_000, true},
		{"tsx", "<a>", "</a>", 5_000, true},
	} {
		src := strings.Repeat(tt.open, tt.n) + "1" + strings.Repeat(tt.shut, tt.n)
		if tt.lang == "go" {
			src = "package a\nvar x = " + src
		}
		tree, gap := language(tt.lang, grammars[tt.lang], `(identifier) @operand`).Parse(context.Background(), "a", []byte(src))
		switch {
		case tt.deep && (tree != nil || gap == nil || gap.Reason != mcpaudit.GapDepth || gap.Detail == ""):
			t.Errorf("%s, %d of %s: got a tree %t and gap %+v, want a gap for its depth", tt.lang, tt.n, tt.open, tree != nil, gap)
		case !tt.deep && gap != nil:
			t.Errorf("%s, %d of %s: %+v", tt.lang, tt.n, tt.open, *gap)
		}
	}
}

// TestSyntaxErrors: each broken place is a gap, and the rest of the file is there.
func TestSyntaxErrors(t *testing.T) {
	for _, tt := range []struct {
		name, lang, src, keeps string
		missing                bool
	}{
		{"a missing bracket", "javascript", "f(1;\ng(2);\n", "g(2);", true},
		{"a missing brace at the end", "go", "package a\nfunc f() {\n", "package a", false},
		{"something between", "javascript", "let a = 1;\n@@@ ###\nlet b = 2;\n", "let b = 2;", false},
		{"half a definition", "python", "x = 1\ndef f(:\n    pass\n", "x = 1", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := parse(t, language(tt.lang, grammars[tt.lang], ""), tt.src)
			if len(tree.Gaps) == 0 {
				t.Fatal("no gap")
			}
			for _, g := range tree.Gaps {
				if g.Reason != mcpaudit.GapParse || g.Lang != tt.lang || g.Span.File != "a" || g.Span.Start < 0 || g.Span.End > len(tt.src) || g.Span.End < g.Span.Start {
					t.Errorf("gap %+v", g)
				}
			}
			missing, kept := false, false
			var walk func(n *Node)
			walk = func(n *Node) {
				missing = missing || n.Missing
				kept = kept || tree.Text(n) == tt.keeps
				for _, c := range n.Children {
					walk(c)
				}
			}
			walk(tree.Root)
			if missing != tt.missing {
				t.Errorf("a missing node: %t, want %t", missing, tt.missing)
			}
			if !kept {
				t.Errorf("no node holds %q any more", tt.keeps)
			}
		})
	}
}

func TestParseCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src := []byte(strings.Repeat("f(1);\n", 100_000)) // long enough to be interrupted
	tree, gap := language("javascript", javascript.GetLanguage, "").Parse(ctx, "a.js", src)
	if tree != nil || gap == nil || gap.Reason != mcpaudit.GapTimeout {
		t.Errorf("got a tree %t and gap %+v, want none and a timeout", tree != nil, gap)
	}
}

// TestShared: one language serves many goroutines from its first use on, and each gets its own tree.
func TestShared(t *testing.T) {
	l := language("python", python.GetLanguage, `((string) @method (#match? @method "ping"))`)
	src := strings.Repeat("if m == 'ping':\n    f('pong')\n", 50)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				tree, gap := l.Parse(context.Background(), "a", []byte(src+strings.Repeat("x = 'ping'\n", i)))
				if gap != nil {
					t.Errorf("goroutine %d: %+v", i, *gap)
					return
				}
				if got := len(tree.Captured("method")); got != 50+i {
					t.Errorf("goroutine %d: %d captures, want %d", i, got, 50+i)
				}
			}
		})
	}
	wg.Wait()
}
