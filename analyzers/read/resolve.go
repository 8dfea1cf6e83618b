package read

import (
	"path"
	"strings"

	"github.com/mcpaudit/mcpaudit/analyzers/code"
)

// pkgFiles returns the files whose names are visible in f without an import, f first.
func (p *Program) pkgFiles(f *code.File) []*code.File {
	if f.Lang != "go" {
		return []*code.File{f}
	}
	out := []*code.File{f}
	for _, o := range p.byPkg[f.Pkg] {
		if o != f {
			out = append(out, o)
		}
	}
	return out
}

// target finds the file that an import of f names, or nil if it is outside the tree.
func (p *Program) target(f *code.File, module string) *code.File {
	switch f.Lang {
	case "typescript", "javascript":
		bases := []string{path.Join(path.Dir(f.Path), module)}
		if !strings.HasPrefix(module, ".") {
			bases = p.workspace(module)
		}
		for _, base := range bases {
			for _, c := range scriptCandidates(base) {
				if t := p.file(c); t != nil {
					return t
				}
			}
		}
	case "python":
		for _, base := range pythonCandidates(f.Path, module) {
			for _, c := range []string{base + ".py", base + "/__init__.py"} {
				if t := p.file(c); t != nil {
					return t
				}
			}
		}
	case "go":
		if fs := p.byPkg[module]; len(fs) > 0 {
			return fs[0]
		}
	}
	return nil
}

// workspace lists where a module may lie that another package of the tree exports. What its manifest calls the
// entry point is mostly a compiled file, so the usual places of the source are tried.
func (p *Program) workspace(module string) []string {
	if p.packageDir == nil {
		return nil
	}
	name, sub := module, ""
	parts := strings.SplitN(module, "/", 3)
	switch {
	case strings.HasPrefix(module, "@") && len(parts) == 3:
		name, sub = parts[0]+"/"+parts[1], parts[2]
	case !strings.HasPrefix(module, "@") && len(parts) > 1:
		name = parts[0]
		sub = strings.TrimPrefix(module, name+"/")
	}
	dir, ok := p.packageDir(name)
	if !ok {
		return nil
	}
	if sub != "" {
		return []string{path.Join(dir, "src", sub), path.Join(dir, sub)}
	}
	return []string{path.Join(dir, "src"), path.Join(dir, "src/index"), path.Join(dir, "index"), path.Join(dir, "lib/index")}
}

// scriptCandidates lists the files that an ES import may mean. A compiled ".js" is looked for as its source.
func scriptCandidates(base string) []string {
	out := []string{base}
	stem := base
	for _, ext := range []string{".js", ".mjs", ".cjs", ".jsx"} {
		if s, ok := strings.CutSuffix(base, ext); ok {
			stem = s
		}
	}
	for _, ext := range []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		out = append(out, stem+ext)
	}
	for _, ext := range []string{".ts", ".js", ".tsx", ".mjs"} {
		out = append(out, base+"/index"+ext)
	}
	return out
}

// pythonCandidates lists the paths without extension that a module name may mean, seen from a file: relative to
// the file, or below any folder above it (source roots are not known).
func pythonCandidates(from, module string) []string {
	dir := path.Dir(from)
	if rest := strings.TrimLeft(module, "."); rest != module {
		for range len(module) - len(rest) - 1 {
			dir = path.Dir(dir)
		}
		return []string{path.Join(dir, strings.ReplaceAll(rest, ".", "/"))}
	}
	rel := strings.ReplaceAll(module, ".", "/")
	var out []string
	for {
		out = append(out, path.Join(dir, rel), path.Join(dir, "src", rel))
		if dir == "." || dir == "/" {
			return out
		}
		dir = path.Dir(dir)
	}
}

// findFunc finds a plain function by name among the files.
func findFunc(files []*code.File, name string) *code.Func {
	for _, f := range files {
		for _, fn := range f.Funcs {
			if fn.Name == name && fn.Class == "" {
				return fn
			}
		}
	}
	return nil
}

func findClass(files []*code.File, name string) *code.Class {
	for _, f := range files {
		for _, c := range f.Classes {
			if c.Name == name {
				return c
			}
		}
	}
	return nil
}

// classNamed finds a class by the name that f knows it under.
func (p *Program) classNamed(f *code.File, name string) *code.Class {
	if i := strings.LastIndexAny(name, "./"); i >= 0 {
		name = name[i+1:]
	}
	if c := findClass(p.pkgFiles(f), name); c != nil {
		return c
	}
	for _, imp := range f.Imports {
		if imp.Local != name {
			continue
		}
		if t := p.target(f, imp.Module); t != nil {
			if c := findClass(p.pkgFiles(t), imp.Name); c != nil {
				return c
			}
		}
	}
	if cs := p.classes[name]; len(cs) == 1 && sameTree(cs[0].File.Path, f.Path) {
		return cs[0]
	}
	return nil
}

// sameTree reports whether two files share their first folder, which keeps packages of a monorepo apart.
func sameTree(a, b string) bool {
	x, _, _ := strings.Cut(a, "/")
	y, _, _ := strings.Cut(b, "/")
	return x == y
}

// method finds a method of a class or of the classes that it extends.
func (p *Program) method(c *code.Class, name string, depth int) *code.Func {
	if c == nil || depth > 4 {
		return nil
	}
	if p.methods[c] == nil {
		p.methods[c] = map[string]*code.Func{}
		for _, f := range p.pkgFiles(c.File) {
			for _, fn := range f.Funcs {
				if fn.Class == c.Name && p.methods[c][fn.Name] == nil {
					p.methods[c][fn.Name] = fn
				}
			}
		}
	}
	if fn := p.methods[c][name]; fn != nil {
		return fn
	}
	for _, b := range c.Bases {
		if base := p.classNamed(c.File, lastName(b)); base != nil && base != c {
			if fn := p.method(base, name, depth+1); fn != nil {
				return fn
			}
		}
	}
	for _, fld := range c.Fields {
		if fld.Embedded {
			if base := p.classNamed(c.File, strings.TrimPrefix(fld.Type, "*")); base != nil && base != c {
				if fn := p.method(base, name, depth+1); fn != nil {
					return fn
				}
			}
		}
	}
	return nil
}
