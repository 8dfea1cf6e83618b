//go:build cgo

package typescript

import (
	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

// name is what a value is bound to, so that functions can be found by it. The zero name is that of a value in the
// middle of an expression.
type name struct {
	text   string
	class  string // the class or the path of the object that the name is a member of
	fields string // the Class of functions that are members of the value
	// inner marks a member of an object that has no name itself: its functions have a name, but nothing leads to
	// them by it.
	inner bool
	span  mcpaudit.Span
}

// member names what is bound to a key of the object that n names.
func (n name) member(key *code.Expr) name {
	text := code.Field{Key: key}.KeyText()
	if text == "" {
		return name{}
	}
	m := name{text: text, class: n.fields, fields: text, span: key.Span}
	if n.fields != "" {
		m.fields = n.fields + "." + text
	}
	m.inner = n.text == "" || n.inner
	return m
}

// local names a variable or an export.
func (l *lowering) local(n *syntax.Node) name {
	return name{text: l.text(n), fields: l.text(n), span: l.span(n)}
}

// defaultName names the value of export default. Nothing but the export itself can be pointed at.
func defaultName() name { return name{text: "default", fields: "default"} }

// target names the left side of an assignment.
func (l *lowering) target(n *syntax.Node) name {
	n = bareNode(n)
	switch {
	case n.Is("identifier"):
		if l.text(n) == "exports" {
			return name{text: "default", span: l.span(n)}
		}
		return l.local(n)
	case n.Is("member_expression"):
		return l.memberTarget(child(n, "object"), l.text(child(n, "property")), child(n, "property"))
	case n.Is("subscript_expression"):
		index := child(n, "index")
		if index.Is("string") {
			return l.memberTarget(child(n, "object"), l.stringText(index), index)
		}
	}
	return name{}
}

func (l *lowering) memberTarget(object *syntax.Node, property string, at *syntax.Node) name {
	owner := l.path(object)
	switch {
	case property == "":
		return name{}
	case owner == "module" && property == "exports":
		return name{text: "default", span: l.span(at)}
	case owner == "exports" || owner == "module.exports":
		return l.exported(property, at)
	case owner == "":
		return name{}
	}
	if object = bareNode(object); object.Is("member_expression") && l.text(child(object, "property")) == "prototype" {
		owner = l.path(child(object, "object"))
	}
	return name{text: property, class: owner, fields: owner + "." + property, span: l.span(at)}
}

func (l *lowering) exported(property string, at *syntax.Node) name {
	if property == "default" {
		n := defaultName()
		n.span = l.span(at)
		return n
	}
	return name{text: property, fields: property, span: l.span(at)}
}

// path spells a chain of members, with the class in place of this; "" if it is anything else.
func (l *lowering) path(n *syntax.Node) string {
	n = bareNode(n)
	switch {
	case n.Is("identifier"):
		return l.text(n)
	case n.Is("this"):
		return l.class
	case n.Is("member_expression"):
		owner, property := l.path(child(n, "object")), l.text(child(n, "property"))
		if owner == "" || property == "" {
			return ""
		}
		return owner + "." + property
	}
	return ""
}
