package sdk_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

var languages = map[string]string{"typescript": "npm", "javascript": "npm", "python": "PyPI", "go": "Go"}

func TestRowsAreWhole(t *testing.T) {
	all := sdk.All()
	if len(all) < 30 {
		t.Fatalf("%d SDKs are registered, want the known ones", len(all))
	}
	ids := map[string]bool{}
	for _, s := range all {
		t.Run(s.ID(), func(t *testing.T) {
			if ids[s.ID()] {
				t.Error("the ID is taken twice")
			}
			ids[s.ID()] = true
			if len(s.Imports) == 0 || len(s.Packages) == 0 || s.Cite == "" {
				t.Errorf("imports %q, packages %q, cite %q: want all of them", s.Imports, s.Packages, s.Cite)
			}
			if len(s.Langs) == 0 {
				t.Error("no language")
			}
			for _, l := range s.Langs {
				if languages[l] != s.Ecosystem {
					t.Errorf("language %q goes with ecosystem %q, got %q", l, languages[l], s.Ecosystem)
				}
			}
			if s.Wraps != "" && sdk.Get(s.Wraps, "") == nil {
				t.Errorf("wraps %q, which is no row", s.Wraps)
			}
			if s.Answers("") == nil && s.ClientAnswers("") == nil && len(s.Dispatchers) == 0 {
				t.Error("an unknown version has no answer, and there is no dispatcher")
			}
			if len(s.Servers) > 0 && s.Answers("") == nil {
				t.Error("it makes servers whose answer to ping is not known")
			}
			if len(s.Clients) > 0 && s.ClientAnswers("") == nil {
				t.Error("it makes clients whose answer to ping is not known")
			}
			if len(s.Servers) > 0 && s.ServesEras("").Legacy == mcpaudit.Unknown {
				t.Error("it makes servers whose eras are not known")
			}
			if len(s.Servers)+len(s.Clients)+len(s.Carriers)+len(s.Dispatchers) == 0 {
				t.Error("nothing in code would show that it is used")
			}
		})
	}
}

// Get and Lines resolve several lines of one name, so two rows of a name may not both claim a version.
func TestLinesDoNotOverlap(t *testing.T) {
	versions := map[string][]string{
		"npm":  {"0.0.1", "0.19.0", "1.0.0", "1.34.6", "2.0.0-beta.1", "2.0.0", "3.1.4"},
		"PyPI": {"0.9.0", "1.30.0", "2.0.0a1", "2.14.5", "3.0.0b1", "3.4.11", "4.0.0b1", "4.2.3", "5"},
		"Go":   {"v0.1.0", "v1.7.0"},
	}
	for _, s := range sdk.All() {
		for _, v := range versions[s.Ecosystem] {
			if lines := sdk.Lines(s.Name, v); len(lines) != 1 {
				t.Errorf("%s %s: %d rows cover it, want 1", s.Name, v, len(lines))
			}
		}
	}
}

func TestMarksAndChangesAreWhole(t *testing.T) {
	for _, s := range sdk.All() {
		for _, m := range append(append(append([]sdk.Mark{}, s.Servers...), s.Clients...), s.Carriers...) {
			if m.Name == "" || m.Form == "" || m.NameArg < 0 {
				t.Errorf("%s: mark %+v is incomplete", s.ID(), m)
			}
		}
		for _, c := range s.Changes {
			switch {
			case c.Name == "" || c.Form == "":
				t.Errorf("%s: change %+v is incomplete", s.ID(), c)
			case c.Does == "" && c.Legacy == mcpaudit.Unknown && c.Modern == mcpaudit.Unknown:
				t.Errorf("%s: change %s does nothing", s.ID(), c.Name)
			case c.Does == mcpaudit.Replaced && len(c.Keys) == 0 && c.Form != sdk.OverrideForm && c.Form != sdk.KeywordForm:
				t.Errorf("%s: change %s replaces ping whatever the method", s.ID(), c.Name)
			case c.Does == mcpaudit.Rejected && c.Note == "":
				t.Errorf("%s: change %s is rejected, but it is not said why", s.ID(), c.Name)
			case (c.Form == sdk.MiddleForm || c.Form == sdk.AroundForm) && c.Handler == 0:
				t.Errorf("%s: middleware %s has no handler argument", s.ID(), c.Name)
			}
		}
	}
}

func TestInRange(t *testing.T) {
	tests := []struct {
		ecosystem, version, rng string
		want                    bool
	}{
		{"npm", "1.29.0", "", true},
		{"npm", "latest", "", true},
		{"npm", "1.29.0", ">=1.0.0,<2.0.0", true},
		{"npm", "2.0.0", ">=1.0.0,<2.0.0", false},
		{"npm", "v1.29.0", ">=1.29.0", true},
		{"npm", "2.0.0-beta.1", "<2.0.0", true},
		{"npm", "2.0.0-beta.1", "<2.0.0-0", false},
		{"npm", "2.0.0-beta.1", ">=2.0.0-0", true},
		{"npm", "2.0.0-beta.10", ">2.0.0-beta.9", true},
		{"npm", "1.10.0", ">1.9.0", true},
		{"npm", "1.2.3", "=1.2.3", true},
		{"npm", "1.2.3+build.5", "=1.2.3", true},
		{"npm", "1.2.3", "<=1.2.2", false},
		{"npm", "^1.2.3", ">=0.0.1", false},
		{"npm", "latest", ">=0.0.1", false},
		{"npm", "workspace:*", ">=0.0.1", false},
		{"npm", "1.x", ">=0.0.1", false},
		{"npm", "", ">=0.0.1", false},
		{"PyPI", "1.13.1", "<1.14.0", true},
		{"PyPI", "1.14.0", "<1.14.0", false},
		{"PyPI", "1.14", "<1.14.0", false},
		{"PyPI", "2.0.0a1", "<2.0.0", true},
		{"PyPI", "2.0.0a1", "<2.0.0.dev0", false},
		{"PyPI", "4.0.0b1", ">=4.0.0.dev0", true},
		{"PyPI", "4.0.0b1", "<4.0.0", true},
		{"PyPI", "2.13.0.2", ">2.13.0.1,<2.13.1", true},
		{"PyPI", "1.14.0.post1", ">=1.14.0", true},
		{"PyPI", "2.12.0rc1", "<2.12.0", true},
		{"PyPI", ">=1.2,<2", ">=0.1", false},
		{"PyPI", "1.*", ">=0.1", false},
		{"Go", "v0.1.0", "<0.2.0", true},
		{"Go", "v0.2.0", "<0.2.0", false},
		{"Go", "0.2.0", ">=0.2.0", true},
		{"Go", "v0.0.0-20250101120000-abcdefabcdef", "<0.1.0", true},
		{"Go", "v1.7.1-0.20260801000000-abcdefabcdef", ">=1.7.0", true},
		{"Go", "v1.7.1-0.20260801000000-abcdefabcdef", "<1.7.1", true},
		{"Go", "v1.7.0-pre.1", ">=1.7.0", false},
		{"Go", "v1.7.0-pre.1", ">=1.7.0-pre.1", true},
		{"Go", "v2.0.0+incompatible", ">=2.0.0", true},
		{"Go", "(devel)", ">=0.0.1", false},
		{"Go", "master", ">=0.0.1", false},
		{"", "1.0.0", ">=0.1.0", false},
		{"npm", "1.0.0", "nonsense", false},
	}
	for _, tt := range tests {
		if got := sdk.InRange(tt.ecosystem, tt.version, tt.rng); got != tt.want {
			t.Errorf("InRange(%q, %q, %q) = %v, want %v", tt.ecosystem, tt.version, tt.rng, got, tt.want)
		}
	}
}

func TestImported(t *testing.T) {
	tests := []struct{ lang, module, want string }{ // want: the IDs in All's order
		{"typescript", "@modelcontextprotocol/sdk/server/mcp.js", "@modelcontextprotocol/sdk"},
		{"typescript", "@modelcontextprotocol/sdk/server", "@modelcontextprotocol/sdk"},
		{"javascript", "@modelcontextprotocol/sdk", "@modelcontextprotocol/sdk"},
		{"typescript", "npm:@modelcontextprotocol/sdk@^1.2.0/server/mcp.js", "@modelcontextprotocol/sdk"},
		{"typescript", "npm:/@modelcontextprotocol/sdk/types.js", "@modelcontextprotocol/sdk"},
		{"typescript", "https://cdn.example/@modelcontextprotocol/sdk@1.20.0/server/index.js?target=deno", "@modelcontextprotocol/sdk"},
		{"typescript", "https://cdn.example/npm/@modelcontextprotocol/server@2.0.0", "@modelcontextprotocol/server"},
		{"typescript", "https://cdn.example/v135/mcp-lite@0.10.0", "mcp-lite"},
		{"typescript", "https://example.org/docs/agents/mcp", ""},
		{"typescript", "@modelcontextprotocol/sdk-extra", ""},
		{"typescript", "@modelcontextprotocol/sdk.js", ""},
		{"typescript", "@modelcontextprotocol/inspector", ""},
		{"typescript", "./@modelcontextprotocol/sdk", ""},
		{"typescript", "@modelcontextprotocol/server/stdio", "@modelcontextprotocol/server"},
		{"typescript", "@modelcontextprotocol/server-legacy/sse", "@modelcontextprotocol/server"},
		{"typescript", "@modelcontextprotocol/server-everything", ""},
		{"typescript", "@modelcontextprotocol/express", "@modelcontextprotocol/server"},
		{"typescript", "@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"},
		{"typescript", "fastmcp", "fastmcp (npm)"},
		{"typescript", "fastmcp/edge", "fastmcp (npm)"},
		{"typescript", "fastmcp.server", ""},
		{"typescript", "agents/mcp", "agents"},
		{"typescript", "agents", ""},
		{"typescript", "agents/mcp/client", ""},
		{"typescript", "mcp-handler", "mcp-handler 1.x, mcp-handler 2.x"},
		{"typescript", "mcp-use/server", "mcp-use (npm) 1.x, mcp-use (npm) 2.x"},
		{"typescript", "mcp", ""},
		{"typescript", "ai", "ai"},
		{"typescript", "ai/react", ""},
		{"python", "mcp", "mcp 1.x, mcp 2.x"},
		{"python", "mcp.server.fastmcp", "mcp 1.x, mcp 2.x"},
		{"python", "mcp.server.stdio", "mcp 1.x, mcp 2.x"},
		{"python", "mcp_types.version", "mcp 2.x"},
		{"python", "mcp_utils", ""},
		{"python", "mcp_server.app", ""},
		{"python", "mcp/server", ""},
		{"python", ".mcp.server", ""},
		{"python", "fastmcp", "fastmcp 2.x, fastmcp 3.x, fastmcp 4.x, fastmcp proxy"},
		{"python", "fastmcp.server.proxy", "fastmcp 2.x, fastmcp 3.x, fastmcp 4.x, fastmcp proxy"},
		{"python", "fastmcp_extras", ""},
		{"python", "fastapi_mcp", "fastapi-mcp"},
		{"python", "mcp_use.server", "mcp-use (PyPI)"},
		{"python", "jsonrpcserver", "jsonrpcserver"},
		{"go", "github.com/modelcontextprotocol/go-sdk/mcp", "github.com/modelcontextprotocol/go-sdk"},
		{"go", "github.com/modelcontextprotocol/go-sdk/oauthex", ""},
		{"go", "github.com/mark3labs/mcp-go/server", "github.com/mark3labs/mcp-go"},
		{"go", "github.com/mark3labs/mcp-go/client/transport", "github.com/mark3labs/mcp-go"},
		{"go", "github.com/mark3labs/mcp-go/server/internal/gen", ""},
		{"go", "github.com/riza-io/mcp-go", "github.com/riza-io/mcp-go"},
		{"go", "github.com/someone/mcp-go/server", ""},
		{"go", "github.com/metoro-io/mcp-golang", "github.com/metoro-io/mcp-golang"},
		{"go", "github.com/metoro-io/mcp-golang-tools", ""},
	}
	for _, tt := range tests {
		var ids []string
		for _, s := range sdk.All() {
			if s.Ecosystem == languages[tt.lang] && s.Imported(tt.module) {
				ids = append(ids, s.ID())
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(ids, ", ")); diff != "" {
			t.Errorf("import of %s in %s identifies (-want +got):\n%s", tt.module, tt.lang, diff)
		}
	}
}

// What a version does to a ping, where versions differ.
func TestAnswers(t *testing.T) {
	type answer struct {
		Channel        mcpaudit.Channel
		Since, FixedIn string
	}
	const result, err, silence, forwarded = mcpaudit.ChannelResult, mcpaudit.ChannelProtocolError, mcpaudit.ChannelSilence, mcpaudit.ChannelForwarded
	tests := []struct {
		name, version string
		client        bool
		want          answer
		note          string // a part of it
	}{
		{name: "github.com/metoro-io/mcp-golang", version: "v0.1.0", want: answer{err, "", "0.2.0"}},
		{name: "github.com/metoro-io/mcp-golang", version: "v0.2.0", want: answer{result, "0.2.0", ""}},
		{name: "github.com/metoro-io/mcp-golang", version: "v0.0.0-20241210000000-abcdefabcdef", want: answer{err, "", "0.2.0"}},
		{name: "github.com/metoro-io/mcp-golang", version: "", want: answer{result, "0.2.0", ""}},
		{name: "github.com/metoro-io/mcp-golang", version: "v0.16.0", client: true, want: answer{err, "", ""}},
		{name: "github.com/riza-io/mcp-go", version: "v0.1.0", want: answer{err, "", "0.2.0"}},
		{name: "github.com/riza-io/mcp-go", version: "v0.4.5", want: answer{result, "0.2.0", ""}},
		{name: "github.com/mark3labs/mcp-go", version: "v0.4.0", want: answer{result, "0.1.0", ""}, note: "params"},
		{name: "github.com/mark3labs/mcp-go", version: "v1.2.1", want: answer{result, "0.1.0", ""}},
		{name: "github.com/mark3labs/mcp-go", version: "v0.32.0", client: true, want: answer{silence, "", "0.40.0"}},
		{name: "github.com/mark3labs/mcp-go", version: "v0.39.1", client: true, want: answer{err, "", "0.40.0"}},
		{name: "github.com/mark3labs/mcp-go", version: "v0.40.0", client: true, want: answer{result, "0.40.0", ""}},
		{name: "github.com/modelcontextprotocol/go-sdk", version: "v0.1.0", want: answer{result, "0.1.0", ""}},
		{name: "mcp", version: "1.13.1", want: answer{result, "0.5.0", ""}, note: "before the handshake"},
		{name: "mcp", version: "1.14.0", want: answer{result, "0.5.0", ""}},
		{name: "mcp", version: "1.2.1", client: true, want: answer{silence, "", "1.3.0"}},
		{name: "mcp", version: "1.3.0", client: true, want: answer{result, "1.3.0", ""}},
		{name: "mcp", version: "2.0.0b1", want: answer{result, "2.0.0", ""}},
		{name: "fastmcp", version: "2.14.5", want: answer{result, "0.5.0", ""}},
		{name: "fastmcp", version: "4.0.0b1", want: answer{result, "2.0.0", ""}},
		{name: "fastmcp proxy", version: "3.3.1", want: answer{result, "", ""}},
		{name: "fastmcp proxy", version: "3.4.0", want: answer{forwarded, "3.4.0", ""}},
		{name: "fastmcp proxy", version: "4.2.3", want: answer{forwarded, "3.4.0", ""}},
		{name: "@modelcontextprotocol/sdk", version: "1.32.2", want: answer{result, "0.1.0", ""}},
		{name: "@modelcontextprotocol/sdk", version: "", client: true, want: answer{result, "0.1.0", ""}},
		{name: "@modelcontextprotocol/server", version: "2.0.0", want: answer{result, "2.0.0", ""}},
		{name: "mcp-handler", version: "1.0.2", want: answer{result, "0.1.0", ""}},
		{name: "mcp-handler", version: "2.4.0", want: answer{result, "2.0.0", ""}},
		{name: "@vercel/mcp-adapter", version: "1.0.0", want: answer{result, "0.1.0", ""}},
		{name: "@ai-sdk/mcp", version: "0.0.8", client: true, want: answer{silence, "", "1.0.45"}},
		{name: "@ai-sdk/mcp", version: "1.0.0-beta.13", client: true, want: answer{silence, "", "1.0.45"}},
		{name: "@ai-sdk/mcp", version: "1.0.44", client: true, want: answer{err, "", "1.0.45"}},
		{name: "@ai-sdk/mcp", version: "1.0.45", client: true, want: answer{result, "1.0.45", ""}},
	}
	for _, tt := range tests {
		s := sdk.Get(tt.name, tt.version)
		if s == nil {
			t.Errorf("%s %s: no row", tt.name, tt.version)
			continue
		}
		a := s.Answers(tt.version)
		if tt.client {
			a = s.ClientAnswers(tt.version)
		}
		if a == nil {
			t.Errorf("%s %s: no answer", tt.name, tt.version)
			continue
		}
		if diff := cmp.Diff(tt.want, answer{a.Channel, a.Since, a.FixedIn}); diff != "" {
			t.Errorf("%s %s, client %v (-want +got):\n%s", tt.name, tt.version, tt.client, diff)
		}
		if !strings.Contains(a.Note, tt.note) {
			t.Errorf("%s %s: note %q, want one on %q", tt.name, tt.version, a.Note, tt.note)
		}
		if a.Channel == mcpaudit.ChannelResult {
			want := mcpaudit.Shape{Kind: mcpaudit.ShapeObject, Text: "{}"}
			if diff := cmp.Diff(want, a.Body); diff != "" {
				t.Errorf("%s %s: body (-want +got):\n%s", tt.name, tt.version, diff)
			}
		}
	}
}

func TestServesEras(t *testing.T) {
	const no, yes, unknown = mcpaudit.No, mcpaudit.Yes, mcpaudit.Unknown
	tests := []struct {
		name, version string
		modern        mcpaudit.Tri
	}{
		{"@modelcontextprotocol/sdk", "1.32.2", no},
		{"@modelcontextprotocol/server", "2.4.0", unknown}, // it depends on how the server is carried
		{"mcp", "1.30.0", no},
		{"mcp", "2.0.0", yes},
		{"fastmcp", "3.4.11", no},
		{"fastmcp", "4.2.3", yes},
		{"github.com/modelcontextprotocol/go-sdk", "v1.6.1", no},
		{"github.com/modelcontextprotocol/go-sdk", "v1.7.0", yes},
		{"github.com/modelcontextprotocol/go-sdk", "", unknown},
		{"github.com/mark3labs/mcp-go", "v0.58.0", no},
		{"github.com/mark3labs/mcp-go", "v1.0.0", yes},
		{"tmcp", "1.19.4", no},
		{"tmcp", "1.20.0", yes},
	}
	for _, tt := range tests {
		got := sdk.Get(tt.name, tt.version).ServesEras(tt.version)
		if got.Legacy != yes || got.Modern != tt.modern {
			t.Errorf("%s %s: legacy %v, modern %v; want legacy %v, modern %v", tt.name, tt.version, got.Legacy, got.Modern, yes, tt.modern)
		}
	}
}

// The ways to change a ping that decide verdicts, by SDK, inherited ones included.
func TestAllChanges(t *testing.T) {
	has := func(name, version string, form sdk.ChangeForm, member, key string) mcpaudit.Change {
		for _, c := range sdk.Get(name, version).AllChanges() {
			if c.Form != form || c.Name != member {
				continue
			}
			if key == "" && len(c.Keys) == 0 {
				return c.Does
			}
			for _, k := range c.Keys {
				if k == key {
					return c.Does
				}
			}
		}
		return ""
	}
	tests := []struct {
		name, version string
		form          sdk.ChangeForm
		member, key   string
		want          mcpaudit.Change
	}{
		{"@modelcontextprotocol/sdk", "", sdk.CallForm, "setRequestHandler", "PingRequestSchema", mcpaudit.Replaced},
		{"@modelcontextprotocol/sdk", "", sdk.CallForm, "setRequestHandler", "ping", mcpaudit.Rejected},
		{"@modelcontextprotocol/sdk", "", sdk.CallForm, "removeRequestHandler", "ping", mcpaudit.Removed},
		{"@modelcontextprotocol/server", "", sdk.CallForm, "setRequestHandler", "ping", mcpaudit.Replaced},
		{"@modelcontextprotocol/server", "", sdk.CallForm, "setRequestHandler", "PingRequestSchema", ""},
		{"mcp-handler", "1.1.0", sdk.CallForm, "setRequestHandler", "ping", mcpaudit.Rejected},
		{"mcp-handler", "2.4.0", sdk.CallForm, "setRequestHandler", "ping", mcpaudit.Replaced},
		{"mcp", "1.30.0", sdk.StoreForm, "request_handlers", "PingRequest", mcpaudit.Replaced},
		{"mcp", "1.30.0", sdk.KeywordForm, "on_ping", "", ""},
		{"mcp", "2.3.0", sdk.KeywordForm, "on_ping", "", mcpaudit.Replaced},
		{"fastmcp", "2.14.5", sdk.DeleteForm, "request_handlers", "PingRequest", mcpaudit.Removed},
		{"fastmcp", "3.4.11", sdk.AroundForm, "add_middleware", "", ""},
		{"fastmcp", "4.2.3", sdk.AroundForm, "add_middleware", "", mcpaudit.Wrapped},
		{"fastmcp", "4.2.3", sdk.CallForm, "add_request_handler", "ping", mcpaudit.Replaced},
		{"github.com/modelcontextprotocol/go-sdk", "", sdk.MiddleForm, "AddReceivingMiddleware", "", mcpaudit.Wrapped},
		{"github.com/modelcontextprotocol/go-sdk", "", sdk.CallForm, "AddReceivingCustomMethod", "ping", mcpaudit.Rejected},
		{"github.com/mark3labs/mcp-go", "", sdk.CallForm, "AddOnRequestInitialization", "", mcpaudit.Wrapped},
		{"github.com/metoro-io/mcp-golang", "", sdk.CallForm, "SetRequestHandler", "ping", ""},
		{"github.com/strowk/foxy-contexts", "", sdk.CallForm, "SetRequestHandler", "PingRequest", mcpaudit.Replaced},
		{"github.com/riza-io/mcp-go", "", sdk.OverrideForm, "Ping", "", mcpaudit.Replaced},
	}
	for _, tt := range tests {
		if got := has(tt.name, tt.version, tt.form, tt.member, tt.key); got != tt.want {
			t.Errorf("%s %s: %s %s(%s) does %q, want %q", tt.name, tt.version, tt.form, tt.member, tt.key, got, tt.want)
		}
	}
}

func TestGet(t *testing.T) {
	tests := []struct{ name, version, want string }{
		{"mcp", "1.30.0", "mcp 1.x"},
		{"mcp", "2.0.0a1", "mcp 2.x"},
		{"mcp", "", "mcp 1.x"},
		{"mcp 2.x", "", "mcp 2.x"},
		{"mcp 2.x", "1.0.0", ""},
		{"mcp", "nonsense", ""},
		{"no-such-sdk", "", ""},
	}
	for _, tt := range tests {
		got := ""
		if s := sdk.Get(tt.name, tt.version); s != nil {
			got = s.ID()
		}
		if got != tt.want {
			t.Errorf("Get(%q, %q) = %q, want %q", tt.name, tt.version, got, tt.want)
		}
	}
}

func TestRegisterRefusesBrokenRange(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "~1.2") {
			t.Errorf("recovered %v, want a panic that quotes the range", r)
		}
	}()
	sdk.Register(&sdk.SDK{Name: "broken", Ping: []sdk.Answer{{Versions: "~1.2"}}})
}
