package report

import (
	"strings"

	"github.com/mcpaudit/mcpaudit"
)

const (
	projectURL = "https://github.com/mcpaudit/mcpaudit"
	schemaURL  = projectURL + "/raw/main/report/schema/report.v1.json"
)

// hasPage reports whether an id is of the catalogue. Findings about the run itself, such as a bad ignore comment,
// have no page.
func hasPage(id mcpaudit.ID) bool {
	return strings.HasPrefix(string(id), "ab-") || strings.HasPrefix(string(id), "ma-")
}

// helpURL is the page of a pattern, "" if it has none. An id is ours, so nothing foreign gets into a link.
func helpURL(id mcpaudit.ID) string {
	if !hasPage(id) {
		return ""
	}
	return projectURL + "/blob/main/patterns/" + strings.ReplaceAll(string(id), "-", "") + ".md"
}
