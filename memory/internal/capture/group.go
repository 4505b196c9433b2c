package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"engram/memory/internal/archive"
	"engram/memory/internal/core"
	"engram/session"
)

// group is a sink that writes segments without a journal, for several sessions at a time:
// a large write is faster than many small ones.
type group struct {
	m       *Recorder
	label   session.Label
	sealers map[string]*archive.Sealer // by session
	readers []*reading                 // that were read to their end
	// releases end the locks of the transcripts, which are held until the cursors are noted.
	releases []func() error
	result   *ImportResult
	ids      []string     // of the sessions that were read
	done     atomic.Int64 // bytes of the transcripts
	indexing atomic.Bool  // all is imported
}

// Bounds of a group.
const (
	groupBytes    = 8 << 20
	groupSessions = 200
)

// has reports whether a session is in the group.
func (g *group) has(id string) bool { return g.sealers[id] != nil }

// put is that of sink.
func (g *group) put(ctx context.Context, t *target, events []session.Event, stored []session.Stored) error {
	sealer := g.sealers[t.id]
	if sealer == nil {
		var err error
		if sealer, err = g.m.archive.NewSealer(ctx, t.state.Header, t.tip); err != nil {
			return err
		}
		g.sealers[t.id] = sealer
	}
	for i := range events {
		if g.label != "" {
			events[i].Label = g.label
		}
		line, err := session.AppendLine(nil, &events[i])
		if err != nil {
			return err
		}
		if err := sealer.Add(ctx, &events[i], line, stored); err != nil {
			return err
		}
		stored = nil
	}
	return nil
}

// read adds a transcript that was read to its end, and commits the group if it is large.
func (g *group) read(ctx context.Context, r *reading) error {
	g.readers = append(g.readers, r)
	size := 0
	for _, s := range g.sealers {
		size += s.Pending()
	}
	if size < groupBytes && len(g.sealers) < groupSessions {
		return nil
	}
	return g.commit(ctx)
}

// commit commits the sessions of the group, and notes how far their transcripts were read.
func (g *group) commit(ctx context.Context) error {
	defer func() {
		for _, release := range g.releases {
			_ = release()
		}
		g.releases = nil
	}()
	sealers := make([]*archive.Sealer, 0, len(g.sealers))
	for _, id := range slices.Sorted(maps.Keys(g.sealers)) {
		sealers = append(sealers, g.sealers[id])
	}
	if err := g.m.archive.CommitAll(ctx, sealers); err != nil {
		return err
	}
	for _, r := range g.readers {
		for _, t := range r.sessions() {
			if err := g.note(ctx, r, t); err != nil {
				return err
			}
		}
		if err := g.m.archive.SetCursor(r.path, r.cursor); err != nil {
			return err
		}
		g.ids = append(g.ids, r.cursor.Sessions...)
	}
	g.sealers, g.readers = map[string]*archive.Sealer{}, nil
	return nil
}

// noteLabels says which events were there before the import, so that they keep the label that
// they have: an event is never changed.
func (g *group) noteLabels(ctx context.Context) error {
	if g.label == "" {
		return nil
	}
	slices.Sort(g.ids)
	for _, id := range slices.Compact(g.ids) {
		s, err := g.m.archive.Open(ctx, id)
		if err != nil {
			return err
		}
		others := 0
		for e, err := range s.Events(ctx) {
			if err != nil {
				return err
			}
			if cmp.Or(e.Label, session.Internal) != g.label {
				others++
			}
		}
		if others > 0 {
			g.result.Notes = append(g.result.Notes, fmt.Sprintf(
				"what session %s had before keeps its label, which is not %s: %s. To label all of it, remove it with `engram session forget %s --yes` and import its file again",
				id, g.label, core.Plural(others, "event"), id))
		}
	}
	return nil
}

// note records what was imported of one session.
func (g *group) note(ctx context.Context, r *reading, t *target) error {
	tip := ""
	if sealer := g.sealers[t.id]; sealer != nil {
		tip = sealer.Tip()
		t.count.Events -= sealer.Spared()
	} else {
		var err error
		if tip, err = g.m.archive.TipOf(ctx, t.id); err != nil {
			return err
		}
	}
	if err := errors.Join(g.m.archive.SetState(t.id, t.state), g.m.archive.SetForgotten(t.id, false)); err != nil {
		return err
	}
	g.result.Sessions = append(g.result.Sessions, Imported{
		ID: t.id, Client: t.state.Header.Client, File: r.path, Records: t.count.Records, Events: t.count.Events,
		Malformed: t.count.Malformed, Redacted: t.count.Redacted, Revision: tip,
	})
	g.result.Events += t.count.Events
	g.result.Malformed += t.count.Malformed
	g.result.Redacted += t.count.Redacted
	g.result.Omitted += t.count.Omitted
	return nil
}
