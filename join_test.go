package mcpaudit_test

import (
	"testing"

	"github.com/mcpaudit/mcpaudit"
)

func TestJoin(t *testing.T) {
	server := func(name string, tools ...string) *mcpaudit.Server {
		s := &mcpaudit.Server{Name: name, Routers: []*mcpaudit.Router{{Name: "handle", Form: mcpaudit.FormSwitch}}}
		for _, x := range tools {
			s.Tools = append(s.Tools, mcpaudit.Tool{Name: x})
		}
		return s
	}
	inTests := server("files")
	inTests.Routers[0].Test = true
	for _, tt := range []struct {
		name   string
		heard  *mcpaudit.Server
		asked  string
		read   []*mcpaudit.Server
		want   string // the name of the twin; "" is none
		how    string
		failed bool
	}{
		{"by name", server("files"), "", []*mcpaudit.Server{server("other"), server("files")}, "files", "by its name", false},
		{"a name that two have", server("files"), "", []*mcpaudit.Server{server("files"), server("files")}, "", "", false},
		{"a name in the tests only", server("files"), "", []*mcpaudit.Server{inTests}, "", "", false},
		{"by tools", server("live", "a", "b", "c"), "", []*mcpaudit.Server{server("one", "x"), server("two", "a", "b", "c", "d")}, "two", "by its tools", false},
		{"half the tools are too few", server("live", "a", "b"), "", []*mcpaudit.Server{server("one", "a", "c")}, "", "", false},
		{"tools that two have", server("live", "a"), "", []*mcpaudit.Server{server("one", "a"), server("two", "a")}, "", "", false},
		{"no tools", server("live"), "", []*mcpaudit.Server{server("one")}, "", "", false},
		{"as the user says", server("live"), "one", []*mcpaudit.Server{server("one"), server("live")}, "one", "named by the user", false},
		{"as the user says wrongly", server("live"), "none", []*mcpaudit.Server{server("live")}, "", "", true},
	} {
		repo := &mcpaudit.Repo{Servers: tt.read}
		tt.heard.Routers[0].Form = mcpaudit.FormWire
		tt.heard.Transports = []mcpaudit.Transport{"stdio"}
		tt.heard.Eras.Add("2025-11-25", mcpaudit.Evidence{})
		before := len(tt.read)
		how, err := repo.Join(tt.heard, tt.asked)
		if (err != nil) != tt.failed || how != tt.how {
			t.Errorf("%s: found %q, error %v", tt.name, how, err)
		}
		var twin *mcpaudit.Server
		for _, s := range tt.read {
			if len(s.Routers) == 2 {
				twin = s
			}
		}
		switch {
		case tt.want == "" && twin != nil:
			t.Errorf("%s: joined %s", tt.name, twin.Name)
		case tt.want == "" && !tt.failed && len(repo.Servers) != before+1:
			t.Errorf("%s: the server that was heard is lost", tt.name)
		case tt.want == "":
		case twin == nil || twin.Name != tt.want || tt.heard.Name != tt.want || len(repo.Servers) != before:
			t.Errorf("%s: want twin %s, got %+v", tt.name, tt.want, twin)
		case len(twin.Transports) != 1 || twin.Eras.Legacy != mcpaudit.Yes:
			t.Errorf("%s: the twin has not learnt what was heard: %+v", tt.name, twin)
		}
	}
}
