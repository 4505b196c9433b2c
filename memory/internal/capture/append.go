package capture

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/internal/visible"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/journal"
	"engram/session/preview"
	"engram/session/scrub"
)

// Bounds of one AppendInput.
const (
	maxAppend      = 500     // events
	maxAppendBytes = 4 << 20 // of the events as JSON
	maxAppendList  = 100     // tags, paths, commits or facts of an event
	maxAppendName  = 200     // bytes of a name; of a path, ten times as many
)

// AppendInput is what an orchestrator adds to a session that no client's transcript has.
type AppendInput struct {
	Session string        `json:"-"`                // any id; see session.IDOf
	Client  string        `json:"client,omitempty"` // of a session that begins
	Agent   string        `json:"agent_id,omitempty"`
	Events  []AppendEvent `json:"events"`
	Seal    bool          `json:"seal,omitempty"` // the session ends here, or pauses
}

// AppendEvent is an event as a caller states it. It gets its id, its turn and its tokens
// here.
type AppendEvent struct {
	Kind     string    `json:"kind"`
	Text     string    `json:"text,omitempty"`
	At       time.Time `json:"at,omitzero"` // by default, now
	Agent    string    `json:"agent,omitempty"`
	SubAgent string    `json:"sub_agent,omitempty"`
	Parent   string    `json:"parent,omitempty"` // id of the event that it answers
	Model    string    `json:"model,omitempty"`
	Task     string    `json:"task,omitempty"`
	Premise  string    `json:"premise,omitempty"`
	Label    string    `json:"label,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Call     string    `json:"call,omitempty"`
	Failed   bool      `json:"failed,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Tags     []string  `json:"tags,omitempty"`
	Paths    []string  `json:"paths,omitempty"`
	Commits  []string  `json:"commits,omitempty"`
	Facts    []string  `json:"facts,omitempty"`
	// Supersedes is the id of the event that this one replaces.
	Supersedes string `json:"supersedes,omitempty"`
}

// AppendResult says what was added.
type AppendResult struct {
	SchemaVersion int      `json:"schema_version"`
	Session       string   `json:"session_id"`
	Events        []string `json:"events"`   // ids, in the order of the input
	Added         int      `json:"added"`    // of them, that were not there yet
	Redacted      int      `json:"redacted"` // secrets that were replaced
	Revision      string   `json:"revision"` // the commit that the session is sealed at; "" if nothing of it is
}

var (
	tagForm    = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	commitForm = lazyregexp.New(`^[0-9a-f]{7,64}$`)
)

// check returns what is wrong with an event.
func (e *AppendEvent) check() error {
	err := cmp.Or(core.CheckOneOf("kind", session.Kind(e.Kind), session.Kinds()), core.NormalizeAgents(&e.Agent))
	if e.Label != "" {
		err = cmp.Or(err, core.CheckOneOf("label", session.Label(e.Label), session.Labels()))
	}
	switch {
	case err != nil:
		return err
	case e.Kind == "":
		return core.UsageErrorf(hint.New("it is one of %s", core.JoinOr(session.Kinds())), "it has no kind")
	case e.Parent != "" && !session.IsEventID(e.Parent):
		return core.UsageErrorf(hint.New("it is the id that was returned for that event"), "parent %.60q is not the id of an event", e.Parent)
	}
	if e.Supersedes != "" && !session.IsEventID(e.Supersedes) {
		return core.UsageErrorf(hint.New("it is the id of an event that was returned before"), "supersedes %.60q is not the id of an event", e.Supersedes)
	}
	for _, tag := range e.Tags {
		if !tagForm.MatchString(tag) || tag == session.TagFrame || tag == session.TagMalformed {
			return core.UsageErrorf(hint.New("a tag is 1 to 64 lower-case letters, digits, hyphens and underscores; frame and malformed are for transcripts"), "the tag %.80q cannot be given", tag)
		}
	}
	if slices.Contains(e.Tags, session.TagTaskState) {
		if _, err := session.ParseTaskState([]byte(e.Text)); err != nil {
			return core.UsageErrorf(hint.New("the text is JSON with goals, constraints, open_loops, next_actions, key_events, premise_version and extensions"), "the text is not the state of a task: %v", err)
		}
	}
	for _, commit := range e.Commits {
		if !commitForm.MatchString(commit) {
			return core.UsageErrorf(hint.New("a commit is 7 to 64 hexadecimal digits"), "%.80q is not a commit", commit)
		}
	}
	for _, name := range []string{e.SubAgent, e.Model, e.Task, e.Premise, e.Tool, e.Call, e.Branch} {
		if len(name) > maxAppendName {
			return core.UsageErrorf(hint.New("names have at most %d bytes; what is longer belongs into text", maxAppendName), "%.40q… has %d bytes", name, len(name))
		}
	}
	for _, list := range [][]string{e.Tags, e.Paths, e.Commits, e.Facts} {
		if len(list) > maxAppendList || slices.ContainsFunc(list, func(s string) bool { return len(s) > 10*maxAppendName }) {
			return core.UsageErrorf(hint.New("a list has at most %d entries of %d bytes", maxAppendList, 10*maxAppendName), "a list of the event is too long")
		}
	}
	return nil
}

// Append adds events to a session, which begins with them if there is none. What it
// returns for is durable. Texts are scanned as a transcript is: a secret is replaced
// before anything is written.
//
// The id of an event follows from what it says and, within one call, from how many equal
// ones are before it. So a call that is repeated because its answer was lost adds nothing,
// if its events state when they were.
func (m *Recorder) Append(ctx context.Context, in AppendInput) (AppendResult, error) {
	result := AppendResult{SchemaVersion: core.SchemaVersion, Session: session.IDOf(in.Session), Events: []string{}}
	if err := cmp.Or(m.NormalizeAgents(&in.Agent), m.checkAppend(in, result.Session)); err != nil {
		return result, err
	}
	records, err := m.appended(in)
	if err != nil {
		return result, err
	}
	if err := m.appendRecords(ctx, in, records, &result); err != nil {
		return result, err
	}
	for _, r := range records {
		for _, redaction := range r.Redacted {
			result.Redacted += redaction.Count
		}
	}
	if in.Seal {
		result.Revision, err = m.archive.Seal(ctx, result.Session)
	} else {
		result.Revision, err = m.archive.TipOf(ctx, result.Session)
	}
	return result, err
}

func (m *Recorder) checkAppend(in AppendInput, id string) error {
	if err := m.ScanText("session_id", in.Session); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(in.Session) == "":
		return core.UsageErrorf(hint.New("give the session a name that is unique in the repository"), "the session has no id")
	case len(in.Session) > maxAppendName || len(in.Client) > maxAppendName:
		return core.UsageErrorf(hint.New("it has at most %d bytes", maxAppendName), "the name of the session or of its client is too long")
	case len(in.Events) == 0 && !in.Seal:
		return core.UsageErrorf(hint.New("give at least one event, or seal"), "there is nothing to append")
	case len(in.Events) > maxAppend:
		return core.UsageErrorf(hint.New("send at most %d at once", maxAppend), "%d events are too many for one call", len(in.Events))
	case m.archive.Forgotten(id):
		return core.UsageErrorf(hint.New("use another id"), "session %s was removed here", id)
	}
	return nil
}

// appended makes records of the events: scanned once, and only then read.
func (m *Recorder) appended(in AppendInput) ([]session.Record, error) {
	records, size, now := make([]session.Record, len(in.Events)), 0, m.Moment().UTC().Truncate(time.Millisecond)
	for i, e := range in.Events {
		e.Agent = cmp.Or(e.Agent, in.Agent)
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("event %d: %w", i+1, err)
		}
		if e.At = e.At.UTC(); e.At.IsZero() {
			e.At = now
		}
		raw, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if size += len(raw); size > maxAppendBytes {
			return nil, core.UsageErrorf(hint.New("send them in several calls of at most %d bytes", maxAppendBytes), "the events are too large for one call")
		}
		clean := scrub.Line(raw, m.Scanner, nil)
		var safe AppendEvent
		if err := json.Unmarshal(clean.Raw, &safe); err != nil {
			return nil, fmt.Errorf("event %d: it cannot be read without its secrets: %w", i+1, err)
		}
		r := session.Record{Raw: clean.Raw, Events: []session.Content{{Event: safe.event()}}}
		r.Redacted, r.Omitted = clean.Redacted, clean.Omitted
		records[i] = r
	}
	return records, nil
}

func (e *AppendEvent) event() session.Event {
	event := session.Event{
		Kind: session.Kind(e.Kind), Text: e.Text, At: e.At, Agent: e.Agent, SubAgent: e.SubAgent, Parent: e.Parent, Model: e.Model, Task: e.Task,
		Premise: e.Premise, Supersedes: e.Supersedes, Label: session.Label(e.Label), Tool: e.Tool, Call: e.Call, Failed: e.Failed, Branch: e.Branch,
		Paths: e.Paths, Commits: e.Commits, Facts: e.Facts,
	}
	for _, tag := range e.Tags {
		event.AddTag(tag)
	}
	return event
}

// appendRecords adds records to the journal of a session. Its turn goes on from the last
// event, which only a writer alone with the journal knows.
func (m *Recorder) appendRecords(ctx context.Context, in AppendInput, records []session.Record, result *AppendResult) error {
	id := result.Session
	start, err := m.appendState(ctx, in, id)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return m.archive.SetState(id, start)
	}
	known := map[string]bool{}
	for line, err := range m.archive.Journal(id).ReadAll(ctx) {
		if err != nil {
			return err
		}
		known[session.LineID(line)] = true
	}
	return m.archive.Journal(id).Append(ctx, func(last []byte, _ int64) (lines [][]byte, kept []journal.Artifact, err error) {
		state, err := m.archive.State(id)
		if err != nil {
			return nil, nil, err
		}
		if state.Header.ID == "" {
			state = start
		}
		if e, err := session.ParseLine(last); err == nil {
			state.Turn = max(state.Turn, e.Turn)
		}
		t := &target{id: id, state: state}
		equal := map[uint64]int{}
		for _, r := range records {
			place := session.Place{Session: id, Turn: t.state.Turn, Occurrence: equal[session.RecordKey(r.Raw)]}
			equal[session.RecordKey(r.Raw)]++
			t.answer(r.Events)
			events, stored := session.Assemble(r, place, m.Sessions.ArtifactAbove, preview.Of)
			e := &events[0] // it has no transcript, so its record is not kept beside it
			e.Source = nil
			result.Events = append(result.Events, e.ID)
			if known[e.ID] {
				continue
			}
			t.note(events)
			line, err := session.AppendLine(nil, e)
			if err != nil {
				return nil, nil, err
			}
			lines = append(lines, line[:len(line)-1])
			for _, s := range stored {
				kept = append(kept, journal.Artifact{Digest: s.Digest, Data: s.Data})
			}
		}
		result.Added = len(lines)
		t.state.Activity, t.state.Ended = m.Moment(), in.Seal
		return lines, kept, m.archive.SetState(id, t.state)
	})
}

// appendState is where a session stands before events are appended.
func (m *Recorder) appendState(ctx context.Context, in AppendInput, id string) (clone.State, error) {
	state, err := m.archive.State(id)
	if err != nil || state.Header.ID != "" {
		state.Ended = in.Seal
		return state, err
	}
	s, err := m.archive.Open(ctx, id)
	if errors.Is(err, core.ErrNotFound) {
		began := m.Moment().UTC().Truncate(time.Millisecond)
		if len(in.Events) > 0 && !in.Events[0].At.IsZero() {
			began = in.Events[0].At.UTC()
		}
		client := cmp.Or(scrubbed(m.Scanner, in.Client), in.Agent, "api")
		state.Header = session.Header{Format: session.Version, ID: id, Client: client, Agent: in.Agent, Started: began}
		state.WorkTree = m.WorkTree()
		return state, nil
	}
	if err != nil {
		return state, err
	}
	if state.Header, err = s.Header(ctx); err != nil { // sealed by another clone
		return state, err
	}
	sum, err := s.Summary(ctx)
	state.Turn, state.Ended = sum.Turns, in.Seal
	return state, err
}

// scrubbed is a short text without secrets and control characters.
func scrubbed(r scrub.Redactor, text string) string {
	clean, _ := r.Redact(visible.Line(text))
	return clean
}
