// Package capture brings what clients write of their sessions into the session store: by
// the hooks of a running client, and by import of transcripts that are there already.
package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"engram/memory/internal/clone"
	"engram/session"
	"engram/session/preview"
	"engram/session/scrub"
	"engram/session/transcript"
)

// sink takes the events of sessions.
type sink interface {
	// put takes the events of one record and the artifacts that they mention.
	put(ctx context.Context, t *target, events []session.Event, stored []session.Stored) error
}

// target is a session that events go to.
type target struct {
	id    string
	tip   string // the commit of which known says the events; "" if there is none
	state clone.State
	known map[string]int // the events that are there, by their ids, and the turn of each
	items map[int]string // of a document: the newest event of each item that is there
	own   bool           // an event of the agent itself was read
	count tally
}

// tally counts what was read of a session.
type tally struct {
	Records, Events, Malformed, Redacted, Omitted int
}

// reading reads one transcript.
type reading struct {
	local    *clone.Files
	redactor scrub.Redactor
	now      func() time.Time
	limit    int // bytes above which a tool result becomes an artifact; 0: the default
	sink     sink
	path     string
	cursor   clone.Cursor
	// targets are the sessions of the transcript, by the client's ids.
	targets map[string]*target
	// begin prepares a session that a record belongs to.
	begin func(ctx context.Context, own string, meta transcript.Meta) (*target, error)
	// whole says that a last record without a newline is taken: nobody writes any more.
	whole bool
	// until bounds the time; zero is no bound. What is left is read by the next one.
	until  time.Time
	counts map[uint64]int // of records without an id of their own
	keys   []uint64       // of those that were read now
	key    uint64         // of the record that was read last; 0 if it has an id
	bytes  int64          // that were read
	// progress counts them, for who watches; nil if nobody does.
	progress *atomic.Int64
	late     bool // until has passed
	// worksIn is where the client works, for transcripts that do not say it.
	worksIn string
	// linesOnly leaves documents unread.
	linesOnly bool
	first     string // a digest of the first record, for a session without an id
	folder    string // the first one that the transcript names near its beginning
	opened    string // the last record, if it has no newline
	last      []byte // the last whole line
	// begunAt is where this reading began.
	begunAt int64
	// replaces is the item of a document that is read; noItem outside of documents.
	replaces int
	// taken is the first event of the record that was read last. Before an item of a document
	// is read, it is the event of the item that stood there.
	taken string
}

// errNoTranscript says that a file is no transcript of a known format.
var errNoTranscript = errors.New("not a transcript of a known client")

// headSize is how much of a file its format is told from.
const headSize = 64 << 10

// errNoFile says that a name stands for something that may never end, or never begin.
var errNoFile = errors.New("not a regular file")

// run reads what the transcript has gained since it was read last.
func (r *reading) run(ctx context.Context) error {
	if info, err := os.Stat(r.path); err != nil || !info.Mode().IsRegular() {
		return cmp.Or(err, errNoFile)
	}
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == r.cursor.Size && info.ModTime().Equal(r.cursor.Modified) {
		return nil
	}
	if r.cursor.Format == "" || !r.continues(f, info.Size()) {
		head := make([]byte, headSize)
		n, err := io.ReadFull(f, head)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		format := transcript.Detect(r.path, head[:n])
		if format == "" && !r.whole && bytes.IndexByte(head[:n], '\n') < 0 { // its first line is not written yet
			r.cursor = clone.Cursor{}
			return nil
		}
		if format == "" {
			return errNoTranscript
		}
		r.cursor = clone.Cursor{Format: format}
	}
	r.cursor.Meta.Cwd = cmp.Or(r.cursor.Meta.Cwd, r.worksIn)
	r.begunAt, r.replaces = r.cursor.Offset, noItem
	if r.cursor.Format.Document() {
		if r.linesOnly {
			return nil
		}
		err = r.document(ctx, f)
	} else {
		err = r.lines(ctx, f)
	}
	if len(r.keys) > 0 && r.cursor.Keys >= 0 {
		if r.local.AddKeys(r.path, r.cursor.Keys, r.keys) == nil {
			r.cursor.Keys += len(r.keys)
		} else {
			r.cursor.Keys = -1 // they are counted
		}
	}
	r.markCursor()
	r.markTurns()
	if r.cursor.Modified = info.ModTime(); !r.late {
		r.cursor.Size = info.Size()
	}
	return err
}

// markTurns notes which turn each session is at where the cursor is: so a reading that is
// killed before it could write the cursor is repeated with the turns that it had.
func (r *reading) markTurns() {
	for _, t := range r.targets {
		if _, noted := r.cursor.Turns[t.id]; !noted && !t.own { // of a sub-agent: turns are those of the session
			continue
		}
		if r.cursor.Turns == nil {
			r.cursor.Turns = map[string]int{}
		}
		r.cursor.Turns[t.id] = t.state.Turn
	}
}

// continues reports whether the file still has, where the cursor is, what was read last.
func (r *reading) continues(f *os.File, size int64) bool {
	if r.cursor.Format.Document() || r.cursor.Offset == 0 {
		return true
	}
	if size < r.cursor.Offset || r.whole && size == r.cursor.Size { // of the same size, but not as old: changed in place
		return false
	}
	last := make([]byte, r.cursor.Length)
	if _, err := f.ReadAt(last, r.cursor.Offset-int64(len(last))); err != nil {
		return false
	}
	return session.Digest(last)[:16] == r.cursor.Sum
}

// take assembles one record and hands its events on. raw has the record as the client
// wrote it.
func (r *reading) take(ctx context.Context, raw []byte, rec session.Record, meta transcript.Meta) error {
	if parent := parentOf(r.path, r.cursor.Format); parent != "" && parent != meta.Session {
		agent := cmp.Or(meta.Session, baseName(r.path))
		meta.Session, meta.Agent = parent, agent
		for i := range rec.Events {
			rec.Events[i].SubAgent = agent
		}
	}
	own := meta.Session
	t := r.targets[own]
	if t == nil {
		var err error
		if t, err = r.begin(ctx, own, meta); err != nil {
			return err
		}
		for _, other := range r.targets {
			if other.id == t.id { // records without an id before those that have it
				t = other
			}
		}
		r.targets[own] = t
		if !slices.Contains(r.cursor.Sessions, t.id) {
			r.cursor.Sessions = append(r.cursor.Sessions, t.id)
		}
	}
	rec.Stream = meta.Agent
	place := session.Place{Session: t.id, Turn: t.state.Turn, At: r.cursor.At}
	if r.key = 0; !rec.Unique {
		place.Occurrence = r.occurrence(raw)
	}
	t.answer(rec.Events)
	events, stored := session.Assemble(rec, place, r.limit, preview.Of)
	if len(events) == 0 {
		return nil
	}
	was := r.taken
	r.taken = events[0].ID
	t.note(events)
	if !rec.Open { // otherwise it is read again
		r.cursor.At = events[len(events)-1].At
	}
	t.count.Records++
	if rec.Open {
		r.opened = events[0].ID
	}
	if _, there := t.known[events[0].ID]; there { // it is read again: turns go on from where it was
		t.state.Turn = t.known[events[len(events)-1].ID]
		return nil
	}
	for i := range events {
		t.count.add(&events[i])
		t.known[events[i].ID] = events[i].Turn
	}
	if r.cursor.Open != "" && rec.Item == r.cursor.Item { // the record was not whole
		events[0].Supersedes = r.cursor.Open
	}
	if r.replaces != noItem {
		events[0].Supersedes = cmp.Or(t.items[rec.Item], was)
	}
	return r.sink.put(ctx, t, events, stored)
}

// add counts an event.
func (c *tally) add(e *session.Event) {
	c.Events++
	if e.Has(session.TagMalformed) {
		c.Malformed++
	}
	for _, redaction := range e.Redacted {
		c.Redacted += redaction.Count
	}
	c.Omitted += len(e.Omitted)
}

// answer gives results what their calls say.
func (t *target) answer(contents []session.Content) {
	for i := range contents {
		c := &contents[i]
		call, ok := t.state.Calls[c.Call]
		if c.Kind != session.ToolResult || !ok {
			continue
		}
		c.Parent = call.Event
		if c.Tool == "" {
			c.Tool = call.Tool
		}
		if len(c.Paths) == 0 && call.Path != "" {
			c.Paths = []string{call.Path}
		}
		delete(t.state.Calls, c.Call)
	}
}

// maxCalls bounds the calls that wait for their results.
const maxCalls = 200

// note remembers what the next record needs to know.
func (t *target) note(events []session.Event) {
	for i := range events {
		e := &events[i]
		t.state.Turn, t.state.Last = max(t.state.Turn, e.Turn), e.ID
		t.own = t.own || e.SubAgent == ""
		if e.Kind == session.ToolCall && e.Call != "" && len(t.state.Calls) < maxCalls {
			if t.state.Calls == nil {
				t.state.Calls = map[string]clone.Call{}
			}
			call := clone.Call{Event: e.ID, Tool: e.Tool}
			if len(e.Paths) > 0 {
				call.Path = e.Paths[0]
			}
			t.state.Calls[e.Call] = call
		}
	}
}

// headerOf returns the header of a session that begins.
func headerOf(id string, f transcript.Format, meta transcript.Meta) session.Header {
	return session.Header{Format: session.Version, ID: id, Client: f.Client(), Branch: meta.Branch, Folder: meta.Cwd, Started: meta.Started}
}

// sessions returns the targets of a transcript, by their ids.
func (r *reading) sessions() []*target {
	byID := map[string]*target{}
	for _, t := range r.targets {
		byID[t.id] = t
	}
	list := make([]*target, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		list = append(list, byID[id])
	}
	return list
}

// unnamed is the id of a session whose transcript has none: the name of the file and a
// digest of the first record. The folder is not part of it, so that two clones make the same
// session of one file, and other files of that name are other sessions. Clients that have ids
// name their files after them: what stands before the first id is of that session.
func (r *reading) unnamed() string {
	if r.cursor.Format == transcript.JSONLines || r.cursor.Format == transcript.SWEAgent {
		return baseName(r.path) + "-" + r.first
	}
	return baseName(r.path)
}

// baseName is the name of a file without its folder and extension.
func baseName(path string) string {
	name := filepath.Base(path)
	return name[:len(name)-len(filepath.Ext(name))]
}

// parentOf returns the session of which a file of Gemini CLI has a sub-agent: chats/SESSION/ID;
// "" if it has none.
func parentOf(path string, format transcript.Format) string {
	folder := filepath.Dir(path)
	if format.Client() != transcript.Gemini.Client() || filepath.Base(filepath.Dir(folder)) != "chats" {
		return ""
	}
	return filepath.Base(folder)
}
