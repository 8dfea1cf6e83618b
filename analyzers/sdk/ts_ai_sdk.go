package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	// The clients of one framework for applications; they make no servers.
	Register(&SDK{
		Name:      "ai",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"ai"},
		Imports:   []string{"ai"},
		Clients:   []Mark{{Form: Func, Name: "experimental_createMCPClient"}},
		ClientPing: []Answer{{
			Channel: mcpaudit.ChannelSilence,
			Note:    "the client reports a request of the server as an unsupported message and does not answer it",
			Cite:    "the npm package ai at 4.3.19 and 5.0.0, dist/index.mjs",
		}},
		Eras: legacyOnly,
		Cite: "the npm package ai at 4.3.19 and 5.0.0; 6.0.0 no longer has the function",
	})
	Register(&SDK{
		Name:      "@ai-sdk/mcp",
		Langs:     javascript,
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
