package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/mcpaudit/mcpaudit/internal/mcptest"
	"github.com/mcpaudit/mcpaudit/probe"
)

// TestMain lets the benchmark be the server that it measures.
func TestMain(m *testing.M) {
	if os.Getenv("MCPAUDIT_FAKE") == "well" {
		os.Exit(mcptest.WellBehaved(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// BenchmarkPing compares the time of a warm ping as the prober takes it with what the barest client takes, both against the
// same server and in turn. Its metric "ratio" is the prober's median in medians of the bare client: what the prober adds
// to a ping it must not blame on the server.
func BenchmarkPing(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs []time.Duration
	for b.Loop() {
		res, err := probe.Run(b.Context(), probe.Target{Argv: []string{exe}},
			probe.Options{Scenarios: []string{"ping/integer", "ping/latency"}, Env: []string{"MCPAUDIT_FAKE=well"}})
		if err != nil || res.Probe.Samples == 0 {
			b.Fatalf("probe: %v, %+v", err, res)
		}
		ours = append(ours, res.Probe.Median)
		theirs = append(theirs, bare(b, exe))
	}
	b.ReportMetric(float64(middle(ours).Nanoseconds())/1000, "µs/ping")
	b.ReportMetric(float64(middle(ours))/float64(middle(theirs)), "ratio")
}

// bare is a client in twenty lines: it writes a line and reads one. It returns the median of as many warm pings, with
// another request between each two, as the prober takes.
func bare(b *testing.B, exe string) time.Duration {
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "MCPAUDIT_FAKE=well")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	ask := func(msg string) time.Duration {
		start := time.Now()
		fmt.Fprintln(in, msg)
		if _, err := lines.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bare","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	var took []time.Duration
	for i := range 13 {
		ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, 2*i+1))
		if d := ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, 2*i+2)); i >= 3 {
			took = append(took, d)
		}
	}
	return middle(took)
}

func middle(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}
