package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// surface is what the clients of one agent are shown.
type surface struct {
	server   *sdk.Server
	room     *room
	log      *slog.Logger
	now      func() time.Time
	profiles []string
	agent    string // whom a token names; "" where there is none
}

// profile is a set of tools beside the core ones.
type profile struct {
	name string
	add  func(*surface)
}

func knownProfiles() []profile {
	return []profile{{"team", addTeam}, {"compat", addCompat}, {"bus", addBus}}
}

// Profiles names the sets of tools beside the core ones.
func Profiles() []string {
	var names []string
	for _, p := range knownProfiles() {
		names = append(names, p.name)
	}
	return names
}

// ErrNoProfile: a profile was asked for that there is not.
var ErrNoProfile = errors.New("no such profile")

func checkProfiles(wanted []string) error {
	for _, name := range wanted {
		if !slices.Contains(Profiles(), name) {
			return fmt.Errorf("%w: %.40q; there is %s", ErrNoProfile, name, strings.Join(Profiles(), ", "))
		}
	}
	return nil
}

func newSurface(s *Server, agent string) *surface {
	surface := &surface{room: s.room, log: s.opts.Logger, now: s.opts.Now, profiles: slices.Compact(slices.Sorted(slices.Values(s.opts.Profiles))), agent: agent}
	told := instructions
	if surface.has("bus") {
		told += busInstructions
	}
	surface.server = sdk.NewServer(
		&sdk.Implementation{Name: "engram", Title: "engram: the team's memory", Version: s.opts.Version},
		&sdk.ServerOptions{
			Instructions: told, Logger: s.opts.Logger,
			Capabilities:      fixed(),
			CompletionHandler: surface.complete,
			SetCacheable:      forNobodyElse,
		})
	surface.addCore()
	for _, p := range knownProfiles() {
		if slices.Contains(s.opts.Profiles, p.name) {
			p.add(surface)
		}
	}
	surface.addResources()
	surface.addPrompts()
	return surface
}

func (s *surface) addCore() {
	addStatus(s)
	addQuery(s)
	addCommit(s)
	addConflicts(s)
	addResolve(s)
	addGet(s)
}

// has reports whether a profile is on.
func (s *surface) has(profile string) bool { return slices.Contains(s.profiles, profile) }

// agentOf is who calls: whom the token names, else whom this engram is
// configured for, else what the client calls itself.
func (s *surface) agentOf(client *sdk.Implementation, configured string) string {
	if s.agent != "" {
		return s.agent
	}
	if configured != "" {
		return configured
	}
	return clientName(client)
}

// clientName makes a name of an agent out of what a client calls itself.
func clientName(info *sdk.Implementation) string {
	if info == nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, info.Name)
	if len(name) > 64 {
		name = name[:64]
	}
	return strings.Trim(name, "-")
}

// fixed says what there is, and that none of it changes while the server runs.
func fixed() *sdk.ServerCapabilities {
	return &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}}
}

// forNobodyElse keeps what one client was told from caches that others share.
func forNobodyElse(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }
