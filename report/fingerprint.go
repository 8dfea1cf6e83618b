package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpaudit/mcpaudit"
)

// FingerprintKey names the way fingerprints are made. Another way gets another key.
const FingerprintKey = "mcpaudit/v1"

// anchorCap is how many bytes of a span count.
const anchorCap = 512

// Fingerprints returns what tells each finding from all others across runs, by the index of its check. It has no
// line number, so code may move. It is "" for a check that is no finding, and for a finding whose source the
// repository does not hold, which no baseline can match then. prefix is Root.Prefix.
//
// Equal findings are numbered by their place in the file. All findings are numbered, also those that are not
// shown, so that no filter changes the fingerprint of another finding.
func Fingerprints(repo *mcpaudit.Repo, prefix string, checks []mcpaudit.Check) []string {
	out := make([]string, len(checks))
	groups := map[string][]int{}
	for i := range checks {
		if h, ok := fingerprint(repo, prefix, &checks[i]); ok {
			groups[h] = append(groups[h], i)
		}
	}
	for h, group := range groups {
		slices.SortStableFunc(group, func(a, b int) int { return byPlace(&checks[a], &checks[b]) })
		for n, i := range group {
			out[i] = h + ":" + strconv.Itoa(n+1)
		}
	}
	return out
}

// byPlace compares findings of one hash, which are of one file. Fault and router are no part of the hash; they
// keep the numbers of findings at one place apart.
func byPlace(a, b *mcpaudit.Check) int {
	var x, y mcpaudit.Span
	if p := a.Primary(); p != nil {
		x = *p
	}
	if p := b.Primary(); p != nil {
		y = *p
	}
	return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), cmp.Compare(a.Fault, b.Fault),
		cmp.Compare(a.Subject.Router, b.Subject.Router))
}

func fingerprint(repo *mcpaudit.Repo, prefix string, c *mcpaudit.Check) (string, bool) {
	if c.Verdict != mcpaudit.Failed {
		return "", false
	}
	var file, anchor string
	if span := c.Primary(); span != nil {
		src, ok := repo.Sources[span.File]
		if !ok {
			return "", false
		}
		file = path.Join(prefix, span.File)
		start := max(0, min(span.Start, len(src)))
		anchor = squeeze(src[start:max(start, min(span.End, len(src)))])
	} else if e := firstExchange(c); e != nil {
		anchor = e.Scenario + " " + method(e.Sent)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{FingerprintKey, string(c.Pattern), file,
		c.Subject.Server, string(c.Subject.Kind), c.Subject.Name, anchor}, "\x1f")))
	return hex.EncodeToString(sum[:])[:32], true
}

// squeeze drops white space and keeps every other byte, so that a formatter does not make a finding a new one.
func squeeze(src []byte) string {
	var out []byte
	for len(src) > 0 && len(out) < anchorCap {
		r, n := utf8.DecodeRune(src)
		if !unicode.IsSpace(r) {
			out = append(out, src[:n]...)
		}
		src = src[n:]
	}
	return string(out[:min(len(out), anchorCap)])
}

func firstExchange(c *mcpaudit.Check) *mcpaudit.Exchange {
	for _, e := range c.Evidence {
		if e.Exchange != nil && e.Role != mcpaudit.Hidden {
			return e.Exchange
		}
	}
	return nil
}

// method is what triggered an answer. A message that is no JSON was sent for what it is: its scenario says all.
func method(sent json.RawMessage) string {
	var m struct{ Method string }
	if json.Unmarshal(sent, &m) != nil {
		return ""
	}
	return m.Method
}
