//go:build cgo

package analyzers

import (
	"context"

	"github.com/mcpaudit/mcpaudit"
	"github.com/mcpaudit/mcpaudit/analyzers/code"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/gosyntax"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/python"
	"github.com/mcpaudit/mcpaudit/analyzers/lang/typescript"
	"github.com/mcpaudit/mcpaudit/analyzers/syntax"
)

func init() {
	for _, l := range []*syntax.Language{typescript.TypeScript, typescript.TSX, typescript.JavaScript, python.Python, gosyntax.Go} {
		parsers = append(parsers, parser{
			name: l.Name, exts: l.Extensions,
			lower: func(ctx context.Context, path string, src []byte) (*code.File, *mcpaudit.Gap) {
				t, gap := l.Parse(ctx, path, src)
				if gap != nil {
					return nil, gap
				}
				return l.Lower(t), nil
			},
		})
	}
}
