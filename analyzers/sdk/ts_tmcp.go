package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "tmcp",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"tmcp"},
		Imports:   []string{"tmcp/..."},
		Servers:   []Mark{{Form: New, Name: "McpServer", NameArg: 1, NameKey: "name"}},
		// Its table of methods is private; no interface of the author reaches ping.
		Ping: answers("", "paoloricciuti/tmcp packages/tmcp/src/index.js at 1.19.3; the npm package at 1.20.0"),
		Eras: []EraRow{
			{Versions: "<1.20.0-next.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Versions: ">=1.20.0-next.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Cite: "paoloricciuti/tmcp; the npm package at 1.20.0-next.1 and 1.20.0",
	})
}
