package main

import (
	"io"
	"strings"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/patterns"
	"github.com/spf13/cobra"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain ID|SLUG",
		Short:   "Print the page of a pattern",
		Long:    "explain prints the page of a pattern: what it asks for, in which revisions, how it is found and repaired.\nID is ab-001839 or just 1839, SLUG the name that the patterns command lists.",
		Example: "  mcpaudit explain ab-001839",
		Args:    exactArgs(1, "the id or the slug of a pattern"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := findPattern(args[0])
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.stdout, p.Doc)
			return err
		},
	}
}

// findPattern takes what people paste: an id, a slug or a number.
func findPattern(name string) (*mcpaudit.Pattern, error) {
	if p, ok := patterns.Get(name); ok {
		return p, nil
	}
	var names []string
	for _, p := range patterns.All() {
		names = append(names, string(p.ID), p.Slug, p.Slug[strings.LastIndex(p.Slug, ".")+1:])
	}
	hint := didYouMean(name, names)
	if hint == "" {
		hint = "mcpaudit patterns lists them"
	}
	return nil, usagef(hint, "unknown pattern %q", name)
}
