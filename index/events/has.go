package events

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/oklog/ulid/v2"

	"engram/index/internal/store"
	"engram/index/internal/version"
)

// Has tells which events of a session are in the index, by their ids, after catching up.
func (x *Index) Has(ctx context.Context, session string, ids []string) (map[string]bool, error) {
	folder, c, _, err := x.begin(ctx, x.source)
	if err != nil {
		return nil, err
	}
	p := presence{wanted: make(map[string]bool, len(ids)), found: make(map[string]bool, len(ids))}
	for _, text := range ids {
		if id, err := ulid.ParseStrict(text); err == nil {
			at := ulid.Time(id.Time())
			if len(p.wanted) == 0 || at.Before(p.since) {
				p.since = at
			}
			if at.After(p.until) {
				p.until = at
			}
			p.wanted[text] = true
		}
	}
	if len(p.wanted) == 0 {
		return p.found, nil
	}
	_, err = folder.View(ctx, c.seen[0], func(s *store.Store, _ store.Stamp) error {
		return store.Guard(func() error {
			for _, seg := range s.Segments() {
				if err := p.look(seg, session); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	})
	return p.found, err
}

// presence looks for events.
type presence struct {
	wanted, found map[string]bool
	since, until  time.Time // when the events were, as their ids say
}

// look looks among the events of a session: first at those that were when the ids say, then, as
// clocks jump, at the others.
func (p *presence) look(seg store.Segment, session string) error {
	all, err := seg.Documents(version.FilterField, version.FilterTerm(bySession, session))
	if err != nil || all.IsEmpty() {
		return err
	}
	then, err := seg.Union(version.FilterField, periodTerm(byHour, period(p.since, hour)), periodTerm(byHour, period(p.until, hour)+1), maxExpanded)
	if err != nil {
		return err
	}
	then.And(all)
	all.AndNot(then)
	for _, set := range []*roaring.Bitmap{then, all} {
		for it := set.Iterator(); it.HasNext() && len(p.found) < len(p.wanted); {
			hit, err := hitOf(0, seg, it.Next())
			if err != nil {
				return err
			}
			if p.wanted[hit.Event] {
				p.found[hit.Event] = true
			}
		}
	}
	return nil
}
