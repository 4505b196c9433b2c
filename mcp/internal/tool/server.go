package tool

import (
	"log/slog"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/holder"
	"engram/mcp/internal/sampling"
)

// Server is what the clients of one agent see, and what its tools need.
type Server struct {
	*sdk.Server
	Memory   *holder.Holder
	Log      *slog.Logger
	Now      func() time.Time
	Profiles []string // sets of tools beside the core ones
	Agent    string   // the agent that the client's token names; "" if none does
	Models   *sampling.Asker
}

// Has reports whether a profile is on.
func (s *Server) Has(profile string) bool { return slices.Contains(s.Profiles, profile) }

// AgentOf returns who calls: the agent that the token names, else the one that this
// engram is configured for, else what the client calls itself.
func (s *Server) AgentOf(client *sdk.Implementation, configured string) string {
	if s.Agent != "" {
		return s.Agent
	}
	if configured != "" {
		return configured
	}
	return clientName(client)
}

// clientName makes an agent's name out of what a client calls itself.
func clientName(info *sdk.Implementation) string {
	if info == nil {
		return ""
	}
	return AgentName(info.Name)
}

// AgentName makes an agent's name out of the name of a client or a model.
func AgentName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	return strings.Trim(name[:min(len(name), 64)], "-")
}
