package sdk

func init() {
	Register(&SDK{
		Name:      "fastapi-mcp",
		Langs:     []string{"python"},
		Ecosystem: "PyPI",
		Packages:  []string{"fastapi-mcp"},
		Imports:   []string{"fastapi_mcp/..."},
		Servers: []Mark{
			{Form: New, Name: "FastApiMCP", NameArg: 2, NameKey: "name"},
			{Form: Subclass, Name: "FastApiMCP"},
			// Up to 0.1.x.
			{Form: Func, Name: "add_mcp_server", NameArg: 3, NameKey: "name"},
			{Form: Func, Name: "create_mcp_server", NameArg: 2, NameKey: "name"},
		},
		Wraps: "mcp 1.x",
		Cite:  "tadata-org/fastapi_mcp fastapi_mcp/server.py at e5cad13 (0.4.0) and v0.1.8",
	})
}
