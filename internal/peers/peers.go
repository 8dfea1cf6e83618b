// Package peers holds real MCP servers for tests of the prober: programs on the SDKs that servers are written with, each
// at one version. They come from the package registries and are installed once, into a cache outside of the tree.
//
// The servers of our own offer two tools, "echo" (text) and "slow" (seconds), and write nothing but MCP on stdout. What
// each of them was seen to answer stands in measured.md.
package peers

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// A Transport is a way to talk to a server.
type Transport string

const (
	Stdio Transport = "stdio"
	HTTP  Transport = "http" // Streamable HTTP
	SSE   Transport = "sse"  // HTTP+SSE, the transport of 2024-11-05
)

// Transports lists them in the order of Peer.Ways.
var Transports = []Transport{Stdio, HTTP, SSE}

// An Era says which life cycle a server knows: one that a handshake opens, one where each request stands alone, or both.
type Era string

const (
	Legacy Era = "legacy"
	Modern Era = "modern"
	Dual   Era = "dual"
)

// Peer is a server that can be installed and run.
type Peer struct {
	Name     string
	Language string
	SDK      string // the package that the server is built on, or that it is
	Own      bool   // our own words, so it has the tools "echo" and "slow"
	Ways     map[Transport]Way

	unit *unit
}

// Way is how a peer is reached over one transport, and what it was seen to do there.
type Way struct {
	Era Era
	// Revisions are those that an initialize is answered with when it offers them. What else is offered is answered
	// with one of these, or refused.
	Revisions []string
	Path      string // of the URL

	argv []string // "{dir}" is where the peer is installed, "{port}" where it shall listen
	env  []string
}

// Offers says whether the peer can be reached over a transport.
func (p Peer) Offers(tr Transport) bool { return p.Ways[tr].argv != nil }

// Version reads the version of the SDK from the pin, which is the only place that it stands in.
func (p Peer) Version(t testing.TB) string {
	t.Helper()
	pin, err := os.ReadFile(p.unit.pin(t))
	if err != nil {
		t.Fatalf("read the pin of %s: %v", p.Name, err)
	}
	m := regexp.MustCompile(regexp.QuoteMeta(p.unit.word(p.SDK)) + `[^0-9]+([0-9][^"\s<]*)`).FindSubmatch(pin)
	if m == nil {
		t.Fatalf("find the version of %s in %s", p.SDK, p.unit.pin(t))
	}
	return string(m[1])
}

// All returns every peer.
func All() []Peer { return slices.Clone(all) }

var to2025 = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// What comes after 2025-11-25 has no handshake, so no server ought to agree to it in one; some do.
var to2026 = append(slices.Clip(to2025), "2026-07-28")

var all = []Peer{
	{
		Name: "typescript-v1", Language: "TypeScript", SDK: "@modelcontextprotocol/sdk", Own: true, unit: npmSDK1,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", []string{"node", "{dir}/server.mjs", "stdio"}, nil},
			HTTP:  {Legacy, to2025, "/mcp", []string{"node", "{dir}/server.mjs", "http", "{port}"}, nil},
			SSE:   {Legacy, to2025, "/sse", []string{"node", "{dir}/server.mjs", "sse", "{port}"}, nil},
		},
	},
	{
		Name: "typescript-v2", Language: "TypeScript", SDK: "@modelcontextprotocol/server", Own: true, unit: npmSDK2,
		Ways: map[Transport]Way{
			Stdio: {Dual, to2025, "", []string{"node", "{dir}/server.mjs", "stdio"}, nil},
			HTTP:  {Dual, to2025, "/mcp", []string{"node", "{dir}/server.mjs", "http", "{port}"}, nil},
		},
	},
	{
		Name: "typescript-v2-modern", Language: "TypeScript", SDK: "@modelcontextprotocol/server", Own: true, unit: npmSDK2,
		Ways: map[Transport]Way{
			Stdio: {Modern, nil, "", []string{"node", "{dir}/server.mjs", "stdio", "modern"}, nil},
			HTTP:  {Modern, nil, "/mcp", []string{"node", "{dir}/server.mjs", "http", "{port}", "modern"}, nil},
		},
	},
	{
		Name: "everything", Language: "TypeScript", SDK: "@modelcontextprotocol/server-everything", unit: npmReference,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", []string{"node", reference + "everything/dist/index.js", "stdio"}, nil},
			HTTP:  {Legacy, to2025, "/mcp", loopback("everything/dist/index.js", "streamableHttp"), []string{"PORT={port}"}},
			SSE:   {Legacy, to2025, "/sse", loopback("everything/dist/index.js", "sse"), []string{"PORT={port}"}},
		},
	},
	{
		Name: "filesystem", Language: "TypeScript", SDK: "@modelcontextprotocol/server-filesystem", unit: npmReference,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", []string{"node", reference + "filesystem/dist/index.js", "{dir}"}, nil},
		},
	},
	{
		Name: "memory", Language: "TypeScript", SDK: "@modelcontextprotocol/server-memory", unit: npmReference,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", []string{"node", reference + "memory/dist/index.js"}, nil},
		},
	},
	{
		Name: "sequential-thinking", Language: "TypeScript", SDK: "@modelcontextprotocol/server-sequential-thinking", unit: npmReference,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", []string{"node", reference + "sequential-thinking/dist/index.js"}, nil},
		},
	},
	{
		Name: "python-v1", Language: "Python", SDK: "mcp", Own: true, unit: pythonMCP1,
		Ways: python(Legacy, to2025),
	},
	{
		Name: "python-v2", Language: "Python", SDK: "mcp", Own: true, unit: pythonMCP2,
		Ways: python(Dual, to2025),
	},
	{
		Name: "fastmcp", Language: "Python", SDK: "fastmcp", Own: true, unit: pythonFastMCP,
		Ways: python(Dual, to2025),
	},
	{
		Name: "go-sdk", Language: "Go", SDK: "github.com/modelcontextprotocol/go-sdk", Own: true, unit: goSDK,
		Ways: map[Transport]Way{
			Stdio: {Dual, to2025, "", []string{"{dir}/peer", "stdio"}, nil},
			HTTP:  {Legacy, to2025, "/mcp", []string{"{dir}/peer", "http", "{port}"}, nil},
			SSE:   {Legacy, to2025, "/sse", []string{"{dir}/peer", "sse", "{port}"}, nil},
		},
	},
	{
		Name: "go-sdk-stateless", Language: "Go", SDK: "github.com/modelcontextprotocol/go-sdk", Own: true, unit: goSDK,
		Ways: map[Transport]Way{
			HTTP: {Dual, to2025, "/mcp", []string{"{dir}/peer", "stateless", "{port}"}, nil},
		},
	},
	{
		Name: "mcp-go", Language: "Go", SDK: "github.com/mark3labs/mcp-go", Own: true, unit: goMCPGo,
		Ways: map[Transport]Way{
			Stdio: {Dual, to2025, "", []string{"{dir}/peer", "stdio"}, nil},
			HTTP:  {Dual, to2025, "/mcp", []string{"{dir}/peer", "http", "{port}"}, nil},
			SSE:   {Dual, to2025, "/sse", []string{"{dir}/peer", "sse", "{port}"}, nil},
		},
	},
	{
		Name: "rust-v1", Language: "Rust", SDK: "rmcp", Own: true, unit: rustSDK1,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2026, "", []string{"{dir}/bin/peer"}, nil},
		},
	},
	{
		Name: "rust-v3", Language: "Rust", SDK: "rmcp", Own: true, unit: rustSDK3,
		Ways: map[Transport]Way{
			Stdio: {Dual, to2025, "", []string{"{dir}/bin/peer", "stdio"}, nil},
			HTTP:  {Dual, to2025, "/mcp", []string{"{dir}/bin/peer", "http", "{port}"}, nil},
		},
	},
	{
		Name: "java", Language: "Java", SDK: "io.modelcontextprotocol.sdk:mcp", Own: true, unit: javaSDK,
		Ways: map[Transport]Way{
			Stdio: {Legacy, to2025, "", java("Peer"), nil},
		},
	},
	{
		Name: "java-modern", Language: "Java", SDK: "io.modelcontextprotocol.sdk:mcp", Own: true, unit: javaSDK,
		Ways: map[Transport]Way{
			Stdio: {Modern, nil, "", java("Modern"), nil},
		},
	},
}

const reference = "{dir}/node_modules/@modelcontextprotocol/server-"

// loopback starts a server of the reference package so that it cannot be reached from another machine.
func loopback(file string, args ...string) []string {
	return append([]string{"node", "--import", "{dir}/loopback.mjs", reference + file}, args...)
}

func python(era Era, revisions []string) map[Transport]Way {
	argv := []string{"{dir}/venv/bin/python", "{dir}/server.py"}
	return map[Transport]Way{
		Stdio: {era, revisions, "", append(slices.Clip(argv), "stdio"), nil},
		HTTP:  {era, revisions, "/mcp", append(slices.Clip(argv), "http", "{port}"), nil},
		SSE:   {era, revisions, "/sse", append(slices.Clip(argv), "sse", "{port}"), nil},
	}
}

// The virtual machine is told not to optimize: it lives for moments.
func java(class string) []string {
	return []string{"java", "-XX:TieredStopAtLevel=1", "-cp", "{dir}/target/classes:{dir}/target/lib/*", class}
}
