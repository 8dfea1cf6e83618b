package layering

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

type layer struct {
	pkg        string   // relative to the module; "/..." covers the packages below too; the first that covers counts
	imports    []string // likewise
	thirdParty []string // modules; "*" is any but those that have an owner below
}

const module = "github.com/mcpaudit/mcpaudit"

// The layers, from the bottom up. A package may import the module's packages named here and, where thirdParty
// says so, modules of others; the standard library is free. Tests are not held to it: they may lie across.
//
//	                      cmd/mcpaudit
//	patterns    analyzers/...    probe    report/...     siblings never import each other
//	                        root                         standard library only
var layers = []layer{
	{pkg: "."},
	{pkg: "patterns/...", imports: []string{".", "patterns/..."}, thirdParty: []string{"*"}},
	{pkg: "report/...", imports: []string{".", "report/..."}, thirdParty: []string{"*"}},
	{pkg: "probe/...", imports: []string{".", "probe/..."}, thirdParty: []string{"*"}},
	{pkg: "analyzers/syntax", imports: []string{".", "analyzers/code", "analyzers/walk"}, thirdParty: []string{"*", treeSitter}},
	{pkg: "analyzers/lang/...", imports: []string{".", "analyzers/code", "analyzers/syntax", "analyzers/lang/...", "analyzers/golang/gotext"}, thirdParty: []string{"*", treeSitter}},
	// The two readers of Go share what a literal and an import mean.
	{pkg: "analyzers/golang/gotext", imports: []string{".", "analyzers/code"}, thirdParty: []string{"*"}},
	{pkg: "analyzers/golang/...", imports: []string{".", "analyzers/code", "analyzers/golang/..."}, thirdParty: []string{"*", tools}},
	{pkg: "analyzers/vet/...", imports: []string{".", "patterns", "analyzers/..."}, thirdParty: []string{"*", tools}},
	{pkg: "analyzers/...", imports: []string{".", "analyzers/..."}, thirdParty: []string{"*"}},
	{pkg: "cmd/...", imports: []string{"./..."}, thirdParty: []string{"*"}},
	{pkg: "internal/...", imports: []string{"./..."}, thirdParty: []string{"*", tools}},
	{pkg: "bench/...", imports: []string{"./..."}, thirdParty: []string{"*", tools, treeSitter}},
}

// Modules that only some packages may import: they bring cgo, or the Go type checker's driver.
const (
	treeSitter = "github.com/smacker/go-tree-sitter"
	tools      = "golang.org/x/tools"
)

type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string
	CgoFiles   []string
	Deps       []string
	Error      *struct{ Err string }
}

// list asks the go command, offline: every module that the build needs is there already.
func list(t *testing.T, args ...string) map[string]*pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Standard,Imports,CgoFiles,Deps,Error"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run %s: %v", cmd, err)
	}
	pkgs := map[string]*pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatalf("decode the output of %s: %v", cmd, err)
		}
		if p.Error != nil {
			t.Errorf("list %s: %s", p.ImportPath, p.Error.Err)
		}
		pkgs[p.ImportPath] = &p
	}
}

func TestImports(t *testing.T) {
	pkgs := list(t, "./...")
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages of the module, the test looks at the wrong folder", len(pkgs))
	}
	for path, p := range pkgs {
		for _, imp := range p.Imports {
			if why := forbidden(path, imp); why != "" {
				t.Errorf("%s imports %s: %s", path, imp, why)
			}
		}
	}
}

// TestRules proves that the rules above refuse what they are for: a table that allows everything would pass
// TestImports too.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		allowed  bool
	}{
		{".", "fmt", true},
		{".", "encoding/json", true},
		{".", "github.com/google/go-cmp/cmp", false},
		{".", module + "/patterns", false},
		{"patterns", module, true},
		{"patterns", module + "/report", false},
		{"patterns", module + "/analyzers/code", false},
		{"patterns", tools + "/go/analysis", false},
		{"report", module + "/patterns", false},
		{"report", module + "/report/quote", true},
		{"report/quote", "golang.org/x/text/width", true},
		{"report", module + "/analyzers", false},
		{"report", treeSitter, false},
		{"probe", module + "/report", false},
		{"analyzers", treeSitter, false},
		{"analyzers", tools + "/go/packages", false},
		{"analyzers", module + "/patterns", false},
		{"analyzers", module + "/analyzers/lang/python", true},
		{"analyzers/syntax", treeSitter, true},
		{"analyzers/lang/python", treeSitter + "/python", true},
		{"analyzers/lang/python", module + "/analyzers/sdk", false},
		{"analyzers/lang/python", module + "/analyzers/golang", false},
		{"analyzers/golang/gotext", tools + "/go/packages", false},
		{"analyzers/read", treeSitter, false},
		{"analyzers/golang", tools + "/go/packages", true},
		{"analyzers/golang", treeSitter, false},
		{"analyzers/vet", module + "/patterns", true},
		{"cmd/mcpaudit", module + "/analyzers", true},
		{"cmd/mcpaudit", treeSitter, false},
		{"nowhere", module, false},
	} {
		from := strings.TrimSuffix(module+"/"+tt.from, "/.")
		if why := forbidden(from, tt.to); (why == "") != tt.allowed {
			t.Errorf("%s imports %s: allowed is %t, want %t (%s)", tt.from, tt.to, why == "", tt.allowed, why)
		}
	}
}

// TestPure keeps the half that needs no C compiler free of it. Packages of the standard library may have cgo
// files: they have a second form without.
func TestPure(t *testing.T) {
	for _, root := range []string{".", "./patterns", "./report/..."} {
		for path, p := range list(t, "-deps", root) {
			if !p.Standard && (len(p.CgoFiles) > 0 || below(path, treeSitter)) {
				t.Errorf("%s depends on %s, which needs a C compiler", root, path)
			}
		}
	}
}

// forbidden says why a package may not import another, or "".
func forbidden(from, to string) string {
	rule := slices.IndexFunc(layers, func(l layer) bool { return covers(l.pkg, from) })
	if rule < 0 {
		return "the package is in no layer; add it to the table"
	}
	l := layers[rule]
	switch {
	case below(to, module):
		if !slices.ContainsFunc(l.imports, func(pat string) bool { return covers(pat, to) }) {
			return "not among the layers below it"
		}
	case !strings.Contains(strings.Split(to, "/")[0], "."):
		// The standard library.
	case below(to, treeSitter) || below(to, tools):
		if !slices.ContainsFunc(l.thirdParty, func(m string) bool { return m != "*" && below(to, m) }) {
			return "the module belongs to other packages"
		}
	case !slices.Contains(l.thirdParty, "*"):
		return "only the standard library is allowed here"
	}
	return ""
}

// covers matches an import path of the module against "dir" or "dir/...".
func covers(pattern, path string) bool {
	rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	dir, tree := strings.CutSuffix(pattern, "/...")
	if dir == "." {
		return tree || rel == ""
	}
	return rel == dir || tree && below(rel, dir)
}

func below(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
