package read

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/mcpaudit/mcpaudit"
)

// Model reads the whole program: the servers that SDKs answer for, the author's own routers grouped into servers,
// and the clients.
func (p *Program) Model(look Lookup) (servers []*mcpaudit.Server, clients []*mcpaudit.Client, gaps []mcpaudit.Gap) {
	guard := func(what string, fn func()) {
		defer func() {
			if r := recover(); r != nil {
				gaps = append(gaps, mcpaudit.Gap{Reason: mcpaudit.GapCrash, Detail: fmt.Sprintf("%s: %v", what, r)})
			}
		}()
		fn()
	}
	var routers []found
	guard("read SDK servers", func() { servers, clients = p.SDKServers(look) })
	guard("read routers", func() { routers = p.Routers() })
	guard("read routers of libraries", func() { routers = append(routers, p.LibraryRouters(look)...) })
	servers = append(servers, group(routers, look)...)
	slices.SortStableFunc(servers, func(a, b *mcpaudit.Server) int {
		x, y := a.Evidence[0].Span, b.Evidence[0].Span
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Start, y.Start))
	})
	distinguish(servers)
	return servers, clients, gaps
}

// distinguish gives servers with one name the file that makes them as a surname: a verdict is about one server.
func distinguish(servers []*mcpaudit.Server) {
	count := map[string]int{}
	for _, s := range servers {
		count[s.Name]++
	}
	seen := map[string]bool{}
	for _, s := range servers {
		name := s.Name
		if count[name] > 1 {
			s.Name = fmt.Sprintf("%s (%s)", name, s.Evidence[0].Span.File)
		}
		for n := 2; seen[s.Name]; n++ {
			s.Name = fmt.Sprintf("%s (%s, %d)", name, s.Evidence[0].Span.File, n)
		}
		seen[s.Name] = true
	}
}

// group makes one server of the routers of one folder: they are its transports or revisions.
func group(routers []found, look Lookup) []*mcpaudit.Server {
	var out []*mcpaudit.Server
	byDir := map[string]*mcpaudit.Server{}
	for _, f := range routers {
		file := f.cand.fn.File
		dir := path.Dir(file.Path)
		s := byDir[dir+"\x00"+file.Lang]
		if s == nil {
			s = &mcpaudit.Server{Lang: file.Lang, Evidence: []mcpaudit.Evidence{f.router.Evidence}}
			byDir[dir+"\x00"+file.Lang] = s
			out = append(out, s)
		}
		if s.Name == "" && f.name.Known {
			s.Name = f.name.Text
		}
		name := f.router.Name
		for n := 1; slices.ContainsFunc(s.Routers, func(r *mcpaudit.Router) bool { return r.Name == f.router.Name }); n++ {
			f.router.Name = fmt.Sprintf("%s in %s", name, path.Base(file.Path))
			if n > 1 {
				f.router.Name += fmt.Sprintf(" (%d)", n)
			}
		}
		s.Eras.Merge(f.router.Eras)
		if f.stdio && !slices.Contains(s.Transports, "stdio") {
			s.Transports = append(s.Transports, "stdio")
		}
		s.Routers = append(s.Routers, f.router)
		s.Tools = append(s.Tools, f.tools...)
	}
	for _, s := range out {
		if s.Name == "" {
			s.Name = nameOf(mcpaudit.Value{}, s.Evidence[0].Span.File, look)
		}
	}
	return out
}
