package sdk

import (
	"regexp"
	"sync"
)

// lazily compiles an expression when it is first used. Most trees have nothing to use it on, and to compile all of
// them is a good part of the start of the program.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
