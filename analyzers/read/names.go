package read

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// namePattern is a regular expression over names. It is compiled when it is first asked, for most trees never ask. A
// program has few names and asks for them often, so that answers are remembered.
type namePattern struct {
	re   func() *regexp.Regexp
	seen sync.Map // name -> bool
}

func named(re string) *namePattern {
	return &namePattern{re: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(re) })}
}

// MatchString reports whether the name matches.
func (p *namePattern) MatchString(name string) bool {
	if v, ok := p.seen.Load(name); ok {
		return v.(bool)
	}
	ok := p.re().MatchString(name)
	if len(name) < 256 {
		p.seen.Store(name, ok)
	}
	return ok
}

// anchors are the methods of which a router must tell at least two apart. The word "ping" anchors nothing.
var anchors = []string{
	"initialize", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/list", "prompts/get",
	"server/discover",
}

// isMethod reports whether a string can be a method of a message that a server receives.
func isMethod(s string) bool {
	if slices.Contains(anchors, s) || s == "ping" {
		return true
	}
	head, tail, ok := strings.Cut(s, "/")
	return ok && tail != "" && slices.Contains([]string{
		"tools", "resources", "prompts", "notifications", "completion", "logging", "tasks", "server",
		"subscriptions",
	}, head) && !strings.ContainsAny(s, " .:*{}")
}

// requestTypes are the SDK types that stand for a method in programs that dispatch on the type of a request.
var requestTypes = map[string]string{
	"InitializeRequest": "initialize", "PingRequest": "ping",
	"ListToolsRequest": "tools/list", "CallToolRequest": "tools/call",
	"ListResourcesRequest": "resources/list", "ReadResourceRequest": "resources/read",
	"ListPromptsRequest": "prompts/list", "GetPromptRequest": "prompts/get",
	"SetLevelRequest": "logging/setLevel", "CompleteRequest": "completion/complete",
	"SubscribeRequest": "resources/subscribe", "UnsubscribeRequest": "resources/unsubscribe",
	"ListResourceTemplatesRequest": "resources/templates/list",
	"InitializedNotification":      "notifications/initialized",
	"CancelledNotification":        "notifications/cancelled",
}

var (
	idName    = named(`(?i)^_?(id|(req|request|msg|message|rpc|call|jsonrpc)_?id|rawid)$`)
	notifName = named(`(?i)^_?(is|has)?_?notif(ication)?(_?(only|request))?$`)
	// errorName matches functions that make or send an error answer.
	errorName = named(`(?i)(err|error|fail|failure|not_?found|unknown_?method|unsupported|invalid|reject|forbid|unauthori[sz]ed)s?(response|reply|result)?$|^(send|write|make|create|build|reply|respond|return|json_?rpc|rpc|mcp)_?(protocol|rpc|json_?rpc)?_?(err|error|fail)|methodnotfound|method_not_found`)
	// errorType matches classes and constructors of errors.
	errorType = named(`(Error|Exception|Err|Fault)$|^(Err|Error)[A-Z_]?`)
	// errorText matches what an error answer to an unknown method says.
	errorText = named(`(?i)(method|request|action|command|operation).{0,24}(not (found|supported|implemented|allowed|available|recogni)|unknown|unsupported|invalid)|(unknown|unsupported|unrecogni[sz]ed|invalid|unhandled|not implemented|no such).{0,24}(method|request|action|command|operation|message|rpc)`)
	// replyName matches functions that send a result.
	replyName = named(`(?i)^(send|write|make|create|build|reply|respond|return|json_?rpc|rpc)?_?(with)?_?(json|rpc|mcp|json_?rpc|sse|success|ok)*_?(result|success|response|reply|respond|ok)s?$`)
	// logName matches functions whose arguments reach no peer.
	logName = named(`(?i)(^|\.)(console\.(error|warn|info|debug|trace)|_?log(ger|ging)?|slog|zap|winston|pino|stderr|debug|trace|warn(ing)?|sentry|metrics?|telemetry)(\.|$)|^(log|debug|trace|dbg)`)
	// exits matches functions that do not return.
	exits = named(`^(process\.exit|sys\.exit|os\.(Exit|_exit)|exit|quit|log\.Fatal(f|ln)?|[a-z]+\.(Fatal|FailNow|Skip)f?|panic)$`)
	// handName matches functions that pass on what they are given.
	handName = named(`(?i)(send|forward|write|post|relay|proxy|publish|emit|handle|process|dispatch|route|next|call|request|fetch|push|enqueue|put|print|deliver|invoke|^run$)`)
	// onward matches functions that hand the request they came with to the next in line, whatever their arguments.
	onward  = named(`^(ServeHTTP|next|Next|call_next|forward\w*|proxy\w*|delegate\w*|pass_?through\w*|handleUpgrade)$`)
	rpcCode = named(`^-32\d{3}$`)

	initText = named(`(?i)initiali[sz]ed|handshake|is_?init|init_?done|\bready\b`)
	authText = named(`(?i)auth|token|log(ged)?_?in|api_?key|permission|credential|\bsession\b|signed_?in|\b(user|principal|identity)\b`)
)

// waits are the functions that are known to take their time, by the last parts of their dotted names.
var waitNames = []struct {
	kind string
	re   *namePattern
}{
	{"sleep", named(`(?i)(^|\.)(sleep|delay|settimeout)$`)},
	{"upstream", named(`(?i)(client|session|upstream|remote|backend|proxy)[A-Za-z_]*\.(send_?ping|ping)$|(^|\.)send_ping$`)},
	{"network", named(`(?i)^(fetch|axios(\.\w+)?|got|ky|request)$|(^|\.)(requests|httpx|urllib\.request|aiohttp|http|client|session)\.(get|post|put|head|request|urlopen|do)$|health_?check$|checkhealth$`)},
	{"database", named(`(?i)(^|\.)(db|pool|conn(ection)?|database|cursor|prisma|knex|redis|mongo)[a-z_]*\.(query|execute|exec|ping|find(one)?|select|get|fetch(one|all)?|raw|\$queryraw)$`)},
	{"process", named(`(?i)(^|\.)(execsync|spawnsync|execfile|spawn|subprocess\.(run|call|check_output|popen)|exec\.command|check_output)$`)},
}

// passThrough are functions whose result says the same as their argument, as far as a method name goes.
var passThrough = named(`(?i)^(string|str|strings\.trimspace|strings\.tolower|tostring|trim|strip|lower|tolowercase|normali[sz]emethod|cast|unwrap|as_str|from|tostr)$`)
