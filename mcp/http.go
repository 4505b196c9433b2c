package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler speaks Streamable HTTP. The caller decides who may connect, and which hosts
// and origins a request may name.
//
// No session outlives its request, in any version of the protocol: clients
// can neither fill the server's memory with sessions nor take over another's. So a client of a version before 2026-07-28, which says its name
// once, has none in later requests unless AgentOf knows it.
func (s *Server) Handler() http.Handler {
	s.memory.Warm()
	return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		if s.opts.AgentOf == nil {
			return s.sdkServer("")
		}
		return s.sdkServer(s.opts.AgentOf(r))
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, Logger: s.opts.Logger, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}
