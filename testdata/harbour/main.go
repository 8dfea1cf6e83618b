// Command harbour is a small MCP server for trying mcpaudit out. It was written by hand, and its answer to ping is one
// that many authors think of first.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var req request
		if json.Unmarshal(lines.Bytes(), &req) != nil || req.ID == nil {
			continue // broken, or a notification, which wants no answer
		}
		reply, err := json.Marshal(handle(req))
		if err != nil {
			continue
		}
		fmt.Println(string(reply))
	}
}

func handle(req request) response {
	r := response{JSONRPC: "2.0", ID: req.ID}
	switch req.Method {
	case "initialize":
		r.Result = map[string]any{
			"protocolVersion": "2025-11-25",
			"capabilities":    map[string]any{"tools": map[string]any{}},
			"serverInfo":      map[string]any{"name": "harbour", "version": "1.0.0"},
		}
	case "ping":
		r.Result = "pong"
	case "tools/list":
		r.Result = map[string]any{"tools": []any{map[string]any{
			"name": "berths", "description": "How many berths are free", "inputSchema": map[string]any{"type": "object"},
		}}}
	case "tools/call":
		r.Result = map[string]any{"content": []any{map[string]any{"type": "text", "text": "7"}}}
	default:
		r.Error = map[string]any{"code": -32601, "message": "unknown method " + req.Method}
	}
	return r
}
