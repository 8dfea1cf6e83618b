package probe

import (
	"bytes"
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// minSecret is how long a value must be to be replaced wherever it occurs. Shorter ones, such as 1 or true, are no
// secrets, and replacing them would tear the evidence to pieces.
const minSecret = 6

const hidden = "***"

// redactor replaces what the user gave in confidence: values of --env and of headers, and what a URL holds. It works on
// what is kept; verdicts are reached on the bytes as they were.
type redactor struct{ secrets []string }

func newRedactor(values ...string) *redactor {
	r := &redactor{}
	r.add(values...)
	return r
}

func (r *redactor) add(values ...string) {
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) >= minSecret && !slices.Contains(r.secrets, v) {
			r.secrets = append(r.secrets, v)
		}
		// "Bearer TOKEN": the peer may echo the token alone.
		if i := strings.LastIndexByte(v, ' '); i >= 0 && len(v)-i-1 >= minSecret && !slices.Contains(r.secrets, v[i+1:]) {
			r.secrets = append(r.secrets, v[i+1:])
		}
	}
	// The longest first, so that none is left in halves by one that it contains.
	slices.SortStableFunc(r.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

func (r *redactor) text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, hidden)
	}
	return s
}

func (r *redactor) bytes(b []byte) []byte {
	for _, secret := range r.secrets {
		if bytes.Contains(b, []byte(secret)) {
			b = bytes.ReplaceAll(b, []byte(secret), []byte(hidden))
		}
	}
	return b
}

// secretFlag matches the name of a flag whose value is nobody's business.
var secretFlag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^--?[a-z0-9_-]*(key|token|secret|passw|credential|auth)[a-z0-9_-]*$`)
})

// RedactArgs hides what command lines tell in confidence: the values of flags that are called so, and what URLs hold.
// secrets are the texts that were hidden.
func RedactArgs(argv []string) (shown, secrets []string) {
	for i := 0; i < len(argv); i++ {
		arg := argv[i]
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case secretFlag().MatchString(name) && joined:
			shown, secrets = append(shown, name+"="+hidden), append(secrets, value)
		case secretFlag().MatchString(arg) && i+1 < len(argv) && !strings.HasPrefix(argv[i+1], "-"):
			i++
			shown, secrets = append(shown, arg, hidden), append(secrets, argv[i])
		case strings.Contains(arg, "://"):
			shown, secrets = append(shown, RedactURL(arg)), append(secrets, urlSecrets(arg)...)
		default:
			shown = append(shown, arg)
		}
	}
	return shown, secrets
}

// RedactURL hides the user information and the values of the query of a URL. What does not parse is hidden whole.
func RedactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return hidden
	}
	if u.User != nil {
		u.User = url.User(hidden)
	}
	if u.RawQuery != "" {
		q := u.Query()
		for k := range q {
			q[k] = []string{hidden}
		}
		u.RawQuery = q.Encode()
	}
	u.Fragment = ""
	// The stars are not to be percent-encoded: a reader shall see that something was taken away.
	return strings.NewReplacer("%2A%2A%2A", hidden).Replace(u.String())
}

// urlSecrets are the parts of a URL that must not be kept.
func urlSecrets(raw string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	var out []string
	if u.User != nil {
		pw, _ := u.User.Password()
		out = append(out, u.User.Username(), pw)
	}
	for _, vs := range u.Query() {
		out = append(out, vs...)
	}
	return out
}
