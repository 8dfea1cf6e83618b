package sdk

import "github.com/mcpaudit/mcpaudit"

// TypeScript frameworks on top of an official SDK. Their own code does not touch ping unless a row says so.
func init() {
	const v1, v2 = "@modelcontextprotocol/sdk", "@modelcontextprotocol/server"
	framework := func(s *SDK) {
		s.Langs, s.Ecosystem = []string{"typescript", "javascript"}, "npm"
		Register(s)
	}

	framework(&SDK{
		Name:     "fastmcp (npm)", // the Python package is another thing
		Packages: []string{"fastmcp"},
		Imports:  []string{"fastmcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastMCP", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "FastMCP"},
			// fastmcp/edge has a dispatcher of its own, which answers in the same way.
			{Form: New, Name: "EdgeFastMCP", NameArg: 1, NameKey: "name"},
		},
		Wraps: v1,
		Cite:  "punkpeye/fastmcp src/FastMCP.ts, src/edge/index.ts at a97c5eb; the npm package at 4.20.16",
	})
	framework(&SDK{
		Name:     "mcp-framework",
		Packages: []string{"mcp-framework"},
		Imports:  []string{"mcp-framework/..."},
		Servers:  []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "MCPServer"}},
		Wraps:    v1,
		Cite:     "QuantGeekDev/mcp-framework src/core/MCPServer.ts; the npm package at 0.2.22",
	})
	framework(&SDK{
		Name:     "litemcp",
		Packages: []string{"litemcp"},
		Imports:  []string{"litemcp"},
		Servers:  []Mark{{Form: New, Name: "LiteMCP", NameArg: 1}},
		Wraps:    v1,
		Cite:     "the npm package litemcp at 0.9.0, dist/index.js",
	})
	framework(&SDK{
		Name:     "@hono/mcp",
		Packages: []string{"@hono/mcp"},
		Imports:  []string{"@hono/mcp/..."},
		Carriers: []Mark{{Form: New, Name: "StreamableHTTPTransport", Transport: "streamable-http"}},
		Wraps:    v1,
		Cite:     "the npm package @hono/mcp at 0.3.2",
	})

	// The handler makes the server and hands it to the first argument.
	handler := func(line, versions, base, cite string, modern mcpaudit.Tri) {
		framework(&SDK{
			Name:     "mcp-handler",
			Line:     line,
			Packages: []string{"mcp-handler"},
			Versions: versions,
			Imports:  []string{"mcp-handler/..."},
			Servers:  []Mark{{Form: Func, Name: "createMcpHandler", NameArg: 2, NameKey: "serverInfo.name", Transport: "streamable-http"}},
			Wraps:    base,
			Eras:     []EraRow{{Legacy: mcpaudit.Yes, Modern: modern}},
			Cite:     cite,
		})
	}
	handler("1.x", "<2.0.0-0", v1, "vercel/mcp-handler; the npm package at 1.1.0", mcpaudit.No)
	handler("2.x", ">=2.0.0-0", v2, "vercel/mcp-handler; the npm package at 2.4.0, where legacy is \"stateless\"", mcpaudit.Yes)
	framework(&SDK{
		Name:     "@vercel/mcp-adapter",
		Packages: []string{"@vercel/mcp-adapter"},
		Imports:  []string{"@vercel/mcp-adapter/..."},
		Servers:  []Mark{{Form: Func, Name: "createMcpHandler", NameArg: 2, NameKey: "serverInfo.name", Transport: "streamable-http"}},
		Wraps:    "mcp-handler 1.x",
		Cite:     "the npm package @vercel/mcp-adapter at 1.0.0, which re-exports mcp-handler 1.x",
	})

	// Tools are files that import types; the command xmcp builds the server out of them. The configuration is the
	// one file that every project has once.
	xmcp := func(line, versions, base, cite string) {
		framework(&SDK{
			Name:     "xmcp",
			Line:     line,
			Packages: []string{"xmcp"},
			Versions: versions,
			Imports:  []string{"xmcp/..."},
			Servers:  []Mark{{Form: Imported, Name: "XmcpConfig"}},
			Wraps:    base,
			Cite:     cite,
		})
	}
	xmcp("0.x", "<1.0.0-0", v1, "basementstudio/xmcp; the npm package at 0.6.13")
	xmcp("1.x", ">=1.0.0-0", v2, "basementstudio/xmcp; the npm package at 1.1.3")

	// McpAgent holds a server in a field, the handlers get one or a function that makes one: always an object of
	// the official SDK, first or second line.
	framework(&SDK{
		Name:     "agents",
		Packages: []string{"agents"},
		Imports:  []string{"agents/mcp", "agents/mcp/server"},
		Carriers: []Mark{
			{Form: Subclass, Name: "McpAgent"},
			{Form: Func, Name: "createMcpHandler", Transport: "streamable-http"},
			{Form: Func, Name: "createLegacyMcpHandler", Transport: "streamable-http"},
			{Form: Func, Name: "experimental_createMcpHandler", Transport: "streamable-http"},
			{Form: New, Name: "WorkerTransport", Transport: "streamable-http"},
		},
		Wraps: v1,
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

	framework(&SDK{
		Name:     "@rekog/mcp-nest",
		Line:     "1.x",
		Packages: []string{"@rekog/mcp-nest"},
		Versions: "<2.0.0-0",
		Imports:  []string{"@rekog/mcp-nest/..."},
		Servers: []Mark{
			{Form: Func, Name: "McpModule.forRoot", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpModule.forRootAsync"},
		},
		Wraps: v1,
		Cite:  "the npm package @rekog/mcp-nest at 1.9.11",
	})
	framework(&SDK{
		Name:     "@rekog/mcp-nest",
		Line:     "2.x",
		Packages: []string{"@rekog/mcp-nest"},
		Versions: ">=2.0.0-0",
		Imports:  []string{"@rekog/mcp-nest/..."},
		Servers:  []Mark{{Form: New, Name: "McpStrategy", NameArg: 1, NameKey: "name"}},
		Carriers: []Mark{
			{Form: New, Name: "StreamableHttpTransport", Transport: "streamable-http", Modern: mcpaudit.Yes},
			{Form: New, Name: "StdioTransport", Transport: "stdio", Modern: mcpaudit.Yes},
		},
		Wraps: v2,
		Changes: []Change{
			{Form: OptionForm, Name: "protocol", Keys: []string{"legacy-only"}, Modern: mcpaudit.No},
		},
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes}},
		Cite: "the npm package @rekog/mcp-nest at 2.0.5, dist/mcp/transport",
	})

	framework(&SDK{
		Name:     "mcp-use (npm)",
		Line:     "1.x",
		Packages: []string{"mcp-use"},
		Versions: "<2.0.0-0",
		Imports:  []string{"mcp-use/..."},
		Servers: []Mark{
			{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "createMCPServer", NameArg: 1},
		},
		Clients: []Mark{{Form: New, Name: "MCPClient"}, {Form: Func, Name: "MCPClient.fromDict"}, {Form: Func, Name: "MCPClient.fromConfigFile"}},
		Wraps:   v1,
		Cite:    "the npm package mcp-use at 1.34.6, dist/src/server",
	})
	framework(&SDK{
		Name:     "mcp-use (npm)",
		Line:     "2.x",
		Packages: []string{"mcp-use"},
		Versions: ">=2.0.0-0",
		Imports:  []string{"mcp-use/..."},
		Servers:  []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}},
		Wraps:    v2,
		Cite:     "mcp-use/mcp-use libraries/typescript/packages/server at 5865e5c; the npm package at 2.5.2",
	})
}
