package report

import "github.com/mcpaudit/mcpaudit"

// WantColor decides whether one stream gets colour; ask for each stream. mode is "always", "never" or "auto". The
// first rule that matches wins:
//
//	mode          always is on, never is off
//	NO_COLOR      not empty: off
//	FORCE_COLOR   not empty: "0" and "false" are off, all else is on
//	CLICOLOR_FORCE  not empty and not "0": on
//	CLICOLOR      "0": off
//	TERM          "dumb": off
//	isTerminal
//
// CI is not a reason: what runs there may write to a file. env returns "" for a variable that is not set.
func WantColor(mode string, env func(string) string, isTerminal bool) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if env("NO_COLOR") != "" {
		return false
	}
	if v := env("FORCE_COLOR"); v != "" {
		return v != "0" && v != "false"
	}
	if v := env("CLICOLOR_FORCE"); v != "" && v != "0" {
		return true
	}
	if env("CLICOLOR") == "0" || env("TERM") == "dumb" {
		return false
	}
	return isTerminal
}

// role is what a colour stands for. Nothing is said by colour alone.
type role int

const (
	rolePlace role = iota // where
	roleError
	roleWarn
	roleNote
	roleFrame // gutters and marks that are ours, not the source's
	roleHint
)

// The colours are of the sixteen that every terminal lets its user choose.
var codes = [...]string{rolePlace: "1", roleError: "31", roleWarn: "33", roleNote: "36", roleFrame: "34", roleHint: "32"}

func levelRole(l mcpaudit.Level) role {
	switch l {
	case mcpaudit.Error:
		return roleError
	case mcpaudit.Warning:
		return roleWarn
	}
	return roleNote
}
