package write

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"engram/facts"
	"engram/internal/filelock"
	"engram/memory/internal/core"
)

const (
	// promoteAt is the query hit at which an ephemeral fact is promoted (the
	// consistency plan, phase 8).
	promoteAt = 2
	// forgetHits is when the hits of a fact are forgotten: it was promoted or
	// has long expired.
	forgetHits = 30 * 24 * time.Hour
	hitsFile   = "hits.json"
)

// hitCount is how often queries found an ephemeral fact. It is stored beside the index,
// by fact id, and counts queries on this machine alone.
type hitCount struct {
	Hits int       `json:"hits"`
	Last time.Time `json:"last"`
}

// Promote makes an ephemeral fact durable: a new version of it, without a TTL. A stated
// end, a planned beginning and the code branch that it is bound to stay. A fact that is
// durable already is a duplicate. The error wraps ErrNotFound if no open fact stands at
// the key.
func (m *Writer) Promote(ctx context.Context, key, agent string) (CommitResult, error) {
	k, err := facts.ParseKey(key)
	if err != nil {
		return CommitResult{}, err
	}
	d := Draft{Fact: facts.Fact{Key: k, Provenance: facts.Provenance{Agent: agent}}, operation: facts.OpUpdate, promoted: true}
	results, err := m.Write(ctx, []Draft{d}, "promote")
	if err != nil {
		return CommitResult{}, err
	}
	return results[0], nil
}

// promote plans what Promote does.
func (p *Planner) promote(ctx context.Context, d Draft) (CommitResult, error) {
	old, found, err := p.At(ctx, d.Fact.Key)
	if err != nil {
		return CommitResult{}, err
	}
	if err := p.checkOpen(d, old, found); err != nil {
		return CommitResult{}, err
	}
	if old.Durability != facts.Ephemeral {
		r := duplicateOf(old)
		r.Branch, r.For = old.Branch, old.For
		return r, nil
	}
	next := old.Clone()
	next.ID, next.Durability, next.TTL = "", "", ""
	next.ValidFrom, next.Provenance.CreatedAt = time.Time{}, time.Time{}
	if old.StateAt(p.Now) == facts.Scheduled {
		next.ValidFrom = old.ValidFrom.Add(time.Millisecond) // it still begins when it was to
	}
	result, err := p.Put(next, old, true)
	if err == nil {
		said := next.Claim
		if agent := p.StoredName(d.Fact.Provenance.Agent); agent != "" {
			said = "by " + agent + ": " + said
		}
		p.Lines[len(p.Lines)-1] = core.MessageLine("promote", next.Key, said)
	}
	return result, err
}

// Count adds a hit to each fact and returns the keys of those that are due for
// promotion.
func (m *Writer) Count(ctx context.Context, hits map[string]facts.Key) (ripe []facts.Key, err error) {
	path := filepath.Join(m.Store.StateDir(), hitsFile)
	release, err := filelock.Acquire(ctx, path+".lock", filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	counts := make(map[string]hitCount)
	if !core.ReadJSON(path, &counts) || counts == nil { // if unreadable, counting starts again
		counts = make(map[string]hitCount)
	}
	now := m.Moment()
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
	return ripe, core.WriteJSON(path, counts)
}
