// Package sdk holds what is known of each MCP SDK: how a program that uses it is recognised, what it answers by
// itself in which version, and by which of its own interfaces an author can change that answer.
//
// An SDK is one file of data: it calls Register in an init function. No list needs to be edited. A method name
// alone never identifies an SDK; an import or a manifest does.
package sdk

import (
	"fmt"
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
	// covers the module and everything below it ("." counts as a separator too, for Python). Only Marks that were
	// imported from one of them count.
	Imports []string
	// Servers and Clients are the marks that make a program a server or a client.
	Servers []Mark
	Clients []Mark
	// Wraps names the SDK that this framework is built on (Name of its row); the answers come from there unless
	// Ping has rows of its own.
	Wraps string
	// Ping is what the SDK answers to a legacy ping when the author does nothing. The first row whose range holds
	// the version is used; an unknown version uses the first row with an empty range.
	Ping []Answer
	// Changes are the ways in which an author can change that.
	Changes []Change
	// Eras says which eras a server serves by default, by version. An unknown version uses the row with an empty
	// range.
	Eras []EraRow
	// Dispatchers are functions of a JSON-RPC library or of an SDK without built-in methods to which an author
	// registers methods by name; see Dispatcher.
	Dispatchers []Dispatcher
	Cite        string // where this was read: repository, file, version
}

// MarkForm is the syntax of a mark.
type MarkForm string

const (
	New       MarkForm = "new"       // new X(...), X(...), X{...}: an object is made
	Func      MarkForm = "func"      // a function of the module is called
	Subclass  MarkForm = "subclass"  // class Y extends X, class Y(X), struct that embeds X
	Decorator MarkForm = "decorator" // @X
	Imported  MarkForm = "imported"  // importing X (or "*": anything) at run time is enough
)

// Mark is one thing in the code that makes a program a server or a client.
type Mark struct {
	Form MarkForm
	Name string // as exported by the module: "McpServer", "NewMCPServer"
	// NameArg is the 1-based argument that holds the server's name, 0 for none. NameKey is its member if the
	// argument is an object ("name"), or the keyword that may hold it instead.
	NameArg int
	NameKey string
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
	CallForm     ChangeForm = "call"       // recv.Name(Key, handler)
	StoreForm    ChangeForm = "store"      // recv.Name[Key] = handler, recv.Name.set(Key, handler), .update({Key: handler})
	DeleteForm   ChangeForm = "delete"     // del recv.Name[Key], recv.Name.pop(Key), recv.Name.delete(Key)
	KeywordForm  ChangeForm = "keyword"    // Server(..., Name=handler); None removes
	OptionForm   ChangeForm = "option"     // Func(..., {Name: Key}): an option with one of the Keys as its value
	MiddleForm   ChangeForm = "middleware" // recv.Name(mw): mw(next) returns the function that sees every method
	OverrideForm ChangeForm = "override"   // a method called Name in a subclass of a server mark
)

// Change is one way to change what a server answers to ping.
type Change struct {
	Form ChangeForm
	Name string // the method, field, keyword, option or function
	// Keys are the spellings of ping that count, as the last part of a dotted name or as a string: "ping",
	// "PingRequestSchema", "PingRequest". Empty: any (middleware, override).
	Keys []string
	// SchemaKey: the key may also be a schema object whose member method is a literal "ping" (zod).
	SchemaKey bool
	Handler   int // 1-based argument that holds the handler, 0 for none; -1 for the last one
	Does      mcpaudit.Change
	// Bare: the handler returns the result itself. Otherwise its outcome is not read (hooks, filters).
	Bare bool
	// NilIsEmpty: a handler that returns nothing sends {} (Python 2.x).
	NilIsEmpty bool
	// Eras: OptionForm that switches an era off instead of changing ping; then Does is empty.
	Legacy mcpaudit.Tri
	Note   string // why it is rejected or has no effect, for people
}

// EraRow says which eras a version serves by default.
type EraRow struct {
	Versions       string
	Legacy, Modern mcpaudit.Tri
}

// Dispatcher is a JSON-RPC library without MCP methods of its own: recv.Name("tools/list", handler) registers one
// method, and the library answers the rest with Default.
type Dispatcher struct {
	Form    ChangeForm // CallForm, or KeywordForm for a table given to a constructor New called Name
	Name    string
	Default mcpaudit.Channel
	Code    string // of the error, e.g. "-32601"
}

var all []*SDK

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
	for _, a := range s.Ping {
		out = append(out, a.Versions)
	}
	for _, e := range s.Eras {
		out = append(out, e.Versions)
	}
	return out
}

// All returns every SDK, ordered by name and line.
func All() []*SDK {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b *SDK) int { return strings.Compare(a.Name+"\x00"+a.Line, b.Name+"\x00"+b.Line) })
	return out
}

// Get returns the row with the name that covers the version, or nil.
func Get(name, version string) *SDK {
	var found *SDK
	for _, s := range All() {
		if s.Name == name && (found == nil || version != "" && InRange(s.Ecosystem, version, s.Versions)) {
			found = s
		}
	}
	return found
}

// Imported reports whether importing the module identifies the SDK.
func (s *SDK) Imported(module string) bool {
	for _, p := range s.Imports {
		base, wild := strings.CutSuffix(p, "/...")
		if module == base || wild && (strings.HasPrefix(module, base+"/") || strings.HasPrefix(module, base+".")) {
			return true
		}
	}
	return false
}

// Answers returns the row of Ping for the version ("" if unknown), following Wraps, or nil.
func (s *SDK) Answers(version string) *Answer {
	for i, a := range s.Ping {
		if a.Versions == "" || version != "" && InRange(s.Ecosystem, version, a.Versions) {
			return &s.Ping[i]
		}
	}
	return nil
}

// InRange reports whether a version lies in a range: comparisons joined by commas, all of which must hold, such
// as ">=0.3.0,<0.8.0". The operators are < <= > >= =. The empty range holds every version; a version that the
// ecosystem cannot order lies in no other range.
func InRange(ecosystem, version, rng string) bool {
	parts, err := parseRange(rng)
	if err != nil {
		return false
	}
	if len(parts) == 0 {
		return true
	}
	v, err := semantic.Parse(strings.TrimPrefix(version, "v"), ecosystem)
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
