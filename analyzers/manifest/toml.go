package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// value is a TOML value that knows where it stands. Exactly one of table, array and text is meaningful; what is
// neither a table nor an array is its text.
type value struct {
	text   string
	offset int // of a string, else of its key
	table  map[string]*value
	array  []*value
}

// get follows keys through tables. It gives nil, on which every method works, where there is nothing.
func (v *value) get(keys ...string) *value {
	for _, k := range keys {
		if v == nil {
			return nil
		}
		v = v.table[k]
	}
	return v
}

func (v *value) string() string {
	if v == nil {
		return ""
	}
	return v.text
}

func (v *value) list() []*value {
	if v == nil {
		return nil
	}
	return v.array
}

func (v *value) fields() map[string]*value {
	if v == nil {
		return nil
	}
	return v.table
}

// parseTOML builds a tree from the expressions of a document. The decoder of the library keeps no positions, its
// parser does.
func parseTOML(src []byte) (*value, error) {
	var p unstable.Parser
	p.Reset(src)
	root := &value{table: map[string]*value{}}
	at := root
	for p.NextExpression() {
		e := p.Expression()
		var err error
		switch e.Kind {
		case unstable.Table:
			at, err = root.open(e.Key(), false)
		case unstable.ArrayTable:
			at, err = root.open(e.Key(), true)
		case unstable.KeyValue:
			err = at.set(e)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := p.Error(); err != nil {
		var where *unstable.ParserError
		if errors.As(err, &where) {
			return nil, fmt.Errorf("byte %d: %s", p.Range(where.Highlight).Offset, where.Message)
		}
		return nil, err
	}
	return root, nil
}

// open goes to the table of a header and makes what is missing. Through an array of tables the way leads to its
// last table; a header in double brackets adds one.
func (v *value) open(key unstable.Iterator, add bool) (*value, error) {
	for key.Next() {
		name, offset := string(key.Node().Data), int(key.Node().Raw.Offset)
		next := v.table[name]
		switch {
		case add && key.IsLast() && next != nil && next.array == nil:
			return nil, fmt.Errorf("key %q is not an array of tables", name)
		case add && key.IsLast():
			if next == nil {
				next = &value{offset: offset}
				v.table[name] = next
			}
			next.array = append(next.array, &value{offset: offset, table: map[string]*value{}})
		case next == nil:
			next = &value{offset: offset, table: map[string]*value{}}
			v.table[name] = next
		}
		if n := len(next.array); n > 0 {
			next = next.array[n-1]
		}
		if next.table == nil {
			return nil, fmt.Errorf("key %q is no table", name)
		}
		v = next
	}
	return v, nil
}

// set assigns the value of an expression to its key, which may be dotted.
func (v *value) set(e *unstable.Node) error {
	key := e.Key()
	for key.Next() {
		name := string(key.Node().Data)
		if key.IsLast() {
			child, err := convert(e.Value(), int(key.Node().Raw.Offset))
			if err != nil {
				return err
			}
			if v.table[name] != nil {
				return fmt.Errorf("key %q is set twice", name)
			}
			v.table[name] = child
			return nil
		}
		next := v.table[name]
		if next == nil {
			next = &value{offset: int(key.Node().Raw.Offset), table: map[string]*value{}}
			v.table[name] = next
		}
		if next.table == nil {
			return fmt.Errorf("key %q is no table", name)
		}
		v = next
	}
	return nil
}

func convert(n *unstable.Node, offset int) (*value, error) {
	v := &value{offset: offset}
	switch n.Kind {
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			child, err := convert(it.Node(), offset)
			if err != nil {
				return nil, err
			}
			v.array = append(v.array, child)
		}
	case unstable.InlineTable:
		v.table = map[string]*value{}
		for it := n.Children(); it.Next(); {
			if err := v.set(it.Node()); err != nil {
				return nil, err
			}
		}
	default:
		v.text = strings.ToValidUTF8(string(n.Data), "\ufffd")
		if n.Raw.Length > 0 {
			v.offset = int(n.Raw.Offset)
		}
	}
	return v, nil
}
