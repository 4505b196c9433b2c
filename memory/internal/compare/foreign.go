package compare

import (
	"engram/index"
	"engram/memory/internal/core"
)

// Against holds a fact of another memory, where it still stands, against those of
// the examiner's; it is side a of every clash.
func (e *Examiner) Against(view *index.View, s *core.AnalyzedFact, from *Comparer, at string) error {
	blob, err := from.Store.BlobAt(e.Ctx, at, s.Fact.Key.Path())
	if err != nil || blob != s.Blob || !e.Concerns(s.Fact) || !from.MayShow(s.Fact, e.Now) {
		return err
	}
	candidates, err := e.candidates(view, s)
	for _, c := range candidates {
		if e.m.MayShow(c.Fact, e.Now) {
			e.Compare(Pairing{s, c.AnalyzedFact, c.priority})
		}
	}
	return err
}
