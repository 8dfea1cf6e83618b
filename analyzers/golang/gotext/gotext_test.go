package gotext

import (
	"go/token"
	"slices"
	"testing"
)

func TestImportName(t *testing.T) {
	for _, tt := range []struct {
		path string
		used []string
		want string
	}{
		{"encoding/json", nil, "json"},
		{"example.com/x/mcp", []string{"mcp"}, "mcp"},
		{"example.com/x/mcp/v2", []string{"mcp"}, "mcp"},
		{"example.com/x/api/v1", []string{"v1"}, "v1"},
		{"example.com/x/go-sdk", []string{"sdk"}, "sdk"},
		{"example.com/x/mcp-golang", []string{"fmt", "mcp_golang"}, "mcp_golang"},
		{"example.com/yaml.v3", []string{"yaml"}, "yaml"},
		{"example.com/x/redis-go", []string{"redis"}, "redis"},
		{"example.com/x/kit.go", []string{"kit"}, "kit"},
		{"example.com/x/mcp-go", nil, "mcp_go"},
		{"", nil, "_"},
		{"9p", nil, "_9p"},
	} {
		got := ImportName(tt.path, func(n string) bool { return slices.Contains(tt.used, n) })
		if got != tt.want {
			t.Errorf("ImportName(%q, used %q) = %q, want %q", tt.path, tt.used, got, tt.want)
		}
	}
}

func TestJSONTag(t *testing.T) {
	for _, tt := range []struct{ tag, name, drop string }{
		{"", "", ""},
		{`json:"a"`, "a", ""},
		{`json:"a,omitempty"`, "a", "omitempty"},
		{`json:",omitempty"`, "", "omitempty"},
		{`json:"a,omitempty,omitzero"`, "a", "omitzero"},
		{`json:"a,string"`, "a", ""},
		{`json:"-"`, "-", ""},
		{`json:"-,"`, "-", ""},
		{`yaml:"a" json:"b"`, "b", ""},
		{`json:broken`, "", ""},
	} {
		name, drop := JSONTag(tt.tag)
		if name != tt.name || drop != tt.drop {
			t.Errorf("JSONTag(%q) = %q, %q, want %q, %q", tt.tag, name, drop, tt.name, tt.drop)
		}
	}
}

func TestBasicLit(t *testing.T) {
	for _, tt := range []struct {
		kind       token.Token
		text, want string
	}{
		{token.STRING, `"a\n"`, "a\n"},
		{token.STRING, "`a\\n`", `a\n`},
		{token.INT, "0x1F", "0x1F"},
		{token.CHAR, `'a'`, "97"},
		{token.CHAR, `'\''`, "39"},
	} {
		if x := BasicLit(tt.kind, tt.text); x == nil || x.Text != tt.want {
			t.Errorf("BasicLit(%s) = %+v, want %q", tt.text, x, tt.want)
		}
	}
	for _, tt := range []struct {
		kind token.Token
		text string
	}{{token.STRING, `"a`}, {token.STRING, `"\q"`}, {token.CHAR, `''`}, {token.CHAR, `'ab'`}, {token.CHAR, "'"}} {
		if x := BasicLit(tt.kind, tt.text); x != nil {
			t.Errorf("BasicLit(%s) = %+v, want nil", tt.text, x)
		}
	}
}
