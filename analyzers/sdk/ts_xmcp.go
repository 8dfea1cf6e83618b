package sdk

// The tools of an xmcp project are files that import types; the command xmcp builds the server out of them. The
// configuration is the one file that every project has once, and it imports this type.
func init() {
	for _, line := range []struct{ name, versions, base, cite string }{
		{"0.x", "<1.0.0-0", "@modelcontextprotocol/sdk", "0.6.13"},
		{"1.x", ">=1.0.0-0", "@modelcontextprotocol/server", "1.1.3"},
	} {
		Register(&SDK{
			Name:      "xmcp",
			Line:      line.name,
			Langs:     javascript,
			Ecosystem: "npm",
			Packages:  []string{"xmcp"},
			Versions:  line.versions,
			Imports:   []string{"xmcp/..."},
			Servers:   []Mark{{Form: Imported, Name: "XmcpConfig"}},
			Wraps:     line.base,
			Cite:      "basementstudio/xmcp; the npm package xmcp at " + line.cite,
		})
	}
}
