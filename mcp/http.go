package mcp

import (
	"context"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// idleSession is how long a client over HTTP may be silent before its session
// ends. It loses nothing: the next request begins another.
const idleSession = 30 * time.Minute

// The first protocol version without sessions, and the header that names one.
const (
	sessionless   = "2026-07-28"
	versionHeader = "Mcp-Protocol-Version"
)

// Handler speaks Streamable HTTP. Whoever mounts it decides who may connect,
// which hosts and origins they may name included.
//
//  1. A client of a version without sessions says with each request who it is.
//  2. One of an older version says so once, and has a session that remembers it.
func (s *Server) Handler() http.Handler {
	s.room.warm()
	without, with := s.handler(true), s.ownSessions(s.handler(false))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if version := r.Header.Get(versionHeader); isDate(version) && version >= sessionless {
			without.ServeHTTP(w, r)
			return
		}
		with.ServeHTTP(w, r)
	})
}

// isDate: versions are dates, and compare as texts.
func isDate(version string) bool {
	_, err := time.Parse(time.DateOnly, version)
	return err == nil
}

func (s *Server) handler(stateless bool) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		return s.sdkServer(s.agentBehind(r))
	}, &sdk.StreamableHTTPOptions{
		Stateless: stateless, SessionTimeout: idleSession, Logger: s.opts.Logger, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}

// ownSessions keeps each session to the agent that began it: the SDK does where
// it is told whose a request is.
func (s *Server) ownSessions(open http.Handler) http.Handler {
	owned := auth.RequireBearerToken(func(_ context.Context, _ string, r *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: s.agentBehind(r)}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(open)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.agentBehind(r) == "" {
			open.ServeHTTP(w, r)
			return
		}
		owned.ServeHTTP(w, r)
	})
}

func (s *Server) agentBehind(r *http.Request) string {
	if s.opts.AgentOf == nil {
		return ""
	}
	return s.opts.AgentOf(r)
}
