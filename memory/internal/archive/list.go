package archive

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index/events"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/journal"
)

// ListInput says which sessions to list; the zero value lists the newest.
type ListInput struct {
	Text    string    `json:"text,omitempty" flag:"text,,WORDS" help:"sessions in which these WORDS were said, best first"`
	Agent   string    `json:"agent,omitempty" flag:"agent,a,NAME" help:"of the agent or client NAME"`
	Branch  string    `json:"branch,omitempty" flag:"branch,,NAME" help:"that worked on the code branch NAME"`
	Path    string    `json:"path,omitempty" flag:"file,,PATH" help:"that read or changed the file PATH"`
	Commit  string    `json:"commit,omitempty" flag:"commit,,COMMIT" help:"that made the COMMIT: HEAD or another name of it, or at least 7 digits"`
	Since   time.Time `json:"since,omitzero" flag:"since,,TIME" help:"that went on after TIME"`
	Limit   int       `json:"limit,omitempty" flag:"limit,n" min:"0" default:"20" help:"at most this many sessions"`
	AskedBy string    `json:"-"` // the agent that reads; "" whom the memory was opened for
}

// ListResult is a list of sessions, the newest first or, for a text, the best first.
type ListResult struct {
	SchemaVersion int       `json:"schema_version"`
	Sessions      []Summary `json:"sessions"`
	Total         int       `json:"total"` // that match, with those left out
	Notes         []string  `json:"notes,omitempty"`
}

const defaultList = 20

// List lists sessions.
func (a *Archive) List(ctx context.Context, in ListInput) (ListResult, error) {
	result := ListResult{SchemaVersion: core.SchemaVersion, Sessions: []Summary{}}
	if in.Limit < 0 {
		return result, core.UsageErrorf(core.OmitHint(hint.Limit), "a limit of %d", in.Limit)
	}
	if err := a.nameCommit(ctx, &in); err != nil {
		return result, err
	}
	limit := cmp.Or(in.Limit, defaultList)
	matches, notes, err := a.matching(ctx, in)
	if err != nil {
		return result, err
	}
	result.Notes = notes
	all, err := a.summaries(ctx, matches)
	if err != nil {
		return result, err
	}
	for _, s := range all {
		if in.fits(s) {
			if matches != nil {
				s.Matches = matches[s.ID]
			}
			result.Sessions = append(result.Sessions, s)
		}
	}
	slices.SortStableFunc(result.Sessions, func(x, y Summary) int {
		if in.Text != "" {
			return cmp.Or(cmp.Compare(best(y), best(x)), y.Ended.Compare(x.Ended), cmp.Compare(x.ID, y.ID))
		}
		return cmp.Or(y.Ended.Compare(x.Ended), cmp.Compare(x.ID, y.ID))
	})
	result.Total = len(result.Sessions)
	result.Sessions = result.Sessions[:min(limit, result.Total)]
	for i := range result.Sessions {
		s := &result.Sessions[i]
		s.Matches = s.Matches[:min(len(s.Matches), maxSnippets)]
		if err := a.snippets(ctx, s.ID, s.Matches, in.Text); err != nil {
			return result, err
		}
	}
	return result, nil
}

// best is the score of the best match.
func best(s Summary) float64 {
	if len(s.Matches) == 0 {
		return 0
	}
	return s.Matches[0].Score
}

// fits reports whether a session passes the filters that its summary can answer.
func (in ListInput) fits(s Summary) bool {
	return (in.Agent == "" || strings.EqualFold(s.Agent, in.Agent) || strings.EqualFold(s.Client, in.Agent)) &&
		(in.Branch == "" || slices.Contains(s.Branches, in.Branch)) &&
		(in.Commit == "" || hasCommit(s.Commits, in.Commit)) &&
		(in.Since.IsZero() || s.Ended.After(in.Since))
}

// hasCommit reports whether a commit is in a list; either may be abbreviated.
func hasCommit(list []string, commit string) bool {
	return slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(commit, c) || strings.HasPrefix(c, commit) })
}

// nameCommit makes the commit of an input its full name, if this repository has it.
func (a *Archive) nameCommit(ctx context.Context, in *ListInput) error {
	if in.Commit == "" {
		return nil
	}
	full, err := a.Store.CommitNamed(ctx, in.Commit)
	switch {
	case err == nil:
		in.Commit = full
	case strings.Trim(in.Commit, "0123456789abcdefABCDEF") != "":
		return core.UsageErrorf(hint.New("name a commit, or give at least %d digits of it", commitDigits), "no commit here has the name %.60q", in.Commit)
	case len(in.Commit) < commitDigits:
		return core.UsageErrorf(hint.New("give at least %d digits", commitDigits), "%q may be many commits", in.Commit)
	}
	in.Commit = strings.ToLower(in.Commit)
	return nil
}

// matching asks the index which events pass the filters that only it can answer; nil if
// there is no such filter.
func (a *Archive) matching(ctx context.Context, in ListInput) (map[string][]Match, []string, error) {
	if in.Text == "" && in.Path == "" && in.Commit == "" {
		return nil, nil, nil
	}
	const most = 2000 // events
	q := events.Query{Text: in.Text, Path: a.inRepository(in.Path, ""), Commit: in.Commit[:min(len(in.Commit), commitDigits)], Since: in.Since, Limit: most, Newest: in.Text == ""}
	a.restrict(&q, in.AskedBy)
	answer, err := a.index.Search(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	found := map[string][]Match{}
	for _, hit := range answer.Hits {
		found[hit.Session] = append(found[hit.Session], Match{Event: hit.Event, Turn: hit.Turn, Kind: hit.Kind, At: hit.At, Score: hit.Score})
	}
	if in.Text == "" {
		if err := a.matchLive(ctx, in, q.Path, found); err != nil {
			return nil, nil, err
		}
	}
	var notes []string
	if answer.Total > len(answer.Hits) {
		notes = append(notes, fmt.Sprintf("%d events match; the sessions of the best %d are listed", answer.Total, len(answer.Hits)))
	}
	return found, notes, nil
}

// matchLive adds the events of journals, which no index has.
func (a *Archive) matchLive(ctx context.Context, in ListInput, path string, found map[string][]Match) error {
	return a.eachLive(ctx, func(id string, line []byte) error {
		e, err := session.ParseLine(line)
		if err != nil || !a.maySee(e, in.AskedBy) {
			return nil // a line that cannot be read has neither
		}
		touches := func(p string) bool {
			p = a.inRepository(p, "")
			return p == path || strings.HasPrefix(p, path+"/")
		}
		if (in.Commit == "" || hasCommit(e.Commits, in.Commit)) && (path == "" || slices.ContainsFunc(e.Paths, touches)) {
			found[id] = append(found[id], Match{Event: e.ID, Turn: e.Turn, Kind: string(e.Kind), At: e.At})
		}
		return nil
	})
}

// restrict leaves out of a search what a reader does not see: private events of others.
func (a *Archive) restrict(q *events.Query, agent string) {
	q.WithoutLabels, q.Reader = a.hidden(agent), a.reader(agent)
}

// hidden returns the labels of events that a reader does not see unless they are its own.
func (a *Archive) hidden(agent string) []string {
	if a.reader(agent) == "" {
		return nil
	}
	return []string{string(session.Private)}
}

// reader is the agent that reads; "" is a person.
func (a *Archive) reader(agent string) string { return cmp.Or(agent, a.Agent) }

// summaries returns what is known of sessions: of those in only, or of all if only is nil.
func (a *Archive) summaries(ctx context.Context, only map[string][]Match) ([]Summary, error) {
	all, err := a.IDs(ctx)
	if err != nil {
		return nil, err
	}
	journals, err := journal.Live(a.Folder("live"))
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	for _, j := range journals {
		live[j.ID] = true
	}
	var list []Summary
	for _, id := range sortedIDs(all) {
		if _, wanted := only[id]; only != nil && !wanted {
			continue
		}
		if s, ok := a.keptSummary(id, all[id]); ok && !live[id] {
			s.fill()
			list = append(list, s)
			continue
		}
		s, err := a.Open(ctx, id)
		if err != nil {
			return nil, err
		}
		sum, err := s.Summary(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, sum)
	}
	return list, nil
}

// LogInput names a file or a folder.
type LogInput struct {
	Path    string `json:"path"`
	Limit   int    `json:"limit,omitempty" flag:"limit,n" min:"0" default:"50" help:"at most this many events"`
	AskedBy string `json:"-"`
}

// LogResult is what sessions did to a file, newest first.
type LogResult struct {
	SchemaVersion int        `json:"schema_version"`
	Path          string     `json:"path"`
	Entries       []LogEntry `json:"entries"`
	Total         int        `json:"total"`
}

// LogEntry is a call of a tool that read or changed a file.
type LogEntry struct {
	Session string    `json:"session_id"`
	Event   string    `json:"event"`
	Turn    int       `json:"turn"`
	At      time.Time `json:"at,omitzero"`
	Agent   string    `json:"agent"`
	Tool    string    `json:"tool"`
	Title   string    `json:"title"` // of the session
	Snippet string    `json:"snippet"`
}

const defaultLog = 50

// Log lists the calls of tools that read or changed a file or what is in a folder.
func (a *Archive) Log(ctx context.Context, in LogInput) (LogResult, error) {
	result := LogResult{SchemaVersion: core.SchemaVersion, Path: a.inRepository(filepath.ToSlash(filepath.Clean(in.Path)), ""), Entries: []LogEntry{}}
	answer, err := a.index.Search(ctx, events.Query{
		Path: result.Path, Kinds: []string{string(session.ToolCall)}, Newest: true, Limit: cmp.Or(in.Limit, defaultLog), WithoutLabels: a.hidden(in.AskedBy), Reader: a.reader(in.AskedBy),
	})
	if err != nil {
		return result, err
	}
	result.Total = answer.Total
	found := map[string][]Match{}
	for _, hit := range answer.Hits {
		found[hit.Session] = append(found[hit.Session], Match{Event: hit.Event, Turn: hit.Turn, Kind: hit.Kind, At: hit.At})
	}
	summaries, err := a.summaries(ctx, found)
	if err != nil {
		return result, err
	}
	for _, s := range summaries {
		if err := a.snippets(ctx, s.ID, found[s.ID], ""); err != nil {
			return result, err
		}
		for _, m := range found[s.ID] {
			result.Entries = append(result.Entries, LogEntry{
				Session: s.ID, Event: m.Event, Turn: m.Turn, At: m.At, Agent: cmp.Or(s.Agent, s.Client), Title: s.Title, Snippet: m.Snippet, Tool: cmp.Or(m.Tool, m.Kind),
			})
		}
	}
	slices.SortStableFunc(result.Entries, func(x, y LogEntry) int { return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Event, x.Event)) })
	return result, nil
}

// Said returns pointers to messages and decisions in sessions that are about a question,
// the best first. An agent gets none that is private.
func (a *Archive) Said(ctx context.Context, question, agent string, most int) (refs []string, err error) {
	if sealed, err := a.Store.Threads(ctx); err != nil || len(sealed) == 0 {
		return nil, err
	}
	answer, err := a.index.Search(ctx, events.Query{
		Text: question, Kinds: []string{string(session.UserMessage), string(session.AgentMessage), string(session.Decision)},
		WithoutLabels: a.hidden(agent), Reader: a.reader(agent), Limit: most, Near: true,
	})
	for _, hit := range answer.Hits {
		refs = append(refs, facts.Address{Type: facts.PointSAM, Path: hit.Session, Version: hit.Event}.Ref())
	}
	return refs, err
}
