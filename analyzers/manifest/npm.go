package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/jsonc"
)

// parseJSON checks the text with the standard library, whose scanner has a limit of depth, and then reads it with
// gjson, which keeps positions.
func parseJSON(src []byte) (gjson.Result, error) {
	var raw json.RawMessage
	if err := json.Unmarshal(src, &raw); err != nil {
		return gjson.Result{}, err
	}
	lead := len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
	doc := gjson.ParseBytes(src[lead:])
	doc.Index = lead
	if !doc.IsObject() {
		return doc, errors.New("not an object")
	}
	return doc, nil
}

// member gives a member of an object by its exact key: in gjson's own paths a dot in a key would be special.
func member(obj gjson.Result, keys ...string) gjson.Result {
	for _, want := range keys {
		var found gjson.Result
		if obj.IsObject() {
			obj.ForEach(func(k, v gjson.Result) bool {
				if k.String() == want {
					found = v
				}
				return true // the last of two equal keys counts
			})
		}
		obj = found
	}
	return obj
}

var sections = []struct {
	key string
	dev bool
}{{"dependencies", false}, {"peerDependencies", false}, {"optionalDependencies", false}, {"devDependencies", true}}

func readPackageJSON(s *Set, f *source) error {
	doc, err := parseJSON(f.src)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, sec := range sections {
		list := member(doc, sec.key)
		if !list.IsObject() {
			continue
		}
		list.ForEach(func(k, v gjson.Result) bool {
			if name := k.String(); f.wanted(name) && !seen[name] && v.Type == gjson.String {
				seen[name] = true // "peer" and "dev" is how a library asks for what it needs anyway
				d := f.dep(NPM, name, k.Index)
				d.Range, d.Dev = v.String(), sec.dev
				d.Version = exactNPM(d.Range)
				s.ask(f.dir, d)
			}
			return true
		})
	}
	return nil
}

var exact = lazily(`^=?v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$`)

// exactNPM gives the version that a range pins, "" if it leaves a choice.
func exactNPM(rng string) string {
	if alias, ok := strings.CutPrefix(rng, "npm:"); ok {
		if i := strings.LastIndexByte(alias, '@'); i > 0 {
			rng = alias[i+1:]
		}
	}
	if m := exact().FindStringSubmatch(strings.TrimSpace(rng)); m != nil {
		return m[1]
	}
	return ""
}

// packageLock is package-lock.json, in which "packages" mirrors the folders on disk, so that a version is found as
// Node finds a module: in the node_modules of the project's folder and of every folder above. Files of npm 6 have
// "dependencies", which nest likewise.
type packageLock struct {
	f        *source
	packages map[string]gjson.Result // entries of wanted packages, and those of projects, by path
	old      bool
}

const modules = "node_modules/"

func readPackageLock(s *Set, f *source) error {
	doc, err := parseJSON(f.src)
	if err != nil {
		return err
	}
	l := &packageLock{f: f, packages: map[string]gjson.Result{}}
	if list := member(doc, "packages"); list.IsObject() {
		list.ForEach(func(k, v gjson.Result) bool {
			p := k.String()
			i := strings.LastIndex(p, modules)
			if i < 0 || f.wanted(p[i+len(modules):]) {
				l.packages[p] = v
			}
			return true
		})
	} else {
		l.old = true
		l.nest(member(doc, "dependencies"), "")
	}
	s.lock(NPM, f.dir, l)
	return nil
}

func (l *packageLock) nest(list gjson.Result, above string) {
	if !list.IsObject() {
		return
	}
	list.ForEach(func(k, v gjson.Result) bool {
		p := path.Join(above, modules+k.String())
		if l.f.wanted(k.String()) {
			l.packages[p] = v
		}
		l.nest(member(v, "dependencies"), p)
		return true
	})
}

func (l *packageLock) find(project, name, asked string) []Dependency {
	if _, known := l.packages[project]; project != "." && (l.old || !known) {
		return nil // a project of its own, which this lockfile does not install
	}
	for dir := range upward(project) {
		if v, ok := l.packages[path.Join(dir, modules+name)]; ok {
			return []Dependency{l.entry(name, v)}
		}
	}
	if asked != "" {
		return nil
	}
	// Nobody here asks: it came with another package, and each may have brought its own.
	var out []Dependency
	for p, v := range l.packages {
		if strings.HasSuffix(p, "/"+modules+name) {
			out = append(out, l.entry(name, v))
		}
	}
	return ordered(out)
}

func (l *packageLock) entry(name string, v gjson.Result) Dependency {
	d := l.f.dep(NPM, name, v.Index)
	d.Version = exactNPM(member(v, "version").String())
	d.Dev = member(v, "dev").Bool()
	if member(v, "link").Bool() {
		where := member(v, "resolved").String()
		d.Version = exactNPM(member(l.packages[where], "version").String())
		d.Note = "it is the workspace package " + where
	}
	if d.Version == "" && d.Note == "" {
		d.Note = "it does not come from the registry"
	}
	return d
}

// bunLock is bun.lock: JSON with trailing commas. A package that differs for one workspace has the workspace's name
// before its own.
type bunLock struct {
	f          *source
	workspaces gjson.Result
	packages   gjson.Result
}

func readBunLock(s *Set, f *source) error {
	doc, err := parseJSON(jsonc.ToJSON(f.src)) // comments become blanks: every offset stays
	if err != nil {
		return err
	}
	s.lock(NPM, f.dir, &bunLock{f: f, workspaces: member(doc, "workspaces"), packages: member(doc, "packages")})
	return nil
}

func (l *bunLock) find(project, name, asked string) []Dependency {
	key := project
	if key == "." {
		key = ""
	}
	workspace := member(l.workspaces, key)
	if !workspace.Exists() {
		return nil
	}
	entry := member(l.packages, member(workspace, "name").String()+"/"+name)
	if !entry.Exists() {
		entry = member(l.packages, name)
	}
	spec := entry.Get("0")
	if spec.Type != gjson.String {
		return nil
	}
	d := l.f.dep(NPM, name, entry.Index)
	if i := strings.LastIndexByte(spec.String(), '@'); i > 0 {
		d.Version = exactNPM(spec.String()[i+1:])
	}
	if d.Version == "" {
		d.Note = "it does not come from the registry"
	}
	return []Dependency{d}
}

func readBunLockb(*Set, *source) error {
	return errors.New("a binary lockfile cannot be read; bun.lock is its text form")
}

// deno.json maps what a module imports to where it comes from: "npm:@scope/name@range/path".
func readDenoJSON(s *Set, f *source) error {
	doc, err := parseJSON(jsonc.ToJSON(f.src))
	if err != nil {
		return err
	}
	imports := member(doc, "imports")
	if !imports.IsObject() {
		return nil
	}
	seen := map[string]bool{}
	imports.ForEach(func(k, v gjson.Result) bool {
		name, rng, ok := npmSpecifier(v.String())
		if ok && f.wanted(name) && !seen[name] {
			seen[name] = true
			d := f.dep(NPM, name, k.Index)
			d.Range, d.Version = rng, exactNPM(rng)
			s.ask(f.dir, d)
		}
		return true
	})
	return nil
}

// npmSpecifier takes "npm:@scope/name@^1.2/sub/path.js" apart.
func npmSpecifier(spec string) (name, rng string, ok bool) {
	rest, ok := strings.CutPrefix(spec, "npm:")
	if !ok {
		return "", "", false
	}
	rest = strings.TrimPrefix(rest, "/")
	parts := strings.SplitN(rest, "/", 3)
	n := 1
	if strings.HasPrefix(rest, "@") {
		n = 2
	}
	name = strings.Join(parts[:min(n, len(parts))], "/")
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name, rng = name[:i], name[i+1:]
	}
	return name, rng, name != ""
}

// denoLock resolves the very specifiers that deno.json has.
type denoLock struct {
	f          *source
	specifiers gjson.Result
}

func readDenoLock(s *Set, f *source) error {
	doc, err := parseJSON(f.src)
	if err != nil {
		return err
	}
	list := member(doc, "specifiers")
	if !list.Exists() {
		list = member(doc, "packages", "specifiers") // up to version 3
	}
	s.lock(NPM, f.dir, &denoLock{f: f, specifiers: list})
	return nil
}

func (l *denoLock) find(project, name, asked string) []Dependency {
	var out []Dependency
	if !l.specifiers.IsObject() {
		return nil
	}
	l.specifiers.ForEach(func(k, v gjson.Result) bool {
		got, rng, ok := npmSpecifier(k.String())
		if !ok || got != name || asked != "" && rng != asked {
			return true
		}
		version := v.String()
		if _, after, ok := strings.Cut(version, name+"@"); ok {
			version = after
		}
		version, _, _ = strings.Cut(version, "_") // peers follow
		d := l.f.dep(NPM, name, k.Index)
		d.Version = exactNPM(version)
		out = append(out, d)
		return true
	})
	return out
}
