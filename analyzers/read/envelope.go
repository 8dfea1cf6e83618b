package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// isEnvelope reports whether a value is a JSON-RPC response: a result or an error beside an id or a jsonrpc member,
// or in a class that is called a response.
func isEnvelope(v value) bool {
	if v.k != object || v.obj == nil {
		return false
	}
	answer, mark := false, strings.Contains(strings.ToLower(v.obj.typ), "rpc") || strings.HasSuffix(strings.ToLower(v.obj.typ), "response")
	for _, k := range v.obj.keys {
		switch strings.ToLower(k) {
		case "result", "error":
			answer = true
		case "id", "jsonrpc", "request_id", "requestid":
			mark = true
		case "method":
			return false // a request that is passed on
		}
	}
	if !answer && has(v.obj, "jsonrpc") && has(v.obj, "id") && v.obj.cls == nil && !v.obj.open && !has(v.obj, "params") {
		return true // a response from which the result was left out
	}
	if !answer && v.obj.cls != nil && mark {
		// A struct whose result was left out: Response{JSONRPC: "2.0", ID: id}.
		answer = slices.ContainsFunc(v.obj.cls.Fields, func(f code.ClassField) bool {
			return strings.EqualFold(f.Name, "result") || f.JSON == "result"
		}) && (has(v.obj, "id") || has(v.obj, "ID") || has(v.obj, "jsonrpc"))
	}
	return answer && mark
}

func first(es []*code.Expr) *code.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0]
}
