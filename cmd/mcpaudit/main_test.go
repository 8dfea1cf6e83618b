package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/internal/mcptest"
	"github.com/mcpaudit/mcpaudit/report"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write the output blocks of the README and the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcpaudit":        main,
		"mcp-wellbehaved": func() { os.Exit(mcptest.WellBehaved(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"mcp-broken":      func() { os.Exit(mcptest.Broken(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScript runs the command line as a user sees it. Every script gets a clean environment and a folder of its
// own that looks like the top of a repository, so that paths are relative to it. Three commands are added:
//
//	exits CODE PROGRAM ARG...   runs the program, which must exit with the code
//	schema FILE                 the file must be a valid report
//	cpdir FROM TO               copies a folder
//	url FILE VARIABLE           waits for a URL in the file and puts it into the variable
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  cmdExits,
			"schema": cmdSchema,
			"cpdir":  cmdCopyDir,
			"url":    cmdURL,
		},
		Setup: func(env *testscript.Env) error {
			quickstart, err := filepath.Abs("../../testdata/quickstart")
			env.Setenv("QUICKSTART", quickstart)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(env.WorkDir))
			return errors.Join(err, os.Mkdir(filepath.Join(env.WorkDir, ".git"), 0o777))
		},
	})
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func cmdSchema(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: schema FILE")
	}
	raw, err := report.Schema("report")
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("report.json", doc))
	schema, err := c.Compile("report.json")
	ts.Check(err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(ts.ReadFile(args[0]))))
	ts.Check(err)
	switch err := schema.Validate(value); {
	case err != nil && !neg:
		ts.Fatalf("%s is not a valid report: %v", args[0], err)
	case err == nil && neg:
		ts.Fatalf("%s is a valid report", args[0])
	}
}

func cmdCopyDir(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cpdir FROM TO")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// cmdURL waits for the file that a server in the background writes when it listens.
func cmdURL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: url FILE VARIABLE")
	}
	for range 600 {
		if content, err := os.ReadFile(ts.MkAbs(args[0])); err == nil {
			ts.Setenv(args[1], strings.TrimSpace(string(content)))
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s is not there after 30 s", args[0])
}
