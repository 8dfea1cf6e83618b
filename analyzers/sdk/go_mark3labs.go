package sdk

import "github.com/mcpaudit/mcpaudit"

// mark3labs/mcp-go. Hooks run in front of the answer: one of them can refuse every method, the others only slow it
// down. Since 0.5.0 no author's code makes the body.
func init() {
	Register(&SDK{
		Name:      "github.com/mark3labs/mcp-go",
		Langs:     []string{"go"},
		Ecosystem: "Go",
		Packages:  []string{"github.com/mark3labs/mcp-go"},
		Imports: []string{
			"github.com/mark3labs/mcp-go/server", "github.com/mark3labs/mcp-go/client/...",
			"github.com/mark3labs/mcp-go/mcp",
		},
		Servers: []Mark{
			{Form: Func, Name: "NewMCPServer", NameArg: 1},
			{Form: Func, Name: "NewDefaultServer", NameArg: 1}, // before 0.5.0
		},
		Clients: []Mark{
			{Form: Func, Name: "NewClient"},
			{Form: Func, Name: "NewStdioMCPClient"},
			{Form: Func, Name: "NewStdioMCPClientWithOptions"},
			{Form: Func, Name: "NewSSEMCPClient"},
			{Form: Func, Name: "NewStreamableHttpClient"},
			{Form: Func, Name: "NewOAuthSSEClient"},
			{Form: Func, Name: "NewOAuthStreamableHttpClient"},
			{Form: Func, Name: "NewInProcessClient"},
			{Form: Func, Name: "NewInProcessClientWithSamplingHandler"},
		},
		Carriers: []Mark{
			{Form: Func, Name: "ServeStdio", Transport: "stdio"},
			{Form: Func, Name: "NewStdioServer", Transport: "stdio"},
			{Form: Func, Name: "NewStreamableHTTPServer", Transport: "streamable-http"},
			{Form: Func, Name: "NewSSEServer", Transport: "http+sse"},
		},
		Ping: []Answer{
			{
				Versions: "<0.5.0", Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.1.0",
				Note: "a ping with params that are not empty is refused before 0.5",
				Cite: "mark3labs/mcp-go server/server.go at v0.1.0 and v0.4.0",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.1.0",
				Cite: "mark3labs/mcp-go server/request_handler.go at 56af04b; the module at v1.2.1",
			},
		},
		ClientPing: []Answer{
			{
				Versions: "<0.33.0", Channel: mcpaudit.ChannelSilence, FixedIn: "0.40.0",
				Note: "the client does not answer what the server asks",
				Cite: "mark3labs/mcp-go client/transport/stdio.go at v0.30.0",
			},
			{
				Versions: "<0.40.0", Channel: mcpaudit.ChannelProtocolError, FixedIn: "0.40.0",
				Note: "the client answers sampling requests only, anything else is an error",
				Cite: "mark3labs/mcp-go client/client.go at v0.34.0 and v0.39.1",
			},
			{
				Channel: mcpaudit.ChannelResult, Body: emptyObject, Since: "0.40.0",
				Cite: "mark3labs/mcp-go client/client.go at v0.40.0",
			},
		},
		Changes: []Change{
			{
				Form: CallForm, Name: "HandlePing", Handler: 1, Does: mcpaudit.Wrapped, Refuses: true,
				Note: "before 0.5: the function may only refuse, the body stays empty",
			},
			{
				Form: CallForm, Name: "AddOnRequestInitialization", Handler: 1, Does: mcpaudit.Wrapped, Refuses: true,
				Note: "an error refuses every method, ping too",
			},
			{Form: CallForm, Name: "AddBeforeAny", Handler: 1, Does: mcpaudit.Wrapped},
			{Form: CallForm, Name: "AddBeforePing", Handler: 1, Does: mcpaudit.Wrapped},
			{Form: CallForm, Name: "AddOnSuccess", Handler: 1, Does: mcpaudit.Wrapped},
			{
				Form: CallForm, Name: "AddAfterPing", Handler: 1, Does: mcpaudit.Wrapped,
				Note: "the hook gets a pointer to the result before it is sent",
			},
		},
		Eras: []EraRow{
			{Versions: "<1.0.0-beta.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.No},
			{Versions: ">=1.0.0-beta.1", Legacy: mcpaudit.Yes, Modern: mcpaudit.Yes},
			{Legacy: mcpaudit.Yes, Modern: mcpaudit.Unknown},
		},
		Empties: []string{"EmptyResult"},
		Cite:    "mark3labs/mcp-go server/server.go, server/hooks.go at 56af04b; the module at v1.2.1",
	})
}
