package archive

import (
	"context"
	"time"

	"engram/index/events"
	"engram/session"
)

// Find asks the index of events for what a reader may see. Without sessions there is nothing to
// find, and no index is made.
func (a *Archive) Find(ctx context.Context, q events.Query, agent string) (events.Answer, error) {
	if refs, err := a.Store.Threads(ctx); err != nil || len(refs) == 0 {
		return events.Answer{}, err
	}
	a.restrict(&q, agent)
	return a.index.Search(ctx, q)
}

// Read is an event of a hit; Event is nil if it is gone, or if the reader may not see it.
type Read struct {
	Event      *session.Event
	Superseded bool
}

// Read returns the events of hits, in their order.
func (a *Archive) Read(ctx context.Context, hits []events.Hit, agent string) ([]Read, error) {
	list := make([]Read, len(hits))
	open := map[string]*Session{}
	for i, hit := range hits {
		s := open[hit.Session]
		if s == nil {
			var err error
			if s, err = a.Open(ctx, hit.Session); err != nil {
				return nil, err
			}
			open[hit.Session] = s
		}
		e, err := s.lookUp(ctx, hit.Event)
		if err != nil {
			return nil, err
		}
		if e != nil && a.maySee(*e, agent) {
			list[i].Event = e
		}
	}
	return list, nil
}

// Content returns the bytes of an artifact of a session. The error wraps core.ErrNotFound if they
// are in cold storage.
func (a *Archive) Content(ctx context.Context, id, digest string) ([]byte, error) {
	s, err := a.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.Artifact(ctx, digest)
}

// Where returns which session has an event that is sealed; ok is false if none has. An id begins
// with the time of its event, by which the index finds it.
func (a *Archive) Where(ctx context.Context, event, agent string) (hit events.Hit, ok bool, err error) {
	at, valid := session.TimeOfID(event)
	if !valid {
		return hit, false, nil
	}
	const most = 1000 // events of one millisecond
	answer, err := a.Find(ctx, events.Query{Since: at, Until: at.Add(time.Millisecond), Newest: true, Limit: most}, agent)
	for _, hit := range answer.Hits {
		if hit.Event == event {
			return hit, true, err
		}
	}
	return hit, false, err
}
