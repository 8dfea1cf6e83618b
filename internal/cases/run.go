package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/tools/txtar"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers"
	"github.com/mcpaudit/mcpaudit/probe"
)

// Run writes a tree into an empty folder and audits it with exactly one pattern, as the persona that sees every fault.
// The server that a transcript tells of joins its source, if there is any.
func Run(ctx context.Context, dir string, files []txtar.File, p *mcpaudit.Pattern) (Result, error) {
	var heard *mcpaudit.Server
	for _, f := range files {
		if f.Name == transcriptFile {
			records, c, err := transcript(f.Data)
			if err != nil {
				return Result{}, err
			}
			heard = probe.Listen(records, c)
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return Result{}, fmt.Errorf("write the tree: %w", err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return Result{}, fmt.Errorf("write the tree: %w", err)
		}
	}
	repo, err := analyzers.Extract(ctx, analyzers.Options{Paths: []string{dir}})
	if err != nil {
		return Result{}, fmt.Errorf("read the tree: %w", err)
	}
	if heard != nil {
		if _, err := repo.Join(heard, ""); err != nil {
			return Result{}, fmt.Errorf("join the transcript and the tree: %w", err)
		}
	}
	checks, err := mcpaudit.Audit(repo, []*mcpaudit.Pattern{p}, mcpaudit.Options{Persona: mcpaudit.Auditor})
	if err != nil {
		return Result{}, err
	}
	return Result{Checks: checks, Sources: repo.Sources, Gaps: repo.Gaps}, nil
}
