package exchange

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
)

// EngramResult is one engram.
type EngramResult struct {
	core.Answer
	Engram EngramHit `json:"engram"`
}

// GetEngram returns the current engram with an id, which may be that of any version, or at
// a key. The error wraps ErrNotFound, also if it no longer holds, or is a
// *PermissionError.
func (m *Bus) GetEngram(ctx context.Context, id, askedBy string) (EngramResult, error) {
	key, err := m.resolveKey(ctx, id)
	if err != nil {
		return EngramResult{}, err
	}
	got, err := m.ask.Get(ctx, ask.GetInput{Key: key.String(), AskedBy: askedBy})
	if err != nil {
		return EngramResult{}, err
	}
	f, found, err := m.FactAt(ctx, got.Revision, key)
	if err != nil {
		return EngramResult{}, err
	}
	if !found || got.Fact.State != facts.Current {
		return EngramResult{}, fmt.Errorf("%w: what has the id or key %.80q holds no more", core.ErrNotFound, id)
	}
	return EngramResult{Answer: got.Answer, Engram: EngramHit{
		Engram: engramOf(f, allHashKeys), Key: key, Freshness: got.Fact.Freshness, HasConflict: got.Fact.HasConflict, Age: got.Fact.Age,
	}}, nil
}

// resolveKey returns the key that a text is, or the key of the fact with that id.
func (m *Bus) resolveKey(ctx context.Context, id string) (facts.Key, error) {
	if key, err := facts.ParseKey(id); err == nil {
		return key, nil
	}
	return m.KeyOf(ctx, id)
}
