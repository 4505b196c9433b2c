// Package task keeps the states of tasks: index cards that say what a task is to reach, what
// limits it and what is open. Each state is an event of a session, so that it says which
// turn caused it and is never the only copy of anything.
package task

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"engram/facts"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/memory/internal/archive"
	"engram/memory/internal/capture"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
)

// Keeper keeps the states of tasks. It is safe for concurrent use.
type Keeper struct {
	*core.Memory
	archive *archive.Archive
	capture *capture.Recorder
}

// New returns the Keeper of a memory.
func New(m *core.Memory) *Keeper {
	return &Keeper{Memory: m, archive: archive.New(m), capture: capture.New(m)}
}

// Input names a task.
type Input struct {
	Task    string `json:"task,omitempty" flag:"task,,TASK" help:"name of the TASK; by default that of its session"`
	Session string `json:"session_id,omitempty" flag:"session,,ID" help:"ID of the session of the task; by default the one that runs in this work tree"`
	AskedBy string `json:"-"`
}

// SetInput is a new state of a task. Fields that are nil stay as they were.
type SetInput struct {
	Input
	Goals       []string                   `json:"goals,omitempty" help:"what the task is to reach"`
	Constraints []string                   `json:"constraints,omitempty" help:"what must hold whatever is done"`
	OpenLoops   []string                   `json:"open_loops,omitempty" help:"what was begun or asked and is not done"`
	NextActions []string                   `json:"next_actions,omitempty" help:"what to do next, the first first"`
	KeyEvents   []string                   `json:"key_events,omitempty" help:"ids of events that the task rests on"`
	Premise     *string                    `json:"premise_version,omitempty" help:"version of the premises that hold"`
	Extensions  map[string]json.RawMessage `json:"extensions,omitempty" help:"state of a domain by the name of its type: phase, plan, handover, metrics, premises, self_assessment, historical, or x-NAME; null removes one"`
	// From is the key of a task that another agent stated: the state begins with what that says.
	From string `json:"from,omitempty" flag:"from,,KEY" help:"begin with what the delegated task at KEY says; by default the task is called as its key is, with dots for slashes"`
	// Cause is the event that caused the state; by default the last one of the session.
	Cause string `json:"cause,omitempty" help:"id of the event that caused the change"`
	Agent string `json:"agent_id,omitempty"`
}

// Version is one state of a task.
type Version struct {
	Task    string            `json:"task"`
	Session string            `json:"session_id"`
	Event   string            `json:"event"`
	Cause   string            `json:"cause,omitempty"`
	Turn    int               `json:"turn"`
	At      time.Time         `json:"at,omitzero"`
	Agent   string            `json:"agent_id,omitempty"`
	State   session.TaskState `json:"state"`
}

// Result is the state of a task as it is now.
type Result struct {
	SchemaVersion int      `json:"schema_version"`
	Task          string   `json:"task"`
	Found         bool     `json:"found"`
	Current       *Version `json:"current,omitempty"`
	// Text is the state for a model, of at most 800 tokens.
	Text string `json:"text"`
	// Age are the turns of the session since; Stale says that they are many.
	Age   int  `json:"age_turns"`
	Stale bool `json:"stale"`
}

// History is all states of a task, the oldest first.
type History struct {
	SchemaVersion int       `json:"schema_version"`
	Task          string    `json:"task"`
	Versions      []Version `json:"versions"`
}

const (
	// maxVersions are how many states of a task are read.
	maxVersions = 200
)

var taskForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// Find returns the state of a task. A task without one is no error: Found says so.
func (k *Keeper) Find(ctx context.Context, in Input) (Result, error) {
	task, id, err := k.resolve(ctx, in)
	result := Result{SchemaVersion: core.SchemaVersion, Task: task}
	if err != nil || task == "" {
		return result, err
	}
	list, err := k.versions(ctx, task, id, in.AskedBy)
	if err != nil || len(list) == 0 {
		return result, err
	}
	return k.result(list[len(list)-1])
}

// recent is for how long the state of a task is told to sessions that begin after it.
const recent = 7 * 24 * time.Hour

// Newest returns the state of the task that was written last in a session, or else in the work
// tree of the memory, or by the same person on the same code branch in another clone whose
// sessions were fetched, if that was not long ago.
func (k *Keeper) Newest(ctx context.Context, id, agent string) (Result, error) {
	here := func(own string) bool {
		state, err := k.archive.State(own)
		return err == nil && k.WorkTree() != "" && state.WorkTree == k.WorkTree()
	}
	elsewhere := k.archive.Elsewhere()
	near := func(own string) bool {
		branch, mine := elsewhere[own]
		return here(own) || mine && (branch == "" || branch == k.ResolveBranch(""))
	}
	prefer := []func(string) bool{func(own string) bool { return own == id }}
	if id == "" || here(id) { // not for a session of another work tree or another clone
		prefer = append(prefer, near)
	}
	found, ok, err := k.archive.NewestTask(ctx, agent, prefer...)
	if err != nil || !ok || found.Session != id && k.Moment().Sub(found.Event.At) > recent {
		return Result{SchemaVersion: core.SchemaVersion}, err
	}
	state, err := session.ParseTaskState([]byte(found.Event.Text))
	if err != nil { // its secrets were replaced, or another version of engram wrote it
		k.Log.Warn("the state of a task cannot be read", "event", found.Event.ID, "error", err)
		return Result{SchemaVersion: core.SchemaVersion}, nil
	}
	return k.result(version(found, state))
}

func version(p archive.Placed, state session.TaskState) Version {
	e := p.Event
	return Version{
		Task: cmp.Or(e.Task, p.Session), Session: p.Session, Event: e.ID, Cause: e.Parent, Turn: e.Turn, At: e.At, Agent: e.Agent, State: state,
	}
}

// result is a state as it is now.
func (k *Keeper) result(last Version) (Result, error) {
	result := Result{SchemaVersion: core.SchemaVersion, Found: true, Current: &last, Task: last.Task}
	state, err := k.archive.State(last.Session)
	if err != nil {
		return result, err
	}
	result.Age = max(0, state.Turn-last.Turn)
	result.Stale = result.Age > k.Sessions.StaleTurns()
	note := ""
	if result.Stale {
		note = fmt.Sprintf("\nThis state is %d turns old. Recall what happened since before you rely on it.", result.Age)
	}
	result.Text = facts.Visible(last.State.Text(session.MaxTask-facts.Tokens(note))) + note
	return result, nil
}

// History returns the states of a task.
func (k *Keeper) History(ctx context.Context, in Input) (History, error) {
	task, id, err := k.resolve(ctx, in)
	h := History{SchemaVersion: core.SchemaVersion, Task: task, Versions: []Version{}}
	if err != nil || task == "" {
		return h, err
	}
	list, err := k.versions(ctx, task, id, in.AskedBy)
	if len(list) > 0 {
		h.Versions = list
	}
	return h, err
}

// Set writes a new state of a task, which is durable when it returns.
func (k *Keeper) Set(ctx context.Context, in SetInput) (Result, error) {
	if in.From != "" {
		if err := k.begin(ctx, &in); err != nil {
			return Result{SchemaVersion: core.SchemaVersion}, err
		}
	}
	task, id, err := k.resolve(ctx, in.Input)
	if err != nil {
		return Result{SchemaVersion: core.SchemaVersion, Task: task}, err
	}
	if task == "" {
		return Result{}, core.UsageErrorf(hint.New("name the task, or the session that it belongs to"), "no session runs in this work tree, so there is no task to speak of")
	}
	list, err := k.versions(ctx, task, id, in.AskedBy) // wherever it is, if no session is named
	if err != nil {
		return Result{}, err
	}
	if id == "" {
		id = "task-" + task
	}
	var state session.TaskState
	supersedes := ""
	if len(list) > 0 {
		last := list[len(list)-1]
		state, supersedes = last.State, last.Event
	}
	in.change(&state)
	text, err := json.Marshal(state)
	if err != nil {
		return Result{}, core.UsageErrorf(hint.New("an extension is JSON"), "the state cannot be written: %v", err)
	}
	if _, err := session.ParseTaskState(text); err != nil {
		return Result{}, core.UsageErrorf(hint.New("lists are of short lines, key events are ids of events, and details belong into messages"), "%v", err)
	}
	local, err := k.archive.State(id)
	if err != nil {
		return Result{}, err
	}
	_, err = k.capture.Append(ctx, capture.AppendInput{Session: id, Client: clone.OwnClient, Agent: in.Agent, Events: []capture.AppendEvent{{
		Kind: string(session.SystemNote), Tags: []string{session.TagTaskState}, Text: string(text), Task: task,
		Parent: cmp.Or(in.Cause, local.Last), Supersedes: supersedes, Premise: state.Premise,
	}}})
	if err != nil {
		return Result{}, err
	}
	result, err := k.Find(ctx, Input{Task: task, Session: id, AskedBy: in.AskedBy})
	if err != nil || !result.Found {
		return result, err
	}
	v := result.Current
	if text, err = json.Marshal(v.State); err == nil { // as it is stored: without secrets
		err = k.archive.KeepTask(id, session.Event{
			ID: v.Event, Turn: v.Turn, Kind: session.SystemNote, At: v.At, Agent: v.Agent, Parent: v.Cause, Task: v.Task,
			Tags: []string{session.TagTaskState}, Text: string(text),
		})
	}
	return result, err
}

// change brings the fields that are given into a state.
func (in SetInput) change(s *session.TaskState) {
	for _, field := range []struct{ from, to *[]string }{
		{&in.Goals, &s.Goals}, {&in.Constraints, &s.Constraints}, {&in.OpenLoops, &s.OpenLoops},
		{&in.NextActions, &s.NextActions}, {&in.KeyEvents, &s.KeyEvents},
	} {
		if *field.from != nil {
			*field.to = *field.from
		}
		if *field.to == nil {
			*field.to = []string{}
		}
	}
	if in.Premise != nil {
		s.Premise = *in.Premise
	}
	for name, value := range in.Extensions {
		if string(value) == "null" {
			delete(s.Extensions, name)
			continue
		}
		if s.Extensions == nil {
			s.Extensions = make(map[string]json.RawMessage)
		}
		s.Extensions[name] = value
	}
}

// resolve returns which task is meant and in which session it is; "" and "" if nothing says so.
func (k *Keeper) resolve(ctx context.Context, in Input) (task, id string, err error) {
	if in.Task != "" && !taskForm.MatchString(in.Task) {
		return "", "", core.UsageErrorf(hint.New("a task's name is 1 to 100 letters, digits, dots, hyphens and underscores"), "%.60q cannot be the name of a task", in.Task)
	}
	if in.Session != "" {
		id, err = k.archive.Resolve(ctx, in.Session)
		return cmp.Or(in.Task, id), id, err
	}
	if in.Task != "" {
		return in.Task, "", nil // wherever it is
	}
	if k.WorkTree() == "" {
		return "", "", nil
	}
	id, _, err = k.archive.Latest(k.WorkTree(), k.Moment())
	return id, id, err
}

// All returns the newest state of each task, of those that were written last, the newest first.
func (k *Keeper) All(ctx context.Context, agent string) (list []Version, err error) {
	all, err := k.versions(ctx, "", "", agent)
	for _, v := range slices.Backward(all) {
		if !slices.ContainsFunc(list, func(newer Version) bool { return newer.Task == v.Task }) {
			list = append(list, v)
		}
	}
	return list, err
}

// versions returns the states of a task ("" is any) in one session, or in any if id is "", the oldest
// first.
func (k *Keeper) versions(ctx context.Context, task, id, agent string) (list []Version, err error) {
	found, err := k.archive.Tagged(ctx, session.TagTaskState, id, agent, maxVersions)
	for _, p := range found {
		e := p.Event
		if task != "" && cmp.Or(e.Task, p.Session) != task {
			continue
		}
		state, err := session.ParseTaskState([]byte(e.Text))
		if err != nil { // its secrets were replaced, or another version of engram wrote it
			k.Log.Warn("the state of a task cannot be read", "event", e.ID, "error", err)
			continue
		}
		list = append(list, version(p, state))
	}
	return list, err
}
