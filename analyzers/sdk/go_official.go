package sdk

import "github.com/mcpaudit/mcpaudit"

// The official Go SDK. Its table of methods is private and registering a standard method is an error, so the only
// way to touch a ping is receiving middleware.
func init() {
	Register(&SDK{
		Name:      "github.com/modelcontextprotocol/go-sdk",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/modelcontextprotocol/go-sdk"},
		Imports:   []string{"github.com/modelcontextprotocol/go-sdk/mcp"},
		Servers: []Mark{
			{Form: Func, Name: "NewServer", NameArg: 1, NameKey: "Name"},
		},
		Clients: []Mark{{Form: Func, Name: "NewClient", NameArg: 1, NameKey: "Name"}},
		Carriers: []Mark{
			{Form: New, Name: "StdioTransport", Transport: "stdio"},
			{Form: Func, Name: "NewStreamableHTTPHandler", Transport: "streamable-http"},
			{Form: Func, Name: "NewSSEHandler", Transport: "http+sse"},
			{Form: New, Name: "StreamableServerTransport", Transport: "streamable-http"},
			{Form: New, Name: "SSEServerTransport", Transport: "http+sse"},
		},
		Ping:       answers("0.1.0", "modelcontextprotocol/go-sdk mcp/server.go at v0.1.0, v1.7.0 and 3d6450f"),
		ClientPing: answers("0.1.0", "modelcontextprotocol/go-sdk mcp/client.go at v0.1.0 and 3d6450f"),
		Changes: []Change{
			{Form: MiddleForm, Name: "AddReceivingMiddleware", Handler: 1, Does: mcpaudit.Wrapped, Bare: true},
			{
				Form: CallForm, Name: "AddReceivingCustomMethod", Keys: []string{"ping"}, KeyArg: 2, Handler: 3,
				Does: mcpaudit.Rejected,
				Note: "registering a standard method returns an error; the handler is never called",
			},
		},
		Eras: []EraRow{
			{Versions: "<1.7.0-pre.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Versions: ">=1.7.0-pre.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Cite: "modelcontextprotocol/go-sdk mcp/server.go at 3d6450f; the module at v1.8.0",
	})
}
