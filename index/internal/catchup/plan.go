package catchup

import (
	"context"
	"fmt"
	"iter"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// plan is what brings an index from one revision to another.
type plan struct {
	from    store.Stamp
	to      store.Stamp
	batch   *bleveapi.Batch
	indexed int
}

const (
	// If more than rebuildAbove keys changed, and more than rebuildShare of all documents,
	// a rebuild is quicker.
	rebuildAbove = 5000
	rebuildShare = 0.5
)

// Facts is the content of an index of facts.
type Facts struct {
	Source   version.Source
	Progress func(done, total int) // may be nil
	// Concepts names what a text is about; ConceptsVersion changes whenever its
	// answers do.
	Concepts        func(text string) []string
	ConceptsVersion int
}

// Fits is Content's.
func (f *Facts) Fits(st store.Stamp) bool {
	return st.Layout == store.LayoutVersion && st.Analysis == store.AnalysisVersion && st.Concepts == f.ConceptsVersion
}

// Plan is Content's: one portion.
func (f *Facts) Plan(ctx context.Context, s *store.Store, st store.Stamp, revision string) (iter.Seq2[Portion, error], error) {
	p, err := f.plan(ctx, s, st, revision)
	if err != nil || p == nil {
		return nil, err
	}
	return func(yield func(Portion, error) bool) {
		yield(Portion{Batch: p.batch, To: p.to, Indexed: p.indexed}, nil)
	}, nil
}

func (f *Facts) plan(ctx context.Context, s *store.Store, st store.Stamp, revision string) (*plan, error) {
	states, relation, err := f.Source.Changes(ctx, st.Revision, revision)
	if err != nil {
		return nil, fmt.Errorf("catch up with %s: %w", revision, &version.SourceError{Err: err})
	}
	switch relation {
	case version.Behind:
		return nil, nil
	case version.Diverged:
		return nil, Rebuild("the history was rewritten", st)
	}
	changes := make(map[facts.Key][]version.State)
	for _, state := range states {
		changes[state.Key] = append(changes[state.Key], state)
	}
	if len(changes) > rebuildAbove && float64(len(changes)) > rebuildShare*float64(s.Documents()) {
		return nil, Rebuild(fmt.Sprintf("%d facts changed, of %d in the index", len(changes), s.Documents()), st)
	}
	p := &plan{from: st, to: st, batch: bleveapi.NewBatch()}
	p.to.Revision = revision
	a := &terms.Analyzer{}
	for key, states := range changes {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err := f.planKey(ctx, p, s, a, key, states); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// planKey joins the indexed states of a key with those that came, and replaces the
// documents whose name, and so their window, changed.
func (f *Facts) planKey(ctx context.Context, p *plan, s *store.Store, a *terms.Analyzer, key facts.Key, states []version.State) error {
	old, err := s.Versions(key)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if previous, fresh, ok, err := f.appended(ctx, key, old, states); err != nil {
		return err
	} else if ok {
		p.replace(a, []version.ID{previous}, fresh)
		return nil
	}
	h := version.NewHistory(key)
	for _, id := range old {
		h.Add(id.Blob, id.Tip)
	}
	h.Apply(states)
	fresh, skipped, err := h.Read(ctx, f.Source, f.Concepts)
	if err != nil {
		return err
	}
	p.to.Skipped += newlySkipped(skipped, states)
	p.replace(a, old, fresh)
	return nil
}

// replace replaces the documents of old by those of fresh.
func (p *plan) replace(a *terms.Analyzer, old []version.ID, fresh []version.Version) {
	missing := make(map[string]version.Version, len(fresh))
	for _, v := range fresh {
		missing[v.ID.Encode()] = v
	}
	for _, id := range old {
		name := id.Encode()
		if _, ok := missing[name]; ok {
			delete(missing, name)
		} else {
			p.batch.Delete(version.StoredID(name))
		}
	}
	for _, v := range missing {
		p.batch.Update(version.NewDocument(a, v))
		p.indexed++
	}
}

// newlySkipped counts the new states that are not facts. A state that returns after it was
// counted is counted again.
func newlySkipped(skipped map[string]bool, states []version.State) int {
	seen := make(map[string]bool)
	for _, state := range states {
		if skipped[state.Blob] {
			seen[state.Blob] = true
		}
	}
	return len(seen)
}
