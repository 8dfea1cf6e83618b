package probe

import (
	"os"
	"os/exec"
	"strconv"
)

// Windows has no process groups that can be killed. The tool taskkill ends a process together with its children, as
// long as their parents live.
func ownGroup(*exec.Cmd) {}

func terminate(cmd *exec.Cmd) { kill(cmd) }

func kill(cmd *exec.Cmd) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() != nil {
		cmd.Process.Kill()
	}
}

func signalOf(*os.ProcessState) (int, bool) { return 0, false }
func sweep(*exec.Cmd, string) int           { return 0 }
