//go:build unix

package mcptest

import (
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// sleeper is a program that does nothing for a while. One that is detached is in a session of its own, where who kills
// the group of its parent does not find it.
func sleeper(d time.Duration, detached bool) *exec.Cmd {
	cmd := exec.Command("sleep", strconv.Itoa(max(1, int(d.Seconds()))))
	if detached {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	return cmd
}
