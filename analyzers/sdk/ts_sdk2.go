package sdk

import (
	"slices"

	"github.com/mcpaudit/mcpaudit"
)

// The official TypeScript SDK, second line, split into packages. A server that is connected to a transport by hand
// speaks the legacy revisions only; createMcpHandler and serveStdio serve both eras unless told to reject one.
// A method that the negotiated revision does not know gets -32601 even with a handler.
func init() {
	Register(&SDK{
		Name:      "@modelcontextprotocol/server",
		Langs:     []string{"typescript", "javascript"},
		Ecosystem: "npm",
		Packages:  []string{"@modelcontextprotocol/server"},
		Imports: []string{
			"@modelcontextprotocol/server/...", "@modelcontextprotocol/server-legacy/...", "@modelcontextprotocol/node/...",
			"@modelcontextprotocol/express/...", "@modelcontextprotocol/hono/...", "@modelcontextprotocol/fastify/...",
		},
		Servers: []Mark{
			{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"},
			{Form: New, Name: "Server", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "McpServer"},
			{Form: Subclass, Name: "Server"},
		},
		Carriers: []Mark{
			{Form: Func, Name: "createMcpHandler", Transport: "streamable-http", Modern: mcpaudit.Yes},
			{Form: Func, Name: "serveStdio", Transport: "stdio", Modern: mcpaudit.Yes},
			{Form: New, Name: "StdioServerTransport", Transport: "stdio"},
			{Form: New, Name: "WebStandardStreamableHTTPServerTransport", Transport: "streamable-http"},
			{Form: New, Name: "NodeStreamableHTTPServerTransport", Transport: "streamable-http"},
			{Form: New, Name: "SSEServerTransport", Transport: "http+sse"},
		},
		Ping: answers("2.0.0", "modelcontextprotocol/typescript-sdk packages/core-internal/src/shared/protocol.ts at 3924de9"),
		Changes: slices.Concat(protocolMembers, []Change{
			// The handler is the last of two or three arguments: (method, handler), (method, schemas, handler).
			{
				Form: CallForm, Name: "setRequestHandler", Keys: []string{"ping"},
				Handler: -1, Does: mcpaudit.Replaced, Bare: true,
			},
			{
				Form: OptionForm, Name: "legacy", Keys: []string{"reject"}, Legacy: mcpaudit.No,
				Note: "legacy clients get an error for everything",
			},
		}),
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown}},
		Cite: "modelcontextprotocol/typescript-sdk packages/server at 3924de9; the npm package at 2.4.0",
	})
	// The client drops what the server asks on a modern connection, which is right there.
	Register(&SDK{
		Name:       "@modelcontextprotocol/client",
		Langs:      []string{"typescript", "javascript"},
		Ecosystem:  "npm",
		Packages:   []string{"@modelcontextprotocol/client"},
		Imports:    []string{"@modelcontextprotocol/client/..."},
		Clients:    []Mark{{Form: New, Name: "Client", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "Client"}},
		ClientPing: answers("2.0.0", "modelcontextprotocol/typescript-sdk packages/core-internal/src/shared/protocol.ts at 3924de9"),
		Changes: []Change{
			{Form: CallForm, Name: "setRequestHandler", Keys: []string{"ping"}, Handler: -1, Does: mcpaudit.Replaced, Bare: true},
			{Form: CallForm, Name: "removeRequestHandler", Keys: []string{"ping"}, Does: mcpaudit.Removed, Fallback: "fallbackRequestHandler"},
		},
		// Modern only with the option versionNegotiation, whose default is the handshake.
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown}},
		Cite: "modelcontextprotocol/typescript-sdk packages/client at 3924de9; the npm package at 2.4.0",
	})
}
