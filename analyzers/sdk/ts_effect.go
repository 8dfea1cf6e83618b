package sdk

func init() {
	Register(&SDK{
		Name:      "@effect/ai",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"@effect/ai"},
		Imports:   []string{"@effect/ai/..."},
		// The module is imported whole, or as a member of the package.
		Servers: []Mark{
			{Form: Func, Name: "layer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerStdio", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerHttp", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "layerHttpRouter", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "run", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layer", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerStdio", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerHttp", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.layerHttpRouter", NameArg: 1, NameKey: "name"},
			{Form: Func, Name: "McpServer.run", NameArg: 1, NameKey: "name"},
		},
		Ping: answers("", "the npm package @effect/ai at 0.37.0, src/McpServer.ts"),
		Eras: legacyOnly,
		Cite: "the npm package @effect/ai at 0.37.0, src/McpServer.ts",
	})
}
