package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	// McpAgent holds a server in a field, the handlers get one or a function that makes one: always an object of
	// the official SDK, first or second line.
	Register(&SDK{
		Name:      "agents",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"agents"},
		Imports:   []string{"agents/mcp", "agents/mcp/server"},
		Carriers: []Mark{
			{Form: Subclass, Name: "McpAgent"},
			{Form: Func, Name: "createMcpHandler", Transport: "streamable-http"},
			{Form: Func, Name: "createLegacyMcpHandler", Transport: "streamable-http"},
			{Form: Func, Name: "experimental_createMcpHandler", Transport: "streamable-http"},
			{Form: New, Name: "WorkerTransport", Transport: "streamable-http"},
		},
		Wraps: "@modelcontextprotocol/sdk",
		Changes: []Change{{
			Form: OptionForm, Name: "legacy", Keys: []string{"reject"}, Legacy: mcpaudit.No,
			Note: "legacy clients get an error for everything",
		}},
		Eras: []EraRow{
			{Versions: "<0.20.0", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Cite: "cloudflare/agents packages/agents/src/mcp at a0e134b (0.21.0); the npm package at 0.19.0 and 0.32.0",
	})
}
