package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"engram/index/events"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/journal"
)

// Found is an event that a search found.
type Found struct {
	Session    string
	Event      session.Event
	Score      float64 // BM25
	Superseded bool    // another event replaces it
	Places     []events.Place
	objects    map[string][]string
}

// Finder searches the events of sessions as they were at one moment: those that are sealed, and the
// newest of those that are not.
type Finder struct {
	a      *Archive
	agent  string
	search func(events.Query) (events.Answer, error)
	// Behind: an answer lacked sessions that are not indexed yet, or events that are not sealed.
	Behind bool
	// Pending is about how many events have no vector yet, and are found by words alone.
	Pending int
}

// Finding calls do with a Finder for what a reader may see; it is valid until do returns. Without
// sessions there is nothing to find. do may be called twice.
func (a *Archive) Finding(ctx context.Context, agent string, do func(*Finder) error) error {
	// Before the index: what is sealed meanwhile is found twice, not missed.
	tail, cut, err := a.tail(ctx)
	if err != nil {
		a.Memory.Log.Warn("searching without the events that are not sealed", "error", err)
		cut = true
	}
	_, err = a.index.Searches(ctx, tail, func(search func(events.Query) (events.Answer, error)) error {
		return do(&Finder{a: a, agent: agent, search: search, Behind: cut})
	})
	return err
}

// Find returns the events that a query finds, also by their vectors.
func (f *Finder) Find(q events.Query) (list []Found, err error) {
	f.a.restrict(&q, f.agent)
	q.WithStored, q.Near, q.Uncounted = true, true, true
	answer, err := f.search(q)
	if err != nil {
		return nil, err
	}
	f.Behind, f.Pending = f.Behind || answer.Behind, max(f.Pending, answer.Pending)
	seen := make(map[string]bool, len(answer.Hits))
	for _, hit := range answer.Hits {
		if seen[hit.Event] {
			continue
		}
		seen[hit.Event] = true
		var k kept
		if err := json.Unmarshal(hit.Stored, &k); err != nil {
			f.a.Memory.Log.Warn("an event of the index cannot be read", "event", hit.Event, "error", err)
			continue
		}
		if f.a.maySee(k.Event, f.agent) {
			list = append(list, Found{hit.Session, k.Event, hit.Score, hit.Superseded, hit.Places, k.Objects})
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
	return Found{}, core.NotFoundErrorf(hint.Hint{}, "no session has the event %.60q", id)
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

// Placed is an event with the session that it is of.
type Placed struct {
	Session string
	Event   session.Event
}

// Tagged returns the newest events with a tag that a reader may see, of one session or of all
// ("") and at most so many, the newest last. Those that are not sealed are among them.
func (a *Archive) Tagged(ctx context.Context, tag, id, agent string, most int) ([]Placed, error) {
	var list, live []Placed
	seen := map[string]bool{}
	add := func(list *[]Placed, id string, e session.Event) {
		if e.Has(tag) && a.maySee(e, agent) && !seen[e.ID] {
			seen[e.ID] = true
			*list = append(*list, Placed{id, e})
		}
	}
	// What is not sealed is in order in the journals; a search finds some of it as well.
	mark := []byte(`"` + tag + `"`)
	err := a.eachLive(ctx, func(own string, line []byte) error {
		if id != "" && own != id || !bytes.Contains(line, mark) {
			return nil
		}
		if e, err := session.ParseLine(line); err == nil {
			add(&live, own, e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sealed, err := a.sealedTagged(ctx, tag, id, agent, most)
	if err != nil {
		return nil, err
	}
	for _, f := range sealed {
		add(&list, f.Session, f.Event)
	}
	list = append(list, live...)
	slices.SortStableFunc(list, func(x, y Placed) int { return x.Event.At.Compare(y.Event.At) })
	return list[max(0, len(list)-most):], nil
}

func (a *Archive) sealedTagged(ctx context.Context, tag, id, agent string, most int) ([]Found, error) {
	q := events.Query{Tags: []string{tag}, Newest: true, Limit: most}
	if id != "" {
		tip, err := a.TipOf(ctx, id)
		if err != nil || tip == "" {
			return nil, err
		}
		q.Sessions = []string{id}
	}
	var list []Found
	err := a.Finding(ctx, agent, func(f *Finder) (err error) {
		list, err = f.Find(q)
		return err
	})
	return list, err
}

// NewestTask returns the newest state of a task that a reader may see: in the sessions that the
// first of prefer takes, or else in those that the next one takes; ok is false if there is none.
func (a *Archive) NewestTask(ctx context.Context, agent string, prefer ...func(id string) bool) (newest Placed, ok bool, err error) {
	kept, made := a.KeptTasks()
	var list []Placed
	for _, id := range sortedIDs(kept) {
		list = append(list, Placed{id, kept[id]})
	}
	if !made {
		if list, err = a.findTasks(ctx); err != nil {
			return newest, false, err
		}
	}
	for _, takes := range prefer {
		for _, p := range list {
			if takes(p.Session) && a.maySee(p.Event, agent) && (!ok || !p.Event.At.Before(newest.Event.At)) {
				newest, ok = p, true
			}
		}
		if ok {
			break
		}
	}
	return newest, ok, nil
}

// findTasks looks for the newest states of tasks, and keeps that of each session.
func (a *Archive) findTasks(ctx context.Context) ([]Placed, error) {
	const most = 64
	found, err := a.Tagged(ctx, session.TagTaskState, "", "", most)
	if err != nil {
		return nil, err
	}
	newest := map[string]session.Event{}
	for _, p := range found { // the newest last
		newest[p.Session] = p.Event
	}
	return found, a.KeepTasks(newest)
}

// eachLive calls do with the lines of all journals: what is not sealed yet.
func (a *Archive) eachLive(ctx context.Context, do func(id string, line []byte) error) error {
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return err
	}
	for _, j := range live {
		for line, err := range a.Journal(j.ID).ReadAll(ctx) {
			if err == nil {
				err = do(j.ID, line)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
