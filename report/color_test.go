package report

import "testing"

func TestWantColor(t *testing.T) {
	type vars map[string]string
	for _, tc := range []struct {
		name     string
		mode     string
		env      vars
		terminal bool
		want     bool
	}{
		{"terminal", "auto", nil, true, true},
		{"file", "auto", nil, false, false},
		{"always beats NO_COLOR", "always", vars{"NO_COLOR": "1"}, false, true},
		{"never beats FORCE_COLOR", "never", vars{"FORCE_COLOR": "1"}, true, false},
		{"NO_COLOR", "auto", vars{"NO_COLOR": "1"}, true, false},
		{"NO_COLOR=0 is not empty", "auto", vars{"NO_COLOR": "0"}, true, false},
		{"empty NO_COLOR says nothing", "auto", vars{"NO_COLOR": ""}, true, true},
		{"NO_COLOR beats FORCE_COLOR", "auto", vars{"NO_COLOR": "1", "FORCE_COLOR": "1"}, true, false},
		{"FORCE_COLOR", "auto", vars{"FORCE_COLOR": "1"}, false, true},
		{"FORCE_COLOR=true", "auto", vars{"FORCE_COLOR": "true"}, false, true},
		{"FORCE_COLOR=0", "auto", vars{"FORCE_COLOR": "0"}, true, false},
		{"FORCE_COLOR=false", "auto", vars{"FORCE_COLOR": "false"}, true, false},
		{"FORCE_COLOR beats CLICOLOR_FORCE", "auto", vars{"FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}, true, false},
		{"FORCE_COLOR beats TERM", "auto", vars{"FORCE_COLOR": "1", "TERM": "dumb"}, false, true},
		{"CLICOLOR_FORCE", "auto", vars{"CLICOLOR_FORCE": "1"}, false, true},
		{"CLICOLOR_FORCE=0 says nothing", "auto", vars{"CLICOLOR_FORCE": "0"}, false, false},
		{"CLICOLOR_FORCE=0 does not turn off", "auto", vars{"CLICOLOR_FORCE": "0"}, true, true},
		{"CLICOLOR_FORCE beats CLICOLOR", "auto", vars{"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, false, true},
		{"CLICOLOR=0", "auto", vars{"CLICOLOR": "0"}, true, false},
		{"CLICOLOR=1 does not turn on", "auto", vars{"CLICOLOR": "1"}, false, false},
		{"TERM=dumb", "auto", vars{"TERM": "dumb"}, true, false},
		{"TERM=xterm", "auto", vars{"TERM": "xterm"}, true, true},
		{"CI is no reason", "auto", vars{"CI": "true", "GITHUB_ACTIONS": "true"}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := WantColor(tc.mode, func(k string) string { return tc.env[k] }, tc.terminal); got != tc.want {
				t.Errorf("got %t, want %t", got, tc.want)
			}
		})
	}
}
