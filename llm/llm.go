// Package llm asks a language model over HTTP: one question, one answer, no conversation.
// It has the protocols of OpenAI-compatible servers and of Anthropic, and knows nothing of
// facts.
package llm

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// Protocol is the protocol of an endpoint.
type Protocol string

// The protocols. The zero Protocol stands for OpenAI.
const (
	OpenAI    Protocol = "openai"    // POST URL/chat/completions: Ollama, llama.cpp, vLLM, OpenAI and others
	Anthropic Protocol = "anthropic" // POST URL/v1/messages
)

// Defaults of Options.
const (
	DefaultTimeout   = 30 * time.Second
	DefaultMaxTokens = 700
)

// Options say which model to ask. There is no default endpoint: without a URL there is no
// client.
type Options struct {
	Protocol Protocol
	// URL is the base of the API, such as http://127.0.0.1:11434/v1 or
	// https://api.anthropic.com; a trailing /v1 is accepted for either protocol. It must be
	// https, except for this machine, and must not contain credentials.
	URL       string
	Model     string        // the endpoint's name for it; required
	Key       string        // sent as the protocol requires; "" sends none
	Timeout   time.Duration // of a whole call, including waits for a busy endpoint; 0: DefaultTimeout
	MaxTokens int           // of the answer; 0: DefaultMaxTokens
	// HTTP is the client to use; nil: a new one. It is copied, and the copy follows no
	// redirect.
	HTTP *http.Client
}

// Client asks one model at one endpoint. Between calls it keeps only idle connections. It
// is safe for concurrent use.
type Client struct {
	dialect   dialect
	endpoint  *url.URL
	model     string
	key       string
	timeout   time.Duration
	maxTokens int
	http      http.Client
}

// New checks the options and returns a client; it sends nothing. An error says what is
// wrong and how to fix it, and does not contain the key.
func New(opts Options) (*Client, error) {
	d, err := dialectOf(opts.Protocol)
	if err != nil {
		return nil, err
	}
	base, err := parseBase(opts.URL)
	switch {
	case err != nil:
		return nil, err
	case strings.TrimSpace(opts.Model) == "":
		return nil, errors.New("no model is named: give the name that the endpoint uses for it")
	case strings.ContainsFunc(opts.Key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }):
		return nil, errors.New("the key has a space, a line break or another character in it that no header can carry: give the bare key")
	case opts.Timeout < 0 || opts.MaxTokens < 0:
		return nil, errors.New("the time-out and the number of tokens cannot be negative: give 0 for the default")
	}
	c := &Client{
		dialect: d, endpoint: d.endpoint(base), model: opts.Model, key: opts.Key,
		timeout: opts.Timeout, maxTokens: opts.MaxTokens,
	}
	if c.timeout == 0 {
		c.timeout = DefaultTimeout
	}
	if c.maxTokens == 0 {
		c.maxTokens = DefaultMaxTokens
	}
	if opts.HTTP != nil {
		c.http = *opts.HTTP
	} else {
		c.http.Transport = newTransport(base.Scheme == "http")
	}
	// A redirect would send the key and the question to another host.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// String names the model and the host, so that printing a Client does not reveal the key.
func (c *Client) String() string { return c.model + " at " + c.endpoint.Host }

// parseBase parses the base URL. Its errors do not repeat the URL, which may contain a
// password.
func parseBase(text string) (*url.URL, error) {
	if text == "" {
		return nil, errors.New("no URL is given, and there is no default: give the base of the API, such as http://127.0.0.1:11434/v1")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("the URL is not an absolute http or https URL: give one such as https://host/v1")
	case u.User != nil:
		return nil, errors.New("the URL has credentials in it: give them as the key")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("the URL has a query or a fragment in it: give the base of the API alone")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("plain http to %s would send claims and the key in the clear: use https, or a tunnel to a port on 127.0.0.1", u.Hostname())
	}
	return u, nil
}

// Local reports whether a URL names this machine: localhost or a loopback address.
func Local(address string) bool {
	u, err := url.Parse(address)
	return err == nil && isLoopback(u.Hostname())
}

// isLoopback reports whether a host names this machine: localhost or a loopback
// address.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

// newTransport returns the default transport with smaller limits. A local one connects to
// loopback addresses only, whatever a resolver returns for localhost.
func newTransport(local bool) *http.Transport {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute}
	if local {
		t.Proxy = nil
		t.DialContext = (&net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
			if host, _, err := net.SplitHostPort(address); err != nil || !isLoopback(host) {
				return errors.New("plain http goes to loopback addresses only")
			}
			return nil
		}}).DialContext
	}
	return t
}
