package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRelativeTo(t *testing.T) {
	top := t.TempDir()
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"repo/sub/deep", "repo2"} {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(dir)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, dir, path, want string
	}{
		{"at the root", "repo", "sub/x.ts", "sub/x.ts"},
		{"above", ".", "sub/x.ts", "repo/sub/x.ts"},
		{"inside", "repo/sub", "sub/x.ts", "x.ts"},
		{"beside", "repo/sub/deep", "sub/x.ts", "../x.ts"},
		{"manifest further up", "repo/sub/deep", "package.json", "../../package.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rel := relativeTo(filepath.Join(top, filepath.FromSlash(tt.dir)), filepath.Join(real, "repo"))
			if rel == nil {
				t.Fatal("the folder and the root are taken for apart")
			}
			if got := rel(tt.path); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	// A common prefix of the names is no common folder.
	if relativeTo(filepath.Join(top, "repo2"), filepath.Join(real, "repo")) != nil {
		t.Error("two folders side by side are not taken for apart")
	}
	if relativeTo(filepath.Join(top, "gone"), real) != nil {
		t.Error("a folder that is not there has paths")
	}
}
