package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/gitstore"
	"engram/memory/internal/clone"
	"engram/session"
	"engram/session/journal"
)

// batch is how many bytes a Sealer collects before it writes them.
const batch = 8 << 20

// Sealer writes events into new segments of a session, in bounded memory. Nothing can be
// read before Commit. It is for one goroutine.
type Sealer struct {
	a      *Archive
	header session.Header
	known  map[string]bool // artifacts that the session has
	tip    string
	was    *Session // as it was at tip

	lines   []byte // of the segment that grows
	first   string // its first event
	placed  []pendingArtifact
	pending []pendingFile // not written yet
	size    int           // bytes of pending
	entries []pendingEntry
	count   int // of segments
	summary Summary
	spared  int // events that another process added first
}

// pendingArtifact is an artifact of the segment that grows.
type pendingArtifact struct {
	digest string
	data   []byte
}

// pendingFile is a file that is not written yet.
type pendingFile struct {
	segment int    // from 0, counted from the first of this Sealer
	path    string // below the segment's folder
	data    []byte
}

// pendingEntry is a file that is written.
type pendingEntry struct {
	segment int
	path    string
	object  string
}

// NewSealer returns a Sealer that continues a session at a commit, or begins one (""). Its
// events must be new to the session as it was then: those that it gains before Commit are
// left out.
func (a *Archive) NewSealer(ctx context.Context, header session.Header, tip string) (*Sealer, error) {
	s := &Sealer{a: a, header: header, tip: tip, known: map[string]bool{}, was: &Session{ID: header.ID, Tip: tip, a: a}}
	if tip == "" {
		return s, nil
	}
	if err := s.was.list(ctx); err != nil {
		return nil, err
	}
	for digest := range s.was.blobs {
		s.known[digest] = true
	}
	return s, nil
}

// Add adds an event, given with its line, and the content of the artifacts that it
// mentions.
func (s *Sealer) Add(ctx context.Context, e *session.Event, line []byte, stored []session.Stored) error {
	if len(s.lines)+len(line) > maxSegment {
		s.cut()
	}
	if s.first == "" {
		s.first = e.ID
	}
	s.lines = append(s.lines, line...)
	for _, artifact := range stored {
		if !s.known[artifact.Digest] {
			s.known[artifact.Digest] = true
			s.placed = append(s.placed, pendingArtifact{artifact.Digest, artifact.Data})
			s.size += len(artifact.Data)
		}
	}
	s.summary.add(e)
	if s.Pending() < batch {
		return nil
	}
	s.cut()
	return s.write(ctx)
}

// Knows reports whether the session has an artifact.
func (s *Sealer) Knows(digest string) bool { return s.known[digest] }

// cut ends a segment.
func (s *Sealer) cut() {
	if len(s.lines) == 0 {
		return
	}
	s.pending = append(s.pending, pendingFile{s.count, "-" + s.first + "/" + eventsFile, s.lines})
	s.size += len(s.lines)
	for _, artifact := range s.placed {
		name := "-" + s.first + "/" + artifacts + "/" + artifact.digest
		if len(artifact.data) <= maxPart {
			s.pending = append(s.pending, pendingFile{s.count, name, artifact.data})
			continue
		}
		for i, part := range slices.Collect(slices.Chunk(artifact.data, maxPart)) {
			s.pending = append(s.pending, pendingFile{s.count, fmt.Sprintf("%s/%03d", name, i), part})
		}
	}
	s.lines, s.first, s.placed = nil, "", nil
	s.count++
}

// write writes what is pending.
func (s *Sealer) write(ctx context.Context) error { return s.a.writeAll(ctx, []*Sealer{s}) }

// writeAll writes what is pending for several sessions, because one large write is faster
// than many small ones.
func (a *Archive) writeAll(ctx context.Context, sealers []*Sealer) error {
	var data [][]byte
	for _, s := range sealers {
		for _, file := range s.pending {
			data = append(data, file.data)
		}
	}
	objects, err := a.Store.PutBlobs(ctx, data)
	if err != nil {
		return fmt.Errorf("write segments of sessions: %w", err)
	}
	for _, s := range sealers {
		for _, file := range s.pending {
			s.entries = append(s.entries, pendingEntry{file.segment, file.path, objects[0]})
			objects = objects[1:]
		}
		s.pending, s.size = nil, 0
	}
	return nil
}

// Spared returns how many of the events were left out, because another process added them first.
func (s *Sealer) Spared() int { return s.spared }

// Tip returns the commit that the session is at.
func (s *Sealer) Tip() string { return s.tip }

// Pending returns how many bytes wait to be written.
func (s *Sealer) Pending() int { return s.size + len(s.lines) }

// Commit adds the segments to the session's reference and returns its new commit. Without
// an event it does nothing.
func (s *Sealer) Commit(ctx context.Context) (string, error) {
	err := s.a.CommitAll(ctx, []*Sealer{s})
	return s.tip, err
}

// CommitAll commits several sessions. If one fails, those before it are committed.
func (a *Archive) CommitAll(ctx context.Context, sealers []*Sealer) error {
	for _, s := range sealers {
		if err := s.end(); err != nil {
			return err
		}
	}
	if err := a.writeAll(ctx, sealers); err != nil {
		return err
	}
	for _, s := range sealers {
		if err := s.extend(ctx); err != nil {
			return fmt.Errorf("seal session %s: %w", s.header.ID, err)
		}
	}
	return nil
}

// headerSegment is the segment of a pending session.json, which is in none.
const headerSegment = -1

// end ends the last segment.
func (s *Sealer) end() error {
	s.cut()
	if s.count == 0 || s.tip != "" {
		return nil
	}
	header, err := session.AppendHeader(nil, s.header)
	s.pending = append(s.pending, pendingFile{headerSegment, headerFile, header})
	return err
}

// extend moves the session's reference.
func (s *Sealer) extend(ctx context.Context) error {
	if s.count == 0 {
		return nil
	}
	before := ""
	tip, err := s.a.Store.Extend(ctx, session.Ref(s.header.ID), func(tip string) ([]gitstore.ThreadEntry, gitstore.Meta, error) {
		before = tip
		if tip != s.was.Tip { // another process sealed meanwhile
			if err := s.spare(ctx, tip); err != nil {
				return nil, gitstore.Meta{}, err
			}
		}
		if s.summary.Events == 0 {
			return nil, gitstore.Meta{}, nil
		}
		from := 0
		if list := segments(s.was.files); len(list) > 0 {
			from = list[len(list)-1].number() + 1
		}
		return s.entriesFrom(from, tip == ""), gitstore.Meta{Message: s.message()}, nil
	})
	if err != nil {
		return err
	}
	s.tip = tip
	if tip == before { // nothing was left to add
		return nil
	}
	if err := s.a.noteSummary(s.header, before, tip, s.summary); err != nil {
		s.a.Memory.Log.Debug("the summary of a session was not kept", "session", s.header.ID, "error", err)
	}
	return nil
}

// spare takes out of what was written the events that the session has gained until it came to
// tip.
func (s *Sealer) spare(ctx context.Context, tip string) error {
	had := map[string]bool{}
	for _, seg := range segments(s.was.files) {
		had[seg.object] = true
	}
	s.was = &Session{ID: s.header.ID, Tip: tip, a: s.a}
	if tip == "" {
		return nil
	}
	if err := s.was.list(ctx); err != nil {
		return err
	}
	gained := slices.DeleteFunc(segments(s.was.files), func(seg segment) bool { return had[seg.object] })
	there := map[string]bool{}
	for line, err := range s.was.lines(ctx, gained, false) {
		if err != nil {
			return err
		}
		there[session.LineID(line)] = true
	}
	files := map[int][]pendingEntry{}
	for _, e := range s.entries {
		files[e.segment] = append(files[e.segment], e)
	}
	s.entries, s.summary = nil, Summary{}
	number := 0
	for i := range s.count {
		left, err := s.without(ctx, files[i], there)
		if err != nil {
			return err
		}
		for _, e := range left {
			e.segment = number
			s.entries = append(s.entries, e)
		}
		if len(left) > 0 {
			number++
		}
	}
	s.count = number
	return nil
}

// without returns the files of a segment without some of its events; none if all of them go.
func (s *Sealer) without(ctx context.Context, files []pendingEntry, there map[string]bool) ([]pendingEntry, error) {
	at := slices.IndexFunc(files, func(e pendingEntry) bool { return path.Base(e.path) == eventsFile })
	was, _ := strings.CutSuffix(files[at].path, eventsFile)
	var lines []byte
	first := ""
	spared := s.spared
	for line, err := range s.was.lines(ctx, []segment{{object: files[at].object}}, false) {
		if err != nil {
			return nil, err
		}
		if there[session.LineID(line)] {
			s.spared++
			continue
		}
		e, err := session.ParseLine(line)
		if err != nil {
			return nil, err
		}
		s.summary.add(&e)
		first = cmp.Or(first, e.ID)
		lines = append(append(lines, line...), '\n')
	}
	switch {
	case first == "":
		return nil, nil
	case s.spared == spared:
		return files, nil
	}
	objects, err := s.a.Store.PutBlobs(ctx, [][]byte{lines})
	if err != nil {
		return nil, err
	}
	files[at].object = objects[0]
	for i, e := range files {
		files[i].path = "-" + first + "/" + strings.TrimPrefix(e.path, was)
	}
	return files, nil
}

// entriesFrom returns the files that were written, the segments numbered from a number.
func (s *Sealer) entriesFrom(from int, header bool) (entries []gitstore.ThreadEntry) {
	for _, e := range s.entries {
		path := e.path
		if e.segment != headerSegment {
			path = segmentName(from+e.segment, strings.TrimPrefix(e.path, "-"))
		} else if !header {
			continue
		}
		entries = append(entries, gitstore.ThreadEntry{Path: path, Object: e.object})
	}
	return entries
}

func (s *Sealer) message() string {
	return fmt.Sprintf("session %s: %d events\n", s.header.ID, s.summary.Events)
}

// Seal moves the events of a session's journal into segments, but for those that are there
// already. It returns the commit that the session is at; "" if there is no session.
func (a *Archive) Seal(ctx context.Context, id string) (string, error) {
	return a.SealSome(ctx, id, math.MaxInt64)
}

// sealAfter is how long a journal rests before somebody else seals it.
const sealAfter = time.Minute

// SealLeft seals journals that nobody has written to for a while, the oldest first: of all
// together not many more bytes than most.
func (a *Archive) SealLeft(ctx context.Context, most int64) error {
	live, err := journal.Live(a.Folder("live"))
	if err != nil {
		return err
	}
	slices.SortFunc(live, func(x, y journal.Info) int { return x.Modified.Compare(y.Modified) })
	for _, j := range live {
		rests := a.Moment().Sub(j.Modified) // below 0 if a clock was set back
		if rests >= 0 && rests < sealAfter || !session.CheckID(j.ID) {
			continue
		}
		if _, err := a.SealSome(ctx, j.ID, most); err != nil {
			return err
		}
		if most -= j.Size; most <= 0 {
			break
		}
	}
	return nil
}

// SealSome is Seal of not many more bytes than most: what is left is for the next one.
func (a *Archive) SealSome(ctx context.Context, id string, most int64) (string, error) {
	state, err := a.State(id)
	if err != nil {
		return "", err
	}
	if state.Header.ID == "" {
		state.Header = session.Header{Format: session.Version, ID: id}
	}
	j := a.Journal(id)
	size, err := j.Size()
	if err != nil {
		return "", err
	}
	err = j.Seal(ctx, func(lines iter.Seq2[[]byte, error], artifact func(string) ([]byte, error)) (done int64, err error) {
		tip, err := a.TipOf(ctx, id)
		if err != nil {
			return 0, err
		}
		s, err := a.NewSealer(ctx, state.Header, tip)
		if err != nil {
			return 0, err
		}
		again := filepath.Join(a.LiveFolder(id), clone.AgainFile)
		sealed, err := s.was.lastIDs(ctx, size, exists(again))
		if err != nil {
			return 0, err
		}
		for line, err := range lines {
			if err != nil {
				return 0, err
			}
			if done >= most {
				break
			}
			done += int64(len(line)) + 1
			e, err := session.ParseLine(line)
			if err != nil {
				return 0, fmt.Errorf("seal session %s: %w", id, err)
			}
			if sealed[e.ID] { // by a process that was killed before it could remove it, or by another one
				continue
			}
			sealed[e.ID] = true
			stored, err := a.storedOf(&e, artifact, s.Knows)
			if err != nil {
				return 0, err
			}
			if err := s.Add(ctx, &e, append(slices.Clone(line), '\n'), stored); err != nil {
				return 0, err
			}
		}
		if _, err = s.Commit(ctx); err != nil {
			return 0, err
		}
		if done < size { // the mark stays
			return done, nil
		}
		if err := os.Remove(again); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		return done, nil
	})
	if err != nil {
		return "", err
	}
	return a.TipOf(ctx, id)
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// storedOf returns the artifacts that an event mentions and the session does not have.
func (a *Archive) storedOf(e *session.Event, read func(digest string) ([]byte, error), known func(digest string) bool) (stored []session.Stored, err error) {
	for _, digest := range e.Digests() {
		if known(digest) {
			continue
		}
		data, err := read(digest)
		if errors.Is(err, fs.ErrNotExist) {
			a.Memory.Log.Warn("an artifact of the journal is missing", "event", e.ID, "digest", digest)
			continue
		}
		if err != nil {
			return nil, err
		}
		stored = append(stored, session.Stored{Digest: digest, Data: data})
	}
	return stored, nil
}

// lastIDs returns the ids of the events in the last segments of a session: in so many that
// a journal of that size may have been sealed there, or in all.
func (s *Session) lastIDs(ctx context.Context, size int64, all bool) (map[string]bool, error) {
	list := segments(s.files)
	from := len(list)
	for last := int64(0); from > 0 && (all || last <= size); from-- {
		last += list[from-1].size
	}
	ids := map[string]bool{}
	for line, err := range s.lines(ctx, list[from:], false) {
		if err != nil {
			return nil, err
		}
		ids[session.LineID(line)] = true
	}
	return ids, nil
}
