package catchup

import (
	"context"
	"fmt"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
	"engram/index/internal/store"
	"engram/index/internal/terms"
	"engram/index/internal/version"
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

// plan compares an open index that reflects st with the revision asked for. It returns nil
// if the index is there already or ahead.
func (c *call) plan(ctx context.Context, s *store.Store, st store.Stamp) (*plan, error) {
	states, relation, err := c.Source.Changes(ctx, st.Revision, c.revision)
	if err != nil {
		return nil, fmt.Errorf("catch up with %s: %w", c.revision, &version.SourceError{Err: err})
	}
	switch relation {
	case version.Behind:
		return nil, nil
	case version.Diverged:
		return nil, &errRebuild{"the history was rewritten", st.Build, false}
	}
	changes := make(map[facts.Key][]version.State)
	for _, state := range states {
		changes[state.Key] = append(changes[state.Key], state)
	}
	if len(changes) > rebuildAbove && float64(len(changes)) > rebuildShare*float64(s.Documents()) {
		return nil, &errRebuild{fmt.Sprintf("%d facts changed, of %d in the index", len(changes), s.Documents()), st.Build, false}
	}
	p := &plan{from: st, to: st, batch: bleveapi.NewBatch()}
	p.to.Revision = c.revision
	a := &terms.Analyzer{}
	for key, states := range changes {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if err := c.planKey(ctx, p, s, a, key, states); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// planKey joins the indexed states of a key with those that came, and replaces the
// documents whose name, and so their window, changed.
func (c *call) planKey(ctx context.Context, p *plan, s *store.Store, a *terms.Analyzer, key facts.Key, states []version.State) error {
	old, err := s.Versions(key)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if previous, fresh, ok, err := c.appended(ctx, key, old, states); err != nil {
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
	fresh, skipped, err := h.Read(ctx, c.Source, c.Concepts)
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
