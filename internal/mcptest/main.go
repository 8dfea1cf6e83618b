// Package mcptest holds a server of the Model Context Protocol that was written by hand, for tests of the prober. It
// speaks stdio, Streamable HTTP and HTTP+SSE, in the era with a handshake and in the one without, and it does so by the
// book; and then there is a list of ways in which it can be told not to.
//
// It uses no SDK: an SDK would not let it be wrong.
package mcptest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// WellBehaved is the command mcp-wellbehaved: a server that conforms. It returns the exit code.
func WellBehaved(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(context.Background(), "mcp-wellbehaved", false, args, stdin, stdout, stderr)
}

// Broken is the command mcp-broken: the same server, with the behaviours that its arguments name. It returns the exit
// code.
func Broken(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(context.Background(), "mcp-broken", true, args, stdin, stdout, stderr)
}

// Handler serves Streamable HTTP at /mcp, and HTTP+SSE at /sse and /messages. Beside behaviours it takes the flags of
// mcp-broken. Answers that are due after a while, and those that never come, end with their requests: a test that closes
// its server has to let go of them first, for example by CloseClientConnections.
func Handler(behaviours ...string) (http.Handler, error) {
	o, err := configure("mcp-broken", behaviours)
	if err != nil {
		return nil, err
	}
	if o.http || o.urlFile != "" {
		return nil, errors.New("--http and --url-file are for a command")
	}
	if err := o.fits("HTTP", overHTTP); err != nil {
		return nil, err
	}
	return newServer(o).handler(), nil
}

func run(ctx context.Context, prog string, broken bool, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := configure(prog, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout, prog, broken)
		return 0
	case err == nil && broken && len(o.faults) == 0:
		err = errors.New("name at least one behaviour; --help lists them")
	case err == nil && !broken && len(o.faults) > 0:
		err = fmt.Errorf("%s has no behaviours; mcp-broken has them", prog)
	case err == nil:
		err = o.checkCommand()
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", prog, err)
		return 2
	}
	if o.has("ignores-term") {
		signal.Ignore(syscall.SIGTERM)
	} else {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	v := newServer(o)
	code := 0
	if o.http {
		err = v.listen(ctx, stdin)
	} else {
		code, err = v.stdio(ctx, stdin, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", prog, err)
		return 1
	}
	return code
}
