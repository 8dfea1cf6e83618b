package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/patterns"
	"github.com/spf13/cobra"
)

// listings are the forms of the pattern list.
var listings = map[string]func(io.Writer, []*mcpaudit.Pattern) error{
	"text":     listText,
	"json":     listJSON,
	"markdown": listMarkdown,
}

func (a *app) patternsCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "patterns",
		Short: "List the patterns",
		Args:  exactArgs(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			list := listings[format]
			if list == nil {
				names := []string{"text", "json", "markdown"}
				return usagef(oneOf(format, names), "unknown format %q of the pattern list", format)
			}
			return list(a.stdout, patterns.All())
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`text, json or markdown`")
	return cmd
}

func listText(w io.Writer, all []*mcpaudit.Pattern) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", p.ID, p.Severity, eras(p), p.Slug, p.Title)
	}
	return tw.Flush()
}

// listMarkdown writes the table of the README.
func listMarkdown(w io.Writer, all []*mcpaudit.Pattern) error {
	var b strings.Builder
	b.WriteString("| id | severity | eras | what it asks for | faults |\n|---|---|---|---|---|\n")
	for _, p := range all {
		fmt.Fprintf(&b, "| [%s](patterns/%s.md) | %s | %s | %s | %s |\n",
			p.ID, strings.ReplaceAll(string(p.ID), "-", ""), p.Severity, eras(p), p.Title, strings.Join(faults(p), ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// listed is one entry of the machine list. Its keys are a contract.
type listed struct {
	ID       mcpaudit.ID   `json:"id"`
	Slug     string        `json:"slug"`
	Title    string        `json:"title"`
	Severity string        `json:"severity"`
	Eras     []string      `json:"eras"`
	Since    string        `json:"since"`
	Refs     []string      `json:"refs"`
	Faults   []listedFault `json:"faults"`
}

type listedFault struct {
	Key     string `json:"key"`
	Title   string `json:"title"`
	Persona string `json:"persona"`
	Trial   bool   `json:"trial"`
}

func listJSON(w io.Writer, all []*mcpaudit.Pattern) error {
	list := struct {
		Version  int      `json:"version"`
		Patterns []listed `json:"patterns"`
	}{Version: 1, Patterns: []listed{}}
	for _, p := range all {
		l := listed{
			ID: p.ID, Slug: p.Slug, Title: p.Title, Severity: p.Severity.String(), Since: p.Since,
			Eras: []string{}, Refs: append([]string{}, p.Refs...), Faults: []listedFault{},
		}
		for _, e := range p.Eras {
			l.Eras = append(l.Eras, e.String())
		}
		for _, f := range p.Faults {
			l.Faults = append(l.Faults, listedFault{f.Key, f.Title, f.Persona.String(), f.Trial})
		}
		list.Patterns = append(list.Patterns, l)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

func eras(p *mcpaudit.Pattern) string {
	var names []string
	for _, e := range p.Eras {
		names = append(names, e.String())
	}
	return strings.Join(names, ", ")
}

func faults(p *mcpaudit.Pattern) []string {
	var keys []string
	for _, f := range p.Faults {
		keys = append(keys, f.Key)
	}
	slices.Sort(keys)
	return keys
}
