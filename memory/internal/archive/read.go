package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// Events yields the events of a session in order: those that are sealed, then those of
// the journal. An event that is there twice comes once.
func (s *Session) Events(ctx context.Context) iter.Seq2[session.Event, error] {
	return s.eventsOf(ctx, segments(s.files), true)
}

// eventsOf yields the events of some segments, and those of the journal.
func (s *Session) eventsOf(ctx context.Context, list []segment, live bool) iter.Seq2[session.Event, error] {
	return func(yield func(session.Event, error) bool) {
		seen := map[string]bool{}
		for line, err := range s.lines(ctx, list, live) {
			if err != nil {
				yield(session.Event{}, err)
				return
			}
			e, err := session.ParseLine(line)
			if err != nil {
				s.a.Memory.Log.Warn("a line of a session cannot be read", "session", s.ID, "error", err)
				continue
			}
			if seen[e.ID] {
				continue
			}
			seen[e.ID] = true
			if !yield(e, nil) {
				return
			}
		}
	}
}

// lines yields the lines of some segments, and those of the journal. A line is valid until
// the next one.
func (s *Session) lines(ctx context.Context, list []segment, live bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		objects := make([]string, len(list))
		for i, seg := range list {
			objects[i] = seg.object
		}
		for data, err := range s.blobsOf(ctx, objects) {
			if err != nil {
				yield(nil, fmt.Errorf("read session %s: %w", s.ID, err))
				return
			}
			for line := range bytes.Lines(data) {
				if !yield(bytes.TrimSuffix(line, []byte("\n")), nil) {
					return
				}
			}
		}
		if !live {
			return
		}
		for line, err := range s.a.Journal(s.ID).ReadAll(ctx) {
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// blobsOf yields the contents of objects. To start a git takes longer than to read a few.
func (s *Session) blobsOf(ctx context.Context, objects []string) iter.Seq2[[]byte, error] {
	const few = 4
	return func(yield func([]byte, error) bool) {
		if len(objects) <= few {
			for _, object := range objects {
				if data, err := s.a.Store.ThreadBlob(ctx, object, maxOneEvent); !yield(data, err) {
					return
				}
			}
			return
		}
		for file, err := range s.a.Store.ThreadBlobs(ctx, objects, maxOneEvent) {
			if err == nil {
				err = file.Err
			}
			if !yield(file.Data, err) {
				return
			}
		}
	}
}

// EachID calls do with the ids of all events, and the turn of each.
func (s *Session) EachID(ctx context.Context, do func(id string, turn int)) error {
	for line, err := range s.lines(ctx, segments(s.files), true) {
		if err != nil {
			return err
		}
		do(session.LineID(line), session.LineTurn(line))
	}
	return nil
}

// Artifact returns the content of an artifact of the session. The error wraps
// core.ErrNotFound if its bytes are not here.
func (s *Session) Artifact(ctx context.Context, digest string) ([]byte, error) {
	parts := s.parts(digest)
	if len(parts) == 0 {
		data, err := s.a.Journal(s.ID).Artifact(digest)
		if err == nil {
			return data, nil
		}
		return s.archived(digest)
	}
	var data []byte
	for _, part := range parts {
		more, err := s.a.Store.ThreadBlob(ctx, part.Object, maxPart)
		if err != nil {
			return nil, err
		}
		data = append(data, more...)
	}
	return data, nil
}

// parts are the files of an artifact, in order. The same artifact may be in several segments of a
// session that two clones continued; those of the first are returned.
func (s *Session) parts(digest string) []gitstore.ThreadFile {
	parts := slices.Clone(s.blobs[digest])
	slices.SortFunc(parts, func(a, b gitstore.ThreadFile) int { return strings.Compare(a.Path, b.Path) })
	for i := range parts {
		if segmentOf(parts[i].Path) != segmentOf(parts[0].Path) {
			return parts[:i]
		}
	}
	return parts
}

// HasArtifact reports whether the bytes of an artifact are in the session's segments.
func (s *Session) HasArtifact(digest string) bool { return len(s.blobs[digest]) > 0 }

// segmentOf returns the name of the segment that a file belongs to.
func segmentOf(file string) string {
	parts := strings.SplitN(file, "/", 3)
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// lookUp returns an event; nil if the session has no such event.
func (s *Session) lookUp(ctx context.Context, id string) (*session.Event, error) {
	at, err := s.segmentWith(ctx, id)
	if err != nil {
		return nil, err
	}
	var list []segment
	if at >= 0 {
		list = segments(s.files)[at : at+1]
	}
	for line, err := range s.lines(ctx, list, at < 0) {
		if err != nil {
			return nil, err
		}
		if session.LineID(line) == id {
			e, err := session.ParseLine(line)
			return &e, err
		}
	}
	return nil, nil
}

// lookUpAll returns the events of matches, by their ids. It reads few segments: those that
// the times in the ids point to, then, as clocks jump, those that the turns point to.
func (s *Session) lookUpAll(ctx context.Context, matches []Match) (map[string]*session.Event, error) {
	all, found, first := segments(s.files), map[string]*session.Event{}, map[int]int{}
	read := func(at int) error { // a segment once; first has the turn that it begins with
		if _, known := first[at]; known {
			return nil
		}
		data, err := s.a.Store.ThreadBlob(ctx, all[at].object, maxOneEvent)
		if err != nil {
			return err
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		first[at] = session.LineTurn(line)
		for _, m := range matches {
			if line, ok := lineOf(data, m.Event); ok && found[m.Event] == nil {
				e, err := session.ParseLine(line)
				if err != nil {
					return err
				}
				found[m.Event] = &e
			}
		}
		return nil
	}
	for _, m := range matches {
		if at := likely(all, m.Event); at >= 0 && found[m.Event] == nil {
			if err := read(at); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range matches {
		for low, high := 0, len(all)-1; low <= high && found[m.Event] == nil; {
			middle := (low + high) / 2
			if err := read(middle); err != nil {
				return nil, err
			}
			if first[middle] > m.Turn {
				high = middle - 1
			} else {
				low = middle + 1
			}
		}
		if found[m.Event] == nil { // two clones continued it, or the event is in the journal
			e, err := s.lookUp(ctx, m.Event)
			if err != nil {
				return nil, err
			}
			found[m.Event] = e
		}
	}
	return found, nil
}

// lineOf returns the line of an event in a segment.
func lineOf(data []byte, id string) (line []byte, ok bool) {
	mark := []byte(`{"id":"` + id + `"`)
	at := 0
	if !bytes.HasPrefix(data, mark) {
		if at = bytes.Index(data, append([]byte("\n"), mark...)) + 1; at == 0 {
			return nil, false
		}
	}
	line, _, _ = bytes.Cut(data[at:], []byte("\n"))
	return line, true
}

// likely is the segment that an event is likely to be in: ids begin with a time, so it is
// the last one whose first event is not later; -1 if there is no segment.
func likely(all []segment, event string) int {
	at := min(0, len(all)-1)
	for i, seg := range all {
		if seg.first() <= event {
			at = i
		}
	}
	return at
}

// around returns the segments among which an event is: the one that has it, one before and
// one after. ok is false if no segment has the event.
func (s *Session) around(ctx context.Context, event string) (list []segment, ok bool, err error) {
	at, err := s.segmentWith(ctx, event)
	if err != nil || at < 0 {
		return nil, false, err
	}
	all := segments(s.files)
	return all[max(0, at-1):min(len(all), at+2)], true, nil
}

// segmentWith returns which segment has an event; -1 if none has.
func (s *Session) segmentWith(ctx context.Context, event string) (int, error) {
	all := segments(s.files)
	has := func(i int) (bool, error) {
		if i < 0 || i >= len(all) {
			return false, nil
		}
		data, err := s.a.Store.ThreadBlob(ctx, all[i].object, maxOneEvent)
		_, ok := lineOf(data, event)
		return ok, err
	}
	first := likely(all, event)
	if found, err := has(first); found || err != nil {
		return first, err
	}
	for distance := 1; distance < len(all); distance++ {
		for _, i := range []int{first - distance, first + distance} {
			if found, err := has(i); found || err != nil {
				return i, err
			}
		}
	}
	return -1, nil
}

// errNoEvent says that a session has no such event.
func (s *Session) errNoEvent(event string) error {
	return core.NotFoundErrorf(hint.New("%s shows the session", hint.Do(hint.ShowSession, s.ID)), "session %s has no event %.60q", s.ID, event)
}

// Sealed yields the sealed events of the session that anybody may see.
func (s *Session) Sealed(ctx context.Context) iter.Seq2[session.Event, error] {
	return func(yield func(session.Event, error) bool) {
		for e, err := range s.eventsOf(ctx, segments(s.files), false) {
			if e.Label == session.Private && err == nil {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

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
