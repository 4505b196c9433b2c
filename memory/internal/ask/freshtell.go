package ask

import (
	"context"

	"engram/facts"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// tellHits is tellFresh for hits of this memory.
func (m *Reader) tellHits(ctx context.Context, tip string, found proof.EvidenceOf, result *QueryResult) error {
	hits := result.Results
	notes, err := found.Tell(ctx, m.proof, tip, proof.FreshTime, len(hits), func(i int) facts.Key {
		if hits[i].Origin != "" {
			return facts.Key{}
		}
		return hits[i].Key
	}, func(i int, f core.Freshness) { hits[i].Freshness = f })
	result.Notes = append(result.Notes, notes...)
	return err
}
