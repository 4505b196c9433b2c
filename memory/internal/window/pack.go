// Package window manages what a model sees, with the store: compactions that evict only what
// is stored and indexed, the markers of sessions whose client owns its window, and packs.
package window

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"engram/bus"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/archive"
	"engram/memory/internal/brief"
	"engram/memory/internal/core"
	"engram/memory/internal/task"
	"engram/recall/window"
	"engram/session"
)

// Manager manages windows. It is safe for concurrent use.
type Manager struct {
	*core.Memory
	archive *archive.Archive
	brief   *brief.Briefer
	task    *task.Keeper
}

// New returns the Manager of a memory.
func New(m *core.Memory) *Manager {
	return &Manager{Memory: m, archive: archive.New(m), brief: brief.New(m), task: task.New(m)}
}

// PackInput says what to put into a window.
type PackInput struct {
	Session string         `json:"session_id,omitempty" flag:"session,,ID" help:"session that goes on; by default the one that runs in this work tree"`
	Task    string         `json:"task,omitempty" flag:"task,,TASK" help:"TASK whose state is wanted; by default that of the session, or the newest of this work tree"`
	System  string         `json:"system,omitempty" help:"policy of the caller, which stands first and is not cut"`
	User    string         `json:"user,omitempty" help:"the new message, which stands last and is not cut"`
	Tail    int            `json:"tail_turns,omitempty" flag:"tail,,N" min:"0" max:"100" help:"the last N turns of the session"`
	Left    string         `json:"left,omitempty" flag:"left,,WHICH" help:"which part of the session markers stand for: all (before the tail), compacted (up to the client's last compaction) or none"`
	Budgets window.Budgets `json:"budgets,omitzero" help:"tokens of the blocks"`
	// Branch, Files and About say what the brief is for.
	Branch string   `json:"branch,omitempty" help:"code branch that the brief is for"`
	Files  []string `json:"files,omitempty" help:"changed files that the brief is for"`
	About  string   `json:"about,omitempty" help:"the work in words, for the brief"`
	Agent  string   `json:"agent_id,omitempty" help:"agent that asks"`
	// WithoutBrief leaves the brief out, for callers that have it.
	WithoutBrief bool `json:"without_brief,omitempty" help:"leave the brief out"`
}

// Which part of a session is no longer in the window.
const (
	LeftAll       = "all"
	LeftCompacted = "compacted"
	LeftNone      = "none"
)

// PackResult is what is put into a window, block by block.
type PackResult struct {
	SchemaVersion int    `json:"schema_version"`
	Session       string `json:"session_id,omitempty"`
	Task          string `json:"task,omitempty"`
	window.Pack
	Markers []session.Marker `json:"markers"`
	// Ready says whether the brief had been made ready; null if there is none.
	Ready *Ready   `json:"ready,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// Empty reports a pack that has nothing to tell but how to recall.
func (r PackResult) Empty() bool {
	return !slices.ContainsFunc(r.Blocks, func(b window.Block) bool { return b.Name != "recall" })
}

// Pack makes what is put into a window at a turn: what never changes first, each block within
// its budget. A memory without facts, tasks or sessions is no error.
func (m *Manager) Pack(ctx context.Context, in PackInput) (PackResult, error) {
	result := PackResult{SchemaVersion: core.SchemaVersion, Markers: []session.Marker{}}
	if err := in.check(); err != nil {
		return result, err
	}
	if strings.HasPrefix(in.Task, bus.TaskNamespace+"/") { // the key of the task instead of its state's name
		in.Task = bus.TaskStateName(in.Task)
	}
	id, err := m.sessionOf(ctx, in.Session)
	if err != nil {
		return result, err
	}
	result.Session = id
	parts := window.Parts{System: in.System, User: in.User}
	var errs [3]error
	var all sync.WaitGroup // each waits for git and files most of the time
	if !in.WithoutBrief {
		all.Go(func() { parts.Brief, result.Ready, errs[0] = m.briefOf(ctx, in) })
	}
	all.Go(func() { result.Task, parts.Task, errs[1] = m.taskOf(ctx, in, id) })
	all.Go(func() { errs[2] = m.addSession(ctx, in, id, &parts) })
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return result, err
	}
	if result.Pack, err = window.Build(parts, in.Budgets); err != nil {
		return result, core.UsageErrorf(hint.New("shorten it, or give more room"), "%v", err)
	}
	if parts.Markers != nil {
		result.Markers = parts.Markers
	}
	return result, nil
}

func (in *PackInput) check() error {
	in.Left = cmp.Or(in.Left, LeftAll)
	if err := core.CheckOneOf("left", in.Left, []string{LeftAll, LeftCompacted, LeftNone}); err != nil {
		return err
	}
	if in.Tail < 0 {
		return core.UsageErrorf(hint.New("0 turns is none"), "%d last turns", in.Tail)
	}
	if err := in.Budgets.Check(); err != nil {
		return core.UsageErrorf(hint.New("0 is the default"), "%v", err)
	}
	return nil
}

// sessionOf returns the id of the session that is meant; "" if there is none.
func (m *Manager) sessionOf(ctx context.Context, stated string) (string, error) {
	if session.CheckID(stated) {
		if state, err := m.archive.State(stated); err == nil && state.Header.ID == stated {
			return stated, nil // it has begun, and maybe nothing is stored yet
		}
	}
	if stated != "" {
		return m.archive.Resolve(ctx, stated)
	}
	if m.WorkTree() == "" {
		return "", nil
	}
	id, _, err := m.archive.Latest(m.WorkTree(), m.Moment())
	return id, err
}

func (m *Manager) briefOf(ctx context.Context, in PackInput) (string, *Ready, error) {
	text, hit, err := m.readyBrief(ctx, m.briefInput(ctx, in))
	if errors.Is(err, gitstore.ErrNoBranch) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	return text, m.count(hit), nil
}

// taskOf returns the state of the task that is meant, as text.
func (m *Manager) taskOf(ctx context.Context, in PackInput, id string) (name, text string, err error) {
	if in.Task != "" {
		r, err := m.task.Find(ctx, task.Input{Task: in.Task, AskedBy: in.Agent})
		return r.Task, r.Text, err
	}
	r, err := m.task.Newest(ctx, id, in.Agent)
	if err != nil || !r.Found || r.Current.Session == id {
		return r.Task, r.Text, err
	}
	where := ""
	if state, err := m.archive.State(r.Current.Session); err == nil && state.Header.ID == "" {
		where = " of another clone"
	}
	note := fmt.Sprintf("\nWritten in session %s%s, %s old: check that it still holds.", r.Current.Session, where, core.Age(r.Current.At, m.Moment()))
	return r.Task, window.CutLines(r.Text, session.MaxTask-facts.Tokens(note)) + note, nil
}

// addSession adds markers and the last turns.
func (m *Manager) addSession(ctx context.Context, in PackInput, id string, parts *window.Parts) error {
	if id == "" || in.Left == LeftNone && in.Tail == 0 {
		return nil
	}
	if in.Tail > 0 {
		s, err := m.archive.Open(ctx, id)
		if errors.Is(err, core.ErrNotFound) { // it has begun, and nothing is stored yet
			return nil
		}
		if err == nil {
			parts.Tail, err = m.tail(ctx, s, in)
		}
		if err != nil {
			return err
		}
	}
	if in.Left == LeftNone {
		return nil
	}
	var err error
	if parts.Markers, err = m.markers(ctx, id, in.Left == LeftAll); err != nil || len(parts.Tail) == 0 {
		return err
	}
	first := parts.Tail[0].Turn
	parts.Markers = slices.DeleteFunc(parts.Markers, func(k session.Marker) bool { return k.First >= first })
	if n := len(parts.Markers); n > 0 {
		parts.Markers[n-1].Last = min(parts.Markers[n-1].Last, first-1)
	}
	return nil
}

// maxTailText is how many bytes of one event are in the tail.
const maxTailText = 4000

// tail returns the last turns of a session that a reader may see, as a record: each line of
// what was said is indented, so that none can pass for another event.
func (m *Manager) tail(ctx context.Context, s *archive.Session, in PackInput) ([]window.Item, error) {
	events, err := m.archive.LastTurns(ctx, s, in.Tail, in.Agent)
	var items []window.Item
	for _, e := range events {
		text := e.Text
		if e.Kind == session.ToolCall {
			text = strings.TrimSpace(e.Tool + " " + session.CallOf(&e).Does())
		}
		if len(text) > maxTailText {
			text = strings.ToValidUTF8(text[:maxTailText], "") + " … (sam:" + s.ID + "@" + e.ID + ")"
		}
		text = strings.ReplaceAll(facts.Visible(strings.TrimSpace(text)), "\n", "\n  ")
		if text != "" {
			items = append(items, window.Item{ID: e.ID, Turn: e.Turn, Class: window.ClassOf(&e), Text: fmt.Sprintf("[T%d %s] %s", e.Turn, e.Who(), text)})
		}
	}
	return items, err
}
