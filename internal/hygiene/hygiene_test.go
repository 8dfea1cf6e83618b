package hygiene

import (
	"bytes"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// unwanted is what ties a file to one machine. A path of somebody's machine means nothing to anybody else, and
// the name of a registry host breaks every setup that has a mirror. The expressions do not match themselves.
var unwanted = []struct {
	what string
	re   *regexp.Regexp
}{
	{"a path of one machine", regexp.MustCompile(`(^|[^A-Za-z0-9_.])/(work|farm|tmp|root)/[A-Za-z]`)},
	{"the host of a package registry", regexp.MustCompile(`proxy\.golang\.org|registry\.npmjs\.org|files\.pythonhosted\.org|pypi\.org/simple|index\.crates\.io|static\.crates\.io|repo1?\.maven\.(org|apache\.org)|deb\.debian\.org`)},
}

func find(line []byte) string {
	for _, u := range unwanted {
		if u.re.Match(line) {
			return u.what
		}
	}
	return ""
}

func TestRepository(t *testing.T) {
	root := os.DirFS("../..")
	read := 0
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(path, ".sum"):
			return nil
		}
		content, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		if bytes.IndexByte(content, 0) >= 0 {
			return nil // a binary
		}
		read++
		for i, line := range bytes.Split(content, []byte("\n")) {
			if what := find(line); what != "" {
				t.Errorf("%s:%d holds %s: %.120s", path, i+1, what, line)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("walk the repository: %v", err)
	}
	if read < 10 {
		t.Fatalf("read %d files, the test looks at the wrong folder", read)
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		line string
		want string
	}{
		{`see ` + "/wo" + `rk/main/x.go`, "a path of one machine"},
		{`"` + "/tm" + `p/report.json"`, "a path of one machine"},
		{"https://registry.npm" + "js.org/zod", "the host of a package registry"},
		{"repo1.ma" + "ven.org", "the host of a package registry"},
		{"https://example.org/work/item", ""},
		{"net/work/x", ""},
		{"the root/branch/leaf", ""},
	} {
		if got := find([]byte(tt.line)); got != tt.want {
			t.Errorf("find(%q) = %q, want %q", tt.line, got, tt.want)
		}
	}
}
