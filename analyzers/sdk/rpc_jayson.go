package sdk

func init() {
	Register(&SDK{
		Name:      "jayson",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"jayson"},
		Imports:   []string{"jayson/..."},
		Dispatchers: notFound(
			Dispatcher{Form: KeywordForm, Name: "Server"},
			Dispatcher{Form: KeywordForm, Name: "server"},
			Dispatcher{Form: KeywordForm, Name: "methods"},
			Dispatcher{Form: CallForm, Name: "method"},
		),
		Cite: "the npm package jayson at 5.0.0, lib/server/index.js",
	})
}
