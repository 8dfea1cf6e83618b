// Package sdk holds what is known of each MCP SDK: how a program that uses it is recognised, what it answers by
// itself in which version, and by which of its own interfaces an author can change that answer.
//
// An SDK is one file of data: it calls Register in an init function. No list needs to be edited. A method name
// alone never identifies an SDK; an import or a manifest does.
package sdk

import (
	"fmt"
	"slices"

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
	// argument is an object ("name", "serverInfo.name"), or the keyword, option function or builder method that may
	// hold it instead: name="x", WithName("x").
	NameArg   int
	NameKey   string
	Transport mcpaudit.Transport // how the server is reached, "" if the mark does not say
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
	KeywordForm  ChangeForm = "keyword"    // Server(..., Name=handler), a server mark; None removes
	OptionForm   ChangeForm = "option"     // Func(..., {Name: Key}): an option with one of the Keys as its value
	MiddleForm   ChangeForm = "middleware" // recv.Name(mw): mw(next) returns the function that sees every method
	AroundForm   ChangeForm = "around"     // recv.Name(mw): mw(ctx, next) sees every method; a dotted Name is a chain
	DecoForm     ChangeForm = "decorator"  // @recv.Name(Key) or @Name(Key) above the handler (Dispatchers only)
	OverrideForm ChangeForm = "override"   // a method called Name in a subclass of a server mark
)

// Change is one way to change what a server answers to ping. Names such as "use" mean nothing by themselves: the
// receiver has to be the server, or something reached from it or given to it.
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
	Keyword   string // AroundForm: the keyword of a server mark that takes a list of the same
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
