package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"os"
	"slices"
	"strings"

	"engram/session"
)

// Parts is how many sealed parts a session has. Parts are in order and do not change.
func (s *Session) Parts() int { return len(segments(s.files)) }

// PartsName names the first n parts by what is in them; "" if there are fewer.
func (s *Session) PartsName(n int) string {
	list := segments(s.files)
	if n > len(list) {
		return ""
	}
	h := sha256.New()
	for _, part := range list[:n] {
		_, _ = h.Write([]byte(part.object + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// PartEvents yields the events of one part.
func (s *Session) PartEvents(ctx context.Context, n int) iter.Seq2[session.Event, error] {
	return s.eventsOf(ctx, segments(s.files)[n:n+1], false)
}

// JournalEvents yields the events of a session that are not sealed.
func (a *Archive) JournalEvents(ctx context.Context, id string) iter.Seq2[session.Event, error] {
	return (&Session{ID: id, a: a}).eventsOf(ctx, nil, true)
}

// Outlines are kept beside what else is derived from a session, and removed with it.
func (l *Local) outlineFile(id string) string {
	return l.folder("outlines", session.Shard(id), id+".json")
}

// Outline reads what was kept of a session by KeepOutline; false if nothing was.
func (l *Local) Outline(id string, v any) bool {
	data, err := os.ReadFile(l.outlineFile(id))
	return err == nil && json.Unmarshal(data, v) == nil
}

// KeepOutline keeps what is derived from a session.
func (l *Local) KeepOutline(id string, v any) error { return writeJSON(l.outlineFile(id), v) }

// dropDerived removes what is derived from a session.
func (l *Local) dropDerived(id string) error {
	for _, file := range []string{l.summaryFile(id), l.outlineFile(id)} {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return os.RemoveAll(l.folder(taskFolder))
}

// taskFolder has the newest state of a task of each session, so that a hook need not look for
// it. It is derived; without it, it is made again.
const taskFolder = "tasks"

// KeepTask keeps the event with the newest state of a task of a session.
func (l *Local) KeepTask(id string, e session.Event) error {
	if _, err := os.Stat(l.folder(taskFolder)); err != nil {
		return nil // not made yet: it would lack those of other sessions
	}
	return l.keepTask(id, e)
}

func (l *Local) keepTask(id string, e session.Event) error {
	return writeJSON(l.folder(taskFolder, id+".json"), e)
}

// keptTasks are the events that were kept; ok is false if none were ever looked for.
func (l *Local) keptTasks() (list []Placed, ok bool) {
	entries, err := os.ReadDir(l.folder(taskFolder))
	for _, entry := range entries {
		p := Placed{Session: strings.TrimSuffix(entry.Name(), ".json")}
		data, err := os.ReadFile(l.folder(taskFolder, entry.Name()))
		if err == nil && json.Unmarshal(data, &p.Event) == nil && session.CheckID(p.Session) {
			list = append(list, p)
		}
	}
	return list, err == nil
}

// Indexed tells which events of a session are sealed and can be found, by their ids. The index
// has nothing that is not sealed.
func (a *Archive) Indexed(ctx context.Context, id string, events []string) (map[string]bool, error) {
	if tip, err := a.TipOf(ctx, id); err != nil || tip == "" {
		return nil, err
	}
	return a.index.Has(ctx, id, events)
}

// LastTurns returns the events of the last turns of a session that a reader may see, without
// what the client notes for itself.
func (a *Archive) LastTurns(ctx context.Context, s *Session, turns int, agent string) ([]session.Event, error) {
	var list []session.Event
	last := -1
	for n := s.Parts(); n >= 0; n-- {
		var part []session.Event
		events := a.JournalEvents(ctx, s.ID)
		if n < s.Parts() {
			events = s.PartEvents(ctx, n)
		}
		for e, err := range events {
			if err != nil {
				return nil, err
			}
			part = append(part, e)
			last = max(last, e.Turn)
		}
		early := len(part) > 0 && part[0].Turn <= last-turns
		list = append(part, list...)
		if early {
			break
		}
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(e session.Event) bool {
		again := seen[e.ID]
		seen[e.ID] = true
		return again || e.Turn <= last-turns || e.Kind == session.SystemNote || e.SubAgent != "" || e.Has(session.TagThinking) || !a.maySee(e, agent)
	}), nil
}
