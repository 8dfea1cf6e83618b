package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "mcp-lite",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"mcp-lite"},
		Imports:   []string{"mcp-lite/..."},
		Servers:   []Mark{{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "McpServer"}},
		Carriers:  []Mark{{Form: New, Name: "StreamableHttpTransport", Transport: "streamable-http"}},
		Ping:      answers("", "fiberplane/mcp-lite packages/core/src/core.ts; the npm package at 0.3.0 and 0.10.0"),
		// The answer is in ctx.response, so what the middleware returns is nothing.
		Changes: []Change{{Form: AroundForm, Name: "use", Handler: 1, Does: mcpaudit.Wrapped, Refuses: true}},
		Eras:    legacyOnly,
		Cite:    "fiberplane/mcp-lite; the npm package at 0.10.0",
	})
}
