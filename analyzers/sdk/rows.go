package sdk

import "github.com/mcpaudit/mcpaudit"

// What many rows have in common.
var (
	javascript  = []string{"typescript", "javascript"}
	emptyObject = mcpaudit.Shape{Kind: mcpaudit.ShapeObject, Text: "{}"}
	// legacyOnly is said of what was read; a later version may serve more and then needs a range.
	legacyOnly = []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}}
)

// answers is the row of an SDK that answers a ping with an empty object, in all versions that were read if since is "".
func answers(since, cite string) []Answer {
	return []Answer{{Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: since, Cite: cite}}
}

// notFound completes the dispatchers of a JSON-RPC library that knows no MCP method. An author who registers
// "tools/list" with one has written a server by hand, and what is not registered gets the library's own answer.
func notFound(d ...Dispatcher) []Dispatcher {
	for i := range d {
		d[i].Default, d[i].Code = mcpaudit.ChannelProtocolError, "-32601"
	}
	return d
}
