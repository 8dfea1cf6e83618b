//go:build unix

package fakemcp

import (
	"os/exec"
	"syscall"
)

// leaveChildren starts two processes that outlive the server: one of its own process group, and one that has made a session
// of its own, as daemons do.
func leaveChildren() error {
	for _, own := range []bool{false, true} {
		cmd := exec.Command("sleep", "300")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: own}
		if err := cmd.Start(); err != nil {
			return err
		}
	}
	return nil
}
