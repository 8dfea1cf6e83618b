package sdk

func init() {
	Register(&SDK{
		Name:      "muppet",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"muppet"},
		Imports:   []string{"muppet/..."},
		Servers: []Mark{
			{Form: New, Name: "Muppet", NameArg: 1, NameKey: "name"},  // since 0.3
			{Form: Func, Name: "muppet", NameArg: 2, NameKey: "name"}, // before
		},
		Ping: answers("", "muppet-dev/muppet packages/core/src/muppet.ts at 0.3.2; the npm package at 0.2.2"),
		Eras: legacyOnly,
		Cite: "muppet-dev/muppet packages/core at 0.3.2; the npm package at 0.2.2",
	})
}
