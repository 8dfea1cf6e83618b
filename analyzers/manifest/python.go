package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

func isSeparator(r rune) bool { return r == '-' || r == '_' || r == '.' }

// normal is the form of a Python package's name in which all its spellings are equal.
func normal(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if isSeparator(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// The parts of a requirement: name, extras, then versions or a URL, then a marker.
var requirement = lazily(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|\(?([^;#]*?)\)?)\s*(?:;.*)?$`)

var pinned = lazily(`^={2,3}\s*v?([0-9][^\s,*]*)$`)

// parseRequirement reads a line such as "mcp[cli]>=1.2,<2; python_version > '3.9'".
func parseRequirement(text string) (name, rng, version, note string, ok bool) {
	m := requirement().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", "", "", "", false
	}
	rng = strings.TrimSpace(m[3])
	if m[2] != "" {
		return normal(m[1]), m[2], "", "it does not come from the registry", true
	}
	if rng != "" && !strings.ContainsAny(rng[:1], "=<>!~^") {
		return "", "", "", "", false
	}
	if p := pinned().FindStringSubmatch(rng); p != nil {
		version = p[1]
	}
	return normal(m[1]), rng, version, "", true
}

// require records a requirement that stands at an offset, if it is wanted.
func (s *Set) require(f *source, dir, text string, offset int, dev bool) {
	if d, ok := f.requirement(text, offset); ok && f.wanted(d.Name) {
		d.Dev = dev
		s.ask(dir, d)
	}
}

func (f *source) requirement(text string, offset int) (Dependency, bool) {
	name, rng, version, note, ok := parseRequirement(text)
	if !ok {
		return Dependency{}, false
	}
	d := f.dep(PyPI, name, offset)
	d.Range, d.Version, d.Note = rng, version, note
	return d, true
}

func readPyproject(s *Set, f *source) error {
	doc, err := parseTOML(f.src)
	if err != nil {
		return err
	}
	k := at(PyPI, f.dir)
	before := len(s.asks[k])
	list := func(v *value, dev bool) {
		for _, r := range v.list() {
			s.require(f, f.dir, r.string(), r.offset, dev)
		}
	}
	list(doc.get("project", "dependencies"), false)
	for _, extra := range doc.get("project", "optional-dependencies").fields() {
		list(extra, false)
	}
	for _, group := range doc.get("dependency-groups").fields() {
		list(group, true)
	}
	list(doc.get("tool", "uv", "dev-dependencies"), true)
	for _, group := range doc.get("tool", "pdm", "dev-dependencies").fields() {
		list(group, true)
	}
	s.poetry(f, doc.get("tool", "poetry", "dependencies"), false)
	s.poetry(f, doc.get("tool", "poetry", "dev-dependencies"), true)
	for _, group := range doc.get("tool", "poetry", "group").fields() {
		s.poetry(f, group.get("dependencies"), true)
	}
	// Maps have no order; the asks of a file do.
	slices.SortFunc(s.asks[k][before:], func(a, b Dependency) int { return a.Offset - b.Offset })
	return nil
}

// poetry reads a table of name = "range", where a bare version is a pin, or name = {version = "range"}. Pipfile has
// the same with "==" before a pin.
func (s *Set) poetry(f *source, table *value, dev bool) {
	for name, v := range table.fields() {
		if !f.wanted(normal(name)) {
			continue
		}
		d := f.dep(PyPI, normal(name), v.offset)
		d.Dev = dev
		d.Range = v.text
		if v.table != nil {
			d.Range = v.get("version").string()
		}
		switch m := pinned().FindStringSubmatch(d.Range); {
		case m != nil:
			d.Version = m[1]
		case d.Range == "":
			d.Note = "it does not come from the registry"
		default:
			d.Version = exactPython(d.Range)
		}
		s.ask(f.dir, d)
	}
}

var bare = lazily(`^v?([0-9]+(?:\.[0-9]+)*(?:(?:a|b|rc|\.post|\.dev)[0-9]+)*)$`)

func exactPython(s string) string {
	if m := bare().FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

func readPipfile(s *Set, f *source) error {
	doc, err := parseTOML(f.src)
	if err != nil {
		return err
	}
	s.poetry(f, doc.get("packages"), false)
	s.poetry(f, doc.get("dev-packages"), true)
	return nil
}

// readRequirements reads what pip reads. Options and other files that it includes are not followed: those have
// names of their own.
func readRequirements(s *Set, f *source) error {
	dir := f.dir
	if base := strings.TrimSuffix(dir, "/requirements"); base != dir {
		dir = base
	} else if dir == "requirements" {
		dir = "."
	}
	name := strings.ToLower(f.path[strings.LastIndexByte(f.path, '/')+1:])
	dev := strings.Contains(name, "dev") || strings.Contains(name, "test") || strings.Contains(name, "docs")
	at := 0
	for raw := range bytes.Lines(f.src) {
		line := string(raw)
		start := at + len(line) - len(strings.TrimLeft(line, " \t"))
		at += len(raw)
		line, _, _ = strings.Cut(line, " #")
		line, _, _ = strings.Cut(line, " --hash")
		line = strings.TrimRight(strings.TrimSpace(line), `\ `)
		if line != "" && line[0] != '#' && line[0] != '-' {
			s.require(f, dir, line, start, dev)
		}
	}
	return nil
}

// readSetupCfg reads the lists of [options] and [options.extras_require]: a requirement a line, indented.
func readSetupCfg(s *Set, f *source) error {
	section, listing := "", false
	at := 0
	for raw := range bytes.Lines(f.src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := at
		at += len(raw)
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case strings.HasPrefix(line, "["):
			section, listing = strings.Trim(trimmed, "[]"), false
		case line[0] != ' ' && line[0] != '\t':
			key, value, _ := strings.Cut(line, "=")
			listing = section == "options" && strings.TrimSpace(key) == "install_requires" || section == "options.extras_require"
			if listing {
				s.require(f, f.dir, value, start, false)
			}
		case listing:
			s.require(f, f.dir, trimmed, start+strings.Index(line, trimmed), false)
		}
	}
	return nil
}

var (
	installRequires = lazily(`install_requires\s*=\s*\[([^\[\]]*(?:\[[^\[\]\n]*\][^\[\]]*)*)\]`)
	pythonString    = lazily(`"[^"\n]*"|'[^'\n]*'`)
)

// readSetupPy reads a literal list. Setup files are programs; any other form is not followed.
func readSetupPy(s *Set, f *source) error {
	m := installRequires().FindSubmatchIndex(f.src)
	if m == nil {
		return nil
	}
	for _, str := range pythonString().FindAllIndex(f.src[m[2]:m[3]], -1) {
		start, end := m[2]+str[0]+1, m[2]+str[1]-1
		s.require(f, f.dir, string(f.src[start:end]), start, false)
	}
	return nil
}

// tomlLock is any of the lockfiles that list packages as tables with name and version. Where one package has two
// versions, a marker decides which is installed, and a project's own entry may say it (uv).
type tomlLock struct {
	f        *source
	packages []*value
}

func readTOMLLock(s *Set, f *source) error {
	doc, err := parseTOML(f.src)
	if err != nil {
		return err
	}
	l := &tomlLock{f: f, packages: doc.get("package").list()}
	if l.packages == nil {
		l.packages = doc.get("packages").list() // pylock.toml
	}
	s.lock(PyPI, f.dir, l)
	return nil
}

func (l *tomlLock) find(project, name, asked string) []Dependency {
	owner := l.owner(project)
	if owner == nil && project != "." {
		return nil
	}
	said := map[string]bool{}
	for _, d := range owner.get("dependencies").list() {
		if normal(d.get("name").string()) == name {
			said[d.get("version").string()] = true
		}
	}
	var out []Dependency
	for _, p := range l.packages {
		n := p.get("name")
		if normal(n.string()) != name {
			continue
		}
		d := l.f.dep(PyPI, name, n.offset)
		d.Version = p.get("version").string()
		if len(said) == 1 && said[d.Version] {
			return []Dependency{d}
		}
		out = append(out, d)
	}
	return ordered(out)
}

// owner finds the entry of the project in a folder. Only uv lists the projects of a workspace.
func (l *tomlLock) owner(project string) *value {
	for _, p := range l.packages {
		src := p.get("source")
		for _, key := range []string{"editable", "virtual", "directory"} {
			if at := src.get(key); at != nil && strings.TrimPrefix(at.string(), "./") == project {
				return p
			}
		}
	}
	return nil
}

// pipfileLock has "==1.2.3" by name, once for everybody and once for developers.
type pipfileLock struct {
	f   *source
	doc gjson.Result
}

func readPipfileLock(s *Set, f *source) error {
	doc, err := parseJSON(f.src)
	if err != nil {
		return err
	}
	s.lock(PyPI, f.dir, &pipfileLock{f, doc})
	return nil
}

func (l *pipfileLock) find(project, name, asked string) []Dependency {
	if project != "." {
		return nil
	}
	for _, section := range []string{"default", "develop"} {
		var out []Dependency
		list := member(l.doc, section)
		if !list.IsObject() {
			continue
		}
		list.ForEach(func(k, v gjson.Result) bool {
			if normal(k.String()) == name {
				d := l.f.dep(PyPI, name, k.Index)
				d.Dev = section == "develop"
				if m := pinned().FindStringSubmatch(member(v, "version").String()); m != nil {
					d.Version = m[1]
				} else {
					d.Note = "it does not come from the registry"
				}
				out = append(out, d)
			}
			return true
		})
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
