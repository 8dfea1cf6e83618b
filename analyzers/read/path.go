package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// accessPath is the canonical spelling of an expression that reads a part of a variable: x.method, x["method"],
// x.get("method"), x?.method and x.Method are the same path in lower case of the last part. It is "" for others.
func accessPath(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name:
		return e.Text
	case code.Member:
		if x := accessPath(e.X); x != "" {
			return x + "." + canonical(e.Text)
		}
	case code.Index:
		if len(e.Args) == 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			if x := accessPath(e.X); x != "" {
				return x + "." + canonical(e.Args[0].Text)
			}
		}
	case code.Call:
		if e.X == nil {
			return ""
		}
		if e.X.Kind == code.Member && (e.X.Text == "get" || e.X.Text == "Get" || e.X.Text == "getString" || e.X.Text == "pop") &&
			len(e.Args) >= 1 && e.Args[0] != nil && e.Args[0].Kind == code.String {
			if x := accessPath(e.X.X); x != "" {
				return x + "." + canonical(e.Args[0].Text)
			}
		}
		name := dotted(e.X)
		if e.X.Kind == code.Member && len(e.Args) == 0 {
			// Getters and conversions of the thing itself: req.GetMethod(), method.lower(), req.method().
			if x := accessPath(e.X.X); x != "" {
				if passThrough.MatchString(e.X.Text) {
					return x
				}
				if c := canonical(e.X.Text); c == "method" || c == "getmethod" || c == "get_method" {
					return x + ".method"
				}
			}
		}
		if len(e.Args) == 1 && passThrough.MatchString(name) {
			return accessPath(e.Args[0])
		}
		// getattr(x, "method", None)
		if name == "getattr" && len(e.Args) >= 2 && e.Args[1] != nil && e.Args[1].Kind == code.String {
			if x := accessPath(e.Args[0]); x != "" {
				return x + "." + canonical(e.Args[1].Text)
			}
		}
	case code.Await:
		return accessPath(e.X)
	case code.Assign: // (method := msg.get("method")) == "ping"
		return accessPath(e.Y)
	case code.Binary:
		// method || "", body.method ?? body.type: the first operand counts.
		if e.Text == "||" || e.Text == "??" {
			return accessPath(e.X)
		}
	case code.Template:
		if len(e.Args) == 1 && e.Text == "" {
			return accessPath(e.Args[0])
		}
	}
	return ""
}

func canonical(s string) string { return strings.ToLower(strings.TrimPrefix(s, "#")) }
