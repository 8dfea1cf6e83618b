package read

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

var verbs = named(`%[-+# 0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]`)

// envelopeText reads a JSON-RPC message that stands in the source as text, with holes where values go in. A hole
// becomes null, or a part of the string that it stands in.
func envelopeText(text string, span mcpaudit.Span) (value, bool) {
	if !strings.Contains(text, `"jsonrpc"`) || len(text) > 1<<16 {
		return value{}, false
	}
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return value{}, false
	}
	var doc any
	if json.Unmarshal([]byte(text[start:end+1]), &doc) != nil {
		return value{}, false
	}
	v := fromJSON(doc)
	v.encoded, v.span = true, span
	return v, v.k == object
}

// fromJSON turns decoded JSON into a value.
func fromJSON(doc any) value {
	switch d := doc.(type) {
	case map[string]any:
		o := &fields{vals: map[string]value{}}
		for _, k := range slices.Sorted(maps.Keys(d)) {
			v := fromJSON(d[k])
			if k == "id" {
				v = value{present: true}
			}
			o = o.with(k, v)
		}
		return value{k: object, obj: o}
	case []any:
		return value{k: array, obj: &fields{open: true}}
	case string:
		return stringValue(d)
	case float64:
		return value{k: number, s: strconv.FormatFloat(d, 'f', -1, 64)}
	case bool:
		return boolValue(d)
	}
	return value{k: null}
}

// raw reads JSON text that stands in the source, as far as it is one of the short bodies.
func raw(v value) value {
	switch t := strings.Join(strings.Fields(v.s), ""); {
	case t == "{}":
		return value{k: object, obj: &fields{vals: map[string]value{}}, encoded: true, span: v.span}
	case t == "null":
		return value{k: null, encoded: true, span: v.span}
	case t == "[]":
		return value{k: array, obj: &fields{}, encoded: true, span: v.span}
	}
	return v
}
