package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"engram/facts"
	"engram/internal/filelock"
)

const (
	// promoteAt is the query hit at which an ephemeral fact is promoted (seed 4,
	// phase 8).
	promoteAt = 2
	// forgetHits is when the hits of a fact are forgotten: it was promoted or
	// has long expired.
	forgetHits = 30 * 24 * time.Hour
	hitsFile   = "hits.json"
)

// hitCount is how often questions found an ephemeral fact. It is kept beside
// the index, by fact id, and counts what was asked on this machine alone.
type hitCount struct {
	Hits int       `json:"hits"`
	Last time.Time `json:"last"`
}

// Promote makes an ephemeral fact durable: a new version of it, without a TTL.
// An end that somebody stated stays, and so does a beginning that is planned. One
// that is bound to a code branch stays so (PromoteBranch).
// One that is durable already stays as it is, and Duplicate says so. The error
// wraps ErrNotFound where no open fact stands at the key.
func (m *Memory) Promote(ctx context.Context, key, agent string) (CommitResult, error) {
	k, err := facts.ParseKey(key)
	if err != nil {
		return CommitResult{}, err
	}
	d := draft{fact: facts.Fact{Key: k, Provenance: facts.Provenance{Agent: agent}}, operation: facts.OpUpdate, promoted: true}
	results, err := m.write(ctx, []draft{d}, "promote")
	if err != nil {
		return CommitResult{}, err
	}
	return results[0], nil
}

// promote plans what Promote does.
func (p *planner) promote(d draft) (CommitResult, error) {
	old, found, err := p.at(d.fact.Key)
	if err != nil {
		return CommitResult{}, err
	}
	if !found {
		return CommitResult{}, fmt.Errorf("%w: %s", ErrNotFound, d.fact.Key)
	}
	if state := old.StateAt(p.now); state != facts.Current && state != facts.Scheduled {
		return CommitResult{}, fmt.Errorf("%w: %s is %s", ErrNotFound, old.Key, state)
	}
	if err := p.permit(d, old.Scope); err != nil {
		return CommitResult{}, err
	}
	if old.Durability != facts.Ephemeral {
		return CommitResult{
			FactID: old.ID, Key: old.Key.String(), LineageID: old.Lineage, Committed: old.Provenance.CreatedAt,
			Duplicate: true, MemoryOp: string(facts.OpNone), Branch: old.Branch, For: old.For,
		}, nil
	}
	next := old.Clone()
	next.ID, next.Durability, next.TTL = "", "", ""
	next.ValidFrom, next.Provenance.CreatedAt = time.Time{}, time.Time{}
	if old.StateAt(p.now) == facts.Scheduled {
		next.ValidFrom = old.ValidFrom.Add(time.Millisecond) // it still begins when it was to
	}
	result, err := p.put(next, old, true)
	if err == nil {
		said := next.Claim
		if agent := p.agentName(d.fact.Provenance.Agent); agent != "" {
			said = "by " + agent + ": " + said
		}
		p.lines[len(p.lines)-1] = messageLine("promote", next.Key, said)
	}
	return result, err
}

// countHits counts the ephemeral facts among the results, those of the agent
// that asks excepted, and promotes those found often enough. A failure is no
// failure of the question: it becomes a note.
func (m *Memory) countHits(ctx context.Context, askedBy string, result *QueryResult) {
	hits := make(map[string]facts.Key)
	for _, hit := range result.Results {
		if hit.Ephemeral && (askedBy == "" || !m.aliases().is(hit.AgentID, askedBy)) {
			hits[hit.FactID] = hit.Key
		}
	}
	if len(hits) == 0 {
		return
	}
	ripe, err := m.count(ctx, hits)
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("hits of ephemeral facts were not counted: %v", err))
		return
	}
	for _, key := range ripe {
		// What is of a run's use alone is the parent's to widen.
		if f, found, err := m.factAt(ctx, result.Revision, key); err == nil && found && f.Reach == facts.ReachRun {
			continue
		}
		switch promoted, err := m.Promote(ctx, key.String(), askedBy); {
		case err != nil:
			result.Notes = append(result.Notes, fmt.Sprintf("%s was found often enough to be promoted, and was not: %v", key, err))
		case promoted.Proposed:
			result.Notes = append(result.Notes, fmt.Sprintf("%s was found often enough to be durable, which is proposed", key))
		case !promoted.Duplicate: // else another process was first
			result.Notes = append(result.Notes, fmt.Sprintf("%s is durable from now on: a second question found it", key))
		}
	}
}

// count adds a hit to each fact and returns the keys of those ripe for
// promotion.
func (m *Memory) count(ctx context.Context, hits map[string]facts.Key) (ripe []facts.Key, err error) {
	path := filepath.Join(m.store.StateDir(), hitsFile)
	release, err := filelock.Acquire(ctx, path+".lock", filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	counts := make(map[string]hitCount)
	if raw, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(raw, &counts) // what cannot be read is counted anew
	}
	now := m.moment()
	for id, c := range counts {
		if now.Sub(c.Last) > forgetHits {
			delete(counts, id)
		}
	}
	for id, key := range hits {
		c := hitCount{counts[id].Hits + 1, now}
		if counts[id] = c; c.Hits >= promoteAt {
			ripe = append(ripe, key)
		}
	}
	raw, err := json.Marshal(counts)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(path+".new", raw, 0o644); err != nil {
		return nil, err
	}
	return ripe, os.Rename(path+".new", path)
}
