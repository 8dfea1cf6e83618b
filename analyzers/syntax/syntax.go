//go:build cgo

// Package syntax parses source files with tree-sitter. It is the only user of go-tree-sitter's API: a language
// hands in a grammar, its queries and a function that lowers the tree to analyzers/code.
package syntax

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Language is the socket for one programming language.
type Language struct {
	Name       string   // "typescript"
	Extensions []string // with the dot; each belongs to one Language only
	Grammar    func() *sitter.Language
	Queries    fs.FS // the folder's *.scm files; captures are those of Vocabulary
	Lower      func(*Tree) *code.File

	once    sync.Once
	err     error
	names   []string // symbol -> node type
	named   []bool
	queries []compiled
}

// Vocabulary is the closed list of capture names. A name outside it is a mistake in a query.
//
//	import     the module that an import, a require or a use names, quotes included where the grammar has them
//	method     a string literal with a protocol method name in dispatch position: compared, a case, a key
//	operand    needed by a predicate only
var Vocabulary = []string{"import", "method", "operand"}

type compiled struct {
	query *sitter.Query
	// preds[pattern] holds the #match? and #eq? filters. go-tree-sitter compiles regular expressions anew for
	// every match and treats predicates that it does not know as true; both are avoided by filtering here.
	preds [][]predicate
}

type predicate struct {
	capture string
	re      *regexp.Regexp
	text    string
	not     bool
}

// Limits of one file. A file beyond them becomes a Gap.
const (
	maxDepth     = 2000
	parseTimeout = 20 * time.Second
)

func (l *Language) init() {
	l.once.Do(func() {
		g := l.Grammar()
		l.names = make([]string, g.SymbolCount())
		l.named = make([]bool, len(l.names))
		for i := range l.names {
			l.names[i] = g.SymbolName(sitter.Symbol(i))
			l.named[i] = g.SymbolType(sitter.Symbol(i)) == sitter.SymbolTypeRegular
		}
		if l.Queries == nil {
			return
		}
		files, err := fs.Glob(l.Queries, "*.scm")
		if err != nil {
			l.err = err
			return
		}
		for _, f := range files {
			text, err := fs.ReadFile(l.Queries, f)
			if err == nil {
				var c compiled
				c, err = compile(text, g)
				l.queries = append(l.queries, c)
			}
			if err != nil {
				l.err = fmt.Errorf("load query %s/%s: %w", l.Name, f, err)
				return
			}
		}
	})
}

// Check reports a broken grammar or query. A test calls it for every language.
func (l *Language) Check() error {
	l.init()
	return l.err
}

func compile(text []byte, g *sitter.Language) (compiled, error) {
	q, err := sitter.NewQuery(text, g)
	if err != nil {
		return compiled{}, err
	}
	for i := range q.CaptureCount() {
		if name := q.CaptureNameForId(i); !slices.Contains(Vocabulary, name) {
			return compiled{}, fmt.Errorf("capture @%s is not in the vocabulary %q", name, Vocabulary)
		}
	}
	c := compiled{query: q, preds: make([][]predicate, q.PatternCount())}
	for i := range q.PatternCount() {
		for _, steps := range q.PredicatesForPattern(i) {
			p, err := readPredicate(q, steps)
			if err != nil {
				return compiled{}, err
			}
			c.preds[i] = append(c.preds[i], p)
		}
	}
	return c, nil
}

func readPredicate(q *sitter.Query, steps []sitter.QueryPredicateStep) (predicate, error) {
	var words []string
	var capture string
	for _, s := range steps {
		switch s.Type {
		case sitter.QueryPredicateStepTypeString:
			words = append(words, q.StringValueForId(s.ValueId))
		case sitter.QueryPredicateStepTypeCapture:
			capture = q.CaptureNameForId(s.ValueId)
		}
	}
	if len(words) != 2 || capture == "" {
		return predicate{}, fmt.Errorf("predicate %q: want #name? @capture \"text\"", words)
	}
	name, arg := words[0], words[1]
	p := predicate{capture: capture, not: strings.HasPrefix(name, "not-")}
	switch strings.TrimPrefix(name, "not-") {
	case "eq?":
		p.text = arg
	case "match?":
		re, err := regexp.Compile(arg)
		if err != nil {
			return predicate{}, err
		}
		p.re = re
	default:
		return predicate{}, fmt.Errorf("predicate #%s is not one that this binding honours", name)
	}
	return p, nil
}

func (p predicate) holds(text string) bool {
	ok := text == p.text
	if p.re != nil {
		ok = p.re.MatchString(text)
	}
	return ok != p.not
}

// Parse reads one file. A file that cannot be parsed at all gives a nil tree and a Gap; syntax errors inside a
// file give a tree whose Gaps name them, and the rest of the file still counts.
func (l *Language) Parse(ctx context.Context, path string, src []byte) (*Tree, *mcpaudit.Gap) {
	l.init()
	fail := func(reason, detail string) (*Tree, *mcpaudit.Gap) {
		return nil, &mcpaudit.Gap{Span: mcpaudit.Span{File: path}, Lang: l.Name, Reason: reason, Detail: detail}
	}
	if l.err != nil {
		return fail(mcpaudit.GapCrash, l.err.Error())
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(l.Grammar())
	ctx, cancel := context.WithTimeout(ctx, parseTimeout)
	defer cancel()
	st, err := parser.ParseCtx(ctx, nil, src)
	if err != nil {
		if ctx.Err() != nil {
			return fail(mcpaudit.GapTimeout, "parsing took too long")
		}
		return fail(mcpaudit.GapParse, err.Error())
	}
	defer st.Close()
	t := &Tree{Path: path, Lang: l.Name, Src: src}
	if !l.copy(t, st) {
		return fail(mcpaudit.GapDepth, fmt.Sprintf("nested deeper than %d levels", maxDepth))
	}
	l.capture(t, st)
	return t, nil
}

// copy walks the tree once with a cursor. It returns false if the tree is too deep.
func (l *Language) copy(t *Tree, st *sitter.Tree) bool {
	cur := sitter.NewTreeCursor(st.RootNode())
	defer cur.Close()
	var parent *Node
	depth := 0
	for {
		n := cur.CurrentNode()
		// Every call of a node's method crosses into C, which is most of the cost of reading a file: what the symbol
		// tells is looked up in tables, and only an empty node can be a missing one.
		node := &Node{Field: cur.CurrentFieldName(), Start: int(n.StartByte()), End: int(n.EndByte()), Parent: parent}
		node.Missing = node.Start == node.End && n.IsMissing()
		if sym := int(n.Symbol()); sym < len(l.names) {
			node.Type, node.Named = l.names[sym], l.named[sym]
		} else {
			node.Type, node.Named = n.Type(), n.IsNamed() // the ERROR symbol is outside the tables
		}
		if node.Type == "ERROR" || node.Missing {
			t.Gaps = append(t.Gaps, mcpaudit.Gap{
				Span: t.Span(node), Lang: l.Name, Reason: mcpaudit.GapParse, Detail: "syntax error",
			})
		}
		if parent == nil {
			t.Root = node
		} else {
			parent.Children = append(parent.Children, node)
		}
		if cur.GoToFirstChild() {
			if depth++; depth > maxDepth {
				return false
			}
			parent = node
			continue
		}
		for !cur.GoToNextSibling() {
			if !cur.GoToParent() {
				return true
			}
			depth--
			parent = parent.Parent
		}
	}
}

func (l *Language) capture(t *Tree, st *sitter.Tree) {
	for _, c := range l.queries {
		qc := sitter.NewQueryCursor()
		qc.Exec(c.query, st.RootNode())
		for {
			m, ok := qc.NextMatch()
			if !ok {
				break
			}
			if !c.accepts(m, t.Src) {
				continue
			}
			for _, cap := range m.Captures {
				t.Captures = append(t.Captures, Capture{
					Name:  c.query.CaptureNameForId(cap.Index),
					Start: int(cap.Node.StartByte()), End: int(cap.Node.EndByte()),
				})
			}
		}
		qc.Close()
	}
	slices.SortStableFunc(t.Captures, func(a, b Capture) int { return a.Start - b.Start })
}

func (c compiled) accepts(m *sitter.QueryMatch, src []byte) bool {
	for _, p := range c.preds[m.PatternIndex] {
		for _, cap := range m.Captures {
			if c.query.CaptureNameForId(cap.Index) == p.capture && !p.holds(cap.Node.Content(src)) {
				return false
			}
		}
	}
	return true
}
