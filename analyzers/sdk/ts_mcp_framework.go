package sdk

func init() {
	Register(&SDK{
		Name:      "mcp-framework",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"mcp-framework"},
		Imports:   []string{"mcp-framework/..."},
		Servers:   []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "MCPServer"}},
		Wraps:     "@modelcontextprotocol/sdk",
		Cite:      "QuantGeekDev/mcp-framework src/core/MCPServer.ts; the npm package at 0.2.22",
	})
}
