package main

import (
	"github.com/mcpaudit/mcpaudit/report"
	"github.com/spf13/cobra"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema report",
		Short: "Print the JSON Schema of a format",
		Args:  exactArgs(1, "the name of a schema"),
		RunE: func(_ *cobra.Command, args []string) error {
			schema, err := report.Schema(args[0])
			if err != nil {
				return usagef(oneOf(args[0], []string{"report"}), "unknown schema %q", args[0])
			}
			_, err = a.stdout.Write(schema)
			return err
		},
	}
}
