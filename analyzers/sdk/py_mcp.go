package sdk

import "github.com/mcpaudit/mcpaudit"

// The official Python SDK. Both lines are one package with mostly the same modules; FastMCP stands for the first
// line, MCPServer and mcp_types for the second, and Server is in both.
func init() {
	Register(&SDK{
		Name:      "mcp",
		Line:      "1.x",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"mcp"},
		Versions:  "<2.0.0.dev0",
		Imports:   []string{"mcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastMCP", NameArg: 1, NameKey: "name"},
			{Form: New, Name: "Server", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "FastMCP"},
			{Form: Subclass, Name: "Server"},
		},
		Clients:  []Mark{{Form: New, Name: "ClientSession"}, {Form: New, Name: "ClientSessionGroup"}, {Form: Subclass, Name: "ClientSession"}},
		Carriers: pythonCarriers,
		Ping: []Answer{
			{
				Versions: "<1.14.0", Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.5.0",
				Note: "before the handshake a ping gets an error up to 1.13",
				Cite: "modelcontextprotocol/python-sdk src/mcp/server/session.py at v1.13.1 and v1.14.0",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.5.0",
				Cite: "modelcontextprotocol/python-sdk src/mcp/server/lowlevel/server.py at v1.29.0",
			},
		},
		ClientPing: []Answer{
			{
				Versions: "<1.3.0", Channel: mcpaudit.ChannelSilence, FixedIn: "1.3.0",
				Note: "the client reads a ping of the server and never answers it",
				Cite: "modelcontextprotocol/python-sdk src/mcp/client/session.py at v1.2.1",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "1.3.0",
				Cite: "modelcontextprotocol/python-sdk src/mcp/client/session.py at v1.29.0",
			},
		},
		Changes: []Change{
			{Form: StoreForm, Name: "request_handlers", Keys: []string{"PingRequest"}, Does: mcpaudit.Replaced, Bare: true},
			{Form: DeleteForm, Name: "request_handlers", Keys: []string{"PingRequest"}, Does: mcpaudit.Removed},
			{Form: OverrideForm, Name: "_handle_request", Does: mcpaudit.Wrapped},
			{Form: OverrideForm, Name: "_received_request", Of: "ServerSession", Does: mcpaudit.Wrapped},
		},
		Eras:    []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.No}},
		Empties: []string{"EmptyResult"},
		Passes:  []string{"ServerResult"},
		Cite:    "modelcontextprotocol/python-sdk src/mcp/server at v1.29.0; the package at 1.30.0",
	})

	Register(&SDK{
		Name:      "mcp",
		Line:      "2.x",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"mcp"},
		Versions:  ">=2.0.0.dev0",
		Imports:   []string{"mcp/...", "mcp_types/..."},
		Servers: []Mark{
			{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"},
			{Form: New, Name: "Server", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "MCPServer"},
			{Form: Subclass, Name: "Server"},
		},
		Clients: []Mark{
			{Form: New, Name: "Client"},
			{Form: New, Name: "ClientSession"},
			{Form: New, Name: "ClientSessionGroup"},
			{Form: Subclass, Name: "ClientSession"},
		},
		Carriers:   pythonCarriers,
		Ping:       answers("2.0.0", "modelcontextprotocol/python-sdk src/mcp/server/lowlevel/server.py at v2.0.0"),
		ClientPing: answers("2.0.0", "modelcontextprotocol/python-sdk src/mcp/client/session.py at v2.0.0"),
		Changes: []Change{
			{Form: KeywordForm, Name: "on_ping", Does: mcpaudit.Replaced, Bare: true, NilIsEmpty: true},
			{
				Form: CallForm, Name: "add_request_handler", Keys: []string{"ping"}, Handler: 3,
				Does: mcpaudit.Replaced, Bare: true, NilIsEmpty: true,
			},
			// The stored value is a HandlerEntry, not the handler.
			{Form: StoreForm, Name: "_request_handlers", Keys: []string{"ping"}, Does: mcpaudit.Replaced},
			{Form: DeleteForm, Name: "_request_handlers", Keys: []string{"ping"}, Does: mcpaudit.Removed},
			{
				Form: AroundForm, Name: "middleware.append", Handler: 1, Keyword: "middleware",
				Does: mcpaudit.Wrapped, Bare: true, NilIsEmpty: true,
			},
			{Form: AroundForm, Name: "middleware.insert", Handler: 2, Does: mcpaudit.Wrapped, Bare: true, NilIsEmpty: true},
		},
		Eras:    []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes}},
		Empties: []string{"EmptyResult"},
		Cite:    "modelcontextprotocol/python-sdk src/mcp/server at v2.0.0; the package at 2.3.0",
	})
}

var pythonCarriers = []Mark{
	{Form: Func, Name: "stdio_server", Transport: "stdio"},
	{Form: New, Name: "SseServerTransport", Transport: "http+sse"},
	{Form: New, Name: "StreamableHTTPSessionManager", Transport: "streamable-http"},
	{Form: New, Name: "StreamableHTTPServerTransport", Transport: "streamable-http"},
}
