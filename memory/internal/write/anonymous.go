package write

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"

	"engram/facts"
	"engram/memory/internal/core"
)

// aliases are the names that stand for agents in one session, which is one Memory. They
// are random, so that two sessions of an agent cannot be linked.
type aliases struct {
	mu    sync.Mutex
	names map[string]string
}

// Aliases are the aliases of this process.
func (m *Writer) Aliases() *aliases { return core.CacheOf[aliases](m.Memory) }

// Of is the alias of an agent, made at the first call; "" has none.
func (a *aliases) Of(agent string) string {
	if agent == "" {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names == nil {
		a.names = make(map[string]string)
	}
	if a.names[agent] == "" {
		var random [4]byte
		_, _ = rand.Read(random[:]) // never fails
		a.names[agent] = "agent-" + hex.EncodeToString(random[:])
	}
	return a.names[agent]
}

// Matches reports whether a name on the branch is that of an agent or its alias.
func (a *aliases) Matches(name, agent string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return name == agent || name != "" && a.names[agent] == name
}

// StoredName is an agent's name as the team lets it be stored: the name or its alias.
func (p *Planner) StoredName(agent string) string {
	if p.Manifest.AnonAgents {
		return p.m.Aliases().Of(agent)
	}
	return agent
}

// anonymize removes from a version the names that the team does not want stored. A
// restored fact keeps an alias that it had or that stands with it on the branch, so that
// an import can be repeated.
func (p *Planner) anonymize(ctx context.Context, d Draft, next *facts.Fact) error {
	if p.Manifest.AnonymousMode {
		next.Provenance.Engineer = ""
	}
	if !p.Manifest.AnonAgents || d.restored && core.IsAlias(next.Provenance.Agent) {
		return nil
	}
	if d.restored && next.Provenance.Agent != "" {
		at, found, err := p.At(ctx, next.Key)
		if err != nil {
			return err
		}
		if found && at.ID == next.ID && core.IsAlias(at.Provenance.Agent) {
			next.Provenance.Agent = at.Provenance.Agent
			return nil
		}
	}
	next.Provenance.Agent = p.m.Aliases().Of(next.Provenance.Agent)
	return nil
}

// engineerOf names the engineer of a commit; nobody in anonymous mode, which then needs
// no git identity.
func (m *Writer) engineerOf(ctx context.Context, manifest facts.Manifest) (string, error) {
	if manifest.AnonymousMode {
		return "", nil
	}
	return m.Store.Identity(ctx)
}
