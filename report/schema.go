package report

import (
	_ "embed"
	"fmt"
)

//go:embed schema/report.v1.json
var reportSchema []byte

// Schema returns the JSON Schema of a file that mcpaudit writes: "report" is the current version of the JSON
// format, "report.v1" this one.
func Schema(name string) ([]byte, error) {
	switch name {
	case "report", "report.v1":
		return append([]byte(nil), reportSchema...), nil
	}
	return nil, fmt.Errorf("unknown schema %q, want one of report, report.v1", name)
}
