package sdk

import "github.com/mcpaudit/mcpaudit"

// The smaller Go SDKs. None of them speaks the modern revision in what was read.
func init() {
	legacy := []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}}

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
		Eras: legacy,
		Cite: "metoro-io/mcp-golang server.go at e5d629c",
	})
	Register(&SDK{
		Name:      "github.com/ThinkInAIXYZ/go-mcp",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/ThinkInAIXYZ/go-mcp"},
		Imports:   []string{"github.com/ThinkInAIXYZ/go-mcp/server", "github.com/ThinkInAIXYZ/go-mcp/client", "github.com/ThinkInAIXYZ/go-mcp/transport"},
		Servers:   []Mark{{Form: Func, Name: "NewServer"}},
		Clients:   []Mark{{Form: Func, Name: "NewClient"}},
		Carriers: []Mark{
			{Form: Func, Name: "NewStdioServerTransport", Transport: "stdio"},
			{Form: Func, Name: "NewSSEServerTransport", Transport: "http+sse"},
			{Form: Func, Name: "NewSSEServerTransportAndHandler", Transport: "http+sse"},
			{Form: Func, Name: "NewStreamableHTTPServerTransport", Transport: "streamable-http"},
			{Form: Func, Name: "NewStreamableHTTPServerTransportAndHandler", Transport: "streamable-http"},
		},
		// Use takes middleware of tools only.
		Ping:       answers("0.1.0", "ThinkInAIXYZ/go-mcp server/receive.go at v0.1.0 and e0f8b5e"),
		ClientPing: answers("", "ThinkInAIXYZ/go-mcp client/receive.go at e0f8b5e"),
		Eras:       legacy,
		Cite:       "ThinkInAIXYZ/go-mcp server/server.go at e0f8b5e",
	})
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
			{
				Form: CallForm, Name: "WithInterceptors", Handler: 1, Does: mcpaudit.Wrapped, Refuses: true,
				Note: "each interceptor wraps the handlers of all methods",
			},
		},
		Eras:    legacy,
		Empties: []string{"PingResponse"},
		Passes:  []string{"NewResponse"},
		Cite:    "riza-io/mcp-go server.go at 92a7fc6",
	})
	Register(&SDK{
		Name:      "github.com/strowk/foxy-contexts",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/strowk/foxy-contexts"},
		Imports: []string{
			"github.com/strowk/foxy-contexts/pkg/app", "github.com/strowk/foxy-contexts/pkg/server",
			"github.com/strowk/foxy-contexts/pkg/stdio", "github.com/strowk/foxy-contexts/pkg/mcp",
		},
		Servers: []Mark{
			{Form: Func, Name: "NewBuilder", NameKey: "WithName"}, // app.NewBuilder().WithName("x")
			{Form: Func, Name: "NewServer", NameArg: 2, NameKey: "Name"},
		},
		Ping: answers("0.0.1", "strowk/foxy-contexts pkg/server/server.go at v0.0.1 and 6783020"),
		Changes: []Change{{
			Form: CallForm, Name: "SetRequestHandler", Keys: []string{"PingRequest"}, Handler: 2,
			Does: mcpaudit.Replaced, Bare: true,
		}},
		Eras: legacy,
		Cite: "strowk/foxy-contexts pkg/app/foxy_app.go, pkg/server/server.go at 6783020",
	})
}
