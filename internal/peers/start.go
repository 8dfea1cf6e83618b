package peers

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// startTime bounds how long a server may take until it listens, also on a machine that has much else to do.
const startTime = 2 * time.Minute

// Argv is the command line of the peer over stdio. It needs no variable of its own in the environment.
func (r Ready) Argv(t testing.TB) []string {
	t.Helper()
	return r.expand(r.way(t, Stdio).argv, "")
}

// StartHTTP runs the peer over Streamable HTTP until the end of the test and returns its URL.
func (r Ready) StartHTTP(t testing.TB) string {
	t.Helper()
	return r.Start(t, HTTP)
}

// Start runs the peer over one of the transports that have a URL.
func (r Ready) Start(t testing.TB, tr Transport) string {
	t.Helper()
	way := r.way(t, tr)
	// The port may be taken by somebody else between the moment that it was found free and the one that the server
	// wants it; then the server leaves, and gets another.
	var err error
	for range 3 {
		var port string
		if port, err = freePort(); err != nil {
			break
		}
		if err = listen(t, port, r.expand(way.argv, port), r.expand(way.env, port)); err == nil {
			return "http://127.0.0.1:" + port + way.Path
		}
	}
	t.Fatalf("start %s over %s: %v", r.Name, tr, err)
	return ""
}

func (r Ready) way(t testing.TB, tr Transport) Way {
	t.Helper()
	if !r.Offers(tr) {
		t.Fatalf("%s does not offer %s", r.Name, tr)
	}
	return r.Ways[tr]
}

func (r Ready) expand(words []string, port string) []string {
	replacer := strings.NewReplacer("{dir}", r.dir, "{port}", port)
	var out []string
	for _, w := range words {
		out = append(out, replacer.Replace(w))
	}
	return out
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// listen starts a server and returns when it accepts connections.
func listen(t testing.TB, port string, argv, env []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	var output tail
	cmd.Stdout, cmd.Stderr = &output, &output
	ownGroup(cmd)
	dieWithParent(cmd)
	started := make(chan error)
	exited := make(chan struct{})
	go func() {
		// The kernel takes the end of the thread that started a process for the end of its parent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
		}
		close(exited)
	}()
	if err := <-started; err != nil {
		return err
	}
	end := func() {
		select {
		case <-exited: // its number may be somebody else's by now
		default:
			killGroup(cmd)
			<-exited
		}
	}
	for deadline := time.Now().Add(startTime); ; time.Sleep(20 * time.Millisecond) {
		select {
		case <-exited:
			return fmt.Errorf("it left before it listened: %v\n%s", cmd.ProcessState, &output)
		default:
		}
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(deadline) {
			end()
			return fmt.Errorf("it does not listen after %v\n%s", startTime, &output)
		}
	}
	t.Cleanup(func() {
		end()
		if t.Failed() {
			t.Logf("output of %s:\n%s", argv[0], &output)
		}
	})
	return nil
}

// tail keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const tailSize = 16 << 10

func (o *tail) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf.Write(p)
	if over := o.buf.Len() - tailSize; over > 0 {
		o.buf.Next(over)
	}
	return len(p), nil
}

func (o *tail) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}
