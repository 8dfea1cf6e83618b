package mcptest

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// envelope is what every modern request carries in its _meta: version is empty if there is none.
func envelope(m *message) (version string, complete bool) {
	meta := members(members(m.params)["_meta"])
	version, ok := text(meta[metaVersion])
	return version, ok && members(meta[metaCapabilities]) != nil
}

// modern answers one message of an era without handshakes, in which every request stands alone. h is nil over stdio.
func (v *server) modern(m *message, h http.Header) *reply {
	switch {
	case m.problem != nil:
		return v.malformed(m.id, m.problem)
	case m.id == nil || m.response:
		// A client of this era has no responses to send. One that does so anyway is not worth an answer.
		return &reply{accepted: true}
	}
	version, complete := envelope(m)
	switch {
	case m.method == "initialize" && version == "":
		// A client of the other era: it is told what would be understood here.
		asked, _ := text(members(m.params)["protocolVersion"])
		return v.unsupported(m, asked)
	case !complete:
		return v.modernError(m, http.StatusBadRequest, &rpcError{Code: codeInvalidParams, Message: "the _meta of the request lacks " + metaVersion + " or " + metaCapabilities})
	}
	if problem := headerProblem(m, version, h); problem != "" {
		return v.modernError(m, http.StatusBadRequest, &rpcError{Code: codeHeaderMismatch, Message: problem})
	}
	if version != modernVersion {
		return v.unsupported(m, version)
	}
	start := `"resultType":"complete","_meta":` + encode(map[string]any{metaServerInfo: v.info()}) + `,`
	switch m.method {
	case "server/discover":
		return v.discover(m, start)
	case "tools/list":
		return v.listTools(m, start+`"ttlMs":0,"cacheScope":"private",`)
	case "tools/call":
		return v.callTool(nil, m, start)
	case "ping":
		return v.modernPing(m)
	}
	if v.has("unknown-silent") {
		return &reply{}
	}
	return v.modernError(m, http.StatusNotFound, &rpcError{Code: codeMethodNotFound, Message: "method not found: " + m.method})
}

// modernPing refuses what the era does not have, unless it is told otherwise.
func (v *server) modernPing(m *message) *reply {
	r := v.modernError(m, http.StatusNotFound, &rpcError{Code: codeMethodNotFound, Message: "method not found: ping"})
	switch {
	case v.has("ping-modern-answers"):
		r = &reply{frames: [][]byte{response(m.id, `"result":{}`)}}
	case v.has("ping-modern-status"):
		r.status = http.StatusOK
	}
	r.wire = v.wireFault()
	return r
}

func (v *server) modernError(m *message, status int, e *rpcError) *reply {
	r := v.refuse(m.id, e)
	r.status = status
	return r
}

// unsupported names the versions that may stand in an envelope.
func (v *server) unsupported(m *message, asked string) *reply {
	return v.modernError(m, http.StatusBadRequest, &rpcError{Code: codeVersion, Message: "unsupported protocol version",
		Data: map[string]any{"supported": []string{modernVersion}, "requested": asked}})
}

func (v *server) discover(m *message, start string) *reply {
	versions := []string{modernVersion}
	if v.era == eraDual {
		for _, version := range slices.Backward(legacyVersions) {
			versions = append(versions, version)
		}
	}
	rest := start + `"supportedVersions":` + encode(versions) + `,"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"`
	if v.has("hostile-strings") {
		rest += `,"instructions":` + encode(hostile)
	}
	return &reply{frames: [][]byte{response(m.id, `"result":{`+rest+`}`)}}
}

// headerProblem compares the headers of a request with its body. Over stdio there are none.
func headerProblem(m *message, version string, h http.Header) string {
	if h == nil {
		return ""
	}
	want := map[string]string{"Mcp-Protocol-Version": version, "Mcp-Method": m.method}
	p := members(m.params)
	switch m.method {
	case "tools/call", "prompts/get":
		want["Mcp-Name"], _ = text(p["name"])
	case "resources/read":
		want["Mcp-Name"], _ = text(p["uri"])
	}
	for _, name := range []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"} {
		if value, ok := want[name]; !ok {
			continue
		} else if got := h.Get(name); got == "" {
			return "the header " + name + " is missing"
		} else if got = plain(got); got != value {
			return "the header " + name + " is not what the body says"
		}
	}
	return ""
}

// plain undoes the encoding of a header whose text is not safe in one.
func plain(s string) string {
	inner, ok := strings.CutPrefix(s, "=?base64?")
	if inner, ok2 := strings.CutSuffix(inner, "?="); ok && ok2 {
		if b, err := base64.StdEncoding.DecodeString(inner); err == nil {
			return string(b)
		}
	}
	return s
}

// eraOf is the era that a message over stdio belongs to. The first request decides for a dual server, as the SDKs do
// it: a ping without an envelope is one of the legacy era.
func (v *server) eraOf(s *session, m *message) string {
	if v.era != eraDual {
		return v.era
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.era == "" && m.request() {
		s.era = eraLegacy
		if version, _ := envelope(m); version != "" {
			s.era = eraModern
		}
	}
	if s.era == "" {
		return eraLegacy
	}
	return s.era
}
