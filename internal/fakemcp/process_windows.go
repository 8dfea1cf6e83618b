package fakemcp

import "os/exec"

func leaveChildren() error { return exec.Command("ping", "-n", "300", "127.0.0.1").Start() }
