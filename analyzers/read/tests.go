package read

import (
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// test is one place where code compares something with a method.
type test struct {
	method string
	path   string // access path of what is compared, seen through local names
	raw    string // the same as it is written
	form   mcpaudit.Form
	span   mcpaudit.Span // the comparison, the arm or the key
	head   mcpaudit.Span // the construct as a whole, to point at
	typed  bool          // compares the type of the message: path is the message itself
}

// tests collects the comparisons in one function, without those of functions inside it.
func (p *Program) tests(fn *code.Func) []test {
	c := &collector{p: p, fn: fn, fr: &frame{fn: fn, file: fn.File}, m: &machine{p: p}, alias: map[string]string{}}
	eachStmt(fn.Body, c.stmt)
	for i := range c.out {
		c.out[i].raw = c.out[i].path
		c.out[i].path = c.resolve(c.out[i].raw)
	}
	return c.out
}

type collector struct {
	p     *Program
	fn    *code.Func
	fr    *frame
	m     *machine
	alias map[string]string // local name -> access path it was read from
	out   []test
}

// resolve follows aliases: after "const method = msg.method", method is msg.method.
func (c *collector) resolve(path string) string {
	for range 4 {
		head, rest, dot := strings.Cut(path, ".")
		a, ok := c.alias[head]
		if !ok {
			return path
		}
		if path = a; dot {
			path += "." + rest
		}
	}
	return path
}

func (c *collector) stmt(s *code.Stmt) {
	if s.Kind == code.StmtAssign {
		for i, l := range s.LHS {
			if l == nil {
				continue
			}
			var src *code.Expr
			if len(s.Exprs) == len(s.LHS) {
				src = s.Exprs[i]
			} else if len(s.Exprs) == 1 && i == 0 {
				src = s.Exprs[0]
			}
			c.note(l, src)
		}
	}
	if s.Kind == code.StmtSwitch {
		c.arms(s)
	}
	head := mcpaudit.Span{}
	if s.Kind == code.StmtIf && s.Cond != nil {
		head = mcpaudit.Span{File: s.Span.File, Start: s.Span.Start, End: s.Cond.Span.End}
	}
	eachExpr(s, func(e *code.Expr) {
		if e.Kind == code.Assign && e.X != nil {
			c.note(e.X, e.Y)
		}
	})
	eachExpr(s, func(e *code.Expr) {
		if !slices.Contains(s.LHS, e) { // a store into a table is no test
			c.expr(e, head)
		}
	})
}

// note remembers where a local name comes from. A name with two sources has none.
func (c *collector) note(l, src *code.Expr) {
	switch l.Kind {
	case code.Name:
		p := accessPath(src)
		if p == "" || p == l.Text || !strings.Contains(p, ".") && p != c.resolve(p) {
			if p == "" && src != nil && src.Kind == code.Assign {
				p = accessPath(src.Y)
			}
			if p == "" {
				return
			}
		}
		if head, _, _ := strings.Cut(p, "."); head == l.Text {
			return
		}
		if old, ok := c.alias[l.Text]; ok && old != p {
			return
		}
		c.alias[l.Text] = p
	case code.Binding:
		if base := accessPath(src); base != "" {
			c.fields(l.Fields, base)
		}
	}
}

func (c *collector) fields(fs []code.Field, base string) {
	for _, f := range fs {
		if f.Value == nil || f.Key == nil {
			continue
		}
		p := base + "." + canonical(f.KeyText())
		switch f.Value.Kind {
		case code.Name:
			c.alias[f.Value.Text] = p
		case code.Binding:
			c.fields(f.Value.Fields, p)
		}
	}
}

func (c *collector) add(t test) {
	if t.path != "" && (isMethod(t.method) || strings.HasSuffix(t.method, "/")) {
		c.out = append(c.out, t)
	}
}

// methodOf is the method that an expression stands for: a literal, or a constant.
func (c *collector) methodOf(e *code.Expr) (string, bool) {
	if e == nil {
		return "", false
	}
	switch e.Kind {
	case code.String:
		return e.Text, true
	case code.Name, code.Member:
		// A constant: a plain name of the function itself would be a variable.
		root := e
		for root.Kind == code.Member && root.X != nil {
			root = root.X
		}
		if root.Kind == code.Name && isParam(c.fn, root.Text) {
			return "", false
		}
		if v := c.m.peek(state{}, c.fr, e); v.k == str && !v.encoded {
			return v.s, true
		}
	}
	return "", false
}

func isParam(fn *code.Func, name string) bool {
	return slices.ContainsFunc(fn.Params, func(p code.Param) bool { return p.Name == name })
}

func (c *collector) arms(s *code.Stmt) {
	path := accessPath(s.Cond)
	head := mcpaudit.Span{File: s.Span.File, Start: s.Span.Start, End: s.Span.Start}
	if s.Cond != nil {
		head.End = s.Cond.Span.End
	}
	for _, cs := range s.Cases {
		for _, v := range cs.Values {
			if v == nil {
				continue
			}
			if v.Kind == code.Binding {
				c.binding(v, path, head)
				continue
			}
			if s.Cond == nil {
				continue // seen as an expression
			}
			if m, ok := c.methodOf(v); ok {
				span := v.Span
				if cs.Span.End > 0 {
					span = cs.Span
				}
				c.add(test{method: m, path: path, form: mcpaudit.FormSwitch, span: span, head: head})
			}
		}
	}
}

func (c *collector) binding(v *code.Expr, path string, head mcpaudit.Span) {
	if m, ok := requestTypes[lastPart(v.Text)]; ok {
		c.add(test{method: m, path: path, form: mcpaudit.FormTypes, span: v.Span, head: head, typed: true})
	}
	for _, f := range v.Fields {
		if f.KeyText() == "method" && f.Value != nil && f.Value.Kind == code.String {
			c.add(test{method: f.Value.Text, path: path + ".method", form: mcpaudit.FormSwitch, span: v.Span, head: head})
		}
	}
}

func (c *collector) expr(e *code.Expr, head mcpaudit.Span) {
	if head.End == 0 {
		head = e.Span
	}
	chain := func(x, y *code.Expr) {
		if m, ok := c.methodOf(y); ok {
			c.add(test{method: m, path: accessPath(x), form: mcpaudit.FormChain, span: e.Span, head: head})
		}
	}
	switch {
	case e.Kind == code.Binary && (e.Text == "==" || e.Text == "!="):
		if _, ok := c.methodOf(e.Y); ok {
			chain(e.X, e.Y)
		} else {
			chain(e.Y, e.X)
		}
	case e.Kind == code.Binary && (e.Text == "in" || e.Text == "not in"):
		c.set(e, e.Y, accessPath(e.X), head)
	case e.Kind == code.Binary && e.Text == "instanceof":
		if m, ok := requestTypes[lastName(e.Y)]; ok {
			c.add(test{method: m, path: accessPath(e.X), form: mcpaudit.FormTypes, span: e.Span, head: head, typed: true})
		}
	case e.Kind == code.Index && len(e.Args) == 1 && e.Args[0] != nil && e.Args[0].Kind != code.String:
		c.table(e, e.X, accessPath(e.Args[0]), head)
	case e.Kind == code.Call && e.X != nil:
		c.call(e, head)
	}
}

func (c *collector) call(e *code.Expr, head mcpaudit.Span) {
	name := dotted(e.X)
	last := lastPart(name)
	arg := func(i int) *code.Expr {
		if i < len(e.Args) {
			return e.Args[i]
		}
		return nil
	}
	if name == "isinstance" && len(e.Args) == 2 {
		types := []*code.Expr{arg(1)}
		if arg(1) != nil && arg(1).Kind == code.Array {
			types = arg(1).Args
		}
		for _, t := range types {
			if m, ok := requestTypes[lastName(t)]; ok {
				c.add(test{method: m, path: accessPath(arg(0)), form: mcpaudit.FormTypes, span: e.Span, head: head, typed: true})
			}
		}
		return
	}
	x, y := (*code.Expr)(nil), arg(0)
	if e.X.Kind == code.Member {
		x = e.X.X
	}
	if name == "strings.HasPrefix" || name == "strings.EqualFold" {
		x, y = arg(0), arg(1)
		last = strings.ToLower(strings.TrimPrefix(name, "strings."))
	}
	switch last {
	case "startsWith", "startswith", "hasprefix", "equals", "equalfold", "equalsIgnoreCase":
		if m, ok := c.methodOf(y); ok {
			c.add(test{method: m, path: accessPath(x), form: mcpaudit.FormChain, span: e.Span, head: head})
		} else if m, ok := c.methodOf(x); ok {
			c.add(test{method: m, path: accessPath(y), form: mcpaudit.FormChain, span: e.Span, head: head})
		}
	case "hasOwn":
		c.table(e, arg(0), accessPath(arg(1)), head)
	case "get", "has", "includes", "contains", "hasOwnProperty", "Contains", "call":
		if x != nil && y != nil && y.Kind != code.String {
			if last == "call" { // Object.prototype.hasOwnProperty.call(table, method)
				c.table(e, y, accessPath(arg(1)), head)
				return
			}
			if name == "slices.Contains" {
				x, y = y, arg(1)
			}
			c.table(e, x, accessPath(y), head)
		}
	}
}

// set is a membership test in a literal list or in something that a name stands for.
func (c *collector) set(e, set *code.Expr, path string, head mcpaudit.Span) {
	if path == "" {
		return
	}
	c.table(e, set, path, head)
}

// table is a lookup by a computed key. It counts if the key is called like a method and the table has methods.
func (c *collector) table(e, tbl *code.Expr, path string, head mcpaudit.Span) {
	last := strings.ToLower(lastPart(path))
	if path == "" || tbl == nil || !strings.Contains(last, "method") && last != "m" && last != "type" && last != "action" && last != "command" && last != "op" {
		return
	}
	v := c.m.peek(state{}, c.fr, tbl)
	if v.k == unknown {
		v = c.local(tbl)
	}
	form := mcpaudit.FormTable
	switch {
	case v.k == object && !v.encoded:
		n := 0
		for _, k := range v.obj.keys {
			if slices.Contains(anchors, k) {
				n++
			}
		}
		if n < 2 {
			return
		}
		for _, k := range v.obj.keys {
			span := head
			switch x := v.obj.vals[k]; {
			case x.key.End > 0:
				span = x.key
			case x.span.End > 0:
				span = x.span
			}
			c.add(test{method: k, path: path, form: form, span: span, head: head})
		}
	case v.k == array && !v.encoded:
		for _, x := range v.obj.elems {
			if x.k == str {
				c.add(test{method: x.s, path: path, form: mcpaudit.FormChain, span: e.Span, head: head})
			}
		}
	}
}

// local evaluates a table that a variable of the same function holds.
func (c *collector) local(tbl *code.Expr) value {
	if tbl.Kind != code.Name {
		return value{}
	}
	var found *code.Expr
	eachStmt(c.fn.Body, func(s *code.Stmt) {
		if s.Kind == code.StmtAssign && len(s.LHS) == 1 && len(s.Exprs) == 1 && s.LHS[0] != nil && s.LHS[0].Kind == code.Name && s.LHS[0].Text == tbl.Text {
			found = s.Exprs[0]
		}
	})
	if found == nil || found.Kind == code.Index {
		return value{}
	}
	return c.m.peek(state{}, c.fr, found)
}
