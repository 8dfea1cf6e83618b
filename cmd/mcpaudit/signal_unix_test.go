//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

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
