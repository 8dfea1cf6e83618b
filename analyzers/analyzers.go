// Package analyzers reads a tree and says which MCP servers and clients are in it: walk, pre-filter, parse, lower,
// evaluate, join with what is known of the SDKs.
package analyzers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/golang"
	"github.com/mcpaudit/mcpaudit/analyzers/manifest"
	"github.com/mcpaudit/mcpaudit/analyzers/read"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
	"github.com/mcpaudit/mcpaudit/analyzers/walk"
)

// ErrInput marks an error in what was asked for: a path that does not exist, a broken glob.
var ErrInput = errors.New("bad input")

// Options say what to read.
type Options struct {
	// Paths are files and folders as a user gives them: "./...", "dir", "dir/...", "file.ts". None means "./...".
	Paths   []string
	Exclude []string // globs, with ** for any folders
	// IncludeTests reports servers in tests, examples and documentation too; IncludeVendored reads copies of others'
	// code.
	IncludeTests, IncludeVendored bool
	Jobs                          int // 0: one per processor
	Verbose                       func(format string, args ...any)
	Progress                      func(done, total int)
	Timing                        func(stage string, d time.Duration)
}

// parser lowers the files of one language.
type parser struct {
	name  string
	exts  []string
	lower func(ctx context.Context, path string, src []byte) (*code.File, *mcpaudit.Gap)
}

// parsers holds the languages that are read by syntax. It is empty without cgo.
var parsers []parser

const withoutCgo = "this build reads Go only, and that with types only: it was built without cgo"

// goLang is read with types; by syntax only where that fails.
const goLang = "go"

func languageOf(ext string) string {
	if ext == ".go" {
		return goLang
	}
	for _, p := range parsers {
		if slices.Contains(p.exts, ext) {
			return p.name
		}
	}
	return ""
}

func parserFor(lang, name string) *parser {
	ext := path.Ext(name)
	for i, p := range parsers {
		if p.name == lang && slices.Contains(p.exts, ext) {
			return &parsers[i]
		}
	}
	return nil
}

// Extract reads the tree. Whatever cannot be read is a Gap; an error means that the question was wrong (ErrInput) or
// that ctx is done.
func Extract(ctx context.Context, opts Options) (*mcpaudit.Repo, error) {
	x := &extraction{opts: opts, sources: map[string][]byte{}}
	if x.opts.Jobs <= 0 {
		x.opts.Jobs = runtime.GOMAXPROCS(0)
	}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{{"list", x.list}, {"search", x.scan}, {"parse", x.parse}, {"manifests", x.manifests}, {"evaluate", x.evaluate}} {
		start := time.Now()
		if err := step.run(ctx); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if opts.Timing != nil {
			opts.Timing(step.name, time.Since(start))
		}
	}
	return x.repo(), nil
}

// extraction is one run of Extract.
type extraction struct {
	opts    Options
	root    string
	listing *walk.Listing
	class   map[string]walk.Class // of every listed source file
	lang    map[string]string

	mu      sync.Mutex
	hits    []hit
	files   []*code.File
	gaps    []mcpaudit.Gap
	sources map[string][]byte
	set     *manifest.Set

	servers []*mcpaudit.Server
	clients []*mcpaudit.Client
	parsed  map[string]int
}

// hit is a file that holds a literal which makes it worth parsing.
type hit struct {
	file walk.File
	src  []byte
}

func (x *extraction) verbose(format string, args ...any) {
	if x.opts.Verbose != nil {
		x.opts.Verbose(format, args...)
	}
}

func (x *extraction) list(ctx context.Context) error {
	root, rel, err := walk.Root(x.opts.Paths)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	x.root = root
	x.listing, err = walk.Walk(ctx, root, walk.Options{
		Paths: rel, Exclude: x.opts.Exclude, IncludeTests: x.opts.IncludeTests,
		IncludeVendored: x.opts.IncludeVendored, Jobs: x.opts.Jobs, Languages: languageOf,
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	x.class, x.lang = map[string]walk.Class{}, map[string]string{}
	for _, f := range x.listing.Files {
		x.class[f.Path], x.lang[f.Path] = f.Class, f.Lang
	}
	x.verbose("%d source files below %s", len(x.listing.Files), root)
	return nil
}

// Needles are the literals without which a file has nothing to do with MCP: two methods of the protocol, or the
// import of an SDK. They are derived from the SDK rows, so that a new row needs no second place.
func Needles() *walk.Needles { return needles() }

var needles = sync.OnceValue(func() *walk.Needles {
	n := &walk.Needles{
		Any: []string{"tools/list", "tools/call", "resources/list", "prompts/list", "ListToolsRequest", "CallToolRequest", "new McpServer("},
		// The second line are dispatchers that know the methods by constants only.
		Pairs: [][2]string{
			{"initialize", "jsonrpc"}, {"server/discover", "jsonrpc"},
			{"serverInfo", "jsonrpc"}, {"protocolVersion", "jsonrpc"}, {"-3260", "jsonrpc"},
			// What answers ping in front of a dispatcher.
			{`"ping"`, "jsonrpc"}, {`'ping'`, "jsonrpc"},
		},
	}
	add := func(s string) {
		if !slices.Contains(n.Any, s) {
			n.Any = append(n.Any, s)
		}
	}
	for _, s := range sdk.All() {
		if len(s.Servers)+len(s.Clients) == 0 {
			continue // a plain JSON-RPC library: its programs name the methods
		}
		for _, imp := range s.Imports {
			base := strings.TrimSuffix(imp, "/...")
			switch {
			case s.Ecosystem == "PyPI":
				add("from " + base)
				add("import " + base)
			case strings.HasPrefix(base, "@modelcontextprotocol/"):
				add("@modelcontextprotocol/")
			case len(base) < 6:
				// A short name is a word of many programs; only where it is imported it is the package.
				for _, before := range []string{"from ", "require(", "import("} {
					for _, quote := range []string{`"`, `'`} {
						add(before + quote + base + quote)
						add(before + quote + base + "/")
					}
				}
			default:
				add(base)
			}
		}
	}
	return n
})

func (x *extraction) scan(ctx context.Context) error {
	err := x.listing.Scan(ctx, Needles(), func(f walk.File, src []byte) error {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.hits = append(x.hits, hit{f, src})
		return nil
	})
	slices.SortFunc(x.hits, func(a, b hit) int { return cmp.Compare(a.file.Path, b.file.Path) })
	if !slices.ContainsFunc(x.hits, func(h hit) bool { return speaksMCP(h.src) }) {
		x.hits = nil // JSON-RPC of another kind: language servers, wallets, editors
	}
	for _, p := range x.listing.Shells {
		x.verbose("%s: speaks of MCP, not read: a shell script", p)
	}
	return err
}

// loose are the halves of the pairs that other JSON-RPC programs hold too. A file with nothing else is worth parsing
// only in a tree that speaks MCP somewhere.
var loose = []string{"initialize", "serverInfo", "-3260", `"ping"`, `'ping'`}

// speaksMCP reports whether a file holds a literal that belongs to MCP alone.
func speaksMCP(src []byte) bool {
	n := Needles()
	has := func(s string) bool { return bytes.Contains(src, []byte(s)) }
	return slices.ContainsFunc(n.Any, has) || slices.ContainsFunc(n.Pairs, func(p [2]string) bool {
		return !slices.Contains(loose, p[0]) && has(p[0]) && has(p[1])
	})
}

func (x *extraction) parse(ctx context.Context) error {
	var goFiles []string
	var rest []hit
	for _, h := range x.hits {
		if h.file.Class != walk.Source {
			continue // a test, an example or documentation: counted, not read
		}
		x.sources[h.file.Path] = h.src
		if h.file.Lang == goLang {
			goFiles = append(goFiles, h.file.Path)
		} else {
			rest = append(rest, h)
		}
	}
	if len(goFiles) > 0 {
		left, err := x.typed(ctx, goFiles)
		if err != nil {
			return err
		}
		rest = append(rest, left...)
	}
	files := make([]*code.File, len(rest))
	var wg sync.WaitGroup
	work := make(chan int)
	done := 0
	for range min(x.opts.Jobs, max(len(rest), 1)) {
		wg.Go(func() {
			for i := range work {
				f, gap := x.lower(ctx, rest[i].file.Path, rest[i].file.Lang, rest[i].src)
				files[i] = f
				x.mu.Lock()
				if gap != nil {
					x.gaps = append(x.gaps, *gap)
				}
				if done++; x.opts.Progress != nil {
					x.opts.Progress(done, len(rest))
				}
				x.mu.Unlock()
			}
		})
	}
	for i := range rest {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wg.Wait()
	for _, f := range files {
		if f != nil {
			x.files = append(x.files, f)
			x.gaps = append(x.gaps, f.Gaps...)
		}
	}
	return ctx.Err()
}

// typed loads Go files with types and returns those that have to be read by syntax.
func (x *extraction) typed(ctx context.Context, names []string) ([]hit, error) {
	res, err := golang.Load(ctx, x.listing.FS, names, golang.Options{Tests: x.opts.IncludeTests})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("load Go packages: %w", err)
	}
	for _, f := range append(slices.Clone(res.Files), res.Support...) {
		x.files = append(x.files, f)
		if x.sources[f.Path] == nil {
			x.sources[f.Path] = f.Src
		}
		x.gaps = append(x.gaps, f.Gaps...)
	}
	x.gaps = append(x.gaps, res.Gaps...)
	for _, p := range res.Packages {
		if p.Wanted {
			x.verbose("go package %s: %d files, %d type errors, %d imports outside the tree", p.Path, p.Files, p.Errors, p.Outside)
		}
	}
	var left []hit
	for _, h := range x.hits {
		if why, ok := res.Left[h.file.Path]; ok {
			x.verbose("%s: read by syntax: %s", h.file.Path, why)
			left = append(left, h)
		}
	}
	return left, nil
}

// lower parses one file. Whatever goes wrong in it is a gap of that file.
func (x *extraction) lower(ctx context.Context, name, lang string, src []byte) (f *code.File, gap *mcpaudit.Gap) {
	defer func() {
		if r := recover(); r != nil {
			f = nil
			gap = &mcpaudit.Gap{Span: mcpaudit.Span{File: name}, Lang: lang, Reason: mcpaudit.GapCrash, Detail: fmt.Sprint(r)}
		}
	}()
	p := parserFor(lang, name)
	if p == nil {
		return nil, &mcpaudit.Gap{Span: mcpaudit.Span{File: name}, Lang: lang, Reason: mcpaudit.GapLanguage, Detail: withoutCgo}
	}
	return p.lower(ctx, name, src)
}

func (x *extraction) manifests(context.Context) error {
	var wanted []string
	for _, s := range sdk.All() {
		wanted = append(wanted, s.Packages...)
	}
	slices.Sort(wanted)
	set, gaps := manifest.Read(x.listing.FS, x.listing.Aux, slices.Compact(wanted))
	x.set = set
	x.gaps = append(x.gaps, gaps...)
	return nil
}

// onDemand brings a file that was not a hit but that a hit imports: a helper, a list of constants.
func (x *extraction) onDemand(ctx context.Context) func(string) *code.File {
	return func(name string) *code.File {
		lang, ok := x.lang[name]
		if !ok || lang == "" || lang == goLang {
			return nil
		}
		src, err := fs.ReadFile(x.listing.FS, name)
		if err != nil || len(src) > 2<<20 {
			return nil
		}
		f, gap := x.lower(ctx, name, lang, src)
		if gap != nil {
			x.gaps = append(x.gaps, *gap)
		}
		if f != nil {
			x.sources[name] = src
		}
		return f
	}
}

func (x *extraction) evaluate(ctx context.Context) error {
	slices.SortStableFunc(x.files, func(a, b *code.File) int { return cmp.Compare(a.Path, b.Path) })
	p := read.NewProgram(x.files, x.onDemand(ctx), x.set.PackageDir)
	look := read.Lookup{Version: x.version, Name: x.set.ServerName}
	servers, clients, gaps := p.Model(look)
	x.gaps = append(x.gaps, gaps...)
	x.parsed = map[string]int{}
	for _, f := range p.Files() {
		x.parsed[f.Lang]++
	}
	// A file that a test lies in may have been loaded because a source imports it.
	for _, s := range servers {
		if x.isSource(s.Evidence) {
			x.servers = append(x.servers, s)
		}
	}
	for _, c := range clients {
		if x.isSource(c.Evidence) {
			x.clients = append(x.clients, c)
		}
	}
	return nil
}

func (x *extraction) isSource(ev []mcpaudit.Evidence) bool {
	return len(ev) == 0 || ev[0].Span == nil || x.class[ev[0].Span.File] == walk.Source
}

// version answers read.Lookup from the manifests, and from the header of a Python script.
func (x *extraction) version(ecosystem string, names []string, file string) (read.Version, bool) {
	d, ok := x.set.Resolve(ecosystem, names, file)
	if !ok && ecosystem == "PyPI" && x.sources[file] != nil {
		for _, s := range manifest.Script(x.sources[file]) {
			if slices.Contains(names, s.Name) {
				d, ok = s, true
				d.Path = file
			}
		}
	}
	if !ok {
		return read.Version{}, false
	}
	v := read.Version{Version: d.Version, Range: d.Range}
	if d.Path != "" {
		ev := mcpaudit.At(mcpaudit.Related, mcpaudit.Span{File: d.Path, Start: d.Offset, End: d.Offset + len(d.Name)}, "the version is read here")
		v.Evidence = &ev
		if x.sources[d.Path] == nil {
			if src, err := fs.ReadFile(x.listing.FS, d.Path); err == nil {
				x.sources[d.Path] = src
			}
		}
	}
	return v, true
}

func (x *extraction) repo() *mcpaudit.Repo {
	counts := x.listing.Counts
	counts.Languages = x.parsed
	counts.Parsed = 0
	for _, n := range x.parsed {
		counts.Parsed += n
	}
	gaps := append(slices.Clone(x.listing.Gaps), x.gaps...)
	for i := range gaps {
		if gaps[i].Reason == mcpaudit.GapLanguage && len(parsers) == 0 {
			gaps[i].Detail = withoutCgo
		}
	}
	slices.SortStableFunc(gaps, func(a, b mcpaudit.Gap) int {
		return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Reason, b.Reason))
	})
	return &mcpaudit.Repo{
		Root: x.root, Servers: x.servers, Clients: x.clients, Gaps: gaps, Counts: counts, Sources: x.sources,
	}
}
