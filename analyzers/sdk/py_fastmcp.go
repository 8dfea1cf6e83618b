package sdk

import "github.com/mcpaudit/mcpaudit"

// The Python package fastmcp. It is neither the module mcp.server.fastmcp of the official SDK nor the npm package
// of that name. All lines keep the official low-level server in _mcp_server, whose changes hold here.
func init() {
	servers := []Mark{
		{Form: New, Name: "FastMCP", NameArg: 1, NameKey: "name"},
		{Form: Func, Name: "FastMCP.from_openapi", NameKey: "name"},
		{Form: Func, Name: "FastMCP.from_fastapi", NameArg: 2, NameKey: "name"},
		{Form: Subclass, Name: "FastMCP"},
	}
	clients := []Mark{{Form: New, Name: "Client"}, {Form: Subclass, Name: "Client"}}

	Register(&SDK{
		Name:      "fastmcp",
		Line:      "2.x", // and what came before under this name
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastmcp"},
		Versions:  "<3.0.0.dev0",
		Imports:   []string{"fastmcp/..."},
		Servers:   servers,
		Clients:   clients,
		Wraps:     "mcp 1.x",
		Cite:      "PrefectHQ/fastmcp src/fastmcp/server at v2.0.0 and v2.14.0",
	})
	Register(&SDK{
		Name:      "fastmcp",
		Line:      "3.x",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastmcp", "fastmcp-slim"},
		Versions:  ">=3.0.0.dev0,<4.0.0.dev0",
		Imports:   []string{"fastmcp/..."},
		Servers:   servers,
		Clients:   clients,
		Wraps:     "mcp 1.x",
		Cite:      "PrefectHQ/fastmcp src/fastmcp/server at v3.0.0, fastmcp_slim/fastmcp/server at v3.4.7",
	})
	Register(&SDK{
		Name:      "fastmcp",
		Line:      "4.x",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastmcp", "fastmcp-slim"},
		Versions:  ">=4.0.0.dev0",
		Imports:   []string{"fastmcp/..."},
		Servers:   servers,
		Clients:   clients,
		Wraps:     "mcp 2.x",
		// Middleware never saw a ping before this line.
		Changes: []Change{
			{
				Form: AroundForm, Name: "add_middleware", Handler: 1, Keyword: "middleware", Does: mcpaudit.Wrapped,
				Note: "on_message and on_request of the class of the argument see every method",
			},
		},
		Cite: "PrefectHQ/fastmcp fastmcp_slim/fastmcp/server/low_level.py at 743ddff; the package at 4.2.3",
	})

	// A proxy answers a ping by pinging the remote server, since 3.4.0; before, and for a provider that is added to
	// an ordinary server, the official SDK answers.
	Register(&SDK{
		Name:      "fastmcp proxy",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastmcp", "fastmcp-slim"},
		Imports:   []string{"fastmcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastMCPProxy", NameKey: "name"},
			{Form: Func, Name: "create_proxy", NameKey: "name"},
			{Form: Func, Name: "FastMCP.as_proxy", NameKey: "name"},
			{Form: Func, Name: "FastMCP.from_client", NameKey: "name"},
			{Form: Subclass, Name: "FastMCPProxy"},
		},
		Ping: []Answer{
			{
				Versions: ">=3.4.0", Channel: mcpaudit.ChannelForwarded, Body: emptyObject, Since: "3.4.0",
				Note: "each ping is handed on to the remote server",
				Cite: "PrefectHQ/fastmcp fastmcp_slim/fastmcp/server/providers/proxy.py at v3.4.0 and 743ddff",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject,
				Note: "from 3.4.0 on each ping is handed on to the remote server",
				Cite: "PrefectHQ/fastmcp src/fastmcp/server/proxy.py at v2.14.0",
			},
		},
		ClientPing: answers("2.0.0", "the client is that of the official SDK"),
		Eras: []EraRow{
			{Versions: "<4.0.0.dev0", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Versions: ">=4.0.0.dev0", Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Cite: "PrefectHQ/fastmcp fastmcp_slim/fastmcp/server/providers/proxy.py at 743ddff; the package at 4.2.3",
	})
}
