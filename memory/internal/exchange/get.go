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

// GetEngram is the engram that has an id, of any of its versions, or stands at a key,
// as it is now. The error wraps ErrNotFound, also where it holds no more, or is a
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

// resolveKey is the key that a text is, or the key of the fact that has it as an id.
func (m *Bus) resolveKey(ctx context.Context, id string) (facts.Key, error) {
	if key, err := facts.ParseKey(id); err == nil {
		return key, nil
	}
	return m.KeyOf(ctx, id)
}
