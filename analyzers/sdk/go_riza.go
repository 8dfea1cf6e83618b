package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "github.com/riza-io/mcp-go",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/riza-io/mcp-go"},
		Imports:   []string{"github.com/riza-io/mcp-go/..."},
		Servers:   []Mark{{Form: Func, Name: "NewServer"}},
		Clients:   []Mark{{Form: Func, Name: "NewClient"}},
		// The handler of a server embeds UnimplementedServer, which answers a ping, or has a Ping of its own.
		Ping: []Answer{
			{
				Versions: "<0.2.0", Channel: mcpaudit.ChannelProtocolError, FixedIn: "0.2.0",
				Note: "there is no handler, the answer is method not found",
				Cite: "riza-io/mcp-go server.go at v0.1.0",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.2.0",
				Cite: "riza-io/mcp-go server.go at v0.2.0, serve_mcp.go at 92a7fc6",
			},
		},
		ClientPing: answers("0.2.0", "riza-io/mcp-go client.go at v0.3.0 and 92a7fc6"),
		Changes: []Change{
			{Form: OverrideForm, Name: "Ping", Of: "UnimplementedServer", Does: mcpaudit.Replaced, Bare: true},
			{Form: MiddleForm, Name: "WithInterceptors", Handler: 1, Does: mcpaudit.Wrapped, Bare: true},
		},
		Eras:    legacyOnly,
		Empties: []string{"PingResponse"},
		Passes:  []string{"NewResponse"},
		Cite:    "riza-io/mcp-go server.go at 92a7fc6",
	})
}
