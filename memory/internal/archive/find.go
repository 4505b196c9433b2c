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

// Finder searches the sealed events of sessions as they were at one moment.
type Finder struct {
	a      *Archive
	agent  string
	search func(events.Query) (events.Answer, error)
	// Behind: an answer lacked sessions that are not indexed yet.
	Behind bool
}

// Finding calls do with a Finder for what a reader may see; it is valid until do returns. Without
// sessions there is nothing to find. do may be called twice.
func (a *Archive) Finding(ctx context.Context, agent string, do func(*Finder) error) error {
	_, err := a.index.Searches(ctx, func(search func(events.Query) (events.Answer, error)) error {
		return do(&Finder{a: a, agent: agent, search: search})
	})
	return err
}

// Find returns the events that a query finds.
func (f *Finder) Find(q events.Query) (list []Found, err error) {
	f.a.restrict(&q, f.agent)
	q.WithStored = true
	answer, err := f.search(q)
	if err != nil {
		return nil, err
	}
	f.Behind = f.Behind || answer.Behind
	for _, hit := range answer.Hits {
		var k kept
		if err := json.Unmarshal(hit.Stored, &k); err != nil {
			f.a.Memory.Log.Warn("an event of the index cannot be read", "event", hit.Event, "error", err)
			continue
		}
		if f.a.maySee(k.Event, f.agent) {
			list = append(list, Found{hit.Session, k.Event, hit.Score, hit.Superseded, k.Objects})
		}
	}
	return list, nil
}

// Event returns an event by its id, whichever session has it. The error wraps core.ErrNotFound. An
// id begins with the time of its event, by which the index finds it.
func (f *Finder) Event(id string) (Found, error) {
	if at, ok := session.TimeOfID(id); ok {
		const most = 1000 // events of one millisecond
		list, err := f.Find(events.Query{Since: at, Until: at.Add(time.Millisecond), Newest: true, Limit: most})
		if err != nil {
			return Found{}, err
		}
		for _, found := range list {
			if found.Event.ID == id {
				return found, nil
			}
		}
	}
	return Found{}, core.NotFoundErrorf(hint.Hint{}, "no sealed session has the event %.60q", id)
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
