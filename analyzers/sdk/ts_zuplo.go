package sdk

func init() {
	Register(&SDK{
		Name:      "@zuplo/mcp",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@zuplo/mcp"},
		Imports:   []string{"@zuplo/mcp/..."},
		Servers:   []Mark{{Form: New, Name: "MCPServer", NameArg: 1, NameKey: "name"}, {Form: Subclass, Name: "MCPServer"}},
		Carriers:  []Mark{{Form: New, Name: "HTTPStreamableTransport", Transport: "streamable-http"}},
		Ping:      answers("", "zuplo/mcp src/server/index.ts at 0.0.32"),
		Eras:      legacyOnly,
		Cite:      "zuplo/mcp src/server/index.ts at 0.0.32",
	})
}
