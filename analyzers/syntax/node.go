package syntax

import "github.com/mcpaudit/mcpaudit"

// Node is one node of a concrete syntax tree, copied out of tree-sitter so that no further call crosses into C
// and goroutines may share it.
type Node struct {
	Type       string // the grammar's name of the node; interned
	Field      string // the field of its parent that it fills, or ""
	Named      bool
	Missing    bool // put there by error recovery
	Start, End int
	Parent     *Node
	Children   []*Node
}

// Child returns the first child in the field, or nil. It is safe on nil.
func (n *Node) Child(field string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c.Field == field {
			return c
		}
	}
	return nil
}

// All returns the children in the field.
func (n *Node) All(field string) []*Node {
	var out []*Node
	if n != nil {
		for _, c := range n.Children {
			if c.Field == field {
				out = append(out, c)
			}
		}
	}
	return out
}

// NamedChildren returns the named children without comments.
func (n *Node) NamedChildren() []*Node {
	var out []*Node
	if n != nil {
		for _, c := range n.Children {
			if c.Named && c.Type != "comment" && c.Type != "line_comment" && c.Type != "block_comment" {
				out = append(out, c)
			}
		}
	}
	return out
}

// First returns the first child of one of the types, or nil.
func (n *Node) First(types ...string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		for _, t := range types {
			if c.Type == t {
				return c
			}
		}
	}
	return nil
}

// Is reports whether the node has one of the types. It is safe on nil.
func (n *Node) Is(types ...string) bool {
	if n == nil {
		return false
	}
	for _, t := range types {
		if n.Type == t {
			return true
		}
	}
	return false
}

// Tree is one parsed file.
type Tree struct {
	Path     string
	Lang     string
	Src      []byte
	Root     *Node
	Captures []Capture // of all queries of the language, in source order
	Gaps     []mcpaudit.Gap
}

// Capture is a node that a query of the language names.
type Capture struct {
	Name       string // without the @
	Start, End int
}

// Text returns the source of a node, or "" for nil.
func (t *Tree) Text(n *Node) string {
	if n == nil {
		return ""
	}
	return string(t.Src[n.Start:n.End])
}

// Span returns the place of a node.
func (t *Tree) Span(n *Node) mcpaudit.Span {
	if n == nil {
		return mcpaudit.Span{File: t.Path}
	}
	return mcpaudit.Span{File: t.Path, Start: n.Start, End: n.End}
}

// Captured returns the texts of the captures with the name, in source order, repeats included.
func (t *Tree) Captured(name string) []string {
	var out []string
	for _, c := range t.Captures {
		if c.Name == name {
			out = append(out, string(t.Src[c.Start:c.End]))
		}
	}
	return out
}
