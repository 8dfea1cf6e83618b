package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpaudit/mcpaudit/report"
)

// output is one --format NAME[=FILE]. An empty file is stdout.
type output struct {
	format string
	file   string
}

// parseOutputs reads the values of --format. Text is on stdout unless another format claims it, so that
// "--format json=out.json" still shows a person what was found.
func parseOutputs(values []string) ([]output, error) {
	var outs []output
	claimed := "" // the machine format that has stdout
	files := map[string]string{}
	for _, v := range values {
		name, file, hasFile := strings.Cut(v, "=")
		if !slices.Contains(report.Formats(), name) {
			return nil, usagef(oneOf(name, report.Formats()), "unknown format %q", name)
		}
		switch {
		case hasFile && file == "":
			return nil, usagef("write --format "+name+"=FILE, or --format "+name+" for stdout", "format %s has an empty file name", name)
		case file == "-":
			file = ""
		case hasFile:
			clean := filepath.Clean(file)
			if other, taken := files[clean]; taken {
				return nil, usagef("give each format a file of its own", "formats %s and %s both want the file %q", other, name, file)
			}
			files[clean] = name
		}
		if file == "" && name != "text" {
			if claimed != "" && claimed != name {
				return nil, usagef(fmt.Sprintf("give one of them a file: --format %s=FILE", name), "formats %s and %s both want stdout", claimed, name)
			}
			if claimed == name {
				continue
			}
			claimed = name
		}
		if file != "" || name != "text" {
			outs = append(outs, output{name, file})
		}
	}
	if claimed == "" {
		outs = append([]output{{format: "text"}}, outs...)
	}
	return outs, nil
}

// writeFile renders into a neighbour of the file and renames it, so that nobody ever reads half a report. A
// device or a pipe cannot be replaced and is written as it stands; a symbolic link keeps pointing where it does.
func writeFile(path string, render func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, statErr := os.Stat(path)
	if statErr == nil && !old.Mode().IsRegular() {
		if old.IsDir() {
			return errors.New("is a directory")
		}
		return writeInPlace(path, render)
	}
	tmp, err := os.OpenFile(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp"),
		os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return cause(err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if err := render(tmp); err != nil {
		return err
	}
	if statErr == nil {
		if err := tmp.Chmod(old.Mode().Perm()); err != nil {
			return cause(err)
		}
	}
	if err := tmp.Close(); err != nil {
		return cause(err)
	}
	return cause(os.Rename(tmp.Name(), path))
}

func writeInPlace(path string, render func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return cause(err)
	}
	if err := render(f); err != nil {
		f.Close()
		return err
	}
	return cause(f.Close())
}

// cause drops the operation and the name of the temporary file from an error: the caller says what was being
// done to which file, in the user's spelling.
func cause(err error) error {
	var p *os.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// buffered renders in memory first, so that a reporter that fails leaves nothing half written on stdout.
func buffered(w io.Writer, render func(io.Writer) error) error {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
