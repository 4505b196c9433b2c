package archive

import (
	"context"
	"encoding/json"
	"time"

	"engram/index/events"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// Found is an event that a search found.
type Found struct {
	Session    string
	Event      session.Event
	Score      float64 // BM25
	Superseded bool    // another event replaces it
	objects    map[string][]string
}

// Find asks the index of events for what a reader may see. Without sessions there is nothing to
// find, and no index is made. behind: some sessions are not indexed yet.
func (a *Archive) Find(ctx context.Context, q events.Query, agent string) (list []Found, behind bool, err error) {
	if refs, err := a.Store.Threads(ctx); err != nil || len(refs) == 0 {
		return nil, false, err
	}
	a.restrict(&q, agent)
	q.WithStored = true
	answer, err := a.index.Search(ctx, q)
	if err != nil {
		return nil, false, err
	}
	for _, hit := range answer.Hits {
		var k kept
		if err := json.Unmarshal(hit.Stored, &k); err != nil {
			a.Memory.Log.Warn("an event of the index cannot be read", "event", hit.Event, "error", err)
			continue
		}
		if a.maySee(k.Event, agent) {
			list = append(list, Found{hit.Session, k.Event, hit.Score, hit.Superseded, k.Objects})
		}
	}
	return list, answer.Behind, nil
}

// Content returns the bytes of an artifact that a found event mentions. The error wraps
// core.ErrNotFound if they are in cold storage.
func (a *Archive) Content(ctx context.Context, f Found, digest string) (data []byte, err error) {
	objects := f.objects[digest]
	for _, object := range objects {
		part, err := a.Store.ThreadBlob(ctx, object, maxPart)
		if err != nil { // the session was written again since, or its artifacts were archived
			objects = nil
			break
		}
		data = append(data, part...)
	}
	if len(objects) > 0 {
		return data, nil
	}
	s, err := a.Open(ctx, f.Session)
	if err != nil {
		return nil, err
	}
	return s.Artifact(ctx, digest)
}

// Where returns an event that is sealed, whichever session has it. The error wraps
// core.ErrNotFound. An id begins with the time of its event, by which the index finds it.
func (a *Archive) Where(ctx context.Context, event, agent string) (Found, error) {
	if at, ok := session.TimeOfID(event); ok {
		const most = 1000 // events of one millisecond
		list, _, err := a.Find(ctx, events.Query{Since: at, Until: at.Add(time.Millisecond), Newest: true, Limit: most}, agent)
		if err != nil {
			return Found{}, err
		}
		for _, f := range list {
			if f.Event.ID == event {
				return f, nil
			}
		}
	}
	return Found{}, core.NotFoundErrorf(hint.Hint{}, "no sealed session has the event %.60q", event)
}
