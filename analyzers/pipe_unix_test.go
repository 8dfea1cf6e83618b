//go:build unix

package analyzers

import (
	"testing"

	"golang.org/x/sys/unix"
)

func pipe(t *testing.T, name string) {
	if err := unix.Mkfifo(name, 0o644); err != nil {
		t.Fatal(err)
	}
}
