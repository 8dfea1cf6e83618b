package sdk

import "github.com/mcpaudit/mcpaudit"

func init() {
	Register(&SDK{
		Name:      "github.com/strowk/foxy-contexts",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/strowk/foxy-contexts"},
		Imports: []string{
			"github.com/strowk/foxy-contexts/pkg/app", "github.com/strowk/foxy-contexts/pkg/server",
			"github.com/strowk/foxy-contexts/pkg/stdio", "github.com/strowk/foxy-contexts/pkg/mcp",
		},
		Servers: []Mark{
			{Form: Func, Name: "NewBuilder", NameKey: "WithName"}, // app.NewBuilder().WithName("x")
			{Form: Func, Name: "NewServer", NameArg: 2, NameKey: "Name"},
		},
		Ping: answers("0.0.1", "strowk/foxy-contexts pkg/server/server.go at v0.0.1 and 6783020"),
		Changes: []Change{{
			Form: CallForm, Name: "SetRequestHandler", Keys: []string{"PingRequest"}, Handler: 2,
			Does: mcpaudit.Replaced, Bare: true,
		}},
		Eras: legacyOnly,
		Cite: "strowk/foxy-contexts pkg/app/foxy_app.go, pkg/server/server.go at 6783020",
	})
}
