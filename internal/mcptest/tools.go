package mcptest

import (
	"context"
	"slices"
	"strconv"
)

// listTools answers tools/list. extra is a member of the result that the era wants, with its comma.
func (v *server) listTools(m *message, extra string) *reply {
	if _, ok := members(m.params)["cursor"]; ok { // there is one page, so that no cursor was ever given out
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "unknown cursor"})
	}
	tools := []any{}
	for _, name := range v.tools {
		tools = append(tools, tool(name))
	}
	return &reply{frames: [][]byte{response(m.id, `"result":{`+extra+`"tools":`+encode(tools)+`}`)}}
}

func tool(name string) map[string]any {
	schema := map[string]any{"type": "object"}
	about := "Says that it was called. It has no effects."
	switch name {
	case "echo":
		about = "Returns the text that it is given."
		schema["properties"] = map[string]any{"message": map[string]any{"type": "string", "description": "The text to return."}}
		schema["required"] = []string{"message"}
	case "slow":
		about = "Waits for a while before it answers. It has no effects."
	}
	return map[string]any{"name": name, "description": about, "inputSchema": schema, "annotations": map[string]any{"readOnlyHint": true}}
}

// callTool answers tools/call. A call of slow can be cancelled in a session, which knows whose call it was; s is nil in
// the modern era, where the end of the connection would do it.
func (v *server) callTool(s *session, m *message, extra string) *reply {
	p := members(m.params)
	name, ok := text(p["name"])
	switch args := p["arguments"]; {
	case !ok:
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "the name of the tool is missing"})
	case !slices.Contains(v.tools, name):
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "unknown tool: " + strconv.Quote(name)})
	case args != nil && args[0] != '{':
		return v.refuse(m.id, &rpcError{Code: codeInvalidParams, Message: "arguments is not an object"})
	}
	said, failed := name+" was called", false
	if name == "echo" {
		if said, ok = text(members(p["arguments"])["message"]); !ok {
			said, failed = "message is not a string", true
		}
	}
	content := encode([]any{map[string]any{"type": "text", "text": said}})
	r := &reply{frames: [][]byte{response(m.id, `"result":{`+extra+`"content":`+content+`,"isError":`+strconv.FormatBool(failed)+`}`)}}
	if name != "slow" {
		return r
	}
	r.wait = v.slow
	if s != nil && !s.stateless {
		ctx, cancel := context.WithCancel(context.Background())
		id := string(m.id)
		s.running[id], r.stopped = cancel, ctx.Done()
		r.done = func() {
			cancel()
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.running, id)
		}
	}
	return r
}
