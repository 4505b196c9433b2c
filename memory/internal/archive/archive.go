// Package archive reads and writes the sessions of a repository: the journals of live
// ones, the segments of sealed ones, and what is known of each. It reads no transcripts
// (package capture does) and decides nothing about facts.
package archive

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"engram/gitstore"
	"engram/index/events"
	"engram/internal/hint"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/journal"
)

// Archive has the sessions of a repository. It is safe for concurrent use, by goroutines
// and by processes.
type Archive struct {
	*core.Memory
	*clone.Files
	index *events.Index
	kept  *tail
}

// New returns the Archive of a memory.
func New(m *core.Memory) *Archive {
	a := &Archive{Memory: m, Files: clone.Open(m.Store.CommonDir())}
	a.index, a.kept = a.newIndex()
	return a
}

// IDs returns all sessions, by their ids, with the commit each is sealed at: "" if nothing
// of it is.
func (a *Archive) IDs(ctx context.Context) (map[string]string, error) {
	refs, err := a.Store.Threads(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[string]string, len(refs))
	for ref, tip := range refs {
		if id := session.IDOfRef(ref); id != "" {
			all[id] = tip
		}
	}
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return nil, err
	}
	for _, j := range live {
		if _, sealed := all[j.ID]; !sealed && session.CheckID(j.ID) {
			all[j.ID] = ""
		}
	}
	return all, nil
}

// Resolve returns the id of the one session that a text names: an id, the beginning of
// one of at least four characters, or sam:ID. The error wraps core.ErrNotFound or
// core.ErrUsage.
func (a *Archive) Resolve(ctx context.Context, text string) (string, error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "sam:"), "@")
	if session.CheckID(name) { // to list all takes longer
		if has, err := a.Has(ctx, name); has || err != nil {
			return name, err
		}
	}
	all, err := a.IDs(ctx)
	if err != nil {
		return "", err
	}
	if _, ok := all[name]; ok {
		return name, nil
	}
	const shortest = 4
	var found []string
	for id := range all {
		if len(name) >= shortest && strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", core.NotFoundErrorf(hint.New("%s lists the sessions", hint.Do(hint.ListSessions)), "no session has the id %.120q", name)
	}
	slices.Sort(found)
	return "", core.UsageErrorf(hint.New("give more of its id"), "%d sessions begin with %q: %s", len(found), name, strings.Join(found[:min(len(found), 5)], ", "))
}

// Session is one session as it is at one moment.
type Session struct {
	ID    string
	Tip   string // "" if nothing is sealed
	a     *Archive
	files []gitstore.ThreadFile
	blobs map[string][]gitstore.ThreadFile // parts of sealed artifacts, by digest
}

// Open opens a session by its id. The error wraps core.ErrNotFound.
func (a *Archive) Open(ctx context.Context, id string) (*Session, error) {
	if !session.CheckID(id) {
		return nil, core.NotFoundErrorf(hint.New("%s lists the sessions", hint.Do(hint.ListSessions)), "%.120q is not the id of a session", id)
	}
	s := &Session{ID: id, a: a}
	var err error
	if s.Tip, err = a.Store.ThreadTip(ctx, session.Ref(id)); err != nil {
		return nil, err
	}
	if s.Tip == "" {
		if size, err := a.Journal(id).Size(); err != nil || size == 0 {
			return nil, cmp.Or(err, core.NotFoundErrorf(hint.New("%s lists the sessions", hint.Do(hint.ListSessions)), "no session has the id %.120q", id))
		}
		return s, nil
	}
	return s, s.list(ctx)
}

// list reads which files a session has.
func (s *Session) list(ctx context.Context) (err error) {
	if s.files, err = s.a.Store.ThreadFiles(ctx, s.Tip); err != nil {
		return fmt.Errorf("read session %s: %w", s.ID, err)
	}
	s.blobs = map[string][]gitstore.ThreadFile{}
	for _, f := range s.files {
		if digest := digestOf(f.Path); digest != "" {
			s.blobs[digest] = append(s.blobs[digest], f)
		}
	}
	return nil
}

// Header is what was known of the session when it was sealed first, or what the capture
// knows of one that never was.
func (s *Session) Header(ctx context.Context) (session.Header, error) {
	if s.Tip == "" {
		state, err := s.a.State(s.ID)
		return state.Header, err
	}
	for _, f := range s.files {
		if f.Path == headerFile {
			data, err := s.a.Store.ThreadBlob(ctx, f.Object, maxSegment)
			if err != nil {
				return session.Header{}, err
			}
			return session.ParseHeader(data)
		}
	}
	return session.Header{ID: s.ID}, nil
}

// sortedIDs returns the keys of a map in order.
func sortedIDs[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Has reports whether there is a session.
func (a *Archive) Has(ctx context.Context, id string) (bool, error) {
	tip, err := a.TipOf(ctx, id)
	if tip != "" || err != nil {
		return tip != "", err
	}
	size, err := a.Journal(id).Size()
	return size > 0, err
}

// TipOf returns the commit that a session is sealed at; "" if nothing of it is.
func (a *Archive) TipOf(ctx context.Context, id string) (string, error) {
	return a.Store.ThreadTip(ctx, session.Ref(id))
}
