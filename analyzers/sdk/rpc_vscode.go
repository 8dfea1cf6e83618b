package sdk

func init() {
	Register(&SDK{
		Name:        "vscode-jsonrpc",
		Langs:       javascript,
		Ecosystem:   "npm",
		Packages:    []string{"vscode-jsonrpc"},
		Imports:     []string{"vscode-jsonrpc/..."},
		Dispatchers: notFound(Dispatcher{Form: CallForm, Name: "onRequest"}),
		Cite:        "microsoft/vscode-languageserver-node jsonrpc/src/common/connection.ts; the npm package at 8.2.1",
	})
}
