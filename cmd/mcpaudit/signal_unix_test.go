//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
)

// A signal that comes while the tree is read ends the run with the signal's code and without a report.
func TestInterrupted(t *testing.T) {
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: exitInterrupted, syscall.SIGTERM: exitTerminated} {
		t.Run(sig.String(), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			a := testApp(&stdout, &stderr)
			a.extract = func(ctx context.Context, _ analyzers.Options) (*mcpaudit.Repo, error) {
				if err := syscall.Kill(os.Getpid(), sig); err != nil {
					return nil, err
				}
				<-ctx.Done()
				return nil, ctx.Err()
			}
			dir := t.TempDir()
			if got := a.main([]string{"--format", "text", "--format", "json=" + filepath.Join(dir, "report.json")}); got != want {
				t.Errorf("exit code %d, want %d", got, want)
			}
			if want := "mcpaudit: interrupted\n"; stderr.String() != want || stdout.Len() > 0 {
				t.Errorf("stdout %q and stderr %q, want nothing and %q", stdout.String(), stderr.String(), want)
			}
			if n := count(t, dir); n != 0 {
				t.Errorf("%d report files were left, want none", n)
			}
		})
	}
}

// A signal that comes while a server is probed ends the server too, and all that it started.
func TestInterruptedProbe(t *testing.T) {
	dir, mark := t.TempDir(), rand.Text()
	started := filepath.Join(dir, "started")
	go func() {
		for range 600 {
			if _, err := os.Stat(started); err == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		syscall.Kill(os.Getpid(), syscall.SIGINT)
	}()
	var stdout, stderr bytes.Buffer
	a := testApp(&stdout, &stderr)
	got := a.main([]string{"probe", "--env", "MARK=" + mark, "--format", "json=" + filepath.Join(dir, "report.json"),
		"--", "sh", "-c", "sleep 300 & echo > '" + started + "'; sleep 300"})
	if got != exitInterrupted {
		t.Errorf("exit code %d, want %d; stderr %q", got, exitInterrupted, stderr.String())
	}
	if n := count(t, dir); n != 1 {
		t.Errorf("%d files were left, want only the one of the server", n)
	}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(mark)) {
			t.Errorf("process %s is left behind", filepath.Base(filepath.Dir(f)))
		}
	}
}
