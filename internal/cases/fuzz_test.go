//go:build cgo

package cases

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/gosyntax"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/python"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/typescript"
	"github.com/mcpaudit/mcpaudit/analyzers/read"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
	"github.com/mcpaudit/mcpaudit/patterns"
)

// trees are the files of every case of every pattern, which are the seeds: they hold each shape that is understood.
func trees(t testing.TB) []map[string]string {
	t.Helper()
	archives, err := filepath.Glob("../../patterns/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("find the cases of the patterns: %v, %v", archives, err)
	}
	byCase := map[string]map[string]string{}
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			parts := strings.SplitN(f.Name, "/", 3)
			if len(parts) < 3 || !slices.Contains(source, path.Ext(f.Name)) {
				continue
			}
			key := name + "/" + parts[0] + "/" + parts[1]
			if byCase[key] == nil {
				byCase[key] = map[string]string{}
			}
			byCase[key][parts[2]] = string(f.Data)
		}
	}
	var out []map[string]string
	for _, k := range slices.Sorted(maps.Keys(byCase)) {
		out = append(out, byCase[k])
	}
	return out
}

// mutations break a source. i and j are places in it, in lines or in bytes; other is a source to take from.
var mutations = []func(src, other string, i, j int) string{
	func(src, _ string, _, _ int) string { return src },
	func(src, _ string, i, _ int) string { return src[:i%(len(src)+1)] },
	func(src, _ string, i, j int) string { // a piece is missing
		i, j = i%(len(src)+1), j%(len(src)+1)
		return src[:min(i, j)] + src[max(i, j):]
	},
	func(src, other string, i, j int) string { // two halves
		return src[:i%(len(src)+1)] + other[j%(len(other)+1):]
	},
	lines(func(l []string, i, j int) []string { l[i], l[j] = l[j], l[i]; return l }),
	lines(func(l []string, i, _ int) []string { return slices.Delete(l, i, i+1) }),
	lines(func(l []string, i, j int) []string { return slices.Insert(l, j, l[i]) }),
	lines(func(l []string, i, j int) []string { // a block stands twice
		i, j = min(i, j), max(i, j)
		return slices.Insert(l, j, slices.Clone(l[i:j])...)
	}),
	func(src, other string, i, j int) string { // lines of both in turns
		a, b := strings.SplitAfter(src, "\n"), strings.SplitAfter(other, "\n")
		return strings.Join(slices.Concat(a[:i%len(a)], b[:j%len(b)], a[i%len(a):]), "")
	},
	func(src, _ string, i, _ int) string { // nested
		n := i % 600
		return strings.Repeat("(", n) + src + strings.Repeat(")", n)
	},
	func(src, _ string, i, j int) string { // one byte
		b := []byte(src)
		if len(b) > 0 {
			b[i%len(b)] = byte(j)
		}
		return string(b)
	},
}

func lines(fn func(l []string, i, j int) []string) func(string, string, int, int) string {
	return func(src, _ string, i, j int) string {
		l := strings.SplitAfter(src, "\n")
		return strings.Join(fn(l, i%len(l), j%len(l)), "")
	}
}

// FuzzPipeline reads broken variants of every case: whatever is in a tree, nothing crashes, every place lies inside
// its file, and every server gets a verdict.
func FuzzPipeline(f *testing.F) {
	list := trees(f)
	for n := range list {
		for op := n % 3; op < len(mutations); op += 3 { // the fuzzer finds the others
			f.Add(uint16(n), uint16(n*7+op), uint8(op), uint16(n*131+op*17), uint16(n*37+op*151))
		}
	}
	f.Fuzz(func(t *testing.T, which, other uint16, op uint8, i, j uint16) {
		tree := list[int(which)%len(list)]
		from := list[int(other)%len(list)]
		names := slices.Sorted(maps.Keys(tree))
		hurt := names[int(i)%len(names)]
		donor := slices.Sorted(maps.Keys(from))[0]
		files := maps.Clone(tree)
		files[hurt] = mutations[int(op)%len(mutations)](tree[hurt], from[donor], int(i), int(j))
		pipeline(t, files)
	})
}

// FuzzSource reads any text as a file of each language.
func FuzzSource(f *testing.F) {
	for _, tree := range trees(f) {
		names := slices.Sorted(maps.Keys(tree))
		f.Add(tree[names[0]], path.Ext(names[0]))
	}
	f.Fuzz(func(t *testing.T, src, ext string) {
		if !slices.Contains(source, ext) {
			ext = ".ts"
		}
		pipeline(t, map[string]string{"server" + ext: src})
	})
}

// pipeline is what analyzers.Extract does without a file system, followed by an audit, and checks what it gave.
func pipeline(t *testing.T, files map[string]string) {
	t.Helper()
	var list []*code.File
	var gaps []mcpaudit.Gap
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module example.com/a\n")}}
	var goFiles []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fsys[name] = &fstest.MapFile{Data: []byte(files[name])}
		if path.Ext(name) == ".go" {
			goFiles = append(goFiles, name)
			continue
		}
		list = lowered(list, &gaps, name, files[name])
	}
	if len(goFiles) > 0 {
		res, err := golang.Load(context.Background(), fsys, goFiles, golang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(append(list, res.Files...), res.Support...)
		gaps = append(gaps, res.Gaps...)
		for _, name := range slices.Sorted(maps.Keys(res.Left)) {
			list = lowered(list, &gaps, name, files[name])
		}
	}
	for _, f := range list {
		gaps = append(gaps, f.Gaps...)
	}
	nobody := read.Lookup{
		Version: func(string, []string, string) (read.Version, bool) { return read.Version{}, false },
		Name:    func(string) (string, bool) { return "", false },
	}
	repo := &mcpaudit.Repo{Sources: map[string][]byte{}}
	var more []mcpaudit.Gap
	repo.Servers, repo.Clients, more = read.NewProgram(list, nil, nil).Model(nobody)
	repo.Gaps = append(gaps, more...)
	for name, f := range fsys {
		repo.Sources[name] = f.Data
	}
	for _, g := range repo.Gaps {
		if g.Reason == mcpaudit.GapCrash {
			t.Errorf("crash: %s: %s", g.Span.File, g.Detail)
		}
	}
	for _, s := range bad(repo) {
		t.Error(s)
	}
	checks, err := mcpaudit.Audit(repo, patterns.All(), mcpaudit.Options{Persona: mcpaudit.Auditor})
	if err != nil {
		t.Error(err)
	}
	for _, s := range repo.Servers {
		if !slices.ContainsFunc(checks, func(c mcpaudit.Check) bool { return c.Subject.Server == s.Name }) {
			t.Errorf("server %q has no verdict", s.Name)
		}
	}
	for _, c := range checks {
		for _, e := range c.Evidence {
			if why := outside(repo, e); why != "" {
				t.Errorf("%s %s: %s", c.Pattern, c.Verdict, why)
			}
		}
	}
	if t.Failed() {
		for name, src := range files {
			t.Logf("-- %s --\n%s", name, bytes.ToValidUTF8([]byte(src), []byte("?")))
		}
	}
}

func lowered(list []*code.File, gaps *[]mcpaudit.Gap, name, src string) []*code.File {
	for _, l := range []*syntax.Language{typescript.TypeScript, typescript.TSX, typescript.JavaScript, python.Python, gosyntax.Go} {
		if !slices.Contains(l.Extensions, path.Ext(name)) {
			continue
		}
		tree, gap := l.Parse(context.Background(), name, []byte(src))
		if gap != nil {
			*gaps = append(*gaps, *gap)
			return list
		}
		return append(list, l.Lower(tree))
	}
	return list
}

// bad lists the places of a model that do not lie inside a file of the tree.
func bad(repo *mcpaudit.Repo) []string {
	var out []string
	look := func(what string, list ...mcpaudit.Evidence) {
		for _, e := range list {
			if why := outside(repo, e); why != "" {
				out = append(out, what+": "+why)
			}
		}
	}
	outcomes := func(what string, list []mcpaudit.Outcome) {
		for _, o := range list {
			look(what, o.Evidence)
		}
	}
	for _, s := range repo.Servers {
		what := "server " + s.Name
		if len(s.Evidence) == 0 || s.Evidence[0].Span == nil {
			out = append(out, what+" has no place")
		}
		if len(s.Routers) == 0 {
			out = append(out, what+" has no router")
		}
		look(what, s.Evidence...)
		look(what+" eras", s.Eras.Evidence...)
		for _, tool := range s.Tools {
			look(what+" tool "+tool.Name, tool.Evidence)
		}
		for _, r := range s.Routers {
			what := what + " router " + r.Name
			look(what, r.Evidence)
			look(what, r.Related...)
			look(what+" eras", r.Eras.Evidence...)
			outcomes(what+" default", r.Default)
			for _, route := range r.Routes {
				what := what + " route " + route.Method.Text
				look(what, route.Evidence)
				outcomes(what, route.Outcomes)
				for _, g := range route.Gates {
					look(what+" gate", g.Evidence, g.Refusal.Evidence)
				}
				for _, w := range route.Waits {
					look(what+" wait", w.Evidence)
				}
			}
		}
	}
	for _, c := range repo.Clients {
		look("client "+c.Name, c.Evidence...)
	}
	for _, g := range repo.Gaps {
		if g.Span.File != "" {
			look("gap "+g.Reason, mcpaudit.At(mcpaudit.Related, g.Span, ""))
		}
	}
	return out
}

// outside says what is wrong with a place, or "".
func outside(repo *mcpaudit.Repo, e mcpaudit.Evidence) string {
	if e.Span == nil || *e.Span == (mcpaudit.Span{}) {
		return "" // no place; that a finding has one is what Report insists on
	}
	src, ok := repo.Sources[e.Span.File]
	switch {
	case !ok:
		return fmt.Sprintf("%+v (%s) is in no file of the tree", *e.Span, e.Note)
	case e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(src):
		return fmt.Sprintf("%+v (%s) is outside its %d bytes", *e.Span, e.Note, len(src))
	}
	return ""
}
