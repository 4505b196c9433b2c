package window

import (
	"context"
	"errors"
	"iter"

	"engram/memory/internal/core"
	"engram/recall/window"
	"engram/session"
)

// kept is the outline of what is sealed of a session, as it is kept between calls, so that a
// hook need not read the session. It is derived: a session that was written again gets a new one.
type kept struct {
	Version int            `json:"version"`
	Tip     string         `json:"tip"`
	Parts   int            `json:"parts"` // of the session that are in it
	Name    string         `json:"name"`  // of these parts
	Outline window.Outline `json:"outline"`
}

// outlineVersion changes with the rules by which an outline is made.
const outlineVersion = 1

// Refresh brings the outline of a session up to what is sealed.
func (m *Manager) Refresh(ctx context.Context, id string) error {
	_, _, err := m.sealed(ctx, id)
	return err
}

// sealed returns the outline of what is sealed of a session. If time runs out before all is
// read, behind is true and it is as far as it came.
func (m *Manager) sealed(ctx context.Context, id string) (o *window.Outline, behind bool, err error) {
	tip, err := m.archive.TipOf(ctx, id)
	if err != nil || tip == "" {
		return &window.Outline{}, false, err
	}
	var k kept
	if m.archive.Outline(id, &k) && k.Version == outlineVersion && k.Tip == tip {
		return &k.Outline, false, nil
	}
	s, err := m.archive.Open(ctx, id)
	if err != nil {
		return nil, false, err
	}
	if k.Version != outlineVersion || k.Name != s.PartsName(k.Parts) {
		k = kept{Version: outlineVersion}
	}
	for before := k.Parts; k.Parts < s.Parts() && err == nil; {
		reached := k.Outline
		if err = add(&k.Outline, s.PartEvents(ctx, k.Parts)); err != nil && ctx.Err() != nil {
			k.Outline, behind = reached, true // a part counts whole or not at all
		} else if err == nil {
			k.Parts++
		}
		if behind && k.Parts == before {
			return &k.Outline, true, nil
		}
	}
	if err != nil && !behind {
		return nil, false, err
	}
	k.Name = s.PartsName(k.Parts)
	if k.Tip = s.Tip; behind {
		k.Tip = ""
	}
	return &k.Outline, behind, m.archive.KeepOutline(id, k)
}

// add adds events to an outline.
func add(o *window.Outline, events iter.Seq2[session.Event, error]) error {
	for e, err := range events {
		if err != nil {
			return err
		}
		o.Add(&e)
	}
	return nil
}

// markers stand for what left the window of a session, or with all for all that happened.
func (m *Manager) markers(ctx context.Context, id string, all bool) ([]session.Marker, error) {
	o, behind, err := m.sealed(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := add(o, m.archive.JournalEvents(ctx, id)); err != nil {
		if ctx.Err() == nil && !errors.Is(err, core.ErrNotFound) {
			return nil, err
		}
		behind = true
	}
	list := o.Markers(all)
	if !behind {
		return list, nil
	}
	state, err := m.archive.State(id) // the last marker stands for what was not reached as well
	if n := len(list); n > 0 {
		list[n-1].Last = max(list[n-1].Last, state.Turn)
	} else {
		list = []session.Marker{{First: min(1, state.Turn), Last: state.Turn}}
	}
	return list, err
}
