package peers

import (
	"os/exec"
	"syscall"
)

// dieWithParent ends a server also where the test cannot, because it was killed itself. It follows ownGroup.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
