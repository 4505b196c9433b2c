package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
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
	store *store
	stamp stamp
}

// Revision is the revision that the index reflects.
func (v *View) Revision() string { return v.stamp.Revision }

// Search returns the best hits for q, best first, and how many there are in
// all. The order is by score, then the later beginning of the window, then the
// key, so that equal indexes give equal answers. A query that neither has a
// usable word nor filters finds nothing. An error means that ctx is done or the
// index is damaged; in the latter case View builds it anew.
func (v *View) Search(ctx context.Context, q Query) (hits []Hit, total int, err error) {
	err = guard(func() (err error) {
		hits, total, err = v.search(ctx, q)
		return err
	})
	if err != nil && ctx.Err() == nil {
		v.store.damaged.Store(true)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("search the index: %w", err)
	}
	return hits, total, nil
}

func (v *View) search(ctx context.Context, q Query) ([]Hit, int, error) {
	terms := questionTerms(q.Text)
	filters := q.filters()
	if len(terms) == 0 && len(filters) == 0 {
		return nil, 0, nil
	}
	if q.AsOf.IsZero() {
		filters = append(filters, onTip)
	}
	s, err := newScorer(v.store.segments(), terms)
	if err != nil {
		return nil, 0, err
	}
	top := &topList{limit: q.Limit}
	if top.limit <= 0 {
		top.limit = defaultLimit
	}
	for i, seg := range v.store.segments() {
		if err := ctx.Err(); err != nil {
			return nil, 0, context.Cause(ctx)
		}
		m := matcher{seg: seg, moment: q.AsOf, top: top}
		if q.AsOf.IsZero() {
			m.current, m.moment = true, q.Now
		}
		if err := m.prepare(q, filters); err != nil {
			return nil, 0, err
		}
		if err := s.each(i, m.allowed, m.match); err != nil {
			return nil, 0, err
		}
	}
	hits, err := top.hits()
	return hits, top.total, err
}

// questionTerms are the distinct terms of a question.
func questionTerms(text string) []string {
	if len(text) > maxQuestion {
		text = text[:maxQuestion]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
	}
	terms := Terms(text)
	slices.Sort(terms)
	return slices.Compact(terms)
}

// filters returns the terms that every hit has.
func (q Query) filters() (terms []string) {
	add := func(kind, value string) {
		if value != "" {
			terms = append(terms, filterTerm(kind, value))
		}
	}
	add(byScope, strings.Trim(q.Scope, "/"))
	add(byKey, strings.Trim(q.KeyPrefix, "/"))
	add(byKind, string(q.Kind))
	add(byType, string(q.Type))
	add(byAgent, q.Agent)
	add(byID, q.ID)
	add(byLineage, q.Lineage)
	for _, tag := range q.Tags {
		add(byTag, strings.ToLower(tag))
	}
	add(byHash, strings.ToLower(q.Hash))
	return terms
}

// matcher decides which documents of a segment are hits.
type matcher struct {
	seg       segment
	allowed   *roaring.Bitmap // nil: every document that is not deleted
	current   bool            // hits have to hold now, not at some other moment
	unsettled denseSet        // whose window has to be looked at; nil: all
	moment    time.Time       // when a hit has to hold
	top       *topList
}

func (m *matcher) prepare(q Query, filters []string) error {
	for _, term := range filters {
		set, err := m.seg.documents(term)
		if err != nil {
			return err
		}
		if m.allowed == nil {
			m.allowed = set
		} else {
			m.allowed.And(set)
		}
	}
	if !q.Ephemeral {
		if err := m.forbid(isEphemeral); err != nil {
			return err
		}
	}
	if m.current {
		set, err := m.seg.documents(isUnsettled)
		if err != nil {
			return err
		}
		m.unsettled = dense(set)
	}
	return nil
}

func (m *matcher) forbid(term string) error {
	set, err := m.seg.documents(term)
	if err != nil || set.IsEmpty() {
		return err
	}
	if m.allowed == nil {
		m.allowed = m.seg.all()
	}
	m.allowed.AndNot(set)
	return nil
}

// match takes one document that has the terms and passes the filters.
func (m *matcher) match(doc uint32, score float64) error {
	settled := !m.unsettled.has(doc)
	if settled && !m.top.mayTake(score) {
		m.top.total++
		return nil
	}
	id, err := m.seg.id(doc)
	if err != nil {
		return err
	}
	if settled || id.holds(m.moment, m.current) {
		m.top.total++
		m.top.take(candidate{id, score})
	}
	return nil
}

type candidate struct {
	docID
	score float64
}

// compare orders candidates, the best first.
func (c candidate) compare(d candidate) int {
	return cmp.Or(cmp.Compare(d.score, c.score), d.Window.From.Compare(c.Window.From),
		cmp.Compare(c.Key, d.Key), cmp.Compare(c.Blob, d.Blob))
}

// topList keeps the best candidates in order.
type topList struct {
	limit, total int
	best         []candidate
}

// mayTake reports whether a candidate of that score could be among the best.
func (t *topList) mayTake(score float64) bool {
	return len(t.best) < t.limit || score >= t.best[len(t.best)-1].score
}

func (t *topList) take(c candidate) {
	if !t.mayTake(c.score) {
		return
	}
	at, _ := slices.BinarySearchFunc(t.best, c, candidate.compare)
	if at >= t.limit {
		return
	}
	t.best = slices.Insert(t.best[:min(len(t.best), t.limit-1)], at, c)
}

func (t *topList) hits() ([]Hit, error) {
	hits := make([]Hit, 0, len(t.best))
	for _, c := range t.best {
		h, err := c.hit(c.score)
		if err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, nil
}
