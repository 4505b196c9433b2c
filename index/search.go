package index

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	defaultLimit = 10
	// maxQuestion is how much of a question is read, in bytes, and
	// maxQuestionTerms how many of its distinct terms take part: the rarest.
	maxQuestion      = 16 << 10
	maxQuestionTerms = 64
)

// View is the index, open for reading. It is valid until the function it was
// given to returns; several goroutines may use it.
type View struct {
	index   *Index
	store   *store
	stamp   stamp
	vectors vectorView
}

// Revision is the revision that the index reflects.
func (v *View) Revision() string { return v.stamp.Revision }

// Search returns the best hits for q by their words alone, best first, and how
// many there are in all. The order is by score, then the later beginning of the
// window, then the key, so that equal indexes give equal answers. A query that
// neither has a usable word nor filters finds nothing, unless it asks for All. An error means that ctx
// is done or the index is damaged; in the latter case View builds it anew.
func (v *View) Search(ctx context.Context, q Query) (hits []Hit, total int, err error) {
	err = v.guard(ctx, func() (err error) {
		hits, total, err = v.search(ctx, q)
		return err
	})
	return hits, total, err
}

// guard runs a search and remembers that the index is damaged if that is why
// it failed.
func (v *View) guard(ctx context.Context, search func() error) error {
	err := guard(search)
	if err != nil && ctx.Err() == nil {
		v.store.damaged.Store(true)
	}
	if err != nil {
		return fmt.Errorf("search the index: %w", err)
	}
	return nil
}

func (v *View) search(ctx context.Context, q Query) ([]Hit, int, error) {
	terms := questionTerms(q.Text)
	if len(terms) == 0 && len(q.filters()) == 0 && len(q.Pointing) == 0 && !q.All {
		return nil, 0, nil
	}
	q, err := v.onBranch(q)
	if err != nil {
		return nil, 0, err
	}
	s, err := newScorer(v.store.segments(), terms)
	if err != nil {
		return nil, 0, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	top := &topList{limit: limit, compare: candidate.compare}
	for i, seg := range v.store.segments() {
		if err := ctx.Err(); err != nil {
			return nil, 0, context.Cause(ctx)
		}
		f, err := newFilter(seg, q)
		if err != nil {
			return nil, 0, err
		}
		if err := s.offer(i, f, top); err != nil {
			return nil, 0, err
		}
	}
	hits := make([]Hit, 0, len(top.best))
	for _, c := range top.best {
		h, err := c.hit(c.score)
		if err != nil {
			return nil, 0, err
		}
		hits = append(hits, h)
	}
	return hits, top.total, nil
}

// questionTerms are the distinct terms of a question.
func questionTerms(text string) []string { return distinctTerms(bounded(text)) }

// bounded is as much of a question as is read.
func bounded(text string) string {
	if len(text) <= maxQuestion {
		return text
	}
	text = text[:maxQuestion]
	for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// filters returns the terms that every hit has.
func (q Query) filters() (terms []string) {
	add := func(kind, value string) {
		if value != "" {
			terms = append(terms, filterTerm(kind, value))
		}
	}
	add(byScope, q.scope())
	add(byKey, strings.Trim(q.KeyPrefix, "/"))
	add(byKind, string(q.Kind))
	add(byType, string(q.Type))
	add(byReach, string(q.Reach))
	add(byAgent, q.Agent)
	add(byID, q.ID)
	add(byLineage, q.Lineage)
	for _, tag := range q.Tags {
		add(byTag, strings.ToLower(tag))
	}
	add(byHash, strings.ToLower(q.Hash))
	if q.Shared {
		terms = append(terms, isShared)
	}
	if q.HasPointer {
		terms = append(terms, hasPointer)
	}
	return terms
}

func (q Query) scope() string { return strings.Trim(q.Scope, "/") }
