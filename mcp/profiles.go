package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/bus"
	"engram/mcp/internal/compat"
	"engram/mcp/internal/core"
	"engram/mcp/internal/team"
	"engram/mcp/internal/tool"
)

// profile is a set of tools beside the core ones.
type profile struct {
	name string
	add  func(*tool.Server)
}

func knownProfiles() []profile {
	return []profile{{"team", team.Add}, {"compat", compat.Add}, {"bus", bus.Add}}
}

// Profiles names the sets of tools beside the core ones.
func Profiles() []string {
	var names []string
	for _, p := range knownProfiles() {
		names = append(names, p.name)
	}
	return names
}

// ErrNoProfile reports a profile that does not exist.
var ErrNoProfile = errors.New("no such profile")

func checkProfiles(wanted []string) error {
	for _, name := range wanted {
		if !slices.Contains(Profiles(), name) {
			return fmt.Errorf("%w: %.40q; there is %s", ErrNoProfile, name, strings.Join(Profiles(), ", "))
		}
	}
	return nil
}

// newServer makes what the clients of one agent see.
func (s *Server) newServer(agent string) *tool.Server {
	server := &tool.Server{
		Memory: s.memory, Log: s.opts.Logger, Now: s.opts.Now, Agent: agent, Models: s.models,
		Profiles: slices.Compact(slices.Sorted(slices.Values(s.opts.Profiles))),
	}
	instructions := core.Instructions
	if server.Has("bus") {
		instructions += bus.Instructions
	}
	server.Server = sdk.NewServer(
		&sdk.Implementation{Name: "engram", Title: "engram: the team's memory", Version: s.opts.Version},
		&sdk.ServerOptions{
			Instructions: instructions, Logger: s.opts.Logger,
			Capabilities:      capabilities(),
			CompletionHandler: core.Complete(server),
			SetCacheable:      forNobodyElse,
		})
	if s.opts.Hide != nil {
		server.AddReceivingMiddleware(tool.Hiding(s.opts.Hide))
	}
	core.Add(server)
	for _, p := range knownProfiles() {
		if server.Has(p.name) {
			p.add(server)
		}
	}
	return server
}

// capabilities says what the server offers; none of it changes while the server runs.
func capabilities() *sdk.ServerCapabilities {
	return &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}}
}

// forNobodyElse keeps what one client was told from caches that others share.
func forNobodyElse(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }
