// Package gotext is what the typed and the untyped reader of Go share: how literals, struct tags, types and imports
// are read from their text. It is apart from both so that they cannot drift apart.
package gotext

import (
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// OneLine folds white space, so that the text of a type can be compared.
func OneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "struct {}" || s == "struct { }" {
		return "struct{}"
	}
	return s
}

// JSONTag reads the json key of a struct tag: the name on the wire ("-" for a field that never gets there) and
// what the encoder drops. omitzero is the stronger of the two, since an empty struct is dropped by it alone.
func JSONTag(tag string) (name, drop string) {
	v, ok := reflect.StructTag(tag).Lookup("json")
	if !ok {
		return "", ""
	}
	if v == "-" {
		return "-", ""
	}
	name, opts, _ := strings.Cut(v, ",")
	list := strings.Split(opts, ",")
	switch {
	case slices.Contains(list, "omitzero"):
		drop = "omitzero"
	case slices.Contains(list, "omitempty"):
		drop = "omitempty"
	}
	return name, drop
}

// BasicLit decodes a literal token; a rune is its number. It returns nil for a malformed one.
func BasicLit(kind token.Token, text string) *code.Expr {
	switch kind {
	case token.STRING:
		if s, err := strconv.Unquote(text); err == nil {
			return &code.Expr{Kind: code.String, Text: s}
		}
	case token.CHAR:
		if len(text) > 2 {
			if r, _, tail, err := strconv.UnquoteChar(text[1:len(text)-1], '\''); err == nil && tail == "" {
				return &code.Expr{Kind: code.Number, Text: strconv.Itoa(int(r))}
			}
		}
	default:
		return &code.Expr{Kind: code.Number, Text: text}
	}
	return nil
}

// predeclared is sorted by name; any and comparable count as types here.
var predeclared = []string{
	"any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16",
	"int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
}

// Predeclared reports whether a name is a type that every file knows.
func Predeclared(name string) bool { return slices.Contains(predeclared, name) }
