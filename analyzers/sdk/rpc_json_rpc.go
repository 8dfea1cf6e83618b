package sdk

func init() {
	Register(&SDK{
		Name:      "json-rpc",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"json-rpc"},
		Imports:   []string{"jsonrpc/..."},
		Dispatchers: notFound(
			Dispatcher{Form: DecoForm, Name: "add_method", KeyName: "name"},
			Dispatcher{Form: CallForm, Name: "add_method", KeyArg: 2, KeyName: "name"},
			Dispatcher{Form: StoreForm, Name: "dispatcher"},
			Dispatcher{Form: KeywordForm, Name: "Dispatcher"},
		),
		Cite: "the package json-rpc at 1.15.0, jsonrpc/dispatcher.py, jsonrpc/manager.py",
	})
}
