package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"engram/memory/internal/clone"
	"engram/session"
	"engram/session/journal"
	"engram/session/scrub"
	"engram/session/transcript"
)

// HookInput is what a hook of a client tells.
type HookInput struct {
	CommonDir  string        // of the repository
	WorkTree   string        // that the session works in
	Client     string        // as package transcript names it
	Session    string        // the client's id
	Transcript string        // path of the transcript; "" if the client does not say
	SubAgent   string        // path of the transcript of a sub-agent, if the client says it
	LinesOnly  bool          // leave transcripts that are documents, which are read whole, to another hook
	Time       time.Duration // that reading may take; 0 is no bound
	Ended      bool          // the session is over
	Late       bool          // the hook has ended: whether the session is at work is not known
	Limit      int           // bytes above which a tool result becomes an artifact; 0: the default
	Now        func() time.Time
}

// HookResult says what a hook captured.
type HookResult struct {
	Session string // id in the store; "" if nothing was captured
	Events  int    // new ones
	Behind  bool   // there was no time for all of the transcript
}

// Hook brings what a client's transcripts have gained into the journal of its session. It
// runs no git. What it acknowledges is synced; what it does not reach is read by the next
// hook.
func Hook(ctx context.Context, redactor scrub.Redactor, in HookInput) (HookResult, error) {
	local := clone.Open(in.CommonDir)
	id := session.IDOf(in.Session)
	if in.Session == "" || local.Forgotten(id) {
		return HookResult{}, nil
	}
	result := HookResult{Session: id}
	var until time.Time
	if in.Time > 0 {
		until = in.Now().Add(in.Time)
	}
	files := in.files()
	if len(files) > 0 {
		release, err := in.lock(ctx, local, files[0])
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil { // an import reads it just now
			result.Behind = true
			return result, nil
		}
		if err != nil {
			return result, err
		}
		defer func() { _ = release() }()
	}
	var failed []error
	for _, file := range files {
		events, late, err := in.read(ctx, local, redactor, file, until)
		if err != nil {
			failed = append(failed, fmt.Errorf("capture %s: %w", file, err))
		}
		result.Events += events
		result.Behind = result.Behind || late
		if err == nil && !late && filepath.Dir(file) == copiesIn(in.CommonDir) {
			failed = append(failed, os.Remove(file))
		}
	}
	if !in.Late {
		failed = append(failed, in.touch(local, id))
	}
	return result, errors.Join(failed...)
}

// copiesIn is the folder of a repository where OpenCode's plugin puts a copy of a session, which
// is removed when it was read: it holds what was not scanned.
func copiesIn(commonDir string) string {
	return filepath.Join(commonDir, "engram", "sessions", "opencode")
}

// Rest brings what a transcript has gained since the last hook into the journal of its
// session.
func (m *Recorder) Rest(ctx context.Context, id, transcript string) error {
	_, err := Hook(ctx, m.Scanner, HookInput{
		CommonDir: m.Store.CommonDir(), WorkTree: m.WorkTree(), Session: id, Transcript: transcript, Late: true, Now: m.Moment,
	})
	return err
}

// read brings what one transcript has gained into journals.
func (in HookInput) read(ctx context.Context, local *clone.Files, redactor scrub.Redactor, file string, until time.Time) (events int, late bool, err error) {
	r := &reading{
		local: local, redactor: redactor, now: in.Now, limit: in.Limit, path: file, cursor: local.Cursor(file),
		targets: map[string]*target{}, until: until, worksIn: in.WorkTree, linesOnly: in.LinesOnly,
	}
	sink := &journaling{local: local, pending: map[string]*pending{}}
	r.sink = sink
	r.begin = func(ctx context.Context, own string, meta transcript.Meta) (*target, error) {
		return in.begin(ctx, local, r, own, meta)
	}
	if err := r.run(ctx); err != nil {
		return 0, false, err
	}
	for _, t := range r.sessions() {
		if err := sink.flush(ctx, t); err != nil {
			return events, r.late, err
		}
		if t.state.WorkTree = in.WorkTree; !in.Late {
			t.state.Activity = in.Now()
		}
		if err := local.SetState(t.id, t.state); err != nil {
			return events, r.late, err
		}
		events += t.count.Events
	}
	return events, r.late, local.SetCursor(file, r.cursor)
}

// lock keeps other hooks and imports away from a transcript.
func (in HookInput) lock(ctx context.Context, local *clone.Files, file string) (func() error, error) {
	if in.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, in.Time)
		defer cancel()
	}
	return local.LockTranscript(ctx, file)
}

// files returns the transcripts of the session: the main one, and those of sub-agents.
func (in HookInput) files() []string {
	if in.Transcript == "" {
		return nil
	}
	files := []string{in.Transcript}
	folder := in.Transcript[:len(in.Transcript)-len(filepath.Ext(in.Transcript))]
	more, _ := filepath.Glob(filepath.Join(folder, "subagents", "*.jsonl")) // the pattern is valid
	files = append(files, more...)
	if in.SubAgent != "" && !slices.Contains(files, in.SubAgent) {
		files = append(files, in.SubAgent)
	}
	return slices.DeleteFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err != nil || !info.Mode().IsRegular()
	})
}

// touch notes that the session is at work, or over.
func (in HookInput) touch(local *clone.Files, id string) error {
	state, err := local.State(id)
	if err != nil {
		return err
	}
	if state.Header.ID == "" {
		state.Header = session.Header{Format: session.Version, ID: id, Client: in.Client, Folder: in.WorkTree, Started: in.Now().UTC().Truncate(time.Millisecond)}
	}
	state.Activity, state.WorkTree, state.Ended = in.Now(), in.WorkTree, in.Ended
	return local.SetState(id, state)
}

// begin prepares the session that a record belongs to.
func (in HookInput) begin(ctx context.Context, local *clone.Files, r *reading, own string, meta transcript.Meta) (*target, error) {
	id := session.IDOf(own)
	if own == "" {
		id = session.IDOf(in.Session)
	}
	t := &target{id: id, known: map[string]int{}}
	var err error
	if t.state, err = local.State(id); err != nil {
		return nil, err
	}
	if turn, ok := r.cursor.Turns[id]; ok {
		t.state.Turn = turn
	}
	if r.cursor.Offset == 0 && len(r.cursor.Items) == 0 && t.state.Header.ID != "" {
		if err := local.SetAgain(id); err != nil {
			return nil, err
		}
	}
	if t.state.Header.Client == "" || t.state.Header.Branch == "" {
		started := t.state.Header.Started
		t.state.Header = headerOf(id, r.cursor.Format, meta)
		if t.state.Header.Started.IsZero() {
			t.state.Header.Started = started
		}
	}
	// What a hook wrote that was killed before it could note how far it was.
	for line, err := range local.Journal(id).ReadAll(ctx) {
		if err != nil {
			return nil, err
		}
		t.known[session.LineID(line)] = session.LineTurn(line)
	}
	return t, nil
}

// journaling is a sink that appends to journals.
type journaling struct {
	local   *clone.Files
	pending map[string]*pending
}

// pending is what is not appended yet.
type pending struct {
	lines     [][]byte
	artifacts []journal.Artifact
	size      int
}

// flushAbove is how many bytes are appended at once.
const flushAbove = 4 << 20

func (j *journaling) put(ctx context.Context, t *target, events []session.Event, stored []session.Stored) error {
	p := j.pending[t.id]
	if p == nil {
		p = &pending{}
		j.pending[t.id] = p
	}
	for i := range events {
		line, err := session.AppendLine(nil, &events[i])
		if err != nil {
			return err
		}
		p.lines = append(p.lines, line[:len(line)-1])
		p.size += len(line)
	}
	for _, s := range stored {
		p.artifacts = append(p.artifacts, journal.Artifact{Digest: s.Digest, Data: s.Data})
		p.size += len(s.Data)
	}
	if p.size < flushAbove {
		return nil
	}
	return j.flush(ctx, t)
}

// flush appends what was put.
func (j *journaling) flush(ctx context.Context, t *target) error {
	p := j.pending[t.id]
	if p == nil {
		return nil
	}
	delete(j.pending, t.id)
	return j.local.Journal(t.id).Append(ctx, func([]byte, int64) ([][]byte, []journal.Artifact, error) { return p.lines, p.artifacts, nil })
}
