//go:build !unix

package walk

import (
	"io"
	"os"
)

func lstat(name string) kind {
	info, err := os.Lstat(name)
	if err != nil {
		return kind{err: err}
	}
	return kind{mode: info.Mode().Type(), size: info.Size()}
}

type handle struct{ *os.File }

func open(name string) (handle, error) {
	f, err := os.Open(name)
	return handle{f}, err
}

func (h handle) stat() kind {
	info, err := h.Stat()
	if err != nil {
		return kind{err: err}
	}
	return kind{mode: info.Mode().Type(), size: info.Size()}
}

// read gives 0 and no error at the end, as the system call of other platforms does.
func (h handle) read(buf []byte) (int, error) {
	n, err := h.Read(buf)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func (h handle) close() { h.Close() }
