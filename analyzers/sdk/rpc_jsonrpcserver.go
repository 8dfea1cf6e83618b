package sdk

func init() {
	Register(&SDK{
		Name:      "jsonrpcserver",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"jsonrpcserver"},
		Imports:   []string{"jsonrpcserver/..."},
		Dispatchers: notFound(
			Dispatcher{Form: DecoForm, Name: "method", KeyName: "name"},
		),
		Passes: []string{"Success"},
		Cite:   "the package jsonrpcserver at 5.0.9, jsonrpcserver/methods.py, jsonrpcserver/dispatcher.py",
	})
}
