package index

import (
	"context"
	"fmt"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
)

// plan is what it takes to bring an index from one revision to another.
type plan struct {
	from    stamp
	to      stamp
	batch   *bleveapi.Batch
	indexed int
}

const (
	// rebuildAbove is how many keys may change before it is weighed whether a
	// rebuild is quicker, and rebuildShare the share of all documents from
	// which it is.
	rebuildAbove = 5000
	rebuildShare = 0.5
)

// plan works out, from an open index that reflects st, what brings it to the
// revision asked for. It returns nil where the index is there already or ahead.
func (c *call) plan(ctx context.Context, s *store, st stamp) (*plan, error) {
	states, relation, err := c.Source.Changes(ctx, st.Revision, c.revision)
	if err != nil {
		return nil, fmt.Errorf("catch up with %s: %w", c.revision, &sourceError{err})
	}
	switch relation {
	case Behind:
		return nil, nil
	case Diverged:
		return nil, &errRebuild{"the history was rewritten", st.Build, false}
	}
	changes := make(map[facts.Key][]State)
	for _, state := range states {
		changes[state.Key] = append(changes[state.Key], state)
	}
	if len(changes) > rebuildAbove && float64(len(changes)) > rebuildShare*float64(s.documents()) {
		return nil, &errRebuild{fmt.Sprintf("%d facts changed, of %d in the index", len(changes), s.documents()), st.Build, false}
	}
	p := &plan{from: st, to: st, batch: bleveapi.NewBatch()}
	p.to.Revision = c.revision
	a := &analyzer{}
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

// planKey joins the states that are indexed with those that came, and replaces
// the documents whose name, and with it their window, is another now.
func (c *call) planKey(ctx context.Context, p *plan, s *store, a *analyzer, key facts.Key, states []State) error {
	old, err := s.versions(key)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if previous, fresh, ok, err := c.appended(ctx, key, old, states); err != nil {
		return err
	} else if ok {
		p.replace(a, []docID{previous}, fresh)
		return nil
	}
	h := newHistory(key)
	for _, id := range old {
		h.add(id.Blob, id.Tip)
	}
	h.apply(states)
	fresh, skipped, err := h.read(ctx, c.Source, c.Concepts)
	if err != nil {
		return err
	}
	p.to.Skipped += newlySkipped(skipped, states)
	p.replace(a, old, fresh)
	return nil
}

// replace makes the documents of fresh those that stand for old.
func (p *plan) replace(a *analyzer, old []docID, fresh []version) {
	missing := make(map[string]version, len(fresh))
	for _, v := range fresh {
		missing[v.id.encode()] = v
	}
	for _, id := range old {
		name := id.encode()
		if _, ok := missing[name]; ok {
			delete(missing, name)
		} else {
			p.batch.Delete(bleveID(name))
		}
	}
	for _, v := range missing {
		p.batch.Update(newDocument(a, v))
		p.indexed++
	}
}

// newlySkipped counts the states among those that came that are no fact. One
// that came back after it was counted is counted again.
func newlySkipped(skipped map[string]bool, states []State) int {
	seen := make(map[string]bool)
	for _, state := range states {
		if skipped[state.Blob] {
			seen[state.Blob] = true
		}
	}
	return len(seen)
}
