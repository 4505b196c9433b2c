package write

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/core"
)

// guardBus compares what an agent states over the bus with the fact at its key. Parents
// and people may replace any fact. Other agents
//
//  1. may not change the fact of somebody else; restating its claim writes nothing (known),
//  2. may not reduce the reach of their own fact from org or global,
//  3. may not make their own durable fact one of a run.
//
// The error is a *bus.Refusal.
func (p *Planner) guardBus(d Draft, next, old facts.Fact) (known bool, err error) {
	agent := d.author()
	if p.m.budget.MayLead(agent) {
		return false, nil
	}
	refuse := func(path, resend, format string, args ...any) error {
		return &bus.Refusal{Code: bus.Invalid, Path: path, Reason: fmt.Sprintf(format, args...), Resend: resend}
	}
	same := facts.ContentHash(old.Claim) == facts.ContentHash(next.Claim)
	switch by := old.Provenance.Agent; {
	case (by == "" || !p.m.Aliases().Matches(by, agent)) && same:
		return true, nil
	case by == "" || !p.m.Aliases().Matches(by, agent):
		return false, refuse("key", "", "somebody else's fact stands at %s; state yours without a key, or ask its author or a parent", old.Key)
	case next.Reach != old.Reach && p.m.MayReach(agent, string(old.Reach)) != nil:
		return false, refuse("scope", "", "%s reaches %s; only a parent lets it reach less", old.Key, old.Reach)
	case next.Reach == facts.ReachRun && old.WithDefaults().Durability == facts.Durable:
		return false, refuse("scope", "scope: "+string(old.WithDefaults().Reach), "%s is durable and would end with the run; state what only the run needs without a key", old.Key)
	}
	return false, nil
}

// LeadError rejects what only a parent or a person may do (BusOptions.Parents).
type LeadError struct {
	Agent string
	What  string // that it may not do: "issue grants", say
}

func (e *LeadError) Error() string {
	return fmt.Sprintf("the agent %s may not %s, which only parents may; nothing was written", e.Agent, e.What)
}

// permit rejects a write to a scope. The agent that imports a fact needs the permission
// besides the agent that states it; the author of a restored fact needs it as of when
// the fact was stated.
func (p *Planner) permit(d Draft, scope string) error {
	if len(p.Manifest.Permissions) == 0 {
		return nil
	}
	stated := p.Now
	if d.restored && !d.Fact.Provenance.CreatedAt.IsZero() {
		stated = d.Fact.Provenance.CreatedAt
	}
	if err := p.MayWrite(d.Fact.Provenance.Agent, scope, stated); err != nil {
		return err
	}
	if d.Imported {
		return p.MayWrite(d.Importer, scope, p.Now)
	}
	return nil
}

// MayWrite rejects an agent that may not write to a scope at a moment.
func (p *Planner) MayWrite(agent, scope string, at time.Time) error {
	if !p.Manifest.Permissions.Allow(agent, scope, facts.Write, at) {
		return &core.PermissionError{Agent: agent, Scope: scope, Access: facts.Write}
	}
	return nil
}

// permitPut is permit for a new version: for its scope, for that of the fact that it
// continues, and for that of the fact at its key.
func (p *Planner) permitPut(ctx context.Context, d Draft, next, old facts.Fact, continues bool) error {
	if len(p.Manifest.Permissions) == 0 {
		return nil
	}
	if err := p.permit(d, next.Scope); err != nil {
		return err
	}
	if continues {
		if err := p.permit(d, old.Scope); err != nil {
			return err
		}
	}
	at, found, err := p.At(ctx, next.Key)
	if err != nil {
		return err
	}
	if found {
		return p.permit(d, at.Scope)
	}
	return nil
}

// MayReach rejects, with a *LeadError, a fact of reach org or global by an agent that is
// not a parent (the plan of the agent bus, section 4.3).
func (m *Writer) MayReach(agent, reach string) error {
	beyond := reach == string(facts.ReachOrg) || reach == string(facts.ReachGlobal)
	if !beyond || m.budget.MayLead(agent) {
		return nil
	}
	return &LeadError{Agent: agent, What: "let a fact reach " + reach}
}

// permitReach is MayReach for everything that is written. If nobody named parents,
// MayReach applies only to the bus; otherwise the policy decides who may write what.
func (p *Planner) permitReach(d Draft, next facts.Fact) error {
	if len(p.m.Bus.Parents) == 0 {
		return nil
	}
	return p.m.MayReach(d.author(), string(next.Reach))
}

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
