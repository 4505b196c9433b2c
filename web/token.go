package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/memory"
	"engram/web/internal/wire"
)

// Token lets a client that knows it speak, as one agent or, with "", as the agent that
// the request names.
type Token struct {
	Agent, Secret string
	// Write: people who log in to the dashboard with it may change the memory there. Agents may
	// write with any token.
	Write bool
}

// String keeps the secret out of what is printed.
func (t Token) String() string { return "token of " + t.Agent }

// GoString is String.
func (t Token) GoString() string { return t.String() }

// Bounds of a secret, in characters. 16 random ones cannot be guessed at any rate
// that is let in.
const (
	minSecret = 16
	maxSecret = 512
)

// writes, behind a token, is Token.Write. No token is as short.
const writes = "write"

// ParseTokens reads lines of "TOKEN" or "AGENT TOKEN", with "write" behind it for Token.Write;
// blank ones and those that begin with # count for nothing. Errors name the line and repeat no token.
func ParseTokens(text []byte) ([]Token, error) {
	var tokens []Token
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		mayWrite := len(fields) > 1 && fields[len(fields)-1] == writes
		if mayWrite {
			fields = fields[:len(fields)-1]
		}
		if len(fields) > 2 {
			return nil, fmt.Errorf("line %d: is neither TOKEN nor AGENT TOKEN", n)
		}
		t := Token{Secret: fields[len(fields)-1], Write: mayWrite}
		if len(fields) == 2 {
			t.Agent = fields[0]
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		tokens = append(tokens, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("a line is too long: %w", err)
	}
	return tokens, nil
}

func (t Token) check() error {
	switch {
	case len(t.Secret) < minSecret || len(t.Secret) > maxSecret:
		return fmt.Errorf("a token has %d to %d characters", minSecret, maxSecret)
	case strings.ContainsFunc(t.Secret, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("a token is made of visible ASCII characters")
	case !utf8.ValidString(t.Agent) || utf8.RuneCountInString(t.Agent) > facts.MaxName || strings.ContainsFunc(t.Agent, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("the agent's name is not printable text of at most %d characters", facts.MaxName)
	}
	return nil
}

// callers are the tokens, by digest, so that comparing takes the same time
// whatever a wrong token has in common with a right one.
type callers struct {
	digests [][sha256.Size]byte
	agents  []string
}

func newCallers(tokens []Token) (*callers, error) {
	c := &callers{}
	for i, t := range tokens {
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("token %d: %w", i+1, err)
		}
		if _, twice := c.find(t.Secret); twice {
			return nil, fmt.Errorf("token %d is the same as one before it", i+1)
		}
		c.digests, c.agents = append(c.digests, sha256.Sum256([]byte(t.Secret))), append(c.agents, t.Agent)
	}
	return c, nil
}

func (c *callers) none() bool { return len(c.digests) == 0 }

// find is the number of the token that a secret is. It compares with all of them.
func (c *callers) find(secret string) (n int, ok bool) {
	digest := sha256.Sum256([]byte(secret))
	n = -1
	for i := range c.digests {
		n = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(digest[:], c.digests[i][:]), i, n)
	}
	return n, n >= 0
}

// TokenOf returns a function that finds whose a token is, and whether it may write in the
// dashboard. The function takes the same time for every wrong token. It returns an error for tokens
// that New would reject.
func TokenOf(tokens []Token) (func(secret string) (agent string, mayWrite, ok bool), error) {
	c, err := newCallers(tokens)
	if err != nil {
		return nil, err
	}
	return func(secret string) (string, bool, bool) {
		n, ok := c.find(secret)
		if !ok {
			return "", false, false
		}
		return tokens[n].Agent, tokens[n].Write, true
	}, nil
}

// AgentOf is the agent that the request's token is bound to; "" if there is
// none. A handler must let nobody speak in another agent's name.
func AgentOf(ctx context.Context) string { return wire.CallerOf(ctx).Agent }

// identify finds out who sends a request. It rejects nobody, so that the rate of wrong
// tokens is limited as well.
func (s *Server) identify(w http.ResponseWriter, r *http.Request, next http.Handler) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	c := wire.Caller{Name: "address " + host}
	if n, ok := s.callers.find(bearer(r)); ok {
		c = wire.Caller{Known: true, Agent: s.callers.agents[n], Name: fmt.Sprintf("token %d", n+1)}
	}
	wire.NotesOf(r.Context()).Caller = c
	next.ServeHTTP(w, r.WithContext(wire.WithCaller(r.Context(), c)))
}

// bearer is the token of a request, by RFC 6750; "" if there is none, or more than
// one.
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.Trim(token, " ")
}

// isOwn reports whether a handler of Options.Own answers a request.
func (s *Server) isOwn(r *http.Request) bool {
	_, pattern := s.own.Handler(r)
	return pattern != ""
}

// token rejects a request without a valid token, if the server has tokens.
func (s *Server) token(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if s.callers.none() || wire.CallerOf(r.Context()).Known || s.isOwn(r) {
		next.ServeHTTP(w, r)
		return
	}
	message, challenge := "a token is required", `Bearer realm="engram"`
	if r.Header.Get("Authorization") != "" {
		message, challenge = "the token is not known here", challenge+`, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	s.refuse(w, r, wire.NewError(http.StatusUnauthorized, memory.CodeRefused, message,
		"send the header Authorization: Bearer TOKEN, with a token of the server's --token-file"), "client", wire.CallerOf(r.Context()).Name)
}
