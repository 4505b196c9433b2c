package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/gitstore"
	"engram/index/events"
	"engram/session"
)

// Origin is where lines of the code come from: the commit that wrote them, and the
// exchange of a session that led to it.
type Origin struct {
	First   int       `json:"first_line"`
	Last    int       `json:"last_line"`
	Text    string    `json:"text"`             // of the first line
	Commit  string    `json:"commit,omitempty"` // "" if the lines are not committed
	Subject string    `json:"subject,omitempty"`
	Author  string    `json:"author,omitempty"`
	Date    time.Time `json:"date,omitzero"`
	Session string    `json:"session_id,omitempty"` // "" if no session is known
	Client  string    `json:"client,omitempty"`
	Event   string    `json:"event,omitempty"` // the edit, or the commit if no edit was found
	Turn    int       `json:"turn,omitempty"`
	// By says how the session was found: commit (it made that commit) or edit (it wrote
	// these words into the file).
	By string `json:"by,omitempty"`
	// Exchange is what the user asked for, what the agent said before the edit, and the edit.
	Exchange []session.Event `json:"exchange,omitempty"`

	path string // of the file in the commit
}

// Bounds of Origins.
const (
	maxOrigins   = 5
	originTime   = 1500 * time.Millisecond
	maxEdits     = 200
	commitDigits = 7 // of an abbreviated commit in a transcript
)

// Origins returns where lines of a file come from, by the order of the lines. It follows
// lines that moved. Lines that are older than all sessions have no origin. It takes at most
// originTime: late is true if there was no time to look at all lines.
func (a *Archive) Origins(ctx context.Context, path string, first, last int, agent string) (list []Origin, late bool, err error) {
	oldest, err := a.oldest(ctx)
	if err != nil || oldest.IsZero() {
		return nil, false, err
	}
	limited, cancel := context.WithTimeout(ctx, originTime)
	defer cancel()
	lines, err := a.Store.Blame(limited, oldest, "", path, first, last)
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		return nil, true, nil
	case errors.Is(err, gitstore.ErrNotFound):
		lines = a.uncommitted(path, first, last)
	case err != nil:
		return nil, false, err
	}
	for _, l := range lines {
		if n := len(list); n > 0 && list[n-1].Commit == l.Commit && list[n-1].Last == l.FinalLine-1 {
			list[n-1].Last = l.FinalLine
			continue
		}
		if len(list) == maxOrigins {
			late = true
			break
		}
		if l.Older {
			continue
		}
		list = append(list, Origin{
			First: l.FinalLine, Last: l.FinalLine, Text: l.Text, Commit: l.Commit, Author: l.Author, Date: l.Date, Subject: l.Subject, path: l.Path,
		})
	}
	for i := range list {
		if limited.Err() != nil {
			return list, true, nil
		}
		err := a.find(limited, &list[i], cmp.Or(list[i].path, path), agent)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return list, true, nil
		}
		if err != nil {
			return list, late, err
		}
	}
	return list, late, nil
}

// uncommitted returns lines of a file that git does not know; none if it is not there.
func (a *Archive) uncommitted(path string, first, last int) (lines []gitstore.BlameLine) {
	data, err := os.ReadFile(filepath.Join(a.WorkTree(), filepath.FromSlash(path)))
	if err != nil || a.WorkTree() == "" || len(data) > gitstore.MaxCodeFile {
		return nil
	}
	for i, text := range strings.Split(string(data), "\n") {
		if n := i + 1; n >= first && n <= last {
			lines = append(lines, gitstore.BlameLine{Path: path, FinalLine: n, Text: text})
		}
	}
	return lines
}

// oldest returns when the oldest session began, less a day for clocks that differ; zero if
// there is none.
func (a *Archive) oldest(ctx context.Context) (oldest time.Time, err error) {
	all, err := a.summaries(ctx, nil)
	for _, s := range all {
		if !s.Started.IsZero() && (oldest.IsZero() || s.Started.Before(oldest)) {
			oldest = s.Started
		}
	}
	if oldest.IsZero() {
		return oldest, err
	}
	return oldest.Add(-24 * time.Hour), err
}

// find looks for the session of an origin.
func (a *Archive) find(ctx context.Context, o *Origin, path, agent string) error {
	if o.Commit != "" {
		found, err := a.byCommit(ctx, o, path, agent)
		if found || err != nil {
			return err
		}
	}
	edit, err := a.edit(ctx, o, path, agent, events.Query{})
	if err != nil || edit == nil {
		return err
	}
	o.By = "edit"
	return a.tell(ctx, o, edit.session, edit.event.ID)
}

// byCommit looks for the session that made the commit, and in it for the edit.
func (a *Archive) byCommit(ctx context.Context, o *Origin, path, agent string) (bool, error) {
	answer, err := a.index.Search(ctx, events.Query{Commit: o.Commit[:commitDigits], Newest: true, Limit: maxOrigins, WithoutLabels: a.hidden(agent), Reader: a.reader(agent)})
	if err != nil {
		return false, err
	}
	for _, hit := range answer.Hits {
		near, err := a.eventOf(ctx, hit.Session, hit.Event)
		if err != nil {
			return false, err
		}
		if near == nil || !slices.ContainsFunc(near.Commits, func(c string) bool { return strings.HasPrefix(o.Commit, c) }) {
			continue
		}
		o.By = "commit"
		edit, err := a.edit(ctx, o, path, agent, events.Query{Sessions: []string{hit.Session}})
		if err != nil {
			return false, err
		}
		event := hit.Event
		if edit != nil {
			event = edit.event.ID
		}
		return true, a.tell(ctx, o, hit.Session, event)
	}
	return a.byLiveCommit(ctx, o, path, agent)
}

// byLiveCommit does so among the journals, which no index has: a commit is asked about while its
// session goes on, or after it was killed.
func (a *Archive) byLiveCommit(ctx context.Context, o *Origin, path, agent string) (bool, error) {
	made := make(map[string]string)         // the event that has the commit, by session
	edits := make(map[string]session.Event) // the last call before it that concerned the file
	line := strings.TrimSpace(o.Text)
	err := a.eachLive(ctx, func(id string, text []byte) error {
		e, err := session.ParseLine(text)
		if err != nil || made[id] != "" || !a.maySee(e, agent) {
			return nil // a line that cannot be read has no commit
		}
		touches := func(p string) bool { return a.inRepository(p, "") == path }
		if e.Kind == session.ToolCall && changes(&e) && slices.ContainsFunc(e.Paths, touches) {
			if last, ok := edits[id]; !ok || !wrote(last.Text, line) || wrote(e.Text, line) {
				edits[id] = e
			}
		}
		if slices.ContainsFunc(e.Commits, func(c string) bool { return strings.HasPrefix(o.Commit, c) }) {
			made[id] = e.ID
		}
		return nil
	})
	if err != nil || len(made) == 0 {
		return false, err
	}
	id := sortedIDs(made)[0]
	event := made[id]
	if edit, ok := edits[id]; ok {
		event = edit.ID
	}
	o.By = "commit"
	return true, a.tell(ctx, o, id, event)
}

// foundEdit is a call of a tool that changed a file.
type foundEdit struct {
	session string
	event   session.Event
}

// edit looks for the last call of a tool that wrote a line into a file. Within one
// session, the last call that concerned the file will do.
func (a *Archive) edit(ctx context.Context, o *Origin, path, agent string, q events.Query) (*foundEdit, error) {
	line := strings.TrimSpace(o.Text)
	q.Path, q.Kinds = path, []string{string(session.ToolCall)}
	a.restrict(&q, agent)
	q.Newest, q.Limit = true, maxEdits
	if len(q.Sessions) == 0 {
		const telling = 12 // characters; a shorter line is not a session's own
		if len(line) < telling {
			return nil, nil
		}
		q.Exact = []string{line}
	}
	answer, err := a.index.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var any *foundEdit
	for _, hit := range answer.Hits {
		e, err := a.eventOf(ctx, hit.Session, hit.Event)
		if err != nil {
			return nil, err
		}
		if e == nil || !changes(e) || o.Commit != "" && e.At.After(o.Date.Add(clockSkew)) {
			continue // it came after the commit
		}
		text, err := a.whole(ctx, hit.Session, e)
		if err != nil {
			return nil, err
		}
		if line != "" && wrote(text, line) {
			return &foundEdit{hit.Session, *e}, nil
		}
		if any == nil && len(q.Sessions) > 0 {
			any = &foundEdit{hit.Session, *e}
		}
	}
	return any, nil
}

// clockSkew is how much later than a commit an edit may seem that it contains.
const clockSkew = time.Minute

// wrote reports whether a call of a tool, given with its input, puts a line where it was
// not before: editors also name the text that they replace, and its neighbours.
func wrote(input, line string) bool {
	var fields any
	if json.Unmarshal([]byte(input), &fields) != nil {
		return strings.Contains(input, line)
	}
	before, after := 0, 0
	var count func(name string, value any)
	count = func(name string, value any) {
		switch value := value.(type) {
		case string:
			if strings.HasPrefix(strings.ToLower(name), "old") {
				before += strings.Count(value, line)
			} else {
				after += strings.Count(value, line)
			}
		case []any:
			for _, v := range value {
				count(name, v)
			}
		case map[string]any:
			for name, v := range value {
				count(name, v)
			}
		}
	}
	count("", fields)
	return after > before
}

// changes reports whether a call changes files, as far as its tool's name says.
func changes(e *session.Event) bool {
	tool := strings.ToLower(e.Tool)
	for _, word := range []string{"edit", "write", "patch", "replace", "create", "insert", "bash", "shell", "exec"} {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}

// eventOf returns an event of a session; nil if it is not there.
func (a *Archive) eventOf(ctx context.Context, id, event string) (*session.Event, error) {
	s, err := a.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.lookUp(ctx, event)
}

// whole returns the content of an event, also if an artifact has it.
func (a *Archive) whole(ctx context.Context, id string, e *session.Event) (string, error) {
	if len(e.Artifacts) == 0 {
		return e.Text, nil
	}
	s, err := a.Open(ctx, id)
	if err != nil {
		return "", err
	}
	data, err := s.Artifact(ctx, e.Artifacts[0].Digest)
	if err != nil {
		return e.Text, nil // archived: the preview has to do
	}
	return string(data), nil
}

// tell fills an origin with the exchange that led to an event.
func (a *Archive) tell(ctx context.Context, o *Origin, id, event string) error {
	s, err := a.Open(ctx, id)
	if err != nil {
		return err
	}
	header, err := s.Header(ctx)
	if err != nil {
		return err
	}
	near, err := s.Near(ctx, event)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(near, func(e session.Event) bool { return e.ID == event })
	o.Session, o.Client, o.Event, o.Turn = id, cmp.Or(header.Client, header.Agent), event, near[at].Turn
	o.Exchange = exchange(near[:at+1])
	return nil
}

// exchange returns what led to the last of some events: the user's message, what the
// agent said last before it, and the event.
func exchange(list []session.Event) []session.Event {
	last := list[len(list)-1]
	var asked, said *session.Event
	for i := len(list) - 2; i >= 0; i-- {
		e := &list[i]
		switch {
		case e.Turn != last.Turn:
		case e.Kind == session.UserMessage && asked == nil:
			asked = e
		case e.Kind == session.AgentMessage && said == nil && e.Text != "" && !e.Has(session.TagThinking):
			said = e
		}
	}
	var told []session.Event
	for _, e := range []*session.Event{asked, said} {
		if e != nil {
			told = append(told, *e)
		}
	}
	return append(told, last)
}
