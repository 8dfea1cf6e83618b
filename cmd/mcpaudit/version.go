package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker of a release; otherwise the module system says it.
var version string

// build is what the binary knows of itself.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // "" if the build did not record it
	Modified bool   `json:"modified"` // the work tree of the build had changes
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CGO      bool   `json:"cgo"` // without it only Go sources can be read
}

func buildInfo() build {
	b := build{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok && b.Version == "" {
		b.Version = info.Main.Version
	}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "devel"
	}
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "CGO_ENABLED":
			b.CGO = s.Value == "1"
		}
	}
	return b
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and how this binary was built",
		Args:  exactArgs(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			b := buildInfo()
			if asJSON {
				enc := json.NewEncoder(a.stdout)
				enc.SetIndent("", "  ")
				return enc.Encode(b)
			}
			revision := b.Revision
			switch {
			case revision == "":
				revision = "not recorded"
			case b.Modified:
				revision += " and changes"
			}
			_, err := fmt.Fprintf(a.stdout, "mcpaudit %s\nrevision: %s\nbuilt with: %s, %s/%s, cgo %t\n",
				b.Version, revision, b.Go, b.OS, b.Arch, b.CGO)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
