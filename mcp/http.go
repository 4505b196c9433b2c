package mcp

import (
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler speaks Streamable HTTP. Whoever mounts it decides who may connect,
// which hosts and origins they may name included.
//
// No session outlives its request, in any version of the protocol: there is
// nothing that clients could fill the memory with, nor that one could take over
// from another. So a client of a version before 2026-07-28, which says its name
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
