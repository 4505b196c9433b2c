package deref

import (
	"context"
	"fmt"

	"engram/evidence"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// sessionTarget reads a session, an event or an artifact of one. The digest is that of the
// text; a session has none, since it grows.
func (m *Reader) sessionTarget(ctx context.Context, a facts.Address, agent string) (target, error) {
	found, err := m.archive.Pointed(ctx, a, agent)
	if err != nil {
		return target{}, err
	}
	s := target{address: found.Address, content: found.Text, read: true}
	switch {
	case found.Missing != nil && a.Name != "":
		return s, found.Missing
	case found.Missing != nil:
		s.digest = "sha256:" + a.Path
		s.notes = []string{fmt.Sprintf("this is a preview: %v; a clone that has the session whole can share it, or set sessions.cold to where it was archived", found.Missing)}
	case !evidence.IsText(found.Text):
		s.digest = evidence.Digest(found.Text)
		s.problem = core.UsageErrorf(hint.New("%s has its preview; %s writes the session with it", hint.Do(hint.ShowSession, "SESSION"), hint.Do(hint.ExportSession, "SESSION")),
			"the artifact %.12s is not text: %s, %d bytes", a.Path, found.MediaType, len(found.Text))
		return s, nil
	}
	cut, err := evidence.Cut(a, found.Text)
	if err != nil {
		return s, core.NotFoundErrorf(hint.Hint{}, "artifact %.12s: %v", a.Path, err)
	}
	s.span = cut
	if s.digest == "" && found.Fixed {
		s.digest = evidence.Digest(cut.Text)
	}
	return s, nil
}
