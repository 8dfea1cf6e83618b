package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// watchdog is how long a test waits for what must come. It is there to name the place, not to measure anything.
const watchdog = time.Minute

func serving(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

func testClient(t *testing.T, opts httpOptions) *httpClient {
	t.Helper()
	c := newHTTPClient(opts)
	t.Cleanup(c.close)
	return c
}

// fetched sends one request and returns the status and the body of its answer.
func fetched(t *testing.T, c *httpClient, method, rawURL, body string, h, extra http.Header) (int, string, error) {
	t.Helper()
	resp, err := c.do(t.Context(), method, rawURL, []byte(body), h, extra)
	if resp == nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	got, readErr := io.ReadAll(resp.Body)
	if err == nil && readErr != nil {
		t.Fatal(readErr)
	}
	return resp.StatusCode, string(got), err
}

func TestClientHeaders(t *testing.T) {
	var got http.Header
	var host string
	srv := serving(t, func(_ http.ResponseWriter, r *http.Request) { got, host = r.Header, r.Host })
	c := testClient(t, httpOptions{version: "1.2.3", header: http.Header{"authorization": {"Bearer abcdef"}, "X-Both": {"user"}}})
	ask := func(h, extra http.Header) {
		t.Helper()
		if status, _, err := fetched(t, c, http.MethodPost, srv.URL, "x", h, extra); err != nil || status != 200 {
			t.Fatal(status, err)
		}
		got.Del("Content-Length")
	}

	ask(http.Header{"Accept": {"a/b"}, "X-Both": {"transport"}}, nil)
	want := http.Header{"User-Agent": {"mcpaudit/1.2.3"}, "Authorization": {"Bearer abcdef"}, "X-Both": {"user"}, "Accept": {"a/b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headers mismatch (-want +got):\n%s", diff)
	}
	if host != strings.TrimPrefix(srv.URL, "http://") {
		t.Errorf("Host is %q", host)
	}

	ask(http.Header{"Accept": {"a/b"}}, http.Header{"accept": {"c/d"}, "user-agent": nil, "AUTHORIZATION": {}, "X-Both": {"1", "2"}, "Host": {"evil.example"}})
	want = http.Header{"X-Both": {"1", "2"}, "Accept": {"c/d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("overridden headers mismatch (-want +got):\n%s", diff)
	}
	if host != "evil.example" {
		t.Errorf("Host is %q, want evil.example", host)
	}
}

func TestClientUsesNoProxy(t *testing.T) {
	if testClient(t, httpOptions{}).transport.Proxy != nil {
		t.Error("the client asks for a proxy")
	}
}

func TestClientVerifiesTLS(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.ProtoMajor) }))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // it would tell of the handshake that fails
	srv.StartTLS()
	t.Cleanup(srv.Close)

	_, _, err := fetched(t, testClient(t, httpOptions{}), http.MethodGet, srv.URL, "", nil, nil)
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) {
		t.Errorf("a certificate that nobody vouches for: got error %v", err)
	}

	c := testClient(t, httpOptions{})
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	c.transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	if _, body, err := fetched(t, c, http.MethodGet, srv.URL, "", nil, nil); err != nil || body != "2" {
		t.Errorf("spoke HTTP/%s, want 2 (error %v)", body, err)
	}
}

func TestClientLooksUpOnceAndTriesInOrder(t *testing.T) {
	srv := serving(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(srv.URL, "http://"))
	c := testClient(t, httpOptions{})
	asked := 0
	c.lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		if asked++; host != "server.test" {
			t.Errorf("looked up %q", host)
		}
		if asked == 1 {
			return nil, errors.New("not yet")
		}
		// Nothing listens on the first address.
		return []netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("::ffff:127.0.0.1")}, nil
	}
	to := "http://server.test:" + port
	if _, _, err := fetched(t, c, http.MethodGet, to, "", nil, nil); err == nil || !strings.Contains(err.Error(), "not yet") {
		t.Errorf("got error %v, want the one of the lookup", err)
	}
	for range 3 {
		if status, _, err := fetched(t, c, http.MethodGet, to, "", nil, nil); err != nil || status != 200 {
			t.Fatal(status, err)
		}
		c.close() // the next request dials again
	}
	if asked != 2 {
		t.Errorf("looked up %d times, want one that failed and one that is kept", asked)
	}
}

func TestClientWithoutAddresses(t *testing.T) {
	c := testClient(t, httpOptions{})
	c.lookup = func(context.Context, string) ([]netip.Addr, error) { return nil, nil }
	if _, _, err := fetched(t, c, http.MethodGet, "http://server.test", "", nil, nil); err == nil || !strings.Contains(err.Error(), "has no address") {
		t.Errorf("got error %v", err)
	}
}

func TestClientKeepsConnectionsAlive(t *testing.T) {
	var opened atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	c := testClient(t, httpOptions{})
	for range 3 {
		if _, _, err := fetched(t, c, http.MethodPost, srv.URL, "x", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n != 1 {
		t.Errorf("%d connections were opened for three requests, want 1", n)
	}
}

func TestClientRedirects(t *testing.T) {
	elsewhere := serving(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s left the origin", r.Method) })
	srv := serving(t, func(w http.ResponseWriter, r *http.Request) {
		var status, more int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d", &status, &more); err == nil {
			w.Header().Set("Location", fmt.Sprintf("/%d/%d", status, more-1))
			if more == 1 {
				w.Header().Set("Location", "/end")
			}
			if more == 0 {
				w.Header().Set("Location", r.URL.Path+"?token=secret")
			}
			w.WriteHeader(status)
			return
		}
		if r.URL.Path == "/away" {
			w.Header().Set("Location", strings.Replace(elsewhere.URL, "http://", "http://u:secret@", 1)+"/?token=secret")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, r.Method, " ", string(body), " ", r.Header.Get("Authorization"))
	})
	c := testClient(t, httpOptions{header: http.Header{"Authorization": {"A"}}})
	for _, tc := range []struct {
		method, path string
		status       int
		want, err    string
	}{
		{"POST", "/307/1", 200, "POST x A", ""},
		{"POST", "/308/5", 200, "POST x A", ""},
		{"POST", "/308/6", 308, "", "redirects more than 5 times"},
		{"POST", "/307/0", 307, "", "redirects more than 5 times, the last time to " + srv.URL + "/307/0?token=***"},
		{"POST", "/301/1", 301, "", "a redirect with HTTP 301 would turn the POST into a GET"},
		{"POST", "/303/1", 303, "", "a redirect with HTTP 303 would turn the POST into a GET"},
		{"DELETE", "/302/1", 302, "", "a redirect with HTTP 302 would turn the DELETE into a GET"},
		{"GET", "/302/5", 200, "GET  A", ""},
		{"POST", "/away", 307, "", "the server redirects to another origin, " + elsewhere.URL},
	} {
		t.Run(tc.method+tc.path, func(t *testing.T) {
			body := "x"
			if tc.method == http.MethodGet {
				body = ""
			}
			status, got, err := fetched(t, c, tc.method, srv.URL+tc.path, body, nil, nil)
			if status != tc.status || got != tc.want {
				t.Errorf("got HTTP %d and %q, want %d and %q", status, got, tc.status, tc.want)
			}
			if (err == nil) != (tc.err == "") || err != nil && (!strings.Contains(err.Error(), tc.err) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("got error %v, want %q", err, tc.err)
			}
		})
	}
}

func TestSameOrigin(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"http://a.example/x", "http://a.example/y?z", true},
		{"http://a.example", "HTTP://A.EXAMPLE:80", true},
		{"https://a.example", "https://a.example:443", true},
		{"https://a.example:80", "https://a.example", false},
		{"http://a.example", "https://a.example", false},
		{"http://a.example:80", "https://a.example:80", false},
		{"http://a.example", "http://b.example", false},
		{"http://a.example:8080", "http://a.example:8081", false},
		{"http://a.example", "http://a.example@b.example", false},
	} {
		a, _ := url.Parse(tc.a)
		b, _ := url.Parse(tc.b)
		if got := sameOrigin(a, b); got != tc.want {
			t.Errorf("sameOrigin(%s, %s) = %t", tc.a, tc.b, got)
		}
	}
}

func TestClientLimitsTheHead(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", headLimit+1)) })
	if _, _, err := fetched(t, testClient(t, httpOptions{}), http.MethodGet, srv.URL, "", nil, nil); err == nil || !strings.Contains(err.Error(), "exceeded") {
		t.Errorf("got error %v", err)
	}
}

func TestClientErrorsHideTheURL(t *testing.T) {
	srv := serving(t, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	for _, tc := range []struct{ name, url, want string }{
		{"closed", srv.URL, "the server closed the connection instead of answering"},
		{"refused", closedPort(t), "connect"},
		{"malformed", "http://%zz", "invalid"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := fetched(t, testClient(t, httpOptions{}), http.MethodPost, strings.Replace(tc.url, "http://", "http://u:secret@", 1)+"/mcp?token=secret", "x", nil, nil)
			if err == nil || !strings.HasPrefix(err.Error(), "POST ") || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got error %v, want %q", err, tc.want)
			}
		})
	}
}

// closedPort is the URL of a port that nobody listens on.
func closedPort(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	return srv.URL
}

// next is the next event of a connection.
func nextEvent(t *testing.T, c conn) (event, bool) {
	t.Helper()
	select {
	case e, ok := <-c.events():
		return e, ok
	case <-time.After(watchdog):
		t.Fatal("no event comes")
	}
	return event{}, false
}

// until returns, in words, what happens up to the first event that ends so.
func untilEvent(t *testing.T, c conn, last string) []string {
	t.Helper()
	var out []string
	for {
		e, ok := nextEvent(t, c)
		if !ok {
			t.Fatalf("the queue was closed before %q, after %q", last, out)
		}
		if e.at.IsZero() {
			t.Error("an event has no time")
		}
		out = append(out, eventWords(e))
		if strings.HasPrefix(out[len(out)-1], last) {
			return out
		}
	}
}

func eventWords(e event) string {
	s := ""
	switch e.kind {
	case evFrame:
		s = fmt.Sprintf("frame %d %.100s", e.n, e.data)
		if e.bad != "" {
			s += " (" + e.bad + ")"
		}
	case evStatus:
		s = fmt.Sprintf("status %d %d", e.n, e.status)
	case evEventID:
		s = fmt.Sprintf("id %d %s", e.n, e.data)
	case evDone:
		s = fmt.Sprintf("done %d", e.n)
	case evClosed:
		s = "closed"
	}
	if e.err != nil {
		s += ": " + e.err.Error()
	}
	return s
}

func sameEvents(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events mismatch (-want +got):\n%s", diff)
	}
}
