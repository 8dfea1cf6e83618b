//go:build unix

package mcptest

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

func TestTerminated(t *testing.T) {
	p, w := served(t)
	w.shake()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0 (%s)", code, &p.errs)
	}
}

// leavesChildren shows the behaviour children: both outlive the server, and only one of them is in its group.
func leavesChildren(t *testing.T) {
	p := inProcess(t, "broken", "children", "--linger", "1m")
	p.send(ping1)
	if got := p.line(); got != pong1 {
		t.Errorf("got %q", got)
	}
	group, err := syscall.Getpgid(p.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	p.in.Close()
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	var pids [2]int
	if _, err := fmt.Sscanf(strings.ReplaceAll(p.errs.String(), "\n", " "), "started child %d started child %d", &pids[0], &pids[1]); err != nil {
		t.Fatalf("stderr is %q: %v", p.errs.String(), err)
	}
	for i, pid := range pids {
		got, err := syscall.Getpgid(pid)
		if err != nil {
			t.Errorf("child %d is gone: %v", i, err)
			continue
		}
		if want := []int{group, pid}[i]; got != want {
			t.Errorf("child %d is in the group %d, want %d", i, got, want)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Errorf("end child %d: %v", i, err)
		}
	}
}
