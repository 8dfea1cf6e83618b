package sdk

func init() {
	Register(&SDK{
		Name:      "@vercel/mcp-adapter",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@vercel/mcp-adapter"},
		Imports:   []string{"@vercel/mcp-adapter/..."},
		Servers:   []Mark{{Form: Func, Name: "createMcpHandler", NameArg: 2, NameKey: "serverInfo.name", Transport: "streamable-http"}},
		Wraps:     "mcp-handler 1.x",
		Cite:      "the npm package @vercel/mcp-adapter at 1.0.0, which re-exports mcp-handler 1.x",
	})
}
