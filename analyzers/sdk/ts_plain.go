package sdk

import "github.com/mcpaudit/mcpaudit"

// TypeScript SDKs that speak the protocol themselves, without the official SDK's dispatch.
func init() {
	legacy := []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}}
	langs := []string{"typescript", "javascript"}

	Register(&SDK{
		Name:      "mcp-lite",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"mcp-lite"},
		Imports:   []string{"mcp-lite/..."},
		Servers:   []Mark{{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "McpServer"}},
		Carriers:  []Mark{{Form: New, Name: "StreamableHttpTransport", Transport: "streamable-http"}},
		Ping:      answers("", "fiberplane/mcp-lite packages/core/src/core.ts; the npm package at 0.3.0 and 0.10.0"),
		// The answer is in ctx.response, so what the middleware returns is nothing.
		Changes: []Change{{Form: AroundForm, Name: "use", Handler: 1, Does: mcpaudit.Wrapped, Refuses: true}},
		Eras:    legacy,
		Cite:    "fiberplane/mcp-lite; the npm package at 0.10.0",
	})
	Register(&SDK{
		Name:      "tmcp",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"tmcp"},
		Imports:   []string{"tmcp/..."},
		Servers:   []Mark{{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"}},
		// Its table of methods is private; no interface of the author reaches ping.
		Ping: answers("", "paoloricciuti/tmcp packages/tmcp/src/index.js at 1.19.3; the npm package at 1.20.0"),
		Eras: []EraRow{
			{Versions: "<1.20.0-next.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Versions: ">=1.20.0-next.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Cite: "paoloricciuti/tmcp; the npm package at 1.20.0-next.1 and 1.20.0",
	})
	Register(&SDK{
		Name:      "muppet",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"muppet"},
		Imports:   []string{"muppet/..."},
		Servers: []Mark{
			{Form: New, Name: "Muppet", NameArg: 1, NameKey: "name"},  // since 0.3
			{Form: Func, Name: "muppet", NameArg: 2, NameKey: "name"}, // before
		},
		Ping: answers("", "muppet-dev/muppet packages/core/src/muppet.ts at 0.3.2; the npm package at 0.2.2"),
		Eras: legacy,
		Cite: "muppet-dev/muppet packages/core at 0.3.2; the npm package at 0.2.2",
	})
	Register(&SDK{
		Name:      "@effect/ai",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"@effect/ai"},
		Imports:   []string{"@effect/ai/..."},
		// The module is imported whole, or as a member of the package.
		Servers: []Mark{
			{Form: Func, Name: "layer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerStdio", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerHttp", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerHttpRouter", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "run", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerStdio", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerHttp", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerHttpRouter", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.run", NameArg: 1, NameKey: "name"},
		},
		Ping: answers("", "Effect-TS/effect packages/ai/ai/src/McpServer.ts; the npm package at 0.37.0"),
		Eras: legacy,
		Cite: "the npm package @effect/ai at 0.37.0, src/McpServer.ts",
	})
	Register(&SDK{
		Name:      "@zuplo/mcp",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"@zuplo/mcp"},
		Imports:   []string{"@zuplo/mcp/..."},
		Servers:   []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "MCPServer"}},
		Carriers:  []Mark{{Form: New, Name: "HTTPStreamableTransport", Transport: "streamable-http"}},
		Ping:      answers("", "zuplo/mcp src/server/index.ts at 0.0.32"),
		Eras:      legacy,
		Cite:      "zuplo/mcp src/server/index.ts at 0.0.32",
	})
	// The clients of one framework for applications; they make no servers.
	Register(&SDK{
		Name:      "ai",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"ai"},
		Imports:   []string{"ai"},
		Clients:   []Mark{{Form: Func, Name: "experimental_createMCPClient"}},
		ClientPing: []Answer{{
			Channel: mcpaudit.ChannelSilence,
			Note:    "the client reports a request of the server as an unsupported message and does not answer it",
			Cite:    "the npm package ai at 4.3.19 and 5.0.0, dist/index.mjs",
		}},
		Eras: legacy,
		Cite: "the npm package ai at 4.3.19 and 5.0.0; 6.0.0 no longer has the function",
	})
	Register(&SDK{
		Name:      "@ai-sdk/mcp",
		Langs:     langs,
		Ecosystem: "npm",
		Packages:  []string{"@ai-sdk/mcp"},
		Imports:   []string{"@ai-sdk/mcp"},
		Clients:   []Mark{{Form: Func, Name: "createMCPClient"}, {Form: Func, Name: "experimental_createMCPClient"}},
		ClientPing: []Answer{
			{
				Versions: "<=1.0.0-beta.13", Channel: mcpaudit.ChannelSilence, FixedIn: "1.0.45",
				Note: "the client reports a request of the server as an unsupported message and does not answer it",
				Cite: "the npm package @ai-sdk/mcp at 0.0.8, 1.0.0-beta.2 and 1.0.0-beta.13, dist/index.mjs",
			},
			{
				Versions: ">1.0.0-beta.13,<1.0.45", Channel: mcpaudit.ChannelProtocolError, FixedIn: "1.0.45",
				Note: "the client answers only elicitation requests, anything else is method not found",
				Cite: "the npm package @ai-sdk/mcp at 1.0.0-beta.30, 1.0.0 and 1.0.44, dist/index.mjs",
			},
			{
				Versions: ">=2.0.0-0,<2.0.0", Channel: mcpaudit.ChannelUndecided,
				Note: "some pre-releases of 2.0.0 answer a ping and some do not",
				Cite: "the npm package @ai-sdk/mcp at 2.0.0-canary.46, 2.0.0-canary.56 and 2.0.0-beta.67",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "1.0.45",
				Cite: "the npm package @ai-sdk/mcp at 1.0.45, 1.0.102 and 2.0.99",
			},
		},
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown}},
		Cite: "the npm package @ai-sdk/mcp at 1.0.102",
	})
}
