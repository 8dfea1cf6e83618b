//go:build unix

package walk

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// lstat asks the kernel once and allocates nothing but the path: it runs for every file of a tree.
func lstat(name string) kind {
	var st unix.Stat_t
	for {
		err := unix.Lstat(name, &st)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return kind{err: err}
		}
		return kind{mode: mode(uint32(st.Mode)), size: st.Size}
	}
}

func mode(m uint32) fs.FileMode {
	switch m & unix.S_IFMT {
	case unix.S_IFREG:
		return 0
	case unix.S_IFDIR:
		return fs.ModeDir
	case unix.S_IFLNK:
		return fs.ModeSymlink
	case unix.S_IFIFO:
		return fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return fs.ModeSocket
	}
	return fs.ModeDevice
}

// handle is an open file, without the poller that os.File sets up for every file.
type handle int

// open never waits for a writer at the other end of a pipe and never follows a link at the end of the path. What
// it opened is known only after stat.
func open(name string) (handle, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
		if err == unix.EINTR {
			continue
		}
		return handle(fd), err
	}
}

func (h handle) stat() kind {
	var st unix.Stat_t
	if err := unix.Fstat(int(h), &st); err != nil {
		return kind{err: err}
	}
	return kind{mode: mode(uint32(st.Mode)), size: st.Size}
}

func (h handle) read(buf []byte) (int, error) {
	for {
		n, err := unix.Read(int(h), buf)
		if err == unix.EINTR {
			continue
		}
		return n, err
	}
}

func (h handle) close() { unix.Close(int(h)) }
