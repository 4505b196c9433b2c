package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
)

// ShowInput names a session, and which of its events to show.
type ShowInput struct {
	ID      string   `json:"session_id"`
	Around  string   `json:"around,omitempty" flag:"around,,EVENT" help:"the turn of the EVENT, with what is next to it"`
	Turn    int      `json:"turn,omitempty" flag:"turn,,N" min:"0" help:"turn N alone"`
	Kinds   []string `json:"kinds,omitempty" flag:"kind,k,KIND" help:"events of this KIND alone"`
	Limit   int      `json:"limit,omitempty" flag:"limit,n" min:"0" help:"at most this many events; 0 is all"`
	AskedBy string   `json:"-"`
}

// ShowResult is a session with events in order.
type ShowResult struct {
	SchemaVersion int             `json:"schema_version"`
	Session       Summary         `json:"session"`
	Around        string          `json:"around,omitempty"`
	Events        []session.Event `json:"events"`
	Omitted       int             `json:"omitted"`  // events that pass the filters and are not shown; of those near Around, unknown and 0
	Withheld      int             `json:"withheld"` // events that the reader may not see
	Next          string          `json:"next,omitempty"`
}

// Show returns the events of a session.
func (a *Archive) Show(ctx context.Context, in ShowInput) (ShowResult, error) {
	result := ShowResult{SchemaVersion: core.SchemaVersion, Events: []session.Event{}}
	for _, k := range in.Kinds {
		if err := core.CheckOneOf("kind", session.Kind(k), session.Kinds()); err != nil {
			return result, err
		}
	}
	name, event, _ := strings.Cut(strings.TrimPrefix(in.ID, "sam:"), "@")
	in.Around = cmp.Or(in.Around, event)
	id, err := a.Resolve(ctx, name)
	if err != nil {
		return result, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return result, err
	}
	if result.Session, err = s.Summary(ctx); err != nil {
		return result, err
	}
	if in.Turn > result.Session.Turns {
		return result, core.NotFoundErrorf(hint.New("%s shows all of it", hint.Do(hint.ShowSession, id)), "session %s has %s", id, core.Plural(result.Session.Turns, "turn"))
	}
	if in.Around != "" {
		result.Around = in.Around
		near, err := s.Near(ctx, in.Around)
		if err != nil {
			return result, err
		}
		result.Events, result.Withheld = a.visible(near, in.AskedBy)
		result.Events = slices.DeleteFunc(result.Events, func(e session.Event) bool { return !in.takes(e) && e.ID != in.Around })
		return result, nil
	}
	for e, err := range s.Events(ctx) {
		if err != nil {
			return result, err
		}
		if !in.takes(e) {
			continue
		}
		if !a.maySee(e, in.AskedBy) {
			result.Withheld++
			continue
		}
		if in.Limit > 0 && len(result.Events) == in.Limit {
			result.Omitted++
			continue
		}
		result.Events = append(result.Events, e)
	}
	return result, nil
}

// DescribeResult is what is known of a session.
type DescribeResult struct {
	SchemaVersion int     `json:"schema_version"`
	Session       Summary `json:"session"`
}

// Describe returns what is known of a session, by its id or the beginning of one.
func (a *Archive) Describe(ctx context.Context, text string) (DescribeResult, error) {
	result := DescribeResult{SchemaVersion: core.SchemaVersion}
	id, err := a.Resolve(ctx, text)
	if err != nil {
		return result, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return result, err
	}
	result.Session, err = s.Summary(ctx)
	return result, err
}

// ArtifactInput names an artifact of a session.
type ArtifactInput struct {
	ID      string
	Digest  string // or the beginning of one, of at least shortestDigest characters
	AskedBy string
}

const shortestDigest = 8

// ReadArtifact returns the content of an artifact that an event of a session shows. The
// error wraps core.ErrNotFound if there is none that the reader may see.
func (a *Archive) ReadArtifact(ctx context.Context, in ArtifactInput) ([]byte, error) {
	if len(in.Digest) < shortestDigest {
		return nil, core.UsageErrorf(hint.New("%s names the artifacts", hint.Do(hint.ShowSession, in.ID)), "%.80q is not the beginning of a digest, of at least %d characters", in.Digest, shortestDigest)
	}
	id, err := a.Resolve(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	for e, err := range s.Events(ctx) {
		if err != nil {
			return nil, err
		}
		for _, artifact := range e.Artifacts {
			if strings.HasPrefix(artifact.Digest, in.Digest) && a.maySee(e, in.AskedBy) {
				return s.Artifact(ctx, artifact.Digest)
			}
		}
	}
	return nil, core.NotFoundErrorf(hint.New("%s names the artifacts", hint.Do(hint.ShowSession, id)), "session %s has no artifact %.80s", id, in.Digest)
}

// takes reports whether an event passes the filters.
func (in ShowInput) takes(e session.Event) bool {
	return (in.Turn == 0 || e.Turn == in.Turn) && (len(in.Kinds) == 0 || slices.Contains(in.Kinds, string(e.Kind)))
}

// maySee reports whether a reader sees an event.
func (a *Archive) maySee(e session.Event, agent string) bool {
	who := cmp.Or(agent, a.Agent)
	return e.Label != session.Private || who == "" || who == e.Agent
}

// visible returns the events that a reader sees, and how many it does not.
func (a *Archive) visible(list []session.Event, agent string) (seen []session.Event, withheld int) {
	seen = slices.DeleteFunc(list, func(e session.Event) bool { return !a.maySee(e, agent) })
	return seen, len(list) - len(seen)
}

// nearEvents is how many events Near returns before and after one.
const nearEvents = 12

// Near returns an event with those next to it: the message of the user that began its
// turn, and up to nearEvents before and after. The error wraps core.ErrNotFound.
func (s *Session) Near(ctx context.Context, event string) ([]session.Event, error) {
	if !session.IsEventID(event) {
		return nil, core.UsageErrorf(hint.New("%s shows the ids of events", hint.Do(hint.ShowSession, s.ID)), "%.60q is not the id of an event", event)
	}
	list, sealed, err := s.around(ctx, event)
	if err != nil {
		return nil, err
	}
	all := segments(s.files)
	live := !sealed || len(list) > 0 && list[len(list)-1] == all[len(all)-1]
	if !sealed && len(all) > 0 {
		list = all[len(all)-1:]
	}
	var near []session.Event
	for e, err := range s.eventsOf(ctx, list, live) {
		if err != nil {
			return nil, err
		}
		near = append(near, e)
	}
	at := slices.IndexFunc(near, func(e session.Event) bool { return e.ID == event })
	if at < 0 {
		return nil, s.errNoEvent(event)
	}
	first, last := max(0, at-nearEvents), min(len(near), at+nearEvents+1)
	if asked := s.question(near[:at+1]); asked >= 0 && asked < first {
		return append([]session.Event{near[asked]}, near[first:last]...), nil
	}
	return near[first:last], nil
}

// question returns which event is the message of the user that began the turn of the last
// one; -1 if it is not among them.
func (s *Session) question(list []session.Event) int {
	turn := list[len(list)-1].Turn
	return slices.IndexFunc(list, func(e session.Event) bool {
		return e.Turn == turn && e.Kind == session.UserMessage && e.SubAgent == ""
	})
}

// snippets fills the snippets of matches in one session: what an event says near the words
// of a question.
func (a *Archive) snippets(ctx context.Context, id string, matches []Match, text string) error {
	if len(matches) == 0 {
		return nil
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return err
	}
	found, err := s.lookUpAll(ctx, matches)
	if err != nil {
		return err
	}
	for i := range matches {
		if e := found[matches[i].Event]; e != nil {
			matches[i].Snippet, matches[i].Tool = snippet(*e, text), e.Tool
		}
	}
	return nil
}

const (
	maxSnippets = 3   // of one session
	snippetSize = 160 // characters
)

// snippet returns the part of what an event says that is near a word of a question: the
// longest that it has. A call says what it does, if that has the word.
func snippet(e session.Event, question string) string {
	words := strings.Fields(strings.ToLower(question))
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	if e.Kind != session.ToolCall {
		text := facts.FoldSpace(e.Text)
		at, _ := place(text, words)
		return cutAround(text, at)
	}
	call := session.CallOf(&e)
	line := facts.FoldSpace(call.Line())
	at, best := place(line, words)
	for _, text := range call.Says() {
		text = facts.FoldSpace(text)
		if i, rank := place(text, words); rank < best {
			line, at, best = text, i, rank
		}
	}
	return cutAround(line, at)
}

// place returns where a text has the first of some words that it has, and which that is;
// 0 and their number if it has none.
func place(text string, words []string) (at, rank int) {
	lower := strings.ToLower(text)
	for rank, word := range words {
		if i := strings.Index(lower, word); i >= 0 && len(lower) == len(text) {
			return i, rank
		}
	}
	return 0, len(words)
}

// cutAround returns snippetSize characters of a text around a place.
func cutAround(text string, at int) string {
	runes := []rune(text)
	start := max(0, len([]rune(text[:at]))-snippetSize/3)
	end := min(len(runes), start+snippetSize)
	cut := strings.TrimSpace(string(runes[start:end]))
	if start > 0 {
		cut = "…" + cut
	}
	if end < len(runes) {
		cut += "…"
	}
	return cut
}
