package sdk

func init() {
	Register(&SDK{
		Name:      "@hono/mcp",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@hono/mcp"},
		Imports:   []string{"@hono/mcp/..."},
		Carriers:  []Mark{{Form: New, Name: "StreamableHTTPTransport", Transport: "streamable-http"}},
		Wraps:     "@modelcontextprotocol/sdk",
		Cite:      "the npm package @hono/mcp at 0.3.2",
	})
}
