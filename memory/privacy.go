package memory

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/lazyregexp"
)

// aliases are the names that agents have in one session, which is one Memory:
// random, so that no session can be told to be of the same agent as another.
type aliases struct {
	mu    sync.Mutex
	names map[string]string
}

// aliases are those of this process.
func (m *Memory) aliases() *aliases { return kept[aliases](m) }

// of is the alias of an agent, made at the first call. Nobody stays nobody.
func (a *aliases) of(agent string) string {
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

// is reports whether a name on the branch is that of an agent, or its alias.
func (a *aliases) is(name, agent string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return name == agent || name != "" && a.names[agent] == name
}

// isAlias tells the names that aliases have.
var isAlias = lazyregexp.New(`^agent-[0-9a-f]{8}$`).MatchString

// agentName is an agent's name as it may be stored.
func (p *planner) agentName(agent string) string {
	if p.manifest.AnonAgents {
		return p.m.aliases().of(agent)
	}
	return agent
}

// disguise takes out of a version what the team does not want stored. A fact
// that comes back keeps an alias that it had, and the one that it stands with
// already, so that an import can be repeated.
func (p *planner) disguise(d draft, next *facts.Fact) error {
	if p.manifest.AnonymousMode {
		next.Provenance.Engineer = ""
	}
	if !p.manifest.AnonAgents || d.restored && isAlias(next.Provenance.Agent) {
		return nil
	}
	if d.restored && next.Provenance.Agent != "" {
		at, found, err := p.at(next.Key)
		if err != nil {
			return err
		}
		if found && at.ID == next.ID && isAlias(at.Provenance.Agent) {
			next.Provenance.Agent = at.Provenance.Agent
			return nil
		}
	}
	next.Provenance.Agent = p.m.aliases().of(next.Provenance.Agent)
	return nil
}

// engineerOf is whom to name as the engineer behind a commit: nobody where the
// team wants that, and then git need not know who it is.
func (m *Memory) engineerOf(ctx context.Context, manifest facts.Manifest) (string, error) {
	if manifest.AnonymousMode {
		return "", nil
	}
	return m.store.Identity(ctx)
}

// metaOf is what a commit says of itself, by what the team agreed on.
func metaOf(manifest facts.Manifest, message string) gitstore.Meta {
	return gitstore.Meta{Message: message, Sign: manifest.SignedCommits, Anonymous: manifest.AnonymousMode}
}
