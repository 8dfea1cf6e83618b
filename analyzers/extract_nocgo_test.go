//go:build !cgo

package analyzers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
)

// TestExtractPure: without a C compiler Go is read with its types as ever, and what cannot be read is said.
func TestExtractPure(t *testing.T) {
	r := extract(t, plant(t, map[string]string{
		"go.mod":          "module example.com/a\n",
		"main.go":         goServer,
		"server.ts":       tsServer,
		"server.py":       pyServer,
		"plain.ts":        "export const x = 1;\n",
		"broken/a.go":     "package broken\n\nfunc f( {\nvar x = \"tools/list\"\n",
		"broken/README":   "",
		"notes/server.rb": "m = 'tools/list'\n",
	}))
	if len(r.Servers) != 1 || r.Servers[0].Lang != "go" {
		t.Fatalf("servers %+v, want the one in Go", r.Servers)
	}
	if rt := r.Servers[0].Routers[0].Route("ping"); rt == nil || rt.Outcomes[0].Channel != mcpaudit.ChannelResult {
		t.Errorf("ping of the server in Go was not read: %+v", rt)
	}
	reasons := map[string]string{}
	for _, g := range r.Gaps {
		reasons[g.Span.File] = g.Reason
		if g.Detail == "" {
			t.Errorf("%s: the gap does not say why", g.Span.File)
		}
	}
	want := map[string]string{
		"server.ts": mcpaudit.GapLanguage, "server.py": mcpaudit.GapLanguage, "notes/server.rb": mcpaudit.GapLanguage,
		"broken/a.go": mcpaudit.GapParse,
	}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}
