package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// eras collects what says which revisions the router serves.
func (r *reader) eras(rt *mcpaudit.Router, c *candidate, methods []string) {
	at := func(method string) mcpaudit.Evidence {
		for _, t := range c.tests {
			if t.method == method {
				return mcpaudit.At(mcpaudit.Related, t.span, "a route for "+method)
			}
		}
		return rt.Evidence
	}
	shakes := slices.Contains(methods, "initialize") && !r.refuses("initialize")
	discovers := slices.Contains(methods, "server/discover") && !r.refuses("server/discover")
	if shakes {
		rt.Eras.Legacy = mcpaudit.Yes
		rt.Eras.Evidence = append(rt.Eras.Evidence, at("initialize"))
	}
	if discovers {
		rt.Eras.Modern = mcpaudit.Yes
		rt.Eras.Evidence = append(rt.Eras.Evidence, at("server/discover"))
	}
	var named mcpaudit.Eras
	for _, f := range r.p.pkgFiles(c.fn.File) {
		revisions(f, &named)
	}
	// The name of a revision proves that it is served only where the method that opens its era is there, or where
	// neither of the two methods is: clients name revisions too, and an error may list them.
	for _, rev := range named.Revisions {
		if rev.Modern() && shakes && !discovers || !rev.Modern() && discovers && !shakes {
			continue
		}
		rt.Eras.Add(rev, revisionAt(named, rev))
	}
	if discovers && !shakes {
		rt.Eras.Legacy = mcpaudit.No
	}
}

func revisionAt(e mcpaudit.Eras, rev mcpaudit.Revision) mcpaudit.Evidence {
	for _, ev := range e.Evidence {
		if strings.HasSuffix(ev.Note, string(rev)) {
			return ev
		}
	}
	return mcpaudit.Evidence{}
}

// refuses reports whether every way of a method that could be followed ends in an error.
func (r *reader) refuses(method string) bool {
	if r.md.weak {
		return false
	}
	seen := false
	for _, f := range r.run(r.root, method, value{}) {
		if !r.agrees(f) {
			continue
		}
		if w := answer(f, "", r.md); w.out.Channel != mcpaudit.ChannelProtocolError {
			return false
		}
		seen = true
	}
	return seen
}

// revisions adds the revisions that string literals of a file name.
func revisions(f *code.File, e *mcpaudit.Eras) {
	add := func(x *code.Expr) {
		if x.Kind == code.String && len(x.Text) == 10 && slices.Contains(mcpaudit.Revisions, mcpaudit.Revision(x.Text)) {
			e.Add(mcpaudit.Revision(x.Text), mcpaudit.At(mcpaudit.Related, x.Span, "names revision "+x.Text))
		}
	}
	visit := func(list []*code.Stmt) {
		eachStmt(list, func(s *code.Stmt) { eachExpr(s, add) })
	}
	visit(f.Top)
	for _, fn := range f.Funcs {
		visit(fn.Body)
	}
}
