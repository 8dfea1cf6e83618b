package read

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/sdk"
)

// Version is what the manifests of a tree say of a package.
type Version struct {
	Version, Range string
	Evidence       *mcpaudit.Evidence
}

// Lookup is what the reader asks the rest of the tree.
type Lookup struct {
	// Version finds the version of the first of the packages that the nearest manifest of a file names.
	Version func(ecosystem string, packages []string, file string) (Version, bool)
	// Name is what the nearest manifest calls the program that a file belongs to.
	Name func(file string) (name string, ok bool)
}

// use is one SDK that a file imports, with the local names of what it imports from it.
type use struct {
	sdk   *sdk.SDK
	names map[string]string // local -> exported name; "*" for a whole module
	types map[string]bool   // local names that are imported for their type only
}

// uses lists the SDKs that a file imports. A module of the tree that is merely called like one is none, unless the
// tree is the SDK's own.
func (p *Program) uses(f *code.File, look Lookup) []use {
	if out, ok := p.used[f]; ok {
		return out
	}
	var out []use
	for _, s := range sdk.All() {
		if !slices.Contains(s.Langs, f.Lang) {
			continue
		}
		u := use{sdk: s, names: map[string]string{}, types: map[string]bool{}}
		for _, imp := range f.Imports {
			if !s.Imported(imp.Module) {
				if name := p.reexported(f, imp, s); name != "" && !imp.TypeOnly {
					u.names[imp.Local] = name
				}
				continue
			}
			if t := p.target(f, imp.Module); t != nil {
				if own, ok := look.Name(t.Path); !ok || !slices.Contains(s.Packages, own) {
					continue
				}
			}
			if imp.TypeOnly {
				u.types[imp.Name] = true
				continue
			}
			if imp.Local != "" {
				u.names[imp.Local] = imp.Name
			} else {
				u.names["\x00"+imp.Module] = "*"
			}
		}
		if len(u.names)+len(u.types) > 0 {
			out = append(out, u)
		}
	}
	p.used[f] = out
	return out
}

// reexported says which name of an SDK an import gets through a file of the tree that passes it on, or "".
func (p *Program) reexported(f *code.File, imp code.Import, s *sdk.SDK) string {
	if imp.Local == "" || imp.Name == "*" || f.Lang == "go" || !s.Marks(imp.Name) {
		return ""
	}
	t := p.target(f, imp.Module)
	if t == nil || t == f {
		return ""
	}
	for _, i := range t.Imports {
		if i.Local == imp.Name && i.Name != "*" && !i.TypeOnly && s.Imported(i.Module) && p.target(t, i.Module) == nil {
			return i.Name
		}
	}
	return ""
}

// exported says which exported name of the SDK an expression refers to, or "".
func (u use) exported(e *code.Expr) string {
	switch {
	case e == nil:
		return ""
	case e.Kind == code.Name:
		if n := u.names[e.Text]; n != "*" && n != "default" {
			return n
		} else if n == "default" {
			return e.Text
		}
	case e.Kind == code.Member:
		root := e.X
		for root != nil && root.Kind == code.Member {
			root = root.X
		}
		if root == nil || root.Kind != code.Name {
			return ""
		}
		switch n := u.names[root.Text]; n {
		case "":
			return ""
		case "*", "default":
			return e.Text
		default: // from mcp import types; types.PingRequest: the last part; FastMCP.from_openapi: both
			return n + "." + e.Text
		}
	case e.Kind == code.Index, e.Kind == code.Call && e.X != nil && e.X.Kind == code.Index: // Server[State]
		return u.exported(e.X)
	}
	return ""
}

// marked finds the mark of a call, class or import, by its exported name.
func marked(marks []sdk.Mark, name string, forms ...sdk.MarkForm) *sdk.Mark {
	if name == "" {
		return nil
	}
	for i, m := range marks {
		if slices.Contains(forms, m.Form) && (m.Name == name || strings.HasSuffix(name, "."+m.Name)) {
			return &marks[i]
		}
	}
	return nil
}

// sdkServer is a server that an SDK answers for, while its changes are being collected.
type sdkServer struct {
	*mcpaudit.Server
	sdk    *sdk.SDK
	file   *code.File
	object string // the name that holds the server object, "" if unknown
	router *mcpaudit.Router
	ping   *mcpaudit.Route
}

// SDKServers finds the servers and clients that are made with SDKs.
func (p *Program) SDKServers(look Lookup) (servers []*mcpaudit.Server, clients []*mcpaudit.Client) {
	var all []*sdkServer
	var carried []carrierIn
	for _, f := range slices.Clone(p.files) {
		for _, u := range p.lines(f, look) {
			if len(u.sdk.Servers) == 0 && len(u.sdk.Clients) == 0 {
				continue
			}
			s, c, carriers := p.marksIn(f, u, look)
			if len(carriers) > 0 {
				carried = append(carried, carrierIn{f, u, carriers})
			}
			if s != nil {
				all = append(all, s)
			}
			if c != nil {
				clients = append(clients, c)
			}
		}
	}
	all = p.outerFrameworks(all)
	for _, c := range carried {
		ch := &changer{p: p, f: c.file, u: c.use, mine: slices.DeleteFunc(slices.Clone(all), func(s *sdkServer) bool {
			return s.sdk.Base() != c.use.sdk.Base()
		})}
		if s := ch.near(""); s != nil {
			s.carry(c.marks)
		}
	}
	for _, f := range slices.Clone(p.files) {
		p.changesIn(f, all, look)
	}
	for _, s := range all {
		servers = append(servers, s.Server)
	}
	return servers, clients
}

// carrierIn are the carriers of one file: they serve the nearest server.
type carrierIn struct {
	file  *code.File
	use   use
	marks []sdk.Mark
}

// lines drops the rows of a package whose version says that another line is meant.
func (p *Program) lines(f *code.File, look Lookup) []use {
	var out []use
	for _, u := range p.uses(f, look) {
		if u.sdk.Versions != "" {
			v, ok := look.Version(u.sdk.Ecosystem, u.sdk.Packages, f.Path)
			if ok && v.Version != "" && !sdk.InRange(u.sdk.Ecosystem, v.Version, u.sdk.Versions) {
				continue
			}
			if (!ok || v.Version == "") && slices.ContainsFunc(out, func(o use) bool { return o.sdk.Name == u.sdk.Name }) {
				// The version is unknown: the line whose marks the file uses, the older one if both fit.
				if s, _, _ := p.marksIn(f, u, look); s == nil {
					continue
				}
				prev := slices.IndexFunc(out, func(o use) bool { return o.sdk.Name == u.sdk.Name })
				if s, _, _ := p.marksIn(f, out[prev], look); s == nil {
					out[prev] = u
				}
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// outerFrameworks drops a server of an SDK where a framework that wraps it makes a server in the same file.
func (p *Program) outerFrameworks(all []*sdkServer) []*sdkServer {
	return slices.DeleteFunc(all, func(s *sdkServer) bool {
		return slices.ContainsFunc(all, func(o *sdkServer) bool {
			return o != s && o.file == s.file && o.sdk.Wraps != "" && (o.sdk.Base() == s.sdk || o.sdk.Wraps == s.sdk.Name || o.sdk.Wraps == s.sdk.ID())
		})
	})
}

// marksIn finds the first server and the first client that a file makes with an SDK, and the carriers in it.
func (p *Program) marksIn(f *code.File, u use, look Lookup) (*sdkServer, *mcpaudit.Client, []sdk.Mark) {
	var srv *sdkServer
	var cli *mcpaudit.Client
	server := func(m *sdk.Mark, span mcpaudit.Span, name mcpaudit.Value, object string) {
		if m == nil || srv != nil {
			return
		}
		srv = p.newServer(f, u, span, name, object, look)
	}
	client := func(m *sdk.Mark, span mcpaudit.Span) {
		if m != nil && cli == nil {
			cli = &mcpaudit.Client{Lang: f.Lang, SDK: sdkRef(u.sdk, f, look), Evidence: []mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, span, "the client is made here")}}
			cli.Name = nameOf(mcpaudit.Value{}, f.Path, look)
		}
	}
	var carriers []sdk.Mark
	fns := append(append([]*code.Func{p.module(f)}, f.Funcs...), p.lambdas[f]...)
	expr := func(fn *code.Func, target string) func(*code.Expr) {
		return func(e *code.Expr) {
			name := ""
			switch {
			case e.Kind == code.Call:
				name = u.exported(e.X)
			case e.Kind == code.Object && e.Type != "": // Go: &mcp.StdioTransport{}
				head, last, ok := strings.Cut(e.Type, ".")
				if ok && u.names[head] != "" {
					name = last
				}
			}
			if name == "" {
				return
			}
			if m := marked(u.sdk.Servers, name, sdk.New, sdk.Func); m != nil {
				server(m, e.Span, p.markName(f, fn, m, e), target)
			}
			if m := marked(u.sdk.Clients, name, sdk.New, sdk.Func); m != nil {
				client(m, e.Span)
			}
			if m := marked(u.sdk.Carriers, name, sdk.New, sdk.Func); m != nil {
				carriers = append(carriers, *m)
			}
		}
	}
	for _, fn := range fns {
		eachStmt(fn.Body, func(s *code.Stmt) {
			target := ""
			if s.Kind == code.StmtAssign && len(s.LHS) >= 1 {
				target = dotted(s.LHS[0])
			}
			eachExpr(s, expr(fn, target))
		})
		for _, d := range fn.Decorators {
			x := d
			if x != nil && x.Kind == code.Call {
				x = x.X
			}
			if m := marked(u.sdk.Servers, u.exported(x), sdk.Decorator); m != nil {
				server(m, fn.NameSpan, mcpaudit.Value{}, "")
			}
		}
	}
	for _, c := range f.Classes {
		for _, fld := range c.Fields { // server = new McpServer(...)
			walkExpr(fld.Value, expr(p.module(f), "this."+fld.Name))
		}
		for _, b := range c.Bases {
			if m := marked(u.sdk.Servers, u.exported(b), sdk.Subclass); m != nil {
				server(m, c.Span, mcpaudit.Value{}, "this")
			}
			if m := marked(u.sdk.Clients, u.exported(b), sdk.Subclass); m != nil {
				client(m, c.Span)
			}
		}
		for _, d := range c.Decorators {
			x := d
			if x != nil && x.Kind == code.Call {
				x = x.X
			}
			if m := marked(u.sdk.Servers, u.exported(x), sdk.Decorator); m != nil {
				server(m, c.Span, mcpaudit.Value{}, "")
			}
		}
	}
	for _, m := range u.sdk.Servers {
		if m.Form != sdk.Imported {
			continue
		}
		for _, imp := range f.Imports {
			if u.sdk.Imported(imp.Module) && (imp.Name == m.Name || m.Name == "*" && !imp.TypeOnly) {
				server(&m, imp.Span, mcpaudit.Value{}, "")
			}
		}
	}
	return srv, cli, carriers
}

// carry notes how a server is reached, and whether its carrier serves the modern era.
func (s *sdkServer) carry(marks []sdk.Mark) {
	for _, m := range marks {
		if m.Transport != "" && !slices.Contains(s.Transports, m.Transport) {
			s.Transports = append(s.Transports, m.Transport)
		}
		if m.Modern == mcpaudit.Yes {
			s.Eras.Modern, s.router.Eras.Modern = mcpaudit.Yes, mcpaudit.Yes
		}
	}
	slices.Sort(s.Transports)
}

// markName reads the name of a server off the call that makes it.
func (p *Program) markName(f *code.File, fn *code.Func, m *sdk.Mark, e *code.Expr) mcpaudit.Value {
	mach := &machine{p: p}
	fr := &frame{fn: fn, file: f}
	at := func(x *code.Expr) (mcpaudit.Value, bool) {
		v := mach.peek(state{}, fr, x)
		if v.k == object && m.NameKey != "" {
			for _, k := range strings.Split(m.NameKey, ".") {
				if v.k == object {
					v, _ = memberOf(v, k)
				}
			}
		}
		if v.k == str && v.s != "" && !v.encoded {
			return mcpaudit.Value{Text: v.s, Known: true}, true
		}
		return mcpaudit.Value{}, false
	}
	for _, kw := range e.Fields {
		if m.NameKey != "" && kw.KeyText() == m.NameKey {
			if v, ok := at(kw.Value); ok {
				return v
			}
		}
	}
	if m.NameArg > 0 && m.NameArg <= len(e.Args) {
		if v, ok := at(e.Args[m.NameArg-1]); ok {
			return v
		}
	}
	return mcpaudit.Value{}
}

// nameOf is what a server is called: by itself, by its manifest, by its folder.
func nameOf(v mcpaudit.Value, file string, look Lookup) string {
	if v.Known {
		return v.Text
	}
	if n, ok := look.Name(file); ok {
		return n
	}
	if d := path.Base(path.Dir(file)); d != "." && d != "/" {
		return d
	}
	return strings.TrimSuffix(path.Base(file), path.Ext(file))
}

func sdkRef(s *sdk.SDK, f *code.File, look Lookup) *mcpaudit.SDKRef {
	ref := &mcpaudit.SDKRef{Name: s.Name}
	if v, ok := look.Version(s.Ecosystem, s.Packages, f.Path); ok {
		ref.Version, ref.Range, ref.Evidence = v.Version, v.Range, v.Evidence
	}
	return ref
}

func (p *Program) newServer(f *code.File, u use, span mcpaudit.Span, name mcpaudit.Value, object string, look Lookup) *sdkServer {
	ref := sdkRef(u.sdk, f, look)
	made := mcpaudit.At(mcpaudit.Primary, span, "the server is made here")
	s := &sdkServer{
		Server: &mcpaudit.Server{Name: nameOf(name, f.Path, look), Lang: f.Lang, SDK: ref, Evidence: []mcpaudit.Evidence{made}},
		sdk:    u.sdk, file: f, object: object,
	}
	base := u.sdk.Base()
	row, version := u.sdk, ref.Version
	if len(row.Ping) == 0 && base != row {
		row = base
		version = ""
		if v, ok := look.Version(base.Ecosystem, base.Packages, f.Path); ok {
			version = v.Version
		}
	}
	s.Eras = erasOf(u.sdk, ref.Version, base, version)
	s.router = &mcpaudit.Router{Name: "SDK", Owner: mcpaudit.SDK, Form: mcpaudit.FormSDK, Complete: true, Eras: s.Eras, Evidence: made}
	if a := row.Answers(version); a != nil {
		s.ping = &mcpaudit.Route{Method: mcpaudit.Value{Text: "ping", Known: true}, Change: mcpaudit.Builtin, Evidence: made}
		o := mcpaudit.Outcome{Trigger: mcpaudit.TriggerPing, Channel: a.Channel, Body: a.Body, Confidence: mcpaudit.High}
		if a.Channel == mcpaudit.ChannelForwarded {
			o.Why = a.Note
		}
		s.ping.Outcomes = []mcpaudit.Outcome{o}
		switch {
		case row != u.sdk:
			s.ping.Since = "through " + strings.TrimSpace(row.Name+" "+version)
		case a.Note != "":
			s.ping.Since = "(" + a.Note + ")"
		case a.FixedIn != "":
			s.ping.Since = "update to " + a.FixedIn + " or later"
		}
		s.router.Routes = []*mcpaudit.Route{s.ping}
	}
	s.Routers = []*mcpaudit.Router{s.router}
	return s
}

// erasOf is what the SDK serves by default in the version in use: its own rows, else those of what it wraps.
func erasOf(s *sdk.SDK, version string, base *sdk.SDK, baseVersion string) mcpaudit.Eras {
	rows, eco, v := s.Eras, s.Ecosystem, version
	if len(rows) == 0 {
		rows, eco, v = base.Eras, base.Ecosystem, baseVersion
	}
	for _, r := range rows {
		if r.Versions == "" || v != "" && sdk.InRange(eco, v, r.Versions) {
			return mcpaudit.Eras{Legacy: r.Legacy, Modern: r.Modern}
		}
	}
	return mcpaudit.Eras{}
}
