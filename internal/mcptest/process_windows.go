package mcptest

import (
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// sleeper is a program that does nothing for a while. There are no sessions on Windows; one that is detached is in a
// group of its own and has no console.
func sleeper(d time.Duration, detached bool) *exec.Cmd {
	cmd := exec.Command("ping", "-n", strconv.Itoa(max(1, int(d.Seconds()))+1), "127.0.0.1")
	if detached {
		const detachedProcess = 0x8
		cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
	}
	return cmd
}
