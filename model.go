package mcpaudit

import "time"

// Repo is everything that was learnt about one tree. A fact has no adjective: the model says what code does,
// the patterns say whether that is right.
type Repo struct {
	Root      string // what the user asked for; never printed into a report file
	Servers   []*Server
	Clients   []*Client
	Manifests []*Manifest
	Probes    []*Probe
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
	FormWire     Form = "wire" // not read but heard: a running server was asked
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
	Heard      *Heard     // FormWire only
}

// Heard is what only a conversation can tell of a router.
type Heard struct {
	Transport Transport
	Other     []Outcome // of stimuli that are no request: broken messages, notifications, HTTP conditions, the end of input
	Unheard   string    // why nothing can be said of the requests of this era; "" if it can
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

	// The triggers below are pulled on the wire only.

	TriggerPingID         Trigger = "ping-id"          // with an id of another type or value than 1
	TriggerPingBeforeInit Trigger = "ping-before-init" // before initialize
	TriggerPingDuringInit Trigger = "ping-during-init" // between initialize and notifications/initialized
	TriggerPingAgain      Trigger = "ping-again"       // a second one, and many in a row
	TriggerPingBeside     Trigger = "ping-beside"      // together with another request
	TriggerPingDuringCall Trigger = "ping-during-call" // while a tool runs
	TriggerPingNoID       Trigger = "ping-no-id"       // as a notification
	TriggerPingBadID      Trigger = "ping-bad-id"      // with an id that no request may have
	TriggerPingSeries     Trigger = "ping-series"      // several, timed
	TriggerPingModern     Trigger = "ping-modern"      // with the envelope of revision 2026-07-28
	TriggerInitialize     Trigger = "initialize"
	TriggerUnreleased     Trigger = "initialize-unreleased" // with a revision that does not exist
	TriggerDiscover       Trigger = "discover"
	TriggerList           Trigger = "list" // tools/list, resources/list, prompts/list
	TriggerNotification   Trigger = "notification"
	TriggerResponse       Trigger = "response"  // to a request that was never made
	TriggerMalformed      Trigger = "malformed" // broken JSON, a batch
	TriggerOutput         Trigger = "output"    // nothing: what the peer writes although it is no message
	TriggerEndOfInput     Trigger = "end-of-input"
	TriggerHTTP           Trigger = "http" // Origin, Host, session and revision headers, GET, DELETE
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
	Why        string // Undecided: what could not be followed. On the wire also what is odd about the answer
	Fixes      []Fix
	Evidence   Evidence
	Heard      *Answer // of a conversation only
}

// Answer is what a conversation tells of an answer beside its content.
type Answer struct {
	ID      IDEcho
	Times   int           // how often the request was answered; of a series: by how many too often
	Lost    int           // of a series: how many requests got no answer
	Asked   int           // of a series: how many there were; else 1
	Took    time.Duration // of a series: the median
	Control time.Duration // of a series: the median of another request, sent in turn
	Local   bool          // the peer runs on this machine
	Budget  time.Duration // of a series: what the median is held to
	Agreed  bool          // the user set the budget
	Late    bool          // during a call: the result of the call came first
}

// IDEcho says what became of the id of a request on its way back.
type IDEcho string

const (
	IDSame   IDEcho = "same"
	IDType   IDEcho = "other-type"  // the same text as another JSON type
	IDValue  IDEcho = "other-value" // an id that was never sent
	IDNull   IDEcho = "null"
	IDAbsent IDEcho = "absent"
)

// Probe is one conversation with a running server, as the reports tell of it. Secrets have been taken out.
type Probe struct {
	Target    string // the command line or the URL
	Server    string // Server.Name of what answered; "" if nothing did
	Transport Transport
	Revisions []Revision
	Ran       int        // how many exercises were done
	NotRun    []Exercise // those that apply and could not be done: the probe is incomplete
	Failure   string     // why there was no conversation at all
	Twin      string     // how the source of the server was found; "" if it was not
	Median    time.Duration
	Control   time.Duration
	Samples   int
}

// Complete reports whether everything that applies was tried out.
func (p *Probe) Complete() bool { return p.Failure == "" && len(p.NotRun) == 0 }

// Exercise is one thing that a probe tries out.
type Exercise struct{ Name, Why string }

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
	ShapeBoth    ShapeKind = "both" // a result and an error in one response
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
