package compare

import (
	"context"
	"engram/index"
	"engram/memory/internal/core"
)

// ExamineForeign holds a fact of another memory, where it still stands, against those of
// the examiner's; it is side a of every clash.
func (e *Examiner) ExamineForeign(ctx context.Context, view *index.View, s *core.Stated, from *Comparer, at string) error {
	blob, err := from.Store.BlobAt(ctx, at, s.Fact.Key.Path())
	if err != nil || blob != s.Blob || !e.MayConflict(s.Fact) || !from.Shows(s.Fact, e.Now) {
		return err
	}
	candidates, err := e.candidates(ctx, view, s)
	for _, c := range candidates {
		if e.m.Shows(c.Fact, e.Now) {
			e.Compare(ctx, Pairing{s, c.Stated, c.priority})
		}
	}
	return err
}
