//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package peers

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

const supported = true

// ownGroup makes a command the leader of a process group, so that it can be ended together with its children.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func tryLock(f *os.File) (free bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
