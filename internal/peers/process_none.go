//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package peers

import (
	"errors"
	"os"
	"os/exec"
)

const supported = false

func ownGroup(*exec.Cmd)             {}
func killGroup(cmd *exec.Cmd) error  { return cmd.Process.Kill() }
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
