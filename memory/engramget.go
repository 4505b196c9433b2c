package memory

import (
	"context"
	"strings"

	"engram/bus"
	"engram/facts"
)

// EngramResult is one engram.
type EngramResult struct {
	Answer
	Engram EngramHit `json:"engram"`
}

// GetEngram is the engram that has an id, of any of its versions, or stands at a key,
// as it is now. The error wraps ErrNotFound, also where it holds no more, or is a
// *PermissionError.
func (m *Memory) GetEngram(ctx context.Context, id, askedBy string) (EngramResult, error) {
	key, err := m.keyNamed(ctx, id)
	if err != nil {
		return EngramResult{}, err
	}
	got, err := m.Get(ctx, GetInput{Key: key.String(), AskedBy: askedBy})
	if err != nil {
		return EngramResult{}, err
	}
	f, found, err := m.factAt(ctx, got.Revision, key)
	if err != nil {
		return EngramResult{}, err
	}
	if !found || got.Fact.State != string(facts.Current) {
		return EngramResult{}, notFoundEngram(id)
	}
	return EngramResult{Answer: got.Answer, Engram: EngramHit{
		Engram: engramOf(f, bus.MaxHashKeys), Key: key, Freshness: got.Fact.Freshness, HasConflict: got.Fact.HasConflict, Age: got.Fact.Age,
	}}, nil
}
