package main

import (
	"errors"
	"fmt"
)

// The exit codes are a contract for ever. Where several apply, the precedence is 2, 5, 1, 4, 3, 0: a finding
// outranks "not everything could be looked at", because a violation is the stronger statement.
const (
	exitClean      = 0 // something was analysed, nothing at or above --fail-on was found
	exitFindings   = 1
	exitUsage      = 2 // bad flag or id, unreadable path, unwritable output
	exitNothing    = 3 // no MCP server or client was found, or nothing could be read
	exitIncomplete = 4 // a probe could not try out everything that applies: no connection, no credentials, no answer
	exitInternal   = 5 // our own bug; the Go runtime would exit with 2, which reads as "usage"
)

// A signal ends the program as it ends any other one: with 128 and its number.
const (
	exitInterrupted = 130
	exitTerminated  = 143
)

// exitReasons are the words of verdict.reason in the JSON report.
var exitReasons = map[int]string{
	exitClean:       "clean",
	exitFindings:    "findings",
	exitUsage:       "usage",
	exitNothing:     "nothing-analysed",
	exitIncomplete:  "probe-incomplete",
	exitInternal:    "internal",
	exitInterrupted: "interrupted",
	exitTerminated:  "interrupted",
}

// worst returns the code that wins.
func worst(codes ...int) int {
	precedence := []int{exitTerminated, exitInterrupted, exitUsage, exitInternal, exitFindings, exitIncomplete, exitNothing}
	for _, p := range precedence {
		for _, c := range codes {
			if c == p {
				return c
			}
		}
	}
	return exitClean
}

// exitError is an error that knows its exit code and what would help.
type exitError struct {
	code  int
	err   error
	hints []string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usagef is an error of the caller.
func usagef(hint string, format string, args ...any) error {
	e := &exitError{code: exitUsage, err: fmt.Errorf(format, args...)}
	if hint != "" {
		e.hints = []string{hint}
	}
	return e
}

// codeOf classifies an error; one that says nothing of its code is a bug of ours.
func codeOf(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &e):
		return e.code
	}
	return exitInternal
}
