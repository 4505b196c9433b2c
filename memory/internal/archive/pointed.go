package archive

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// Pointed is what a pointer into a session leads to.
type Pointed struct {
	Address facts.Address
	Text    []byte // of an event, a session, or an artifact that is here
	// Fixed says that the text never changes: that of an event or an artifact.
	Fixed     bool
	MediaType string // of an artifact
	// Missing is why the bytes of an artifact are not here; Text is its preview then.
	Missing error
}

// Pointed reads what an address leads to that is in a session, as far as a reader may see
// it. The error wraps core.ErrNotFound.
func (a *Archive) Pointed(ctx context.Context, address facts.Address, agent string) (Pointed, error) {
	return a.pointed(ctx, address, func(e session.Event) bool { return a.maySee(e, agent) })
}

func (a *Archive) pointed(ctx context.Context, address facts.Address, sees func(session.Event) bool) (Pointed, error) {
	if address.Type == facts.PointArtifact {
		return a.pointedArtifact(ctx, address, sees)
	}
	id, err := a.Resolve(ctx, address.Path)
	if err != nil {
		return Pointed{}, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return Pointed{}, err
	}
	address.Path = id
	if address.Version == "" {
		sum, err := s.Summary(ctx)
		return Pointed{Address: address, Text: []byte(overview(sum))}, err
	}
	e, err := s.Event(ctx, address.Version)
	if err == nil && !sees(e) {
		err = s.errNoEvent(address.Version)
	}
	return Pointed{Address: address, Text: []byte(textOf(e)), Fixed: true}, err
}

// Holds reports whether what a pointer leads to is here with a digest: fresh, drifted (it
// says something else now), missing (the session is here and has no such event), or
// unchecked, because sessions and their artifacts are of one clone. It does not ask who
// may read it.
func (a *Archive) Holds(ctx context.Context, address facts.Address, matches func([]byte) bool) (verdict core.Freshness, reason string, err error) {
	p, err := a.pointed(ctx, address, func(session.Event) bool { return true })
	switch {
	case errors.Is(err, core.ErrNotFound) || errors.Is(err, core.ErrUsage):
		known, hasErr := false, error(nil)
		if address.Type == facts.PointSAM && session.CheckID(address.Path) {
			known, hasErr = a.Has(ctx, address.Path)
		}
		if known {
			return core.Missing, "the session has no such event", hasErr
		}
		return core.Unchecked, "it is in a session that is not in this clone", hasErr
	case err != nil:
		return core.Unchecked, "", err
	case p.Missing != nil:
		return core.Unchecked, "its bytes are archived", nil
	case !p.Fixed || matches(p.Text):
		return core.Fresh, "", nil
	}
	return core.Drifted, "something was taken out of it", nil
}

// Event returns an event of the session by its id. The error wraps core.ErrNotFound.
func (s *Session) Event(ctx context.Context, id string) (session.Event, error) {
	if !session.IsEventID(id) {
		return session.Event{}, s.errNoEvent(id)
	}
	e, err := s.lookUp(ctx, id)
	if err == nil && e == nil {
		err = s.errNoEvent(id)
	}
	if err != nil {
		return session.Event{}, err
	}
	return *e, nil
}

// textOf is an event as a pointer to it quotes it: who said it, and what. It is the same
// in every clone.
func textOf(e session.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, turn %d", facts.OneLine(e.Who()), e.Kind, e.Turn)
	if !e.At.IsZero() {
		b.WriteString(", " + e.At.UTC().Format(time.RFC3339))
	}
	b.WriteString("\n\n")
	if text := strings.TrimRight(facts.Visible(e.Text), "\n"); text != "" {
		b.WriteString(text + "\n")
	}
	for _, artifact := range e.Artifacts {
		fmt.Fprintf(&b, "artifact:%s (%s, %d bytes)\n", artifact.Digest, facts.OneLine(artifact.MediaType), artifact.Size)
	}
	return b.String()
}

// overview is a session in a few lines.
func overview(s Summary) string {
	var b strings.Builder
	line := func(name, value string) {
		if value = facts.OneLine(value); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	last := func(list []string) string { return strings.Join(list[max(0, len(list)-5):], ", ") }
	line("session", s.ID)
	line("client", s.Client)
	line("agent", s.Agent)
	line("branch", s.Branch)
	if !s.Started.IsZero() {
		line("time", s.Started.UTC().Format(time.RFC3339)+" to "+s.Ended.UTC().Format(time.RFC3339))
	}
	line("turns", fmt.Sprint(s.Turns))
	line("events", fmt.Sprint(s.Events))
	line("commits", last(s.Commits))
	line("facts", last(s.Facts))
	line("begins with", s.Title)
	return b.String()
}

// pointedArtifact finds an artifact in any session. A reader sees it who sees an event that
// mentions it.
func (a *Archive) pointedArtifact(ctx context.Context, address facts.Address, sees func(session.Event) bool) (Pointed, error) {
	digest := address.Path
	nothing := core.NotFoundErrorf(hint.New("%s brings a session from a remote, with its artifacts", hint.Do(hint.FetchSessions)), "no session here has the artifact %.12s", digest)
	files, err := filepath.Glob(a.Folder("live", "*", "*", artifacts, digest))
	if err != nil {
		return Pointed{}, err
	}
	var ids []string
	for _, file := range files {
		ids = append(ids, filepath.Base(filepath.Dir(filepath.Dir(file))))
	}
	all, err := a.IDs(ctx)
	if err != nil {
		return Pointed{}, err
	}
	for _, id := range append(ids, sortedIDs(all)...) {
		s, err := a.Open(ctx, id)
		if errors.Is(err, core.ErrNotFound) {
			continue
		}
		if err != nil {
			return Pointed{}, err
		}
		live := slices.Contains(ids, id)
		if !live && !s.HasArtifact(digest) && !a.mayBeArchived(s) {
			continue
		}
		found, err := s.mention(ctx, digest, live, sees)
		if err != nil {
			return Pointed{}, err
		}
		if found == nil {
			continue
		}
		p := Pointed{Address: address, Fixed: true, MediaType: found.MediaType}
		p.Text, err = s.Artifact(ctx, digest)
		if errors.Is(err, core.ErrNotFound) {
			p.Text, p.Missing, err = []byte(found.Preview), err, nil
		}
		return p, err
	}
	return Pointed{}, nothing
}

// mayBeArchived reports whether a session mentions artifacts but has none of their bytes.
func (a *Archive) mayBeArchived(s *Session) bool {
	sum, ok := a.keptSummary(s.ID, s.Tip)
	return len(s.blobs) == 0 && (!ok || sum.Artifacts > 0)
}

// mention returns an artifact as an event mentions it that a reader sees; nil if there is
// none. It has the event's text as a preview if it has none.
func (s *Session) mention(ctx context.Context, digest string, live bool, sees func(session.Event) bool) (*session.Artifact, error) {
	list := segments(s.files)
	if parts := s.blobs[digest]; len(parts) > 0 { // the segment that mentions it first
		list = slices.DeleteFunc(list, func(seg segment) bool { return seg.name != segmentOf(parts[0].Path) })
	}
	for e, err := range s.eventsOf(ctx, list, live) {
		if err != nil {
			return nil, err
		}
		for _, artifact := range e.Artifacts {
			if artifact.Digest == digest && sees(e) {
				if artifact.Preview == "" {
					artifact.Preview = e.Text
				}
				return &artifact, nil
			}
		}
	}
	return nil, nil
}
