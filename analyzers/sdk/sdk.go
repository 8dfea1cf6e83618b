// Package sdk holds what is known of each MCP SDK: how a program that uses it is recognised, what it answers by
// itself in which version, and by which of its own interfaces an author can change that answer.
//
// An SDK is one file of data: it calls Register in an init function. No list needs to be edited. A method name
// alone never identifies an SDK; an import or a manifest does.
package sdk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/osv-scalibr/semantic"

	"github.com/mcpaudit/mcpaudit"
)

// SDK is everything we know of one line of one SDK. Two lines of one package (TypeScript 1.x and 2.x under
// different package names, Python 1.x and 2.x under one) are two rows.
type SDK struct {
	Name  string   // the package as its users call it; unique together with Line
	Line  string   // "1.x", or "" if there is only one
	Langs []string // names of code.File.Lang: "typescript", "javascript", "python", "go"
	// Packages are the names under which manifests and lockfiles list it, in the ecosystem.
	Ecosystem string // "npm", "PyPI", "Go": the names that osv-scalibr uses
	Packages  []string
	// Versions is the range of versions that this line covers, "" for all. See InRange for the syntax.
	Versions string
	// Imports are the modules whose import identifies the SDK: an exact name, or one that ends in "/..." and then
	// covers the module and everything below it. Only Marks that were imported from one of them count.
	Imports []string
	// Servers and Clients are the marks that make a program a server or a client.
	Servers []Mark
	Clients []Mark
	// Carriers serve a server that is made elsewhere: transports, HTTP handlers, host classes. They make no server
	// of their own, but say how it is reached and whether the modern era is served.
	Carriers []Mark
	// Wraps names the SDK that this framework is built on (ID of its row); the answers come from there unless Ping
	// has rows of its own. Changes of that SDK hold for the framework's servers too; see AllChanges.
	Wraps string
	// Ping is what the SDK answers to a legacy ping when the author does nothing. The first row whose range holds
	// the version is used; an unknown version uses the first row with an empty range.
	Ping []Answer
	// ClientPing is what a client of this SDK answers to a ping that the server sends, in the same way.
	ClientPing []Answer
	// Changes are the ways in which an author can change that.
	Changes []Change
	// Eras says which eras a server serves by default, by version. An unknown version uses the row with an empty
	// range.
	Eras []EraRow
	// Dispatchers are functions of a JSON-RPC library or of an SDK without built-in methods to which an author
	// registers methods by name; see Dispatcher.
	Dispatchers []Dispatcher
	// Empties are constructors of the SDK whose result is {} on the wire when they are given nothing; Passes are
	// those whose first argument is the result: types.ServerResult(types.EmptyResult()).
	Empties, Passes []string
	Cite            string // where this was read: repository, file, version
}

// MarkForm is the syntax of a mark.
type MarkForm string

const (
	New       MarkForm = "new"       // new X(...), X(...), X{...}: an object is made
	Func      MarkForm = "func"      // a function of the module is called
	Subclass  MarkForm = "subclass"  // class Y extends X, class Y(X), struct that embeds X
	Decorator MarkForm = "decorator" // @X
	Imported  MarkForm = "imported"  // importing X is enough, of a type too; "*": anything, but at run time
)

// Mark is one thing in the code that makes a program a server or a client.
type Mark struct {
	Form MarkForm
	Name string // as exported by the module: "McpServer", "NewMCPServer"; "FastMCP.from_openapi" for a member of one
	// NameArg is the 1-based argument that holds the server's name, 0 for none. NameKey is its member if the
	// argument is an object ("name", "serverInfo.name"), or the keyword that may hold it instead.
	NameArg   int
	NameKey   string
	Transport mcpaudit.Transport // Carriers: how the server is reached, "" if that is not said
	Modern    mcpaudit.Tri       // Carriers: Yes if what is carried serves the modern era too
}

// Answer is what reaches the wire for a ping, in a range of versions.
type Answer struct {
	Versions string
	Channel  mcpaudit.Channel
	Body     mcpaudit.Shape
	Since    string // the first version that behaves like this
	FixedIn  string // the first version that does not, where Channel or Body is at fault
	Note     string // for people, e.g. "an error before initialize up to 1.13"
	Cite     string
}

// ChangeForm is the syntax by which an author changes an SDK's own route.
type ChangeForm string

const (
	CallForm     ChangeForm = "call"       // recv.Name(Key, handler), pkg.Name(recv, Key, handler)
	StoreForm    ChangeForm = "store"      // recv.Name[Key] = handler, recv.Name.set(Key, handler), .update({Key: handler})
	DeleteForm   ChangeForm = "delete"     // del recv.Name[Key], recv.Name.pop(Key), recv.Name.delete(Key)
	KeywordForm  ChangeForm = "keyword"    // Server(..., Name=handler); None removes
	OptionForm   ChangeForm = "option"     // Func(..., {Name: Key}): an option with one of the Keys as its value
	MiddleForm   ChangeForm = "middleware" // recv.Name(mw): mw(next) returns the function that sees every method
	AroundForm   ChangeForm = "around"     // recv.Name(mw): mw(ctx, next) sees every method; a dotted Name is a chain
	DecoForm     ChangeForm = "decorator"  // @recv.Name(Key) or @Name(Key) above the handler (Dispatchers only)
	OverrideForm ChangeForm = "override"   // a method called Name in a subclass of a server mark
)

// Change is one way to change what a server answers to ping.
type Change struct {
	Form ChangeForm
	Name string // the method, field, keyword, option or function
	// Keys are the spellings of ping that count, as a dotted name or the last part of one, as the type of an object
	// (&mcp.PingRequest{}), or as a string: "ping", "PingRequestSchema". Empty: any (middleware, override).
	Keys []string
	// StringKey: only a string counts, not a name that happens to be spelt like it.
	StringKey bool
	KeyArg    int    // CallForm: the 1-based argument that holds the key; 0 means the first
	Of        string // OverrideForm: the class that is extended, where it is not a server mark
	// SchemaKey: the key may also be a schema object whose member method is a literal "ping" (zod).
	SchemaKey bool
	Handler   int // 1-based argument that holds the handler, 0 for none; -1 for the last one
	Does      mcpaudit.Change
	// Bare: the handler returns the result itself. Otherwise its outcome is not read (hooks, filters).
	Bare bool
	// Refuses: an error that the handler returns or throws becomes the answer, although it is not Bare.
	Refuses bool
	// Fallback names the member that answers after a removal if the author sets it.
	Fallback string
	// NilIsEmpty: a handler that returns nothing sends {} (Python 2.x).
	NilIsEmpty bool
	// Legacy and Modern: an OptionForm that switches an era on or off instead of changing ping; Does is then empty.
	Legacy, Modern mcpaudit.Tri
	Note           string // why it is rejected or has no effect, for people
}

// EraRow says which eras a version serves by default.
type EraRow struct {
	Versions       string
	Legacy, Modern mcpaudit.Tri
}

// Dispatcher is a JSON-RPC library without MCP methods of its own: recv.Name("tools/list", handler) registers one
// method, and the library answers the rest with Default.
type Dispatcher struct {
	Form    ChangeForm // CallForm, StoreForm, DecoForm, or KeywordForm for a table that is the first argument of Name
	Name    string
	KeyArg  int    // CallForm: the 1-based argument that holds the method; 0 means the first
	KeyName string // the keyword that may hold the method instead: @method(name="tools/list")
	Default mcpaudit.Channel
	Code    string // of the error, e.g. "-32601"
}

var all []*SDK

// emptyObject is what nearly all Answers send.
var emptyObject = mcpaudit.Shape{Kind: mcpaudit.ShapeObject, Text: "{}"}

// answers is the row of an SDK that answers a ping with an empty object, since its first version if since is "".
func answers(since, cite string) []Answer {
	return []Answer{{Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: since, Cite: cite}}
}

// Register adds an SDK. It panics on a broken row, at start-up, where a test sees it.
func Register(s *SDK) {
	for _, r := range s.ranges() {
		if _, err := parseRange(r); err != nil {
			panic(fmt.Sprintf("sdk %s %s: %v", s.Name, s.Line, err))
		}
	}
	all = append(all, s)
}

func (s *SDK) ranges() []string {
	out := []string{s.Versions}
	for _, a := range slices.Concat(s.Ping, s.ClientPing) {
		out = append(out, a.Versions)
	}
	for _, e := range s.Eras {
		out = append(out, e.Versions)
	}
	return out
}

// ID is Name, followed by Line where the package has several: "mcp 1.x".
func (s *SDK) ID() string {
	if s.Line == "" {
		return s.Name
	}
	return s.Name + " " + s.Line
}

// All returns every SDK, ordered by name and line.
func All() []*SDK {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b *SDK) int { return strings.Compare(a.Name+"\x00"+a.Line, b.Name+"\x00"+b.Line) })
	return out
}

// Lines returns the rows with the name or ID that can be meant: the one that covers the version, or all of them
// while the version is unknown.
func Lines(name, version string) []*SDK {
	var out []*SDK
	for _, s := range All() {
		if (s.Name == name || s.ID() == name) && (version == "" || InRange(s.Ecosystem, version, s.Versions)) {
			out = append(out, s)
		}
	}
	return out
}

// Get returns the row with the name or ID that covers the version, or nil. An unknown version gets the oldest line
// of several; use Lines where the difference matters.
func Get(name, version string) *SDK {
	if lines := Lines(name, version); len(lines) > 0 {
		return lines[0]
	}
	return nil
}

// Base returns the SDK that answers in the end: the row itself, or what it wraps, however deep.
func (s *SDK) Base() *SDK {
	for s.Wraps != "" {
		s = Get(s.Wraps, "")
	}
	return s
}

// AllChanges returns the row's own changes followed by those of the SDKs that it wraps.
func (s *SDK) AllChanges() []Change {
	out := slices.Clone(s.Changes)
	for s.Wraps != "" {
		s = Get(s.Wraps, "")
		out = append(out, s.Changes...)
	}
	return out
}

// Imported reports whether importing the module identifies the SDK. Deno's "npm:" prefix, a version behind the
// package name, and a URL whose path begins with the package are seen through.
func (s *SDK) Imported(module string) bool {
	sep := "/"
	switch s.Ecosystem {
	case "PyPI":
		sep = "."
	case "npm":
		module = plainModule(module)
	}
	for _, p := range s.Imports {
		base, wild := strings.CutSuffix(p, "/...")
		if module == base || wild && strings.HasPrefix(module, base+sep) {
			return true
		}
	}
	return false
}

var (
	urlHost    = regexp.MustCompile(`^https?://[^/]+/(npm/|v\d+/|\*)*`)
	pkgVersion = regexp.MustCompile(`^((?:@[^/@]+/)?[^/@]+)@[^/]+`)
)

// plainModule turns the spellings that name a package by more than its name into the usual one:
// "npm:@scope/pkg@^1.2.0/sub.js" is "@scope/pkg/sub.js".
func plainModule(m string) string {
	npm, isNPM := strings.CutPrefix(m, "npm:")
	url := urlHost.FindString(m)
	switch {
	case isNPM:
		m = strings.TrimPrefix(npm, "/")
	case url != "":
		m, _, _ = strings.Cut(m[len(url):], "?")
	default:
		return m
	}
	return pkgVersion.ReplaceAllString(m, "$1")
}

// Answers returns the row of Ping for the version ("" if unknown), or nil. A framework without rows of its own
// answers as the SDK does that it wraps, whose version is then unknown.
func (s *SDK) Answers(version string) *Answer {
	if base := s.Base(); len(s.Ping) == 0 && base != s {
		return base.Answers("")
	}
	return pick(s.Ping, s.Ecosystem, version)
}

// ClientAnswers is Answers for a ping that the server sends and the client gets.
func (s *SDK) ClientAnswers(version string) *Answer {
	if base := s.Base(); len(s.ClientPing) == 0 && base != s {
		return base.ClientAnswers("")
	}
	return pick(s.ClientPing, s.Ecosystem, version)
}

func pick(rows []Answer, ecosystem, version string) *Answer {
	for i, a := range rows {
		if a.Versions == "" || version != "" && InRange(ecosystem, version, a.Versions) {
			return &rows[i]
		}
	}
	return nil
}

// ServesEras returns the row of Eras for the version ("" if unknown), following Wraps. Both facts are unknown
// where no row says more.
func (s *SDK) ServesEras(version string) EraRow {
	if base := s.Base(); len(s.Eras) == 0 && base != s {
		return base.ServesEras("")
	}
	for _, e := range s.Eras {
		if e.Versions == "" || version != "" && InRange(s.Ecosystem, version, e.Versions) {
			return e
		}
	}
	return EraRow{}
}

// whole matches versions, as opposed to ranges and tags: the ordering of a "^1.2.0" or a "latest" would be an
// accident of the parser.
var whole = map[string]*regexp.Regexp{
	"npm":  regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`),
	"Go":   regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`),
	"PyPI": regexp.MustCompile(`(?i)^(\d+!)?\d+(\.\d+)*[._-]?((a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?(-\d+|[._-]?(post|rev|r)[._-]?\d*)?([._-]?dev[._-]?\d*)?(\+[0-9a-z._-]+)?$`),
}

// InRange reports whether a version lies in a range: comparisons joined by commas, all of which must hold, such
// as ">=0.3.0,<0.8.0". The operators are < <= > >= =. Versions are ordered as the ecosystem does, so a pre-release
// stands before its release. The empty range holds every version; what is no version lies in no other range.
func InRange(ecosystem, version, rng string) bool {
	parts, err := parseRange(rng)
	if err != nil {
		return false
	}
	if len(parts) == 0 {
		return true
	}
	version = strings.TrimPrefix(version, "v")
	if re := whole[ecosystem]; re == nil || !re.MatchString(version) {
		return false
	}
	v, err := semantic.Parse(version, ecosystem)
	if err != nil {
		return false
	}
	for _, p := range parts {
		c, err := v.CompareStr(p.version)
		if err != nil {
			return false
		}
		ok := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0, "=": c == 0}[p.op]
		if !ok {
			return false
		}
	}
	return true
}

type comparison struct{ op, version string }

func parseRange(rng string) ([]comparison, error) {
	if rng == "" {
		return nil, nil
	}
	var out []comparison
	for part := range strings.SplitSeq(rng, ",") {
		v := strings.TrimLeft(part, "<>=")
		op := part[:len(part)-len(v)]
		if v == "" || !slices.Contains([]string{"<", "<=", ">", ">=", "="}, op) {
			return nil, fmt.Errorf("version range %q: want comparisons such as >=1.2.0,<2", rng)
		}
		out = append(out, comparison{op, v})
	}
	return out, nil
}
