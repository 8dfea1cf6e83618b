package sdk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/osv-scalibr/semantic"
)

// whole matches versions, as opposed to ranges and tags: the ordering of a "^1.2.0" or a "latest" would be an
// accident of the parser.
var whole = map[string]func() *regexp.Regexp{
	"npm":  lazily(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`),
	"Go":   lazily(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`),
	"PyPI": lazily(`(?i)^(\d+!)?\d+(\.\d+)*[._-]?((a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?(-\d+|[._-]?(post|rev|r)[._-]?\d*)?([._-]?dev[._-]?\d*)?(\+[0-9a-z._-]+)?$`),
}

// InRange reports whether a version lies in a range: comparisons joined by commas, all of which must hold, such
// as ">=0.3.0,<0.8.0". The operators are < <= > >= =. Versions are ordered as the ecosystem does, so a pre-release
// stands before its release. The empty range holds every version; what is no version lies in no other range.
func InRange(ecosystem, version, rng string) bool {
	parts, err := parseRange(rng)
	if err != nil {
		return false
	}
	if len(parts) == 0 {
		return true
	}
	version = strings.TrimPrefix(version, "v")
	if re := whole[ecosystem]; re == nil || !re().MatchString(version) {
		return false
	}
	v, err := semantic.Parse(version, ecosystem)
	if err != nil {
		return false
	}
	for _, p := range parts {
		c, err := v.CompareStr(p.version)
		if err != nil {
			return false
		}
		ok := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0, "=": c == 0}[p.op]
		if !ok {
			return false
		}
	}
	return true
}

type comparison struct{ op, version string }

func parseRange(rng string) ([]comparison, error) {
	if rng == "" {
		return nil, nil
	}
	var out []comparison
	for part := range strings.SplitSeq(rng, ",") {
		v := strings.TrimLeft(part, "<>=")
		op := part[:len(part)-len(v)]
		if v == "" || !slices.Contains([]string{"<", "<=", ">", ">=", "="}, op) {
			return nil, fmt.Errorf("version range %q: want comparisons such as >=1.2.0,<2", rng)
		}
		out = append(out, comparison{op, v})
	}
	return out, nil
}
