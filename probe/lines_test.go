package probe

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// collect reads lines and describes them: a message as it is, anything else with what is wrong about it.
func collect(r io.Reader) ([]string, error) {
	var got []string
	err := readLines(r, func(e event) {
		if s := string(e.data); e.bad == "" {
			got = append(got, s)
		} else {
			got = append(got, e.bad)
		}
	})
	return got, err
}

func TestReadLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"{}\n", []string{"{}"}},
		{"{}\r\n\r\n  \n[]\n", []string{"{}", "[]"}},
		{"a\nhalf", []string{"a", "the output ends within the line"}},
		{strings.Repeat("x", maxFrame+2) + "\n{}\n", []string{"the line is longer than 16 MiB", "{}"}},
	} {
		got, err := collect(strings.NewReader(tt.in))
		if err != nil {
			t.Errorf("%.20q: %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%.20q (-want +got):\n%s", tt.in, diff)
		}
	}
}

// endless gives the same bytes for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e[i%len(e)]
	}
	return len(p), nil
}

// TestReadLinesLimits: no output, however long, is read for ever or kept whole.
func TestReadLinesLimits(t *testing.T) {
	for _, in := range []endless{"x", "{}\n"} {
		got, err := collect(in)
		if err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("endless %q: error %v", string(in), err)
		}
		if len(got) > maxEvents {
			t.Errorf("endless %q: %d lines are kept", string(in), len(got))
		}
	}
	wrong := errors.New("broken")
	if _, err := collect(io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(wrong))); !errors.Is(err, wrong) {
		t.Errorf("an error of the pipe becomes %v", err)
	}
}

// FuzzReadLines: the lines do not depend on the pieces in which they come, and nothing is lost.
func FuzzReadLines(f *testing.F) {
	for _, s := range []string{"{}\n", "\r\n\n", "a\nb", "\x00\xff\n", "x\r"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		whole, err := collect(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := collect(iotest.OneByteReader(bytes.NewReader(b)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Errorf("in one piece and byte by byte (-whole +pieces):\n%s", diff)
		}
		for _, line := range whole {
			if strings.Contains(line, "\n") {
				t.Errorf("the line %q holds a line end", line)
			}
		}
	})
}
