package sdk

import "github.com/mcpaudit/mcpaudit"

// JSON-RPC libraries that know no MCP method. An author who registers "tools/list" with one of them has written a
// server by hand, and a method that is not registered gets the library's own answer.
func init() {
	notFound := func(d ...Dispatcher) []Dispatcher {
		for i := range d {
			d[i].Default, d[i].Code = mcpaudit.ChannelProtocolError, "-32601"
		}
		return d
	}
	js := []string{"typescript", "javascript"}

	Register(&SDK{
		Name:      "jayson",
		Langs:     js,
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
	Register(&SDK{
		Name:      "json-rpc-2.0",
		Langs:     js,
		Ecosystem: "npm",
		Packages:  []string{"json-rpc-2.0"},
		Imports:   []string{"json-rpc-2.0"},
		Dispatchers: notFound(
			Dispatcher{Form: CallForm, Name: "addMethod"},
			Dispatcher{Form: CallForm, Name: "addMethodAdvanced"},
		),
		Cite: "the npm package json-rpc-2.0 at 1.8.1, dist/server.js",
	})
	Register(&SDK{
		Name:        "vscode-jsonrpc",
		Langs:       js,
		Ecosystem:   "npm",
		Packages:    []string{"vscode-jsonrpc"},
		Imports:     []string{"vscode-jsonrpc/..."},
		Dispatchers: notFound(Dispatcher{Form: CallForm, Name: "onRequest"}),
		Cite:        "microsoft/vscode-languageserver-node jsonrpc/src/common/connection.ts; the npm package at 8.2.1",
	})
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
