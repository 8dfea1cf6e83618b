package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpaudit/mcpaudit/patterns"
)

// TestREADME keeps the README true. Everything in it that a program can write is written by a program, with
// -update:
//
//	<!-- file PATH -->   the code block after it is that file
//	<!-- patterns -->    the table up to <!-- /patterns --> is that of "mcpaudit patterns --format markdown"
//	<!-- program -->     the Go block after it is a program, the text block after that what it prints
//	```console           a command after "$ ", run in the root of the repository, and all it prints
func TestREADME(t *testing.T) {
	const name = "../../README.md"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := readme{t: t, root: "../.."}
	text := string(old)
	text = replace(t, text, `(?s)<!-- file (\S+) -->\n`+"```"+`(\w+)\n.*?`+"```", r.file)
	text = replace(t, text, `(?s)<!-- patterns -->\n.*?<!-- /patterns -->`, r.patterns)
	text = replace(t, text, `(?s)<!-- program -->\n`+"```go\n(.*?)```\n\n```text\n.*?```", r.program)
	text = replace(t, text, "(?s)```console\n\\$ (.*?)\n.*?```", r.console)
	if t.Failed() {
		return
	}
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(text, string(old)); diff != "" {
		t.Errorf("README.md is not what the programs say, run go test ./cmd/mcpaudit -run README -update (-want +got)\n%s", diff)
	}
}

// Commands that the README shows without their output. A new one must be looked at by hand: why is it not run?
var notRun = map[string]string{
	"go test ./...": "it would run itself; .ci/run has the same line",
	"go install github.com/mcpaudit/mcpaudit/cmd/mcpaudit@latest": "it needs the network",
}

func TestREADMECommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			if notRun[strings.TrimSpace(line)] == "" {
				t.Errorf("the README shows %q and nothing runs it; make it a console block", line)
			}
		}
	}
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(ci), "\nrun go test ./...\n") {
		t.Error(".ci/run does not run the tests as the README says")
	}
	for code := range exitReasons {
		if !regexp.MustCompile(`(?m)^\| (\d+, )?` + strconv.Itoa(code) + `(, \d+)? \|`).Match(text) {
			t.Errorf("the README does not explain exit code %d", code)
		}
	}
}

type readme struct {
	t    *testing.T
	root string
}

// replace is ReplaceAllStringFunc with submatches. An expression that finds nothing would test nothing.
func replace(t *testing.T, s, expr string, f func(match []string) string) string {
	t.Helper()
	re := regexp.MustCompile(expr)
	if !re.MatchString(s) {
		t.Errorf("the README has nothing that looks like %s", expr)
	}
	return re.ReplaceAllStringFunc(s, func(m string) string { return f(re.FindStringSubmatch(m)) })
}

func (r readme) file(m []string) string {
	content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(m[1])))
	if err != nil {
		r.t.Error(err)
	}
	return fmt.Sprintf("<!-- file %s -->\n```%s\n%s```", m[1], m[2], content)
}

func (r readme) patterns([]string) string {
	var b bytes.Buffer
	if err := listMarkdown(&b, patterns.All()); err != nil {
		r.t.Error(err)
	}
	return "<!-- patterns -->\n" + b.String() + "<!-- /patterns -->"
}

func (r readme) console(m []string) string {
	return "```console\n$ " + m[1] + "\n" + r.run(strings.Fields(m[1])...) + "```"
}

// program runs a program that lies in no file of the repository: the go command takes it from an overlay.
func (r readme) program(m []string) string {
	root, err := filepath.Abs(r.root)
	if err != nil {
		r.t.Fatal(err)
	}
	dir := r.t.TempDir()
	source, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(source, []byte(m[1]), 0o666); err != nil {
		r.t.Fatal(err)
	}
	where := filepath.Join(root, "internal", "readme", "main.go")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {where: source}})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		r.t.Fatal(err)
	}
	return "<!-- program -->\n```go\n" + m[1] + "```\n\n```text\n" + r.run("go", "run", "-overlay", overlay, "./internal/readme") + "```"
}

// run returns all that a command prints, as a terminal shows it. A command may fail: a finding is a failure.
func (r readme) run(args ...string) string {
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.root, &out, &out
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "CI=")
	err := cmd.Run()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != exitFindings {
		r.t.Errorf("run %s: %v\n%s", cmd, err, out.String())
	}
	return out.String()
}
