//go:build unix && !linux

package probe

// leftover is what a server left behind outside of its group. It cannot be found on this system.
type leftover struct{ n int }

func marked(string) leftover { return leftover{} }
func (leftover) kill()       {}
