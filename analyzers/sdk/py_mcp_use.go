package sdk

func init() {
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
