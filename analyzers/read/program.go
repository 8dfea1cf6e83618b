// Package read turns lowered code into the model: it finds where a program tells protocol methods apart, follows
// "ping" and a method that nobody knows through that place by evaluating it, and reads off how each is answered.
//
// It evaluates instead of matching shapes because a dispatcher has too many shapes. A switch, an if chain, an early
// reject by negated equals, an allow-list, a table, a prefix test and any mixture of them become the same thing
// once the method is a known string: some conditions are decided, the rest are tried both ways.
package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// Program is all code that may be looked at together.
type Program struct {
	files   []*code.File
	byPath  map[string]*code.File
	byPkg   map[string][]*code.File
	bySym   map[string]*code.Func
	classes map[string][]*code.Class // by name
	methods map[*code.Class]map[string]*code.Func
	scopes  map[*code.File]*scope
	lambdas map[*code.File][]*code.Func // every function without a name, in source order
	load    func(path string) *code.File
	// packageDir finds the folder of the npm package of that name in the tree.
	packageDir func(name string) (string, bool)

	globals    map[*code.File]*binding
	instances  map[*code.Class]value
	busy       map[any]bool
	openField  map[string]bool
	modules    map[*code.File]*code.Func
	used       map[*code.File][]use
	missing    map[string]bool                // paths that load has no file for
	assigned   map[*code.Func][]string        // variables that a function assigns to without declaring them
	members    map[string]bool                // names of members that functions store to
	assignedIn map[*code.File]map[string]bool // variables that functions of a file assign to
	stores     map[string][]lateStore         // see late
	stored     int                            // how many files stores covers
	calls      map[string][]site              // by the last name of what is called
	indexed    int                            // how many files calls covers
}

// NewProgram indexes files. load brings a further file of the tree by path, or nil; packageDir finds the folder of a
// package of the tree. Both may be nil.
func NewProgram(files []*code.File, load func(path string) *code.File, packageDir func(string) (string, bool)) *Program {
	p := &Program{
		byPath: map[string]*code.File{}, byPkg: map[string][]*code.File{}, bySym: map[string]*code.Func{},
		classes: map[string][]*code.Class{}, methods: map[*code.Class]map[string]*code.Func{},
		scopes: map[*code.File]*scope{}, lambdas: map[*code.File][]*code.Func{}, load: load, packageDir: packageDir,
		globals: map[*code.File]*binding{}, instances: map[*code.Class]value{}, busy: map[any]bool{},
		openField: map[string]bool{}, modules: map[*code.File]*code.Func{}, used: map[*code.File][]use{}, missing: map[string]bool{}, assigned: map[*code.Func][]string{}, calls: map[string][]site{},
		stores: map[string][]lateStore{}, members: map[string]bool{}, assignedIn: map[*code.File]map[string]bool{},
	}
	for _, f := range files {
		p.add(f)
	}
	return p
}

// Files returns all files, those that were loaded on the way included.
func (p *Program) Files() []*code.File { return p.files }

func (p *Program) add(f *code.File) {
	if p.byPath[f.Path] != nil {
		return
	}
	p.byPath[f.Path] = f
	p.files = append(p.files, f)
	p.byPkg[f.Pkg] = append(p.byPkg[f.Pkg], f)
	for _, c := range f.Classes {
		c.File = f
		p.classes[c.Name] = append(p.classes[c.Name], c)
	}
	for _, fn := range f.Funcs {
		fn.File = f
		if fn.Sym != "" {
			p.bySym[fn.Sym] = fn
		}
	}
	p.scopes[f], p.lambdas[f] = buildScope(f)
}

// file returns a file of the tree, loading it if need be.
func (p *Program) file(name string) *code.File {
	if f := p.byPath[name]; f != nil {
		return f
	}
	if p.load == nil || p.missing[name] {
		return nil
	}
	f := p.load(name)
	if f == nil {
		p.missing[name] = true
		return nil
	}
	p.add(f)
	return f
}

// lastName is the last part of a dotted name.
func lastName(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name, code.Member, code.String:
		return e.Text
	case code.Index, code.Call: // Generic[T], mixin(Base)
		return lastName(e.X)
	}
	return ""
}

// dotted is the source-like spelling of a chain of names: "this.server.send"; "" for anything else. A call in the
// middle is kept as "f().x", so that a dotted name never says more than the source does.
func dotted(e *code.Expr) string {
	if e == nil {
		return ""
	}
	switch e.Kind {
	case code.Name:
		return e.Text
	case code.Member:
		if x := dotted(e.X); x != "" {
			return x + "." + e.Text
		}
		return "?." + e.Text
	case code.Call:
		if x := dotted(e.X); x != "" {
			return x + "()"
		}
	case code.Await:
		return dotted(e.X)
	}
	return ""
}

// text returns the source of a span, cut to one line of at most 80 bytes, for messages.
func text(f *code.File, s mcpaudit.Span) string {
	if f == nil || s.Start < 0 || s.End > len(f.Src) || s.Start >= s.End {
		return ""
	}
	t := string(f.Src[s.Start:s.End])
	if i := strings.IndexAny(t, "\r\n"); i >= 0 {
		t = t[:i]
	}
	if len(t) > 80 {
		t = strings.ToValidUTF8(t[:77], "") + "..."
	}
	return t
}
