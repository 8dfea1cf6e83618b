package cases

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/probe"
)

// transcriptFile stands at the root of a case and is no file of the tree.
const transcriptFile = "transcript.jsonl"

// transcript reads the conversation of a case. An error names the line.
func transcript(data []byte) ([]probe.Record, probe.Context, error) {
	c := probe.Context{Local: true}
	var at []int // the lines of the records
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		option, ok := strings.CutPrefix(line, "#!")
		switch {
		case ok:
			if err := set(&c, option); err != nil {
				return nil, c, fmt.Errorf("%s:%d: %w", transcriptFile, i+1, err)
			}
		case line != "" && line[0] != '#':
			at = append(at, i+1)
		}
	}
	records, err := probe.ReadTranscript(bytes.NewReader(data))
	if err != nil {
		return nil, c, fmt.Errorf("%s: %w", transcriptFile, err)
	}
	for i, r := range records {
		// A record of a scenario that nobody knows would be left out in silence.
		if !known(r.Scenario) {
			return nil, c, fmt.Errorf("%s:%d: there is no scenario %q", transcriptFile, at[i], r.Scenario)
		}
	}
	return records, c, nil
}

func set(c *probe.Context, option string) error {
	name, value, _ := strings.Cut(strings.TrimSpace(option), " ")
	switch {
	case name == "remote" && value == "":
		c.Local = false
	case name == "budget":
		d, err := time.ParseDuration(value)
		if err == nil && d <= 0 {
			err = errors.New("want more than nothing")
		}
		if err != nil {
			return fmt.Errorf("read the budget: %w", err)
		}
		c.Budget, c.Agreed = d, true
	default:
		return fmt.Errorf("option %q: want remote or budget DURATION", option)
	}
	return nil
}

func known(scenario string) bool {
	rev, ping := strings.CutPrefix(scenario, "ping/")
	return probe.About(scenario) != "" || scenario == "handshake" || ping && slices.Contains(mcpaudit.Revisions, mcpaudit.Revision(rev))
}
