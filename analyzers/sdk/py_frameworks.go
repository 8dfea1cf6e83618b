package sdk

// Python frameworks that hand every message to the official low-level server.
func init() {
	Register(&SDK{
		Name:      "fastapi-mcp",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastapi-mcp"},
		Imports:   []string{"fastapi_mcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastApiMCP", NameArg: 2, NameKey: "name"},
			{Form: Subclass, Name: "FastApiMCP"},
			// Up to 0.1.x.
			{Form: Func, Name: "add_mcp_server", NameArg: 3, NameKey: "name"},
			{Form: Func, Name: "create_mcp_server", NameArg: 2, NameKey: "name"},
		},
		Wraps: "mcp 1.x",
		Cite:  "tadata-org/fastapi_mcp fastapi_mcp/server.py at e5cad13 (0.4.0) and v0.1.8",
	})
	Register(&SDK{
		Name:      "mcp-use (PyPI)",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"mcp-use"},
		Imports:   []string{"mcp_use/..."},
		Servers: []Mark{
			{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"},
			{Form: New, Name: "FastMCP", NameArg: 1, NameKey: "name"}, // an alias
			{Form: Subclass, Name: "MCPServer"},
		},
		Clients: []Mark{
			{Form: New, Name: "MCPClient"},
			{Form: Func, Name: "MCPClient.from_dict"},
			{Form: Func, Name: "MCPClient.from_config_file"},
		},
		Wraps: "mcp 1.x",
		Cite:  "mcp-use/mcp-use libraries/python/mcp_use/server at 5865e5c; the package at 1.7.1",
	})
}
