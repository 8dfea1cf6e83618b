package walk

import (
	"path"
	"slices"
	"strings"
)

// Class says what a file is for. A finding in a test, an example or the documentation is of no use to who runs the
// server, so callers hide it unless they are asked.
type Class int

const (
	Source Class = iota
	Test
	Example
	Docs
)

var classNames = []string{"source", "test", "example", "docs"}

func (c Class) String() string { return classNames[c] }

// Why a path is left out; the keys of Counts.LeftOut, next to the names of the classes.
const (
	Vendored  = "vendored"  // code of others
	Generated = "generated" // written by a program, by its name or its head
	Minified  = "minified"
	Output    = "output" // of a build: its source is elsewhere
	VCS       = "vcs"
	Excluded  = "excluded"  // by the user
	Submodule = "submodule" // or any repository inside of the repository
	Link      = "link"      // a symbolic link to something that is listed by its own name
	Absent    = "absent"    // tracked by git, not in the work tree
	Shell     = "shell"     // speaks of MCP in a language that calls servers; see Listing.Shells
)

// Names of folders are compared whole and without case folding.
var (
	vcs = set(".git", ".hg", ".svn", ".jj", ".bzr")

	// These names are reserved by package managers: what is in there was fetched.
	vendoredDirs = set("node_modules", "bower_components", "jspm_packages", ".yarn", ".pnpm-store",
		"site-packages", "dist-packages", "__pypackages__", ".venv", "venv", "virtualenv", ".tox", ".nox", ".eggs",
		"Pods", "Carthage", ".bundle", ".gradle", ".m2",
		"third_party", "third-party", "thirdparty", "3rdparty", "external_libs")

	// "vendor" is a business word as well, so it counts only beside or with a file that proves it; see isVendor.
	vendorProof = set("go.mod", "composer.json", "Gemfile", "Cargo.toml")

	// Folders that only tools write.
	outputDirs = set(".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".vercel", ".wrangler", ".cache",
		".parcel-cache", ".angular", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", "htmlcov", ".nyc_output")

	// Folders that build tools write, and people too: judged only directly beside a manifest, and only files that a
	// compiler writes count; see compiledFiles.
	maybeOutputDirs = set("dist", "build", "out", "coverage")

	testDirs = set("test", "tests", "Test", "Tests", "__tests__", "testdata", "test-data", "test_data", "testing",
		"__fixtures__", "mocks", "__mocks__", "e2e", "e2e-tests", "integration-tests",
		"integration_tests", "unit-tests", "unit_tests", "test-utils", "test_utils", "cypress", "__snapshots__",
		"androidTest", "testFixtures", "benchmarks", "testHelpers", "testhelpers", "test-helpers", "test_helpers",
		"testutil", "testutils", "testUtils", "test-support", "test_support")

	exampleDirs = set("examples", "example", "samples", "sample", "demo", "demos", "tutorial", "tutorials",
		"Examples", "Samples", "playground", "cookbook", "quickstart", "quickstarts",
		// what a generator fills in
		"templates", "cookiecutter")

	// A server may well have a folder of tools called "docs", so these count only at the root or beside a manifest.
	docsDirs = set("docs", "doc", "documentation", "website", "Documentation", "docs-site", "docs_src")

	// A folder that holds one of these is the top of a package.
	manifests = set("package.json", "deno.json", "deno.jsonc", "pyproject.toml", "setup.py", "setup.cfg", "go.mod",
		"Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "Package.swift")
)

// nameRule matches the names of files by extension and by what is before it. A habit counts only in the languages
// that have it: "test_" says nothing of a file in Go. (Every file of a tree comes by here: no regular expressions.)
type nameRule struct {
	exts                      map[string]bool
	names, prefixes, suffixes []string
}

var (
	script = set(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
	java   = set(".java", ".kt", ".kts", ".cs", ".swift", ".php", ".scala", ".groovy")
)

var testFiles = []nameRule{
	{exts: set(".go", ".py", ".rb", ".exs", ".dart", ".c", ".cc", ".cpp", ".rs"), suffixes: []string{"_test"}},
	{exts: set(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".py", ".go"), prefixes: []string{"mock-", "mock_", "fake-", "fake_"}},
	{exts: set(".py"), names: []string{"conftest", "test", "tests", "e2e"}, prefixes: []string{"test_"}, suffixes: []string{"_tests"}},
	{exts: script, names: []string{"e2e"}, suffixes: []string{".test", ".spec", ".e2e", ".cy", ".bench", ".test-d", "-test", "-spec", "_test"},
		prefixes: []string{"jest.", "vitest.", "playwright.config", "karma.", "cypress."}},
	{exts: set(".rb"), prefixes: []string{"test_"}, suffixes: []string{"_spec"}},
	{exts: java, suffixes: []string{"Test", "Tests", "TestCase"}},
}

var exampleFiles = []nameRule{
	{exts: script, suffixes: []string{".stories", ".story"}},
}

var generatedFiles = []nameRule{
	{exts: set(".ts", ".mts", ".cts"), suffixes: []string{".d"}}, // declarations only: nothing in there runs
	{exts: set(".go"), prefixes: []string{"zz_generated"}, suffixes: []string{".pb", ".pb.gw", "_gen", ".gen", "_generated", ".generated"}},
	{exts: set(".py"), suffixes: []string{"_pb2", "_pb2_grpc", "_generated"}},
	{exts: script, suffixes: []string{"_pb", ".pb", ".gen", ".generated"}, names: []string{".pnp"}},
	{exts: set(".cs", ".dart"), suffixes: []string{".g", ".Designer", ".designer", ".generated"}},
	{exts: set(".cc", ".h", ".swift", ".rb"), suffixes: []string{".pb", "_pb"}},
}

var minifiedFiles = []nameRule{
	{exts: script, suffixes: []string{".min", "-min"}},
}

var bundleFiles = []nameRule{
	{exts: script, suffixes: []string{".bundle", "-bundle"}},
}

// compiledFiles are what compilers write from a source that is elsewhere. A ".ts" in a folder "build" was written
// by somebody.
var compiledFiles = []nameRule{
	{exts: set(".js", ".jsx", ".mjs", ".cjs", ".map", ".class", ".pyc"), suffixes: []string{""}},
	{exts: set(".ts", ".mts", ".cts"), suffixes: []string{".d"}},
}

// testProjects is how .NET names the folder of a project of tests, and people a folder of fixtures.
var testProjects = []string{".Tests", ".Test", ".UnitTests", ".IntegrationTests", ".FunctionalTests", "fixture", "fixtures"}

func matches(rules []nameRule, stem, ext string) bool {
	for i := range rules {
		r := &rules[i]
		if !r.exts[ext] {
			continue
		}
		if slices.Contains(r.names, stem) || hasAffix(strings.HasPrefix, stem, r.prefixes) || hasAffix(strings.HasSuffix, stem, r.suffixes) {
			return true
		}
	}
	return false
}

func hasAffix(has func(s, affix string) bool, s string, affixes []string) bool {
	return slices.ContainsFunc(affixes, func(a string) bool { return has(s, a) })
}

// otherLanguages are programming languages that a server may be written in, by extension. A file in one of them
// that nobody can parse is a gap if it speaks MCP; without this table it would be an unknown file among pictures.
var otherLanguages = map[string]string{
	".ts": "TypeScript", ".tsx": "TypeScript", ".mts": "TypeScript", ".cts": "TypeScript",
	".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
	".py": "Python", ".go": "Go", ".rs": "Rust", ".java": "Java", ".kt": "Kotlin", ".kts": "Kotlin",
	".cs": "C#", ".rb": "Ruby", ".php": "PHP", ".swift": "Swift",
	".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".hpp": "C++", ".hh": "C++",
	".zig": "Zig", ".dart": "Dart", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".clj": "Clojure",
	".cljs": "ClojureScript", ".scala": "Scala", ".hs": "Haskell", ".ml": "OCaml", ".lua": "Lua", ".nim": "Nim",
	".jl": "Julia", ".fs": "F#", ".vb": "Visual Basic", ".pl": "Perl", ".pm": "Perl", ".r": "R",
	".sh": "Shell", ".bash": "Shell", ".ps1": "PowerShell", ".groovy": "Groovy", ".cr": "Crystal", ".d": "D",
	".m": "Objective-C", ".mm": "Objective-C++", ".gd": "GDScript", ".v": "V",
	".el": "Emacs Lisp", ".lisp": "Lisp", ".rkt": "Racket", ".sol": "Solidity", ".mojo": "Mojo", ".gleam": "Gleam",
}

// shells are languages in which a server is started, tried out and tested. Such a file that names a method is not
// half of what there is to audit, and a gap for each of them would hide the gaps that are.
var shells = set("Shell", "PowerShell")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// judgement is what the folders of a path say about it.
type judgement struct {
	class  Class
	reason string
	output bool // in a folder that may be build output
}

// classifier judges paths by their names and by what lies beside them.
type classifier struct {
	paths    []string
	named    []string
	vendored bool            // code of others is wanted
	tops     map[string]bool // folders that hold a manifest
	proof    map[string]bool // folders that hold a file of vendorProof
	cache    map[string]judgement
}

func newClassifier(paths, named []string, vendored bool) *classifier {
	c := &classifier{paths: paths, named: named, vendored: vendored, tops: map[string]bool{".": true}, proof: map[string]bool{},
		cache: map[string]judgement{}}
	for _, p := range paths {
		dir, name := path.Split(p)
		dir = path.Clean(dir)
		if manifests[name] {
			c.tops[dir] = true
		}
		if vendorProof[name] {
			c.proof[dir] = true
		}
	}
	for _, n := range named {
		c.tops[n] = true
	}
	return c
}

// classify gives the class of a file, or the reason to leave it out.
func (c *classifier) classify(p string) (Class, string) {
	if slices.Contains(c.named, p) {
		return Source, "" // the user named this very file
	}
	dir, name := path.Split(p)
	j := c.folder(path.Clean(dir))
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	switch {
	case j.reason != "":
		return j.class, j.reason
	case j.output && matches(compiledFiles, stem, ext), matches(bundleFiles, stem, ext), c.twin(p, stem, ext):
		return j.class, Output
	case matches(generatedFiles, stem, ext):
		return j.class, Generated
	case matches(minifiedFiles, stem, ext):
		return j.class, Minified
	case j.class != Source:
		return j.class, ""
	case matches(testFiles, stem, ext):
		return Test, ""
	case matches(exampleFiles, stem, ext):
		return Example, ""
	}
	return Source, ""
}

// folder judges a folder, the outermost name that says anything first. Names at or above a path that the user
// named are not judged.
func (c *classifier) folder(dir string) judgement {
	if dir == "." || slices.Contains(c.named, dir) {
		return judgement{}
	}
	if j, ok := c.cache[dir]; ok {
		return j
	}
	up, name := path.Dir(dir), path.Base(dir)
	j := c.folder(up)
	switch {
	case j.reason != "":
	case vcs[name]:
		j.reason = VCS
	case vendoredDirs[name], name == "vendor" && c.isVendor(up):
		if !c.vendored {
			j.reason = Vendored
		}
	case outputDirs[name]:
		j.reason = Output
	case maybeOutputDirs[name] && c.tops[up]:
		j.output = true
	}
	if j.class == Source {
		switch {
		case testDirs[name], hasAffix(strings.HasSuffix, name, testProjects):
			j.class = Test
		case exampleDirs[name]:
			j.class = Example
		case docsDirs[name] && c.tops[up]:
			j.class = Docs
		}
	}
	c.cache[dir] = j
	return j
}

// isVendor reports whether a folder's "vendor" holds code of others: a package manager that writes to "vendor" has
// its manifest beside it, and Go leaves a list in it.
func (c *classifier) isVendor(up string) bool {
	if c.proof[up] {
		return true
	}
	_, ok := slices.BinarySearch(c.paths, path.Join(up, "vendor", "modules.txt"))
	return ok
}

// twin reports whether a file in a folder "lib" or "dist" has a source of the same name in the "src" beside it.
func (c *classifier) twin(p, stem, ext string) bool {
	if !matches(compiledFiles, stem, ext) {
		return false
	}
	parts := strings.Split(p, "/")
	last := len(parts) - 1
	for i, part := range parts[:last] {
		if part != "lib" && part != "dist" && part != "esm" && part != "cjs" {
			continue
		}
		src := slices.Clone(parts)
		src[i], src[last] = "src", strings.TrimSuffix(stem, ".d")
		for _, ext := range []string{".ts", ".tsx", ".mts", ".cts"} {
			if _, ok := slices.BinarySearch(c.paths, strings.Join(src, "/")+ext); ok {
				return true
			}
		}
	}
	return false
}
