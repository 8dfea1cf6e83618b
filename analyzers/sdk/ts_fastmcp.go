package sdk

func init() {
	Register(&SDK{
		Name:      "fastmcp (npm)", // the Python package is another thing
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"fastmcp"},
		Imports:   []string{"fastmcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastMCP", NameArg: 1, NameKey: "name"},
			{Form: Subclass, Name: "FastMCP"},
			// fastmcp/edge has a dispatcher of its own, which answers in the same way.
			{Form: New, Name: "EdgeFastMCP", NameArg: 1, NameKey: "name"},
		},
		Wraps: "@modelcontextprotocol/sdk",
		Cite:  "punkpeye/fastmcp src/FastMCP.ts, src/edge/index.ts at a97c5eb; the npm package at 4.20.16",
	})
}
