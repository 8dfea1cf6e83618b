//go:build unix

package probe

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a process group, so that it can be ended together with its children.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func terminate(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
func kill(cmd *exec.Cmd)      { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// signalOf tells a process that a signal ended from one that left with a code.
func signalOf(s *os.ProcessState) (int, bool) {
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return 0, false
	}
	return int(ws.Signal()), true
}

// sweep kills what is left of the group and whatever else carries the marker, and says how many there were. The group
// keeps its number while it has a member, so that the number cannot belong to anybody else.
func sweep(cmd *exec.Cmd, marker string) int {
	left := marked(marker)
	if syscall.Kill(-cmd.Process.Pid, 0) == nil {
		kill(cmd)
		left.n = max(left.n, 1)
	}
	left.kill()
	return left.n
}
