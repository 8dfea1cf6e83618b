package probe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Bounds of what happens below a message. How long a server may think is not among them: that is up to the session.
const (
	lookupTimeout = 5 * time.Second
	dialTimeout   = 5 * time.Second // of one address
	tlsTimeout    = 10 * time.Second
	headLimit     = 1 << 20 // bytes of the head of an answer
	maxRedirects  = 5
	deleteTimeout = 2 * time.Second
	// Servers on Node.js drop a connection that was idle for 5 s. A POST that meets that moment fails, and the server
	// would be blamed for it.
	idleTimeout = 4 * time.Second
)

type httpOptions struct {
	header  http.Header // what the user wants every request to carry
	version string      // of mcpaudit
}

// httpClient sends the requests of all connections to one target. It does less than http.DefaultClient: nothing is taken
// from the environment, nothing leaves the origin, and bodies stay as they came over the wire.
type httpClient struct {
	client    *http.Client
	transport *http.Transport
	header    http.Header
	lookup    func(ctx context.Context, host string) ([]netip.Addr, error)

	mu    sync.Mutex
	addrs map[string][]netip.Addr
}

func newHTTPClient(opts httpOptions) *httpClient {
	c := &httpClient{header: http.Header{}, addrs: map[string][]netip.Addr{}, lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}}
	c.header.Set("User-Agent", "mcpaudit/"+cmp.Or(opts.version, "unknown"))
	override(c.header, opts.header)
	c.transport = &http.Transport{
		Proxy:                  nil, // a proxy would be audited in the place of the server
		DialContext:            c.dial,
		ForceAttemptHTTP2:      true, // net/http leaves HTTP/2 out where the dialer is not its own
		DisableCompression:     true,
		TLSHandshakeTimeout:    tlsTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    16,
		MaxResponseHeaderBytes: headLimit,
	}
	c.client = &http.Client{Transport: c.transport, CheckRedirect: mayFollow}
	return c
}

// close drops the connections that are kept alive. The client can still be used.
func (c *httpClient) close() { c.transport.CloseIdleConnections() }

// dial tries the addresses of a host one after the other.
func (c *httpClient) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	addrs, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	err = nil
	dialer := net.Dialer{Timeout: dialTimeout}
	for _, a := range addrs {
		conn, dialErr := dialer.DialContext(ctx, network, net.JoinHostPort(a.Unmap().String(), port))
		if dialErr == nil {
			return conn, nil
		}
		if err == nil {
			err = dialErr
		}
	}
	if err == nil {
		err = fmt.Errorf("look up %s: it has no address", host)
	}
	return nil, err
}

// resolve asks the DNS once per host, so that a name cannot point elsewhere in the middle of an audit. A failure is not
// kept: the host may be about to start. All requests go to one host, which is why one lock will do.
func (c *httpClient) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if addrs, ok := c.addrs[host]; ok {
		return addrs, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := c.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	c.addrs[host] = addrs
	return addrs, nil
}

// mayFollow lets redirects within the origin pass, since the headers of the user go with them, if they leave the request
// what it is. net/http asks it before each one.
func mayFollow(req *http.Request, via []*http.Request) error {
	switch {
	case !sameOrigin(req.URL, via[0].URL):
		return fmt.Errorf("the server redirects to another origin, %s", originOf(req.URL))
	case req.Method != via[0].Method:
		return fmt.Errorf("a redirect with HTTP %d would turn the %s into a %s", req.Response.StatusCode, via[0].Method, req.Method)
	case len(via) > maxRedirects:
		return fmt.Errorf("the server redirects more than %d times, the last time to %s", maxRedirects, RedactURL(req.URL.String()))
	}
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if u.Port() == "" && strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return cmp.Or(u.Port(), "80")
}

func originOf(u *url.URL) string {
	return RedactURL((&url.URL{Scheme: u.Scheme, Host: u.Host}).String())
}

// do sends one request with the headers h of the transport, those of the user, and the extra ones of an exercise, the
// later ones overriding the earlier ones. Where a redirect was refused there is an answer beside the error, without its
// body. The error never shows the URL as it is: the one of net/http would.
func (c *httpClient) do(ctx context.Context, method, rawURL string, body []byte, h, extra http.Header) (*http.Response, error) {
	resp, err := c.request(ctx, method, rawURL, body, h, extra)
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if err == io.EOF {
		err = errors.New("the server closed the connection instead of answering")
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w", method, RedactURL(rawURL), err)
	}
	return resp, err
}

func (c *httpClient) request(ctx context.Context, method, rawURL string, body []byte, h, extra http.Header) (*http.Response, error) {
	// The body can be read again, which a redirect with 307 or 308 needs.
	req, err := http.NewRequestWithContext(ctx, method, rawURL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	override(req.Header, h)
	override(req.Header, c.header)
	override(req.Header, extra)
	// net/http takes the host from a field and ignores a header of that name.
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	return c.client.Do(req)
}

// override replaces headers. One without values is kept without values, which is how net/http is told to send none, not
// even its own.
func override(h, by http.Header) {
	for k, vs := range by {
		h[http.CanonicalHeaderKey(k)] = append([]string(nil), vs...)
	}
}
