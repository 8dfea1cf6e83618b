package sdk

func init() {
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
		Eras:       legacyOnly,
		Cite:       "ThinkInAIXYZ/go-mcp server/server.go at e0f8b5e",
	})
}
