package sdk

func init() {
	Register(&SDK{
		Name:      "mcp-use (npm)",
		Line:      "1.x",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"mcp-use"},
		Versions:  "<2.0.0-0",
		Imports:   []string{"mcp-use/..."},
		Servers: []Mark{
			{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "createMCPServer", NameArg: 1},
		},
		Clients: []Mark{{Form: New, Name: "MCPClient"}, {Form: Func, Name: "MCPClient.fromDict"}, {Form: Func, Name: "MCPClient.fromConfigFile"}},
		Wraps:   "@modelcontextprotocol/sdk",
		Cite:    "the npm package mcp-use at 1.34.6, dist/src/server",
	})
	Register(&SDK{
		Name:      "mcp-use (npm)",
		Line:      "2.x",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"mcp-use"},
		Versions:  ">=2.0.0-0",
		Imports:   []string{"mcp-use/..."},
		Servers:   []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}},
		Wraps:     "@modelcontextprotocol/server",
		Cite:      "mcp-use/mcp-use libraries/typescript/packages/server at 5865e5c; the npm package at 2.5.2",
	})
}
