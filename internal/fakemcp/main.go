// Package fakemcp is a fake MCP server for tests of the prober: a hand-written one that behaves well, and a list of ways
// in which it can be broken. It runs as a command over stdio or HTTP, or as a handler within a test.
package fakemcp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// WellBehaved runs a server that does everything right, until its input ends. It returns the exit code.
func WellBehaved(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return command(args, false, stdin, stdout, stderr)
}

// Broken runs a server that behaves in the ways that the arguments name.
func Broken(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return command(args, true, stdin, stdout, stderr)
}

func command(args []string, broken bool, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, broken, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "mcptest: %v\n", err)
		return 2
	}
	v := newServer(o)
	switch {
	case o.has("exits-at-once"):
		fmt.Fprintln(stderr, "fatal error: the configuration is missing")
		return 7
	case o.has("never-starts"):
		time.Sleep(10 * time.Minute)
		return 0
	case o.has("children"):
		if err := leaveChildren(); err != nil {
			fmt.Fprintf(stderr, "mcptest: %v\n", err)
			return 1
		}
	}
	if o.has("ignores-term") {
		signal.Ignore(syscall.SIGTERM)
	}
	if o.http {
		return v.listen(stdin, stderr)
	}
	return v.stdio(stdin, stdout)
}

// listen serves HTTP until the input ends or, where it writes its URL into a file and so runs in the background, until a
// signal comes.
func (v *server) listen(stdin io.Reader, stderr io.Writer) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintf(stderr, "mcptest: %v\n", err)
		return 1
	}
	if v.urlFile != "" {
		if err := writeURL(v.urlFile, "http://"+l.Addr().String()); err != nil {
			fmt.Fprintf(stderr, "mcptest: %v\n", err)
			return 1
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if v.urlFile == "" {
		go func() {
			io.Copy(io.Discard, stdin)
			stop()
		}()
	}
	s := &http.Server{Handler: v.handler()}
	go s.Serve(l)
	wait(ctx, 10*time.Minute)
	s.Close()
	return 0
}

// writeURL is atomic: whoever waits for the file never reads half of it.
func writeURL(file, url string) error {
	tmp := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".tmp")
	if err := os.WriteFile(tmp, []byte(url), 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, file)
}

// Handler serves Streamable HTTP at /mcp, and HTTP+SSE at /sse with its posts at /messages. The arguments are those of
// the commands.
func Handler(args ...string) (http.Handler, error) {
	broken := len(args) > 0 && args[0] != "" && args[0][0] != '-'
	o, err := parseOptions(args, broken, io.Discard)
	if err != nil {
		return nil, err
	}
	return newServer(o).handler(), nil
}
