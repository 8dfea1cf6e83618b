package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "@rekog/mcp-nest",
		Line:      "1.x",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@rekog/mcp-nest"},
		Versions:  "<2.0.0-0",
		Imports:   []string{"@rekog/mcp-nest/..."},
		Servers: []Mark{
			{Form: Func, Name: "McpModule.forRoot", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpModule.forRootAsync"},
		},
		Wraps: "@modelcontextprotocol/sdk",
		Cite:  "the npm package @rekog/mcp-nest at 1.9.11",
	})
	Register(&SDK{
		Name:      "@rekog/mcp-nest",
		Line:      "2.x",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@rekog/mcp-nest"},
		Versions:  ">=2.0.0-0",
		Imports:   []string{"@rekog/mcp-nest/..."},
		Servers:   []Mark{{Form: New, Name: "McpStrategy", NameArg: 1, NameKey: "name"}},
		Carriers: []Mark{
			{Form: New, Name: "StreamableHttpTransport", Transport: "streamable-http", Modern: mcpaudit.Yes},
			{Form: New, Name: "StdioTransport", Transport: "stdio", Modern: mcpaudit.Yes},
		},
		Wraps: "@modelcontextprotocol/server",
		Changes: []Change{
			{Form: OptionForm, Name: "protocol", Keys: []string{"legacy-only"}, Modern: mcpaudit.No},
			{Form: OptionForm, Name: "protocol", Keys: []string{"modern-only"}, Legacy: mcpaudit.No},
		},
		Eras: []EraRow{{Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes}},
		Cite: "the npm package @rekog/mcp-nest at 2.0.5, dist/mcp/transport",
	})
}
