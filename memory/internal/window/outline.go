package window

import (
	"context"
	"errors"

	"engram/memory/internal/archive"
	"engram/recall/window"
	"engram/session"
)

// kept is the outline of a session as it is kept between calls. It is derived: a session that
// was written again gets a new one.
type kept struct {
	Version int `json:"version"`
	// Parts of the session are in the outline, and of the next one what is before From.
	Parts   int            `json:"parts"`
	Name    string         `json:"name"` // of these parts
	From    string         `json:"from"` // the event with which the open span begins
	Outline window.Outline `json:"outline"`
}

// outlineVersion changes with the rules by which an outline is made.
const outlineVersion = 1

// Refresh brings the outline of a session up to what is sealed.
func (m *Manager) Refresh(ctx context.Context, id string) error {
	s, err := m.archive.Open(ctx, id)
	if err != nil {
		return err
	}
	_, _, err = m.outline(ctx, s, false)
	return err
}

// outline returns the outline of a session, with the events of its journal if they are wanted.
// If time runs out before all is read, behind is true and it is as far as it came.
func (m *Manager) outline(ctx context.Context, s *archive.Session, journal bool) (o window.Outline, behind bool, err error) {
	var k kept
	if !m.archive.Outline(s.ID, &k) || k.Version != outlineVersion || k.Name != s.PartsName(k.Parts) {
		k = kept{Version: outlineVersion}
	}
	o, next := k.Outline, k
	seen := make(map[string]bool)
	skip := k.From != ""
	for n := k.Parts; n <= s.Parts(); n++ {
		sealed := n < s.Parts()
		if !sealed && !journal {
			break
		}
		for e, err := range s.PartEvents(ctx, n) {
			if err != nil {
				behind = ctx.Err() != nil
				if behind {
					return o, true, m.keep(s, k, next)
				}
				return o, false, err
			}
			if skip = skip && e.ID != k.From; skip || seen[e.ID] {
				continue
			}
			seen[e.ID] = true
			closed := len(o.Spans)
			if o.Add(&e) && sealed {
				next = kept{outlineVersion, n, "", e.ID, o.Closed()}
			}
			if len(o.Spans) != closed && ctx.Err() != nil {
				return o, true, m.keep(s, k, next)
			}
		}
		if skip { // the part is not what it was
			return o, false, errors.Join(m.archive.KeepOutline(s.ID, kept{}), m.again(ctx, s, journal, &o))
		}
	}
	return o, false, m.keep(s, k, next)
}

// again makes an outline without what was kept.
func (m *Manager) again(ctx context.Context, s *archive.Session, journal bool, o *window.Outline) (err error) {
	*o, _, err = m.outline(ctx, s, journal)
	return err
}

// keep keeps an outline that has grown.
func (m *Manager) keep(s *archive.Session, before, next kept) error {
	if next.Parts == before.Parts && next.From == before.From {
		return nil
	}
	next.Name = s.PartsName(next.Parts)
	return m.archive.KeepOutline(s.ID, next)
}

// markers stand for what left the window of a session, or with all for all that happened.
func (m *Manager) markers(ctx context.Context, s *archive.Session, all bool) ([]session.Marker, error) {
	o, behind, err := m.outline(ctx, s, true)
	if err != nil {
		return nil, err
	}
	list := o.Markers(all)
	if !behind {
		return list, nil
	}
	state, err := m.archive.State(s.ID) // what was not reached has a marker without topics
	from := 0
	if len(list) > 0 {
		from = list[len(list)-1].Last
	}
	return append(list, session.Marker{First: from, Last: max(from, state.Turn)}), err
}
