package window

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/task"
	"engram/recall/window"
	"engram/session"
)

// CompactInput is a window, and how much of it may stay.
type CompactInput struct {
	Session string        `json:"session_id,omitempty" help:"session whose events are in the window"`
	Task    string        `json:"task,omitempty" help:"task whose state says what is needed; by default that of the session"`
	Items   []window.Item `json:"items" help:"what is in the window, in order"`
	Window  int           `json:"window" help:"tokens that the model takes"`
	// Headroom, Target and KeepTurns are those of window.Options.
	Headroom  int    `json:"headroom,omitempty" help:"tokens to leave for the answer and for tools"`
	Target    int    `json:"target,omitempty" help:"tokens that may be left once something is evicted"`
	KeepTurns int    `json:"keep_turns,omitempty" help:"last turns that stay"`
	Agent     string `json:"agent_id,omitempty" help:"agent that asks"`
}

// CompactResult is a window after a compaction.
type CompactResult struct {
	SchemaVersion int `json:"schema_version"`
	window.Result
	Notes []string `json:"notes,omitempty"`
}

// Bounds of what a caller may send.
const (
	maxItems  = 50_000
	maxTokens = 1 << 30
	maxTopics = 8
	maxTopic  = 120
	maxLevel  = 60
)

// stateTime is how long the state of a task may take to be read: another process may hold the
// journal, where its newest version may be.
const stateTime = time.Second

// sealTime is how long the events of the journal may take to be sealed and indexed. Those
// that are not by then stay in the window.
const sealTime = 2 * time.Second

// Compact evicts items until the rest fits, and puts markers in their place. The events of the
// session are sealed and indexed first; what is not stored and indexed is not evicted.
func (m *Manager) Compact(ctx context.Context, in CompactInput) (CompactResult, error) {
	result := CompactResult{SchemaVersion: core.SchemaVersion}
	if in.Window <= 0 { // before anything is sealed for it
		return result, core.UsageErrorf(hint.New("give the field window"), "the size of the window is missing: say how many tokens the model takes")
	}
	items, err := checked(in.Items)
	if err != nil {
		return result, err
	}
	o := window.Options{Window: in.Window, Headroom: in.Headroom, Target: max(0, in.Target), KeepTurns: max(0, in.KeepTurns)}
	if in.Session != "" {
		if in.Session, err = m.archive.Resolve(ctx, in.Session); err != nil {
			return result, err
		}
		if err := m.ready(ctx, in.Session); err != nil {
			if ctx.Err() != nil {
				return result, err
			}
			result.Notes = append(result.Notes, "not all of the session could be stored in time; what is not stays in the window")
			m.Log.Debug("not sealed before a compaction", "session", in.Session, "error", err)
		}
	}
	if in.Session != "" || in.Task != "" {
		state, err := m.state(ctx, in)
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			result.Notes = append(result.Notes, "the state of the task could not be read in time; what is needed was not weighed by it")
		case err != nil:
			return result, err
		case state.Found:
			o.Task = state.Current.State
		}
	}
	var ids []string
	for _, item := range items {
		if item.ID != "" {
			ids = append(ids, item.ID)
		}
	}
	var stored map[string]bool
	if in.Session != "" {
		if stored, err = m.archive.Indexed(ctx, in.Session, ids); err != nil {
			return result, err
		}
	}
	o.Stored = func(id string) bool { return stored[id] }
	if result.Result, err = window.Compact(items, o); err != nil {
		return result, core.UsageErrorf(hint.New("the headroom is smaller than the window"), "%v", err)
	}
	if result.Evicted == nil {
		result.Evicted = []string{}
	}
	if result.Markers == nil {
		result.Markers = []session.Marker{}
	}
	return result, nil
}

// ready seals and indexes the events of a session.
func (m *Manager) ready(ctx context.Context, id string) error {
	size, err := m.archive.Journal(id).Size()
	if err != nil || size == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sealTime)
	defer cancel()
	_, err = m.archive.Seal(ctx, id)
	return err
}

// state reads the state of the task at work.
func (m *Manager) state(ctx context.Context, in CompactInput) (task.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	return m.task.Find(ctx, task.Input{Task: in.Task, Session: in.Session, AskedBy: in.Agent})
}

// checked are items as they may be used: what callers send may have been edited.
func checked(items []window.Item) ([]window.Item, error) {
	if len(items) > maxItems {
		return nil, core.UsageErrorf(hint.New("send fewer"), "%d items are more than %d", len(items), maxItems)
	}
	items = slices.Clone(items)
	for i := range items {
		item := &items[i]
		if err := core.CheckOneOf("class", cmp.Or(item.Class, window.Dialogue), window.Classes()); err != nil {
			return nil, err
		}
		item.Class = cmp.Or(item.Class, window.Dialogue)
		wrong := ""
		switch {
		case item.Turn < 0:
			wrong = fmt.Sprintf("turn %d", item.Turn)
		case item.Tokens < 0 || item.Tokens > maxTokens:
			wrong = fmt.Sprintf("%d tokens", item.Tokens)
		case item.ID != "" && !session.IsEventID(item.ID):
			wrong = fmt.Sprintf("the id %.60q, which is not one of an event", item.ID)
		case item.Marker != nil && item.Class != window.Marker:
			wrong = fmt.Sprintf("a marker and the class %s", item.Class)
		case item.Marker != nil && (item.Marker.First < 0 || item.Marker.Last < item.Marker.First || item.Marker.Level < 0 || item.Marker.Level > maxLevel):
			wrong = "a marker whose turns or level cannot be"
		}
		if wrong != "" {
			return nil, core.UsageErrorf(hint.New("an item is an event with its id, turn and class, or a block without an id"), "item %d has %s", i, wrong)
		}
		if item.Marker != nil { // its sentence follows from what it says
			marker := *item.Marker
			marker.Topics = nil
			for _, topic := range item.Marker.Topics[:min(len(item.Marker.Topics), maxTopics)] {
				if topic = facts.OneLine(topic); topic != "" && len(topic) <= maxTopic {
					marker.Topics = append(marker.Topics, topic)
				}
			}
			item.Marker, item.Text, item.Tokens = &marker, marker.String(), 0
		}
	}
	return items, nil
}
