package sdk

func init() {
	Register(&SDK{
		Name:      "json-rpc-2.0",
		Langs:     javascript,
		Ecosystem: "npm",
		Packages:  []string{"json-rpc-2.0"},
		Imports:   []string{"json-rpc-2.0"},
		Dispatchers: notFound(
			Dispatcher{Form: CallForm, Name: "addMethod"},
			Dispatcher{Form: CallForm, Name: "addMethodAdvanced"},
		),
		Cite: "the npm package json-rpc-2.0 at 1.8.1, dist/server.js",
	})
}
