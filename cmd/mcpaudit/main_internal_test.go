package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
)

// These exit codes need a tree reader that misbehaves; the scripts cover the others.
func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		extract func(context.Context, analyzers.Options) (*mcpaudit.Repo, error)
		args    []string
		want    int
		stderr  string // what it begins with
		written bool   // the report file
	}{
		{
			name:    "panic",
			extract: func(context.Context, analyzers.Options) (*mcpaudit.Repo, error) { panic("index out\nof range") },
			want:    5,
			stderr:  "mcpaudit: error: internal failure: index out\\nof range\nhint: this is a bug in mcpaudit",
		},
		{
			name:    "panic with its stack",
			extract: func(context.Context, analyzers.Options) (*mcpaudit.Repo, error) { panic("index out of range") },
			args:    []string{"-v"},
			want:    5,
			stderr:  "mcpaudit: error: internal failure: index out of range\n",
		},
		{
			name: "an error that says nothing of its cause",
			extract: func(context.Context, analyzers.Options) (*mcpaudit.Repo, error) {
				return nil, errors.New("compile query: bad node")
			},
			want:    5,
			stderr:  "mcpaudit: error: compile query: bad node\n",
			written: true,
		},
		{
			name: "a wrong path",
			extract: func(context.Context, analyzers.Options) (*mcpaudit.Repo, error) {
				return nil, errors.Join(errors.New("scan x"), analyzers.ErrInput)
			},
			want:    2,
			stderr:  "mcpaudit: error: scan x",
			written: true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			a := testApp(&stdout, &stderr)
			a.extract = tt.extract
			dir := t.TempDir()
			if got := a.main(append(tt.args, "--format", "json="+filepath.Join(dir, "report.json"))); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
			if !strings.HasPrefix(stderr.String(), tt.stderr) {
				t.Errorf("stderr %q does not begin with %q", stderr.String(), tt.stderr)
			}
			if hasStack := strings.Contains(stderr.String(), "goroutine "); hasStack != (len(tt.args) > 0) {
				t.Errorf("the stack is shown: %t\n%s", hasStack, stderr.String())
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q, want nothing", stdout.String())
			}
			if written := count(t, dir) > 0; written != tt.written {
				t.Errorf("a report file was left: %t, want %t", written, tt.written)
			}
		})
	}
}

func count(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func testApp(stdout, stderr io.Writer) *app {
	return &app{
		stdout: &pipeWriter{w: stdout},
		stderr: stderr,
		env:    func(string) string { return "" },
		ui:     &ui{w: stderr},
	}
}

// A rule that panics costs its own verdict, not those of the others, and is our bug.
func TestBrokenRule(t *testing.T) {
	var stdout, stderr bytes.Buffer
	a := testApp(&stdout, &stderr)
	a.extract = func(context.Context, analyzers.Options) (*mcpaudit.Repo, error) {
		return &mcpaudit.Repo{Servers: []*mcpaudit.Server{nil}}, nil
	}
	if got := a.main([]string{"--format", "json"}); got != exitInternal {
		t.Errorf("exit code %d, want %d\n%s", got, exitInternal, stderr.String())
	}
}

// A reader that leaves ends the output quietly and does not change the exit code.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	var stderr bytes.Buffer
	cmd := exec.Command("mcpaudit", "../../testdata/quickstart/clock")
	cmd.Stdout, cmd.Stderr = w, &stderr
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != exitFindings {
		t.Errorf("exit code %d, want %d (%s)", got, exitFindings, cmd.ProcessState)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr %q, want nothing", stderr.String())
	}
}

// What others wrote cannot start a line, move the cursor or command a runner.
func TestOneLine(t *testing.T) {
	got := oneLine("scan a\nb\x1b[2J\u202e ##vso[x]\u009b: é 漢")
	if want := `scan a\nb\x1b[2J\u202e # #vso[x]\u009b: é 漢`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWorst(t *testing.T) {
	for _, tt := range []struct {
		codes []int
		want  int
	}{
		{nil, 0},
		{[]int{0, 3}, 3},
		{[]int{3, 1}, 1},
		{[]int{1, 5}, 5},
		{[]int{5, 2, 1}, 2},
		{[]int{2, 130}, 130},
	} {
		if got := worst(tt.codes...); got != tt.want {
			t.Errorf("worst(%v) = %d, want %d", tt.codes, got, tt.want)
		}
	}
}

func TestFormatsIn(t *testing.T) {
	args := []string{"--format", "json=a", "x", "--format=text", "--fromat", "json", "--", "--format", "json"}
	if diff := cmp.Diff([]string{"json=a", "text"}, formatsIn(args)); diff != "" {
		t.Errorf("mismatch (-want +got)\n%s", diff)
	}
	if got := formatsIn([]string{"--format"}); got != nil {
		t.Errorf("a flag without a value has the values %q", got)
	}
}

// What cannot be seen in the output, because it must not change it, is seen by the reader of the tree.
func TestReaderOptions(t *testing.T) {
	var got analyzers.Options
	var stdout, stderr bytes.Buffer
	a := testApp(&stdout, &stderr)
	a.extract = func(_ context.Context, o analyzers.Options) (*mcpaudit.Repo, error) {
		got = o
		return &mcpaudit.Repo{}, nil
	}
	a.main(strings.Fields("a -j 3 --exclude x,y --include-tests b --exclude=z -v --include-vendored"))
	if got.Verbose == nil || got.Progress == nil || got.Timing == nil {
		t.Error("a hook is missing")
	}
	got.Verbose, got.Progress, got.Timing = nil, nil, nil
	want := analyzers.Options{
		Paths: []string{"a", "b"}, Exclude: []string{"x,y", "z"},
		IncludeTests: true, IncludeVendored: true, Jobs: 3,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mismatch (-want +got)\n%s", diff)
	}

	a.main(nil)
	got.Progress, got.Timing = nil, nil
	if diff := cmp.Diff(analyzers.Options{Paths: []string{"./..."}}, got); diff != "" {
		t.Errorf("without flags: mismatch (-want +got)\n%s", diff)
	}
}
