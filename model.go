package mcpaudit

// Repo is everything that was learnt about one tree. A fact has no adjective: the model says what code does,
// the patterns say whether that is right.
type Repo struct {
	Root      string // what the user asked for; never printed into a report file
	Servers   []*Server
	Clients   []*Client
	Manifests []*Manifest
	Gaps      []Gap
	Counts    Counts
	Sources   map[string][]byte // of the files that evidence points into, by Span.File
}

// Counts says what was looked at, so that "nothing found" can be told from "nothing read".
type Counts struct {
	Files     int            // listed
	Read      int            // read and searched for MCP markers
	Parsed    int            // held a marker and were parsed
	Languages map[string]int // parsed, by language
	LeftOut   map[string]int // never read, by reason: test, example, docs, vendored, generated, minified, excluded ...
}

// Gap is something that was not looked at, and why. Reason is one of the Gap constants; Detail is for people.
type Gap struct {
	Span   Span // End is 0 where the whole file was not read
	Lang   string
	Reason string
	Detail string
}

const (
	GapParse       = "parse"
	GapLanguage    = "language"
	GapSize        = "size"
	GapEncoding    = "encoding"
	GapTimeout     = "timeout"
	GapOutsideRoot = "outside-root"
	GapNotRegular  = "not-regular"
	GapUnreadable  = "unreadable"
	GapCrash       = "crash"
	GapLongLine    = "long-line"
	GapDepth       = "depth"
)

// Value is what static analysis knows of an expression: its result, or only its text.
type Value struct {
	Text  string
	Known bool
}

// SDKRef is the SDK that a server is built on.
type SDKRef struct {
	Name     string    // as its users call it: "@modelcontextprotocol/sdk"
	Version  string    // resolved by a lockfile or pinned; "" if unknown
	Range    string    // what the manifest asks for, where no lockfile resolves it
	Evidence *Evidence // the manifest or lockfile line
}

// Manifest is one manifest or lockfile that names an MCP SDK.
type Manifest struct {
	Path string
	SDKs []SDKRef
}

// Transport is how a server is reached: "stdio", "streamable-http" or "http+sse".
type Transport string

// Server is one MCP server: an SDK's object, or the author's own routers of one program.
type Server struct {
	Name       string
	Lang       string
	SDK        *SDKRef // nil: hand-written
	Eras       Eras
	Transports []Transport
	Routers    []*Router
	Tools      []Tool
	Evidence   []Evidence // what proves that it is a server; the first one is where it is made
}

// Tool is a tool whose name is known. Only what a pattern needs is kept.
type Tool struct {
	Name     string
	Evidence Evidence
}

// Client is one MCP client.
type Client struct {
	Name     string
	Lang     string
	SDK      *SDKRef
	Evidence []Evidence
}

// Owner says whose code routes.
type Owner int

const (
	Author Owner = iota
	SDK
)

// Form is how methods are told apart.
type Form string

const (
	FormSwitch   Form = "switch"
	FormChain    Form = "if-chain"
	FormTable    Form = "table"
	FormRegistry Form = "registry"
	FormTypes    Form = "types"
	FormSDK      Form = "sdk"
)

// Router decides by the method of a message what happens.
type Router struct {
	Name       string // the function that holds it; unique in its server together with File
	Owner      Owner
	Form       Form
	Routes     []*Route
	Default    []Outcome // what a method without a route gets
	Complete   bool      // false: routes may be added where we cannot see, so absence proves nothing
	Incomplete string    // why not Complete
	Forwards   bool      // hands what it does not know to another server
	Eras       Eras
	Evidence   Evidence   // the construct that routes
	Related    []Evidence // where messages enter, where answers are built
	Test       bool       // lies in a test, an example or documentation
}

// Route returns the route of a method, or nil.
func (r *Router) Route(method string) *Route {
	for _, rt := range r.Routes {
		if rt.Method.Known && rt.Method.Text == method {
			return rt
		}
	}
	return nil
}

// Change says what the author did to a route that an SDK brings along.
type Change string

const (
	Added    Change = "added" // the author's own route
	Builtin  Change = "builtin"
	Replaced Change = "replaced"
	Wrapped  Change = "wrapped"
	Removed  Change = "removed"
	NoEffect Change = "no-effect"
	Rejected Change = "rejected" // the SDK refuses the registration: start-up fails
)

// Route is one method of a router. Outcomes are all ways in which it may end.
type Route struct {
	Method   Value
	Change   Change
	Gates    []Gate
	Outcomes []Outcome
	Waits    []Wait
	Evidence Evidence
	Since    string // Builtin: the SDK version that brought it, or a note on the version in use
}

// GateKind says what a gate asks for.
type GateKind string

const (
	GateInit GateKind = "init"
	GateAuth GateKind = "auth"
)

// Gate is a test that stands before a route and may refuse it. A gate that lets the method through is none.
type Gate struct {
	Kind     GateKind
	Refusal  Outcome
	Evidence Evidence
}

// WaitKind says what a route waits for before it answers.
type WaitKind string

const (
	WaitNetwork  WaitKind = "network"
	WaitUpstream WaitKind = "upstream" // a ping to another server
	WaitDatabase WaitKind = "database"
	WaitProcess  WaitKind = "process"
	WaitSleep    WaitKind = "sleep"
)

// Wait is something that takes its time before the answer.
type Wait struct {
	Kind     WaitKind
	Evidence Evidence
}

// Trigger is the stimulus of an outcome.
type Trigger string

const (
	TriggerPing          Trigger = "ping"
	TriggerPingParams    Trigger = "ping-params" // with params {} or {"_meta": ...}
	TriggerUnknownMethod Trigger = "unknown-method"
)

// Channel is the way an answer takes.
type Channel string

const (
	ChannelUndecided     Channel = "undecided"
	ChannelResult        Channel = "result"
	ChannelProtocolError Channel = "protocol-error"
	ChannelSilence       Channel = "silence"
	ChannelCrash         Channel = "crash"
	ChannelForwarded     Channel = "forwarded" // handed to another server
)

// Outcome is one way in which a peer answers one kind of stimulus, read off code or heard on the wire.
type Outcome struct {
	Trigger    Trigger
	Channel    Channel
	Body       Shape // of a result
	Code       Value // of a protocol error
	Text       Value // of a protocol error
	Confidence Confidence
	Why        string // Undecided: what could not be followed
	Fixes      []Fix
	Evidence   Evidence
}

// ShapeKind is the JSON type of a body.
type ShapeKind string

const (
	ShapeUnknown ShapeKind = "unknown"
	ShapeObject  ShapeKind = "object"
	ShapeNull    ShapeKind = "null"
	ShapeAbsent  ShapeKind = "absent" // no result member at all
	ShapeString  ShapeKind = "string"
	ShapeNumber  ShapeKind = "number"
	ShapeBool    ShapeKind = "boolean"
	ShapeArray   ShapeKind = "array"
)

// Shape is the JSON shape of a body as it leaves the program. Lost says why an encoder drops a value that the
// source holds ("omitzero", "undefined", "truthiness"); Kind is then what is left of it.
type Shape struct {
	Kind ShapeKind
	Keys []string
	Open bool   // an object that may have more keys than Keys
	Text string // the source of the value, or the literal
	Lost string
}
