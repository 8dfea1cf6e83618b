package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "github.com/metoro-io/mcp-golang",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/metoro-io/mcp-golang"},
		Imports:   []string{"github.com/metoro-io/mcp-golang"},
		// The name is an option: NewServer(transport, WithName("x")).
		Servers: []Mark{{Form: Func, Name: "NewServer", NameKey: "WithName"}},
		Clients: []Mark{{Form: Func, Name: "NewClient"}, {Form: Func, Name: "NewClientWithInfo"}},
		Ping: []Answer{
			{
				Versions: "<0.2.0", Channel: mcpaudit.ChannelProtocolError, FixedIn: "0.2.0",
				Note: "there is no handler, the answer is method not found",
				Cite: "metoro-io/mcp-golang server.go, internal/protocol/protocol.go at v0.1.0",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.2.0",
				Cite: "metoro-io/mcp-golang server.go at v0.2.0 and e5d629c",
			},
		},
		ClientPing: []Answer{{
			Channel: mcpaudit.ChannelProtocolError,
			Note:    "the client registers no handlers",
			Cite:    "metoro-io/mcp-golang client.go, internal/protocol/protocol.go at e5d629c",
		}},
		Eras: legacyOnly,
		Cite: "metoro-io/mcp-golang server.go at e5d629c",
	})
}
