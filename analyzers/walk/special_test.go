//go:build unix

package walk

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestSpecialFiles(t *testing.T) {
	root := plant(t, empty("a.ts", "d/b.ts"))
	outside := plant(t, empty("secret.ts"))
	in := func(name string) string { return filepath.Join(root, name) }
	must(t, unix.Mkfifo(in("pipe.ts"), 0o644))
	symlink(t, "loop.ts", in("loop.ts"))
	symlink(t, "..", in("d/up"))
	symlink(t, "a.ts", in("same.ts"))
	symlink(t, "pipe.ts", in("to-pipe.ts"))
	symlink(t, "nothing", in("dangling.ts"))
	symlink(t, "nothing", in("LICENSE"))
	symlink(t, filepath.Join(outside, "secret.ts"), in("out.ts"))
	symlink(t, outside, in("outdir"))
	symlink(t, "/dev/zero", in("zero.ts"))
	t.Chdir(root) // the address of a socket is short
	s, err := net.Listen("unix", "socket.ts")
	must(t, err)
	defer s.Close()
	want := `source a.ts
source d/b.ts
gap unreadable dangling.ts
gap not-regular loop.ts
gap outside-root out.ts
gap outside-root outdir
gap not-regular pipe.ts
gap not-regular socket.ts
gap not-regular to-pipe.ts
gap outside-root zero.ts
left link 3
`
	if diff := cmp.Diff(want, summary(walk(t, root, Options{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file that turns into a pipe between the listing and the scan must not stop the scan.
func TestScanPipe(t *testing.T) {
	root := plant(t, empty("a.ts", "b.ts"))
	l := walk(t, root, Options{})
	for _, name := range []string{"a.ts", "b.ts"} {
		must(t, os.Remove(filepath.Join(root, name)))
	}
	must(t, unix.Mkfifo(filepath.Join(root, "a.ts"), 0o644))
	symlink(t, "/etc/hosts", filepath.Join(root, "b.ts"))
	done := make(chan []string, 1)
	go func() { done <- scan(t, l, marks) }()
	select {
	case got := <-done:
		if len(got) > 0 {
			t.Errorf("scan read %q", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the scan waits for a pipe")
	}
	want := "source a.ts\nsource b.ts\ngap not-regular a.ts\ngap unreadable b.ts\n"
	if diff := cmp.Diff(want, summary(l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root")
	}
	root := plant(t, map[string]string{"a.ts": "tools/list", "closed/b.ts": ""})
	must(t, os.Chmod(filepath.Join(root, "a.ts"), 0))
	must(t, os.Chmod(filepath.Join(root, "closed"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "closed"), 0o755) })
	for range 2 {
		l := walk(t, root, Options{})
		scan(t, l, marks)
		want := "source a.ts\ngap unreadable a.ts\ngap unreadable closed\n"
		if diff := cmp.Diff(want, summary(l)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		git(t, root, "init", "-q")
	}
}
