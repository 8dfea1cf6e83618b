package sdk

import "github.com/mcpaudit/mcpaudit"

// mcp-handler makes the server itself and hands it to the first argument. The second line always serves both eras.
func init() {
	for _, line := range []struct {
		name, versions, base, cite string
		modern                     mcpaudit.Tri
	}{
		{"1.x", "<2.0.0-0", "@modelcontextprotocol/sdk", "1.1.0", mcpaudit.No},
		{"2.x", ">=2.0.0-0", "@modelcontextprotocol/server", "2.4.0", mcpaudit.Yes},
	} {
		Register(&SDK{
			Name:      "mcp-handler",
			Line:      line.name,
			Langs:     javascript,
			Ecosystem: "npm",
			Packages:  []string{"mcp-handler"},
			Versions:  line.versions,
			Imports:   []string{"mcp-handler/..."},
			Servers:   []Mark{{Form: Func, Name: "createMcpHandler", NameArg: 2, NameKey: "serverInfo.name", Transport: "streamable-http"}},
			Wraps:     line.base,
			Eras:      []EraRow{{Legacy: mcpaudit.Yes, Modern: line.modern}},
			Cite:      "the npm package mcp-handler at " + line.cite + ", dist/index.js",
		})
	}
}
