package read

import (
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// global finds a name that a file knows without a local definition: its own functions, classes and values, those
// of its package, and what it imports.
func (p *Program) global(f *code.File, name string, depth int) (value, bool) {
	if depth > 4 || f == nil {
		return value{}, false
	}
	for _, o := range p.pkgFiles(f) {
		if v, ok := p.own(o, name); ok {
			return v, true
		}
	}
	for _, imp := range f.Imports {
		if imp.Local != name {
			continue
		}
		t := p.target(f, imp.Module)
		if t == nil {
			if sub := p.submodule(f, imp); sub != nil { // from . import tools
				return value{k: module, file: sub, s: imp.Module}, true
			}
			return value{}, false
		}
		switch imp.Name {
		case "*":
			return value{k: module, file: t, s: imp.Module}, true
		default:
			if v, ok := p.exported(t, imp.Name, depth+1); ok {
				return v, true
			}
			if sub := p.submodule(f, imp); sub != nil {
				return value{k: module, file: sub, s: imp.Module}, true
			}
			return value{}, false
		}
	}
	return value{}, false
}

// submodule finds the file behind "from package import module".
func (p *Program) submodule(f *code.File, imp code.Import) *code.File {
	if f.Lang != "python" || imp.Name == "*" {
		return nil
	}
	sep := "."
	if strings.HasSuffix(imp.Module, ".") {
		sep = ""
	}
	return p.target(f, imp.Module+sep+imp.Name)
}

// exported finds what a module offers under a name, re-exports included.
func (p *Program) exported(f *code.File, name string, depth int) (value, bool) {
	if f == nil || depth > 4 {
		return value{}, false
	}
	if v, ok := p.global(f, name, depth+1); ok {
		return v, true
	}
	for _, imp := range f.Imports { // export * from "./x"
		if imp.Name == "*" && imp.Local == "*" {
			if t := p.target(f, imp.Module); t != nil {
				if v, ok := p.exported(t, name, depth+1); ok {
					return v, true
				}
			}
		}
	}
	return value{}, false
}

// own finds a name among the top-level declarations of one file.
func (p *Program) own(f *code.File, name string) (value, bool) {
	if fn := findFunc([]*code.File{f}, name); fn != nil && p.topLevel(f, fn) {
		return value{k: function, fn: &closure{fn: fn}}, true
	}
	if c := findClass([]*code.File{f}, name); c != nil {
		return value{k: class, class: c, file: f}, true
	}
	if v, ok := p.top(f).lookup(name); ok {
		return v, true
	}
	return value{}, false
}

// topLevel reports whether a function is declared at the top of its file rather than inside another one.
func (p *Program) topLevel(f *code.File, fn *code.Func) bool {
	s := p.scopes[f].find(fn)
	return s == nil || s.parent == nil || s.parent.fn == nil
}

// top runs the top of a file once and returns its variables. Values that code may change
// later are unknown, except for those of constants.
func (p *Program) top(f *code.File) *binding {
	if b, ok := p.globals[f]; ok {
		return b
	}
	if p.busy[f] {
		return nil
	}
	p.busy[f] = true
	defer delete(p.busy, f)
	m := &machine{p: p}
	fr := &frame{fn: &code.Func{File: f}, file: f, depth: maxDepth}
	st := state{}
	for _, s := range f.Top {
		if s == nil || s.Kind != code.StmtAssign && s.Kind != code.StmtExpr && s.Kind != code.StmtClass {
			continue
		}
		fr.depth = maxDepth
		if s.Kind == code.StmtAssign {
			fr.depth = maxDepth - 2 // var handlers = table()
		}
		for _, fl := range m.stmt(st, fr, s) {
			if fl.kind == flowNext {
				st = fl.st
				break
			}
		}
	}
	var out *binding
	for b := st.env; b != nil; b = b.next {
		v := b.v
		switch {
		case p.reassigned(f, b.name):
			v = loosen(v)
		case b.name != strings.ToUpper(b.name):
			v = p.stable(v)
		case v.k == object: // what a constant holds may change all the same
			v = p.stable(v)
		}
		if (v.k == object || v.k == unknown && v.present) && !v.encoded && p.written(f, b.name) {
			filled, closed := p.fill(v, f, b.name, "")
			if filled.k == object {
				o := *filled.obj
				o.open = o.open || !closed
				v.k, v.obj = object, &o
			}
		}
		if _, dup := out.lookup(b.name); !dup {
			out = out.set(b.name, v)
		}
	}
	p.globals[f] = out
	return out
}

// storedMember reports whether a function of the program, other than a constructor, stores to a member of that name.
func (p *Program) storedMember(name string) bool {
	p.late("")
	return p.members[name]
}

// reassigned reports whether a function of the file or its package assigns to a variable of that name which it does
// not declare. Python declares by assigning, so that its constants are told by their spelling only.
func (p *Program) reassigned(f *code.File, name string) bool {
	if f.Lang == "python" && name == strings.ToUpper(name) {
		return false
	}
	for _, o := range p.pkgFiles(f) {
		names, ok := p.assignedIn[o]
		if !ok {
			names = map[string]bool{}
			for _, fn := range append(append([]*code.Func{}, o.Funcs...), p.lambdas[o]...) {
				for _, n := range assignedNames(fn.Body, nil) {
					names[n] = true
				}
			}
			p.assignedIn[o] = names
		}
		if names[name] {
			return true
		}
	}
	return false
}

// late lists the methods that code anywhere stores by a literal key into something of that last name: a subclass,
// another file, an init function. Which object is meant is not known, so that they count for all of them.
func (p *Program) late(name string) []lateStore {
	for ; p.stored < len(p.files); p.stored++ {
		f := p.files[p.stored]
		for _, fn := range append(append([]*code.Func{}, f.Funcs...), p.lambdas[f]...) {
			eachStmt(fn.Body, func(s *code.Stmt) {
				for i, l := range s.LHS {
					if l != nil && fn.Name != "constructor" && fn.Name != "__init__" {
						if l.Kind == code.Member {
							p.members[l.Text] = true
						} else if l.Kind == code.Index && len(l.Args) == 1 && l.Args[0] != nil && l.Args[0].Kind == code.String {
							p.members[l.Args[0].Text] = true
						}
					}
					if l != nil && l.Kind == code.Index && len(l.Args) == 1 && l.Args[0] != nil && l.Args[0].Kind == code.String && isMethod(l.Args[0].Text) {
						st := lateStore{key: l.Args[0], in: fn}
						if i < len(s.Exprs) {
							st.val = s.Exprs[i]
						}
						p.stores[lastName(l.X)] = append(p.stores[lastName(l.X)], st)
					}
				}
				eachExpr(s, func(e *code.Expr) {
					if e.Kind == code.Call && e.X != nil && e.X.Kind == code.Member && e.X.Text == "set" && len(e.Args) == 2 && e.Args[0] != nil &&
						e.Args[0].Kind == code.String && isMethod(e.Args[0].Text) {
						n := lastName(e.X.X)
						p.stores[n] = append(p.stores[n], lateStore{e.Args[0], e.Args[1], fn})
					}
				})
			})
		}
	}
	return p.stores[lastPart(name)]
}

// lateStore is a method that is put into a table by a literal key inside a function.
type lateStore struct {
	key, val *code.Expr
	in       *code.Func
}

// written reports whether a function of the file stores under a computed key into a variable, or into a field of
// the class if name starts with "this.".
func (p *Program) written(f *code.File, name string) bool {
	return len(p.late(name)) > 0 || p.computed(f, name)
}

// computed is written without the stores by a literal key.
func (p *Program) computed(f *code.File, name string) bool {
	key := f.Path + "\x00" + name
	if v, ok := p.openField[key]; ok {
		return v
	}
	found := false
	look := func(fn *code.Func) {
		eachStmt(fn.Body, func(s *code.Stmt) {
			for _, l := range s.LHS {
				if l != nil && l.Kind == code.Index && dotted(l.X) == name && len(l.Args) == 1 && l.Args[0] != nil && l.Args[0].Kind != code.String {
					found = true
				}
			}
			eachExpr(s, func(e *code.Expr) {
				if e.Kind == code.Call && e.X != nil && e.X.Kind == code.Member && dotted(e.X.X) == name && len(e.Args) > 0 && e.Args[0] != nil {
					switch e.X.Text {
					case "set", "setdefault":
						found = found || e.Args[0].Kind != code.String
					case "update":
						found = true
					}
				}
				// Object.assign(table, more), maps.Copy(table, more)
				if e.Kind == code.Call && len(e.Args) > 1 && dotted(e.Args[0]) == name && (dotted(e.X) == "Object.assign" || dotted(e.X) == "maps.Copy") {
					found = true
				}
			})
		})
	}
	for _, fn := range f.Funcs {
		look(fn)
	}
	for _, fn := range p.lambdas[f] {
		look(fn)
	}
	for _, s := range f.Top { // loops and conditions at the top; what stands there plainly is run
		if s != nil {
			for _, b := range bodies(s) {
				look(&code.Func{Body: b})
			}
		}
	}
	p.openField[key] = found
	return found
}

// instance is an object of a class as its constructor leaves it. Fields that may change later are unknown.
func (p *Program) instance(c *code.Class) value {
	if v, ok := p.instances[c]; ok {
		return v
	}
	blank := value{k: object, present: true, obj: &fields{typ: c.Name, cls: c, open: true}}
	if p.busy[c] {
		return blank
	}
	p.busy[c] = true
	defer delete(p.busy, c)
	m := &machine{p: p}
	this := value{k: object, obj: &fields{typ: c.Name, cls: c, vals: map[string]value{}, open: true}}
	at := func(fn *code.Func) *frame { return &frame{fn: fn, file: c.File, depth: maxDepth - 3} }
	for i := len(c.Bases) - 1; i >= 0; i-- {
		if base := p.classNamed(c.File, lastName(c.Bases[i])); base != nil && base != c {
			if b := p.instance(base); b.k == object {
				for _, k := range b.obj.keys {
					this.obj = this.obj.with(k, b.obj.vals[k])
				}
			}
		}
	}
	for _, fld := range c.Fields {
		if fld.Value != nil {
			st := state{env: (*binding)(nil).set("this", this)}
			this.obj = this.obj.with(fld.Name, m.peek(st, at(&code.Func{File: c.File, Class: c.Name}), fld.Value))
		}
	}
	for _, ctor := range p.constructors(c) {
		st := state{env: (*binding)(nil).set("this", this)}
		for _, fl := range m.body(st, at(ctor), ctor, nil) {
			if fl.kind == flowThrow {
				continue
			}
			if ctor.Class == c.Name {
				if v, ok := fl.st.env.lookup("this"); ok && v.k == object {
					this = v
				}
			} else if len(fl.vals) > 0 && fl.vals[0].k == object && fl.vals[0].obj.cls == c {
				for _, k := range fl.vals[0].obj.keys {
					this.obj = this.obj.with(k, fl.vals[0].obj.vals[k])
				}
			}
			break
		}
	}
	out := &fields{typ: c.Name, cls: c, vals: map[string]value{}, open: true}
	for _, k := range this.obj.keys {
		v := p.stable(this.obj.vals[k])
		if (v.k == object || v.k == unknown) && !v.encoded && p.written(c.File, "this."+k) {
			filled, closed := p.fill(v, c.File, "this."+k, c.Name)
			if filled.k == object {
				o := *filled.obj
				o.open = o.open || !closed
				v.k, v.obj = object, &o
			}
		}
		out = out.with(k, v)
	}
	v := value{k: object, obj: out, present: true}
	p.instances[c] = v
	return v
}

// constructors returns what makes an object of a class: its constructor, or the Go functions that return it.
func (p *Program) constructors(c *code.Class) []*code.Func {
	var out []*code.Func
	for _, f := range p.pkgFiles(c.File) {
		for _, fn := range f.Funcs {
			if fn.Class == c.Name && (fn.Name == "constructor" || fn.Name == "__init__") {
				out = append(out, fn)
			}
			if f.Lang == "go" && fn.Class == "" && strings.HasPrefix(strings.ToLower(fn.Name), "new") {
				for _, r := range fn.Results {
					if strings.TrimPrefix(r, "*") == c.Name {
						out = append(out, fn)
						break
					}
				}
			}
		}
	}
	return out
}
