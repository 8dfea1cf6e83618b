package main

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/probe"
)

// manifests may name a server whose source was not found. They are tried in this order; nothing in them is ever run.
var manifests = []string{"server.json", "package.json", "pyproject.toml", "Cargo.toml", "*.csproj", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"}

// manifestCap is far above any manifest that people write.
const manifestCap = 1 << 20

// anchor gives a server that was heard, and whose source was not found, a place in the repository: the line of a manifest
// that names it, or that names the URL it was reached at. Without such a line it has none; none is made up.
func anchor(repo *mcpaudit.Repo, s *mcpaudit.Server, t probe.Target) {
	root, err := os.OpenRoot(repo.Root)
	if repo.Root == "" || err != nil {
		return
	}
	defer root.Close()
	for _, pattern := range manifests {
		names := []string{pattern}
		if strings.Contains(pattern, "*") {
			names = matches(root, pattern)
		}
		for _, name := range names {
			src := readManifest(root, name)
			span, ok := naming(src, s.Name, t)
			if !ok {
				continue
			}
			span.File = name
			repo.Sources[name] = src
			s.Evidence = append([]mcpaudit.Evidence{mcpaudit.At(mcpaudit.Primary, span, "the server is named here")}, s.Evidence...)
			return
		}
	}
}

func matches(root *os.Root, pattern string) []string {
	dir, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.Readdirnames(-1)
	slices.Sort(all)
	return slices.DeleteFunc(all, func(n string) bool {
		ok, err := path.Match(pattern, n)
		return err != nil || !ok
	})
}

func readManifest(root *os.Root, name string) []byte {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > manifestCap {
		return nil
	}
	src, err := io.ReadAll(f)
	if err != nil {
		return nil
	}
	return src
}

// naming finds the value of a member called name, or any text at all that is the URL. A name may stand behind a scope:
// @scope/name in npm, io.github.owner/name in the registry.
func naming(src []byte, name string, t probe.Target) (mcpaudit.Span, bool) {
	exprs := []string{`(?m)["']?(?:name|Name|AssemblyName|PackageId)["']?\s*[:=>]\s*(["']?(?:[^"'\s]*/)?` + regexp.QuoteMeta(name) + `["']?)\s*(?:,|<|$)`}
	if t.URL != "" {
		exprs = append(exprs, `(["']`+regexp.QuoteMeta(t.URL)+`["'])`)
	}
	for _, expr := range exprs {
		if m := regexp.MustCompile(expr).FindSubmatchIndex(src); m != nil {
			return mcpaudit.Span{Start: m[2], End: m[3]}, true
		}
	}
	return mcpaudit.Span{}, false
}
