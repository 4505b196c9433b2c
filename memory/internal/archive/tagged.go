package archive

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"

	"engram/index/events"
	"engram/session"
	"engram/session/journal"
)

// Placed is an event with the session that it is of.
type Placed struct {
	Session string
	Event   session.Event
}

// Tagged returns the newest events with a tag that a reader may see, of one session or of all
// ("") and at most so many, the newest last. Those that are not sealed are among them.
func (a *Archive) Tagged(ctx context.Context, tag, id, agent string, most int) ([]Placed, error) {
	var list []Placed
	seen := map[string]bool{}
	add := func(id string, e session.Event) {
		if e.Has(tag) && a.maySee(e, agent) && !seen[e.ID] {
			seen[e.ID] = true
			list = append(list, Placed{id, e})
		}
	}
	sealed, err := a.sealedTagged(ctx, tag, id, agent, most)
	if err != nil {
		return nil, err
	}
	for _, f := range sealed {
		add(f.Session, f.Event)
	}
	live, err := journal.Live(a.folder("live"))
	if err != nil {
		return nil, err
	}
	mark := []byte(`"` + tag + `"`)
	for _, j := range live {
		if id != "" && j.ID != id {
			continue
		}
		for line, err := range a.Journal(j.ID).ReadAll(ctx) {
			if err != nil {
				return nil, err
			}
			if !bytes.Contains(line, mark) {
				continue
			}
			if e, err := session.ParseLine(line); err == nil {
				add(j.ID, e)
			}
		}
	}
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
	list, made := a.keptTasks()
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
	if err == nil {
		err = os.MkdirAll(a.folder(taskFolder), 0o755)
	}
	for _, p := range found { // the newest last
		err = errors.Join(err, a.keepTask(p.Session, p.Event))
	}
	return found, err
}
