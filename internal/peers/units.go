package peers

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// unit is what is installed together: a folder of this package, copied into the cache, in which then the steps run.
type unit struct {
	dir   string    // below the folder of this package
	run   []program // what the peers need to run
	build []program // what the installation needs
	asks  []string  // a command whose output must be the same for an installation to be used again
	steps []step
	drop  []string // what only the steps needed
}

type step struct {
	argv []string
	env  []string
}

// program is one that must be on the PATH, in this version or a newer one.
type program struct {
	name  string
	major int
	minor int
}

var (
	node    = program{"node", 20, 0}
	npm     = program{"npm", 9, 0}
	python3 = program{"python3", 3, 10}
	cargo   = program{"cargo", 1, 88}
	jdk     = program{"java", 17, 0}
	maven   = program{"mvn", 3, 6}
	golang  = program{"go", 0, 0}
)

var (
	npmSDK1        = npmUnit("npm/sdk1")
	npmSDK2        = npmUnit("npm/sdk2")
	npmReference   = npmUnit("npm/reference")
	npmConformance = npmUnit("npm/conformance")
	pythonMCP1     = pythonUnit("python/mcp1")
	pythonMCP2     = pythonUnit("python/mcp2")
	pythonFastMCP  = pythonUnit("python/fastmcp")
	goSDK          = goUnit("testdata/gosdk")
	goMCPGo        = goUnit("testdata/mcpgo")
	rustSDK1       = rustUnit("rust/sdk1")
	rustSDK3       = rustUnit("rust/sdk3")
	javaSDK        = &unit{
		dir: "java", run: []program{jdk}, build: []program{maven},
		steps: []step{{argv: []string{
			"mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "compile", "dependency:copy-dependencies",
			"-DincludeScope=runtime", "-DoutputDirectory=target/lib",
		}}},
	}
)

// No script of a package runs.
func npmUnit(dir string) *unit {
	return &unit{
		dir: dir, run: []program{node}, build: []program{npm},
		steps: []step{{
			argv: []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"},
			env:  []string{"NPM_CONFIG_UPDATE_NOTIFIER=false"},
		}},
	}
}

// A virtual environment is only good for the interpreter that made it.
func pythonUnit(dir string) *unit {
	return &unit{
		dir: dir, run: []program{python3},
		asks: []string{"python3", "-c", "import sys; print(sys.base_prefix, sys.version)"},
		steps: []step{
			{argv: []string{"python3", "-m", "venv", "venv"}},
			{argv: []string{
				"venv/bin/python", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check",
				"-r", "requirements.txt",
			}},
		},
	}
}

func goUnit(dir string) *unit {
	return &unit{
		dir: dir, build: []program{golang},
		steps: []step{{
			argv: []string{"go", "build", "-o", "peer", "."},
			env:  []string{"GOFLAGS=-mod=readonly -buildvcs=false", "GOWORK=off", "CGO_ENABLED=0"},
		}},
	}
}

func rustUnit(dir string) *unit {
	return &unit{
		dir: dir, build: []program{cargo},
		steps: []step{{
			argv: []string{"cargo", "install", "--quiet", "--locked", "--debug", "--no-track", "--path", ".", "--root", ".", "--target-dir", "target"},
		}},
		drop: []string{"target"},
	}
}

// pin is the file that names the version of the SDK.
func (u *unit) pin(t testing.TB) string {
	name := map[string]string{
		"npm": "package.json", "python": "requirements.in", "testdata": "go.mod", "rust": "Cargo.toml", "java": "pom.xml",
	}[strings.SplitN(u.dir, "/", 2)[0]]
	return filepath.Join(source(t), filepath.FromSlash(path.Join(u.dir, name)))
}

// word is what stands before the version in that file.
func (u *unit) word(sdk string) string {
	switch {
	case u == javaSDK:
		_, artifact, _ := strings.Cut(sdk, ":")
		return "<artifactId>" + artifact + "</artifactId>"
	case strings.HasPrefix(u.dir, "npm/"):
		return `"` + sdk + `"`
	}
	return sdk
}
