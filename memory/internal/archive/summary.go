package archive

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/internal/lazyregexp"
	"engram/memory/internal/clone"
	"engram/session"
)

// Summary is what is known of a session without reading it. It is derived from the
// events, and kept for the commit that it is of.
type Summary struct {
	ID        string    `json:"session_id"`
	Client    string    `json:"client"`
	Agent     string    `json:"agent"`
	Title     string    `json:"title"` // the beginning of the first message of the user
	Branch    string    `json:"branch"`
	Branches  []string  `json:"branches"` // all code branches, in order
	Folder    string    `json:"folder,omitempty"`
	Started   time.Time `json:"started_at,omitzero"`
	Ended     time.Time `json:"ended_at,omitzero"` // the time of the last event
	Turns     int       `json:"turns"`
	Events    int       `json:"events"`
	Tokens    int       `json:"tokens"`    // of all texts, estimated
	Artifacts int       `json:"artifacts"` // mentions of them by events
	Commits   []string  `json:"commits"`
	Facts     []string  `json:"facts"` // keys
	SubAgents []string  `json:"sub_agents"`
	Redacted  int       `json:"redacted"`  // secrets that were replaced
	Malformed int       `json:"malformed"` // records that could not be read
	Private   int       `json:"private"`   // events with that label
	Live      bool      `json:"live"`      // it has events that are not sealed
	Revision  string    `json:"revision"`  // the commit of its reference; "" if nothing is sealed
	Matches   []Match   `json:"matches,omitempty"`
}

// Match is an event that a search found.
type Match struct {
	Event   string    `json:"event"`
	Turn    int       `json:"turn"`
	Kind    string    `json:"kind"`
	Tool    string    `json:"tool,omitempty"` // that was called, or that answered
	At      time.Time `json:"at,omitzero"`
	Snippet string    `json:"snippet"`
	Score   float64   `json:"score"`
}

// inserted matches what clients put before the words of the user.
var inserted = lazyregexp.New(`(?s)<[a-z_-]{3,40}>.*?</[a-z_-]{3,40}>`)

// maxTitle is the length of a title, in characters.
const maxTitle = 100

// add counts an event.
func (s *Summary) add(e *session.Event) {
	s.Events++
	s.Turns = max(s.Turns, e.Turn)
	s.Tokens += e.Tokens
	s.Artifacts += len(e.Artifacts)
	if !e.At.IsZero() {
		if s.Started.IsZero() || e.At.Before(s.Started) {
			s.Started = e.At
		}
		if e.At.After(s.Ended) {
			s.Ended = e.At
		}
	}
	if s.Title == "" && e.Kind == session.UserMessage && e.SubAgent == "" && e.Label != session.Private {
		s.Title = oneLine(inserted.ReplaceAllString(e.Text[:min(len(e.Text), 16<<10)], " "))
	}
	if s.Agent == "" {
		s.Agent = e.Agent
	}
	addOnce(&s.Branches, e.Branch)
	for _, c := range e.Commits {
		addCommit(&s.Commits, c)
	}
	for _, key := range e.Facts {
		addOnce(&s.Facts, key)
	}
	addOnce(&s.SubAgents, e.SubAgent)
	for _, r := range e.Redacted {
		s.Redacted += r.Count
	}
	if e.Has(session.TagMalformed) {
		s.Malformed++
	}
	if e.Label == session.Private {
		s.Private++
	}
}

// join adds what came after.
func (s *Summary) join(later Summary) {
	s.Events += later.Events
	s.Turns = max(s.Turns, later.Turns)
	s.Tokens += later.Tokens
	s.Artifacts += later.Artifacts
	if s.Started.IsZero() || !later.Started.IsZero() && later.Started.Before(s.Started) {
		s.Started = later.Started
	}
	if later.Ended.After(s.Ended) {
		s.Ended = later.Ended
	}
	if s.Title == "" {
		s.Title = later.Title
	}
	if s.Agent == "" {
		s.Agent = later.Agent
	}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&s.Branches, later.Branches}, {&s.Facts, later.Facts}, {&s.SubAgents, later.SubAgents}} {
		for _, value := range list.from {
			addOnce(list.to, value)
		}
	}
	for _, commit := range later.Commits {
		addCommit(&s.Commits, commit)
	}
	s.Redacted += later.Redacted
	s.Malformed += later.Malformed
	s.Private += later.Private
}

// addCommit adds a commit, unless it is there: abbreviated or in full.
func addCommit(list *[]string, commit string) {
	for i, known := range *list {
		if strings.HasPrefix(commit, known) || strings.HasPrefix(known, commit) {
			if len(commit) > len(known) {
				(*list)[i] = commit
			}
			return
		}
	}
	addOnce(list, commit)
}

func addOnce(list *[]string, value string) {
	if value != "" && !slices.Contains(*list, value) {
		*list = append(*list, value)
	}
}

// oneLine returns the beginning of a text.
func oneLine(text string) string {
	runes := []rune(facts.FoldSpace(text[:min(len(text), 8*maxTitle)]))
	if len(runes) > maxTitle {
		return strings.TrimSpace(string(runes[:maxTitle-1])) + "…"
	}
	return string(runes)
}

// noteSummary keeps the summary of a session at a commit, if that of the commit before is
// known.
func (a *Archive) noteSummary(h session.Header, before, tip string, added Summary) error {
	s := Summary{}
	if before != "" {
		var ok bool
		if s, ok = a.keptSummary(h.ID, before); !ok {
			return nil
		}
	}
	s.join(added)
	s.describe(h, tip)
	return a.keepSummary(s)
}

// describe sets what the header says.
func (s *Summary) describe(h session.Header, tip string) {
	s.ID, s.Client, s.Folder, s.Revision = h.ID, h.Client, h.Folder, tip
	if h.Agent != "" {
		s.Agent = h.Agent
	}
	if s.Branch = h.Branch; len(s.Branches) > 0 {
		s.Branch = s.Branches[len(s.Branches)-1]
	}
	if s.Started.IsZero() {
		s.Started = h.Started
	}
}

func (a *Archive) keepSummary(s Summary) error { return clone.WriteJSON(a.SummaryFile(s.ID), s) }

func (a *Archive) keptSummary(id, tip string) (s Summary, ok bool) {
	data, err := os.ReadFile(a.SummaryFile(id))
	return s, err == nil && json.Unmarshal(data, &s) == nil && s.Revision == tip
}

// Summary returns what is known of a session.
func (s *Session) Summary(ctx context.Context) (Summary, error) {
	sum, ok := Summary{}, false
	if s.Tip != "" {
		sum, ok = s.a.keptSummary(s.ID, s.Tip)
	}
	if !ok && s.Tip != "" {
		header, err := s.Header(ctx)
		if err != nil {
			return sum, err
		}
		sum = Summary{}
		for e, err := range s.eventsOf(ctx, segments(s.files), false) {
			if err != nil {
				return sum, err
			}
			sum.add(&e)
		}
		sum.describe(header, s.Tip)
		if err := s.a.keepSummary(sum); err != nil {
			s.a.Memory.Log.Debug("the summary of a session was not kept", "session", s.ID, "error", err)
		}
	}
	var live Summary
	for e, err := range s.eventsOf(ctx, nil, true) {
		if err != nil {
			return sum, err
		}
		live.add(&e)
	}
	if live.Events > 0 {
		sum.join(live)
		sum.Live = true
	}
	if s.Tip == "" {
		header, err := s.Header(ctx)
		if err != nil {
			return sum, err
		}
		sum.describe(header, "")
		sum.ID = s.ID
	}
	sum.fill()
	return sum, nil
}

// fill makes lists of JSON out of nil.
func (s *Summary) fill() {
	for _, list := range []*[]string{&s.Branches, &s.Commits, &s.Facts, &s.SubAgents} {
		if *list == nil {
			*list = []string{}
		}
	}
}
