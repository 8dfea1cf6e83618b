package sdk

import (
	"slices"

	"github.com/mcpaudit/mcpaudit"
)

// The official TypeScript SDK, first line. The base class of Server and Client answers, so both sides do; McpServer
// never touches ping.
func init() {
	Register(&SDK{
		Name:      "@modelcontextprotocol/sdk",
		Langs:     []string{"typescript", "javascript"},
		Ecosystem: "npm",
		Packages:  []string{"@modelcontextprotocol/sdk"},
		Imports:   []string{"@modelcontextprotocol/sdk/..."},
		Servers: []Mark{
			{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"},
			{Form: New, Name: "Server", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "McpServer"},
			{Form: Subclass, Name: "Server"},
		},
		Clients: []Mark{
			{Form: New, Name: "Client", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "Client"},
		},
		Carriers: []Mark{
			{Form: New, Name: "StdioServerTransport", Transport: "stdio"},
			{Form: New, Name: "SSEServerTransport", Transport: "http+sse"},
			{Form: New, Name: "StreamableHTTPServerTransport", Transport: "streamable-http"},
			{Form: New, Name: "WebStandardStreamableHTTPServerTransport", Transport: "streamable-http"},
		},
		Ping:       answers("0.1.0", "modelcontextprotocol/typescript-sdk src/shared/protocol.ts at v1.29.0; the npm package at 1.32.2"),
		ClientPing: answers("0.1.0", "modelcontextprotocol/typescript-sdk src/shared/protocol.ts at v1.29.0"),
		Changes: slices.Concat(protocolMembers, []Change{
			{
				Form: CallForm, Name: "setRequestHandler", Keys: []string{"PingRequestSchema"}, SchemaKey: true,
				Handler: 2, Does: mcpaudit.Replaced, Bare: true,
			},
			{
				Form: CallForm, Name: "setRequestHandler", Keys: []string{"ping"}, StringKey: true,
				Handler: 2, Does: mcpaudit.Rejected,
				Note: "this SDK wants a schema here and throws at start-up when it is given a string",
			},
		}),
		// 1.32.2 is the newest that was read; it does not name the modern revision anywhere.
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}},
		Cite: "modelcontextprotocol/typescript-sdk at v1.29.0; the npm package at 1.32.2 (dist/esm/shared/protocol.js, dist/esm/server/index.js)",
	})
}

// protocolMembers are the ways around setRequestHandler that both lines of the TypeScript SDK share. The two
// private ones are reached with a cast.
var protocolMembers = []Change{
	{
		Form: CallForm, Name: "removeRequestHandler", Keys: []string{"ping", "PingRequestSchema.shape.method.value"},
		Does: mcpaudit.Removed, Fallback: "fallbackRequestHandler",
	},
	{Form: StoreForm, Name: "_requestHandlers", Keys: []string{"ping"}, Does: mcpaudit.Replaced, Bare: true},
	{Form: DeleteForm, Name: "_requestHandlers", Keys: []string{"ping"}, Does: mcpaudit.Removed, Fallback: "fallbackRequestHandler"},
	{Form: OverrideForm, Name: "_onrequest", Does: mcpaudit.Wrapped},
}
