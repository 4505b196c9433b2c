// Package clone has the files of sessions that belong to one clone and are on no reference:
// journals, how far transcripts were read, and what was derived. It runs no git, so that a hook
// that only appends is fast.
package clone

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/internal/atomicfile"
	"engram/internal/filelock"
	"engram/session"
	"engram/session/journal"
	"engram/session/transcript"
)

// Files are the files of sessions in one clone.
type Files struct{ dir string }

// Open returns the files of a repository, given its common git directory.
func Open(commonDir string) *Files {
	return &Files{filepath.Join(commonDir, "engram", "sessions")}
}

// Folder is a file or folder of the local files.
func (l *Files) Folder(name ...string) string {
	return filepath.Join(append([]string{l.dir}, name...)...)
}

// Journal returns the journal of a session, which need not have one yet.
func (l *Files) Journal(id string) *journal.Journal { return journal.Open(l.LiveFolder(id)) }

// LiveFolder is where the journal of a session is.
func (l *Files) LiveFolder(id string) string { return l.Folder("live", session.Shard(id), id) }

// State is what the capture of a session remembers between hooks. It is derived: what it
// says follows from the events and the transcripts.
type State struct {
	Header   session.Header  `json:"header"`
	Turn     int             `json:"turn"`              // of the last event
	Last     string          `json:"last,omitzero"`     // the last event
	Activity time.Time       `json:"activity,omitzero"` // when something was captured last
	WorkTree string          `json:"work_tree,omitzero"`
	Ended    bool            `json:"ended,omitzero"`
	Calls    map[string]Call `json:"calls,omitzero"` // that have no result yet, by the client's id
}

// Call is a call of a tool.
type Call struct {
	Event string `json:"event"`
	Tool  string `json:"tool"`
	Path  string `json:"path,omitzero"`
}

// StateFile is the name of the state of a session, beside its journal.
const StateFile = "state.json"

// State reads the state of a session; the zero State if there is none that can be read.
func (l *Files) State(id string) (State, error) {
	var state State
	data, err := os.ReadFile(filepath.Join(l.LiveFolder(id), StateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return state, fmt.Errorf("read the state of session %s: %w", id, err)
	}
	if json.Unmarshal(data, &state) != nil {
		return State{}, nil
	}
	return state, nil
}

// SetState writes the state of a session.
func (l *Files) SetState(id string, state State) error {
	err := WriteJSON(filepath.Join(l.LiveFolder(id), StateFile), state)
	return errors.Join(err, l.setActive(id, !state.Activity.IsZero() && !state.Ended))
}

// setActive notes that somebody works in a session, or that it ended.
func (l *Files) setActive(id string, active bool) error {
	file := l.Folder("active", id)
	if active {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		return WriteJSON(file, struct{}{})
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// States returns the states of the sessions that clients work in, by their ids. A session
// whose client never said that it ended is among them; State.Activity tells.
func (l *Files) States() (map[string]State, error) {
	entries, err := os.ReadDir(l.Folder("active"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := map[string]State{}
	for _, entry := range entries {
		id := entry.Name()
		state, err := l.State(id)
		if err != nil {
			return nil, err
		}
		if state.Header.ID == id {
			all[id] = state
		}
	}
	return all, nil
}

// ViewsFolder is where what is derived of sessions is kept, below the folder of sessions.
const ViewsFolder = "views"

// DecidedFile has the content hashes of sentences of sessions that were accepted as facts, or
// rejected; below the folder of sessions.
const DecidedFile = "learnt-decided"

// OwnClient is the client of sessions that engram itself began, for the states of tasks. Nobody is
// at work in them.
const OwnClient = "engram"

// running is how long after its last event a session is taken to go on.
const running = 30 * time.Minute

// Latest returns the session in which something was captured last, of those that run in a
// work tree: they have not ended, and their last event was at most half an hour before or after
// now, because clocks jump. The id is "" if there is none.
func (l *Files) Latest(workTree string, now time.Time) (id string, latest State, err error) {
	all, err := l.States()
	for _, own := range slices.Sorted(maps.Keys(all)) {
		state := all[own]
		works := state.WorkTree == workTree && !state.Ended && state.Header.Client != OwnClient && now.Sub(state.Activity).Abs() <= running
		if works && (id == "" || state.Activity.After(latest.Activity)) {
			id, latest = own, state
		}
	}
	return id, latest, err
}

// Cursor says how far a transcript was read. It does not say which: the name of its file
// is a digest of the path, because a path may have a secret.
type Cursor struct {
	Offset   int64             `json:"offset"` // behind the last whole record
	Item     int               `json:"item"`   // of the next record
	Length   int               `json:"length"` // of the last record, in bytes, with its newline
	Sum      string            `json:"sum"`    // of the last record: tells a transcript that was rewritten
	Size     int64             `json:"size"`   // of the file; of a document, the size that was read
	Modified time.Time         `json:"modified,omitzero"`
	Format   transcript.Format `json:"format"`
	Meta     transcript.Meta   `json:"meta"`
	Sessions []string          `json:"sessions"` // that have records of it
	// At is when the last record was, for records that do not say it.
	At time.Time `json:"at,omitzero"`
	// Turns are those that the sessions were at, by their ids, where Offset is.
	Turns map[string]int `json:"turns,omitzero"`
	// Items are those of a document that were read, by their places.
	Items map[int]Item `json:"items,omitzero"`
	// Keys is how many records without an id of their own are before Offset, whose keys
	// are in a file; -1 if they were not kept.
	Keys int `json:"keys"`
	// Open is the event of a record behind Offset that had no newline; "" if there is none.
	Open string `json:"open,omitzero"`
}

// Item is an item of a document.
type Item struct {
	Sum   string `json:"sum"` // tells whether its client has changed it
	Event string `json:"event"`
}

func (l *Files) cursorFile(path string) string {
	sum := sha256.Sum256([]byte(path))
	return l.Folder("cursors", hex.EncodeToString(sum[:12])+".json")
}

// Cursor returns how far a transcript was read; the zero Cursor if it was not, or is to be
// read again.
func (l *Files) Cursor(path string) Cursor {
	var c Cursor
	data, err := os.ReadFile(l.cursorFile(path))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return Cursor{}
	}
	return c
}

func (l *Files) keysFile(path string) string {
	return strings.TrimSuffix(l.cursorFile(path), ".json") + ".keys"
}

const keySize = 8

// Keys returns the keys of the first n records of a transcript that have no id of their
// own; ok is false if they are not known.
func (l *Files) Keys(path string, n int) (keys []uint64, ok bool) {
	if n == 0 {
		return nil, true
	}
	data, err := os.ReadFile(l.keysFile(path))
	if err != nil || n < 0 || len(data) < n*keySize {
		return nil, false
	}
	for i := range n {
		keys = append(keys, binary.LittleEndian.Uint64(data[i*keySize:]))
	}
	return keys, true
}

// AddKeys notes more keys behind the first n.
func (l *Files) AddKeys(path string, n int, keys []uint64) error {
	var data []byte
	for _, key := range keys {
		data = binary.LittleEndian.AppendUint64(data, key)
	}
	name := l.keysFile(path)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, int64(n*keySize))
	return errors.Join(err, f.Close())
}

// LockTranscript keeps other processes from reading a transcript into the store until
// release.
func (l *Files) LockTranscript(ctx context.Context, path string) (release func() error, err error) {
	return filelock.Acquire(ctx, strings.TrimSuffix(l.cursorFile(path), ".json")+".lock", filelock.Exclusive)
}

// AgainFile says that a transcript of the session was read again from its beginning, so
// that what its journal has may be sealed already.
const AgainFile = "again"

// SetAgain notes that; Seal takes it back.
func (l *Files) SetAgain(id string) error {
	return WriteJSON(filepath.Join(l.LiveFolder(id), AgainFile), struct{}{})
}

// SetCursor notes how far a transcript was read.
func (l *Files) SetCursor(path string, c Cursor) error { return WriteJSON(l.cursorFile(path), c) }

// DropCursors makes the transcripts of a session be read from the beginning.
func (l *Files) DropCursors(id string) error {
	files, err := l.CursorsOf(id)
	for _, file := range files {
		if gone := os.Remove(file); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// CursorsOf lists the files of the cursors of a session's transcripts.
func (l *Files) CursorsOf(id string) (list []string, err error) {
	files, err := filepath.Glob(l.Folder("cursors", "*.json"))
	for _, file := range files {
		var c Cursor
		data, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(data, &c) == nil && slices.Contains(c.Sessions, id) {
			list = append(list, file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return list, err
}

// Forgotten reports whether somebody removed a session, so that hooks do not bring it
// back.
func (l *Files) Forgotten(id string) bool {
	_, err := os.Stat(l.Folder("forgotten", id))
	return err == nil
}

// SetForgotten notes that a session was removed, or is welcome again.
func (l *Files) SetForgotten(id string, forgotten bool) error {
	if !forgotten {
		if err := os.Remove(l.Folder("forgotten", id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return WriteJSON(l.Folder("forgotten", id), struct{}{})
}

// WriteJSON writes a file and the folders that it needs.
func WriteJSON(file string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, data, 0o644, false)
}

// Outlines are kept beside what else is derived from a session, and removed with it.
func (l *Files) outlineFile(id string) string {
	return l.Folder("outlines", session.Shard(id), id+".json")
}

// Outline reads what was kept of a session by KeepOutline; false if nothing was.
func (l *Files) Outline(id string, v any) bool {
	data, err := os.ReadFile(l.outlineFile(id))
	return err == nil && json.Unmarshal(data, v) == nil
}

// KeepOutline keeps what is derived from a session.
func (l *Files) KeepOutline(id string, v any) error { return WriteJSON(l.outlineFile(id), v) }

// DropDerived removes what is derived from a session.
func (l *Files) DropDerived(id string) error {
	for _, file := range []string{l.SummaryFile(id), l.outlineFile(id)} {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return os.RemoveAll(l.Folder(taskFolder))
}

// taskFolder has the newest state of a task of each session, so that a hook need not look for
// it. It is derived; without it, it is made again.
const taskFolder = "tasks"

// KeepTask keeps the event with the newest state of a task of a session.
func (l *Files) KeepTask(id string, e session.Event) error {
	if _, err := os.Stat(l.Folder(taskFolder)); err != nil {
		return nil // not made yet: it would lack those of other sessions
	}
	return l.keepTask(id, e)
}

func (l *Files) keepTask(id string, e session.Event) error {
	return WriteJSON(l.Folder(taskFolder, id+".json"), e)
}

// KeepTasks keeps the newest states of tasks that a search has found, by their sessions, so that
// those that follow are kept as well.
func (l *Files) KeepTasks(newest map[string]session.Event) error {
	err := os.MkdirAll(l.Folder(taskFolder), 0o755)
	for id, e := range newest {
		err = errors.Join(err, l.keepTask(id, e))
	}
	return err
}

// KeptTasks are the events that were kept, by their sessions; ok is false if none were ever
// looked for.
func (l *Files) KeptTasks() (kept map[string]session.Event, ok bool) {
	entries, err := os.ReadDir(l.Folder(taskFolder))
	kept = map[string]session.Event{}
	for _, entry := range entries {
		id := strings.TrimSuffix(entry.Name(), ".json")
		var e session.Event
		data, err := os.ReadFile(l.Folder(taskFolder, entry.Name()))
		if err == nil && json.Unmarshal(data, &e) == nil && session.CheckID(id) {
			kept[id] = e
		}
	}
	return kept, err == nil
}

// elsewhereFile has the sessions of the same person in other clones, with their code branches.
const elsewhereFile = "elsewhere.json"

// Elsewhere returns the fetched sessions that the person of this clone had in other clones, and
// the code branch of each; "" if it is not known.
func (l *Files) Elsewhere() map[string]string {
	all := map[string]string{}
	if data, err := os.ReadFile(l.Folder(elsewhereFile)); err != nil || json.Unmarshal(data, &all) != nil || all == nil {
		return map[string]string{}
	}
	return all
}

// KeepElsewhere keeps what Elsewhere returns.
func (l *Files) KeepElsewhere(all map[string]string) error {
	return WriteJSON(l.Folder(elsewhereFile), all)
}

// SummaryFile is where the summary of a session is kept.
func (l *Files) SummaryFile(id string) string {
	return l.Folder("summaries", session.Shard(id), id+".json")
}
