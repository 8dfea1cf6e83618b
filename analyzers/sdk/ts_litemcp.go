package sdk

func init() {
	Register(&SDK{
		Name:      "litemcp",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"litemcp"},
		Imports:   []string{"litemcp"},
		Servers:   []Mark{{Form: New, Name: "LiteMCP", NameArg: 1}},
		Wraps:     "@modelcontextprotocol/sdk",
		Cite:      "the npm package litemcp at 0.9.0, dist/index.js",
	})
}
