package audit

import (
	"context"

	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// tellSides is tellFresh for the sides of conflicts.
func (m *Auditor) tellSides(ctx context.Context, tip string, list []core.Conflict) ([]string, error) {
	var sides []*core.Fact
	for _, c := range list {
		for _, side := range []*core.Fact{c.A, c.B} {
			if side != nil {
				sides = append(sides, side)
			}
		}
	}
	return m.proof.MarkFreshness(ctx, tip, proof.FreshTime, sides...)
}
