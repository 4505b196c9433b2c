package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/internal/hint"
	"engram/memory/internal/archive"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/session"
	"engram/session/transcript"
)

// Recorder records sessions. It is safe for concurrent use.
type Recorder struct {
	*core.Memory
	archive *archive.Archive
}

// New returns the Recorder of a memory.
func New(m *core.Memory) *Recorder { return &Recorder{Memory: m, archive: archive.New(m)} }

// ImportInput says which transcripts to import.
type ImportInput struct {
	Files  []string  `json:"files"` // transcripts, or folders of them
	All    bool      `json:"all,omitempty" flag:"all" help:"the transcripts that the known clients keep of this repository"`
	Since  time.Time `json:"since,omitzero" flag:"since,,TIME" help:"transcripts that changed after TIME"`
	Label  string    `json:"label,omitempty" flag:"label,,LABEL" help:"LABEL of the events that are new: public, internal or private"`
	Home   string    `json:"-"` // where clients keep transcripts
	Getenv func(string) string
}

// ImportResult says what was imported.
type ImportResult struct {
	SchemaVersion int           `json:"schema_version"`
	Sessions      []Imported    `json:"sessions"`
	Files         int           `json:"files"`   // that were read
	Skipped       []SkippedFile `json:"skipped"` // that are no transcripts, or of other repositories
	Bytes         int64         `json:"bytes"`
	Events        int           `json:"events"`    // new ones
	Malformed     int           `json:"malformed"` // records that were kept as they are
	Redacted      int           `json:"redacted"`  // secrets that were replaced
	Omitted       int           `json:"omitted"`   // fields that nobody can read, left out
	Notes         []string      `json:"notes,omitempty"`
}

// Imported is a session that was imported.
type Imported struct {
	ID        string `json:"session_id"`
	Client    string `json:"client"`
	File      string `json:"file"`
	Records   int    `json:"records"` // that the transcript has, as far as it was read
	Events    int    `json:"events"`  // new ones
	Malformed int    `json:"malformed"`
	Redacted  int    `json:"redacted"`
	Revision  string `json:"revision"`
}

// SkippedFile is a file that was not imported.
type SkippedFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Import reads transcripts into the session store. A transcript that was read before is
// continued. Each file is a session of its own, or continues one; what was read of a file
// stays if a later one fails.
func (m *Recorder) Import(ctx context.Context, in ImportInput) (ImportResult, error) {
	result := ImportResult{SchemaVersion: core.SchemaVersion, Sessions: []Imported{}, Skipped: []SkippedFile{}}
	if in.Label != "" {
		if err := core.CheckOneOf("label", session.Label(in.Label), session.Labels()); err != nil {
			return result, err
		}
	}
	if in.All == (len(in.Files) > 0) {
		return result, core.UsageErrorf(hint.New("name transcripts or folders, or let engram find them with %s", hint.Field("all")), "name the transcripts to import")
	}
	files, err := in.find(m.WorkTree())
	if err != nil {
		return result, err
	}
	if in.All {
		exported, note := in.exportOpenCode(ctx, m.WorkTree(), copiesIn(m.Store.CommonDir()))
		for _, file := range exported {
			defer os.Remove(file) // it holds what was not scanned
		}
		if files = append(files, exported...); note != "" {
			result.Notes = append(result.Notes, note)
		}
	}
	if len(files) == 0 {
		result.Notes = append(result.Notes, "no client keeps a transcript of this repository here; name the file of one that is elsewhere")
	}
	g := &group{m: m, label: session.Label(in.Label), sealers: map[string]*archive.Sealer{}, result: &result}
	defer m.report(g, files)()
	for _, file := range files {
		before := g.done.Load()
		if err := m.importFile(ctx, in, file, g); err != nil {
			return result, fmt.Errorf("import %s: %w", file, errors.Join(err, g.commit(ctx)))
		}
		g.done.Store(before + sizeOf(file))
	}
	if err := g.commit(ctx); err != nil {
		return result, err
	}
	if err := g.noteLabels(ctx); err != nil {
		return result, err
	}
	if result.Events == 0 {
		return result, nil
	}
	g.indexing.Store(true)
	return result, m.archive.CatchUp(ctx)
}

// tick is how often an import tells how far it is.
const tick = 250 * time.Millisecond

// report tells how far an import is until it is stopped, also while one long line takes minutes.
func (m *Recorder) report(g *group, files []string) (stop func()) {
	total := int64(0)
	for _, file := range files {
		total += sizeOf(file)
	}
	ended := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(tick):
			}
			if g.indexing.Load() {
				m.Progress("indexing what was imported", 0, 0)
			} else {
				m.Progress("importing transcripts, KiB:", int(g.done.Load()>>10), int(total>>10))
			}
		}
	})
	return func() { close(ended); running.Wait() }
}

// sizeOf is the size of a file; 0 if there is no such file.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// Waiting counts the transcripts that clients keep of this repository and that were never
// read. It looks at the newest maxWaiting files.
func (m *Recorder) Waiting(home string, getenv func(string) string) (n int, err error) {
	files, err := ImportInput{All: true, Home: home, Getenv: getenv}.find(m.WorkTree())
	for _, file := range files[max(0, len(files)-maxWaiting):] {
		if m.archive.Cursor(file).Format == "" && m.isHere(file) {
			n++
		}
	}
	return n, err
}

const maxWaiting = 300

// isHere reports whether a transcript is the main one of a session in this work tree.
func (m *Recorder) isHere(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, headSize)
	read, _ := io.ReadFull(f, head)
	format := transcript.Detect(file, head[:read])
	if format == "" || strings.Contains(file, "subagents") || parentOf(file, format) != "" {
		return false
	}
	r := &reading{redactor: m.Scanner, cursor: clone.Cursor{Format: format}, whole: true}
	if format.Document() {
		return format == transcript.Gemini // its folder is of this work tree
	}
	r.lookAhead(f)
	return format.Client() == transcript.Gemini.Client() || r.folder != "" && inside(r.folder, m.WorkTree())
}

// find returns the files that an input means, the oldest first.
func (in ImportInput) find(top string) (files []string, err error) {
	add := func(file string) {
		if abs, err := filepath.Abs(file); err == nil && !slices.Contains(files, abs) {
			files = append(files, abs)
		}
	}
	if in.All {
		for _, f := range transcript.Formats() {
			for _, pattern := range f.Places(in.Home, in.Getenv, top) {
				found, err := filepath.Glob(pattern)
				if err != nil {
					return nil, err
				}
				for _, file := range found {
					add(file)
				}
			}
		}
	}
	for _, name := range in.Files {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, core.UsageErrorf(hint.New("name a transcript of an agent, or a folder of them"), "there is no file %s", name)
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			add(name)
			continue
		}
		err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				add(path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	modified := map[string]time.Time{}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			modified[file] = info.ModTime()
		}
	}
	if !in.Since.IsZero() {
		files = slices.DeleteFunc(files, func(file string) bool { return modified[file].Before(in.Since) })
	}
	slices.SortStableFunc(files, func(a, b string) int {
		// A sub-agent's transcript follows that of its session.
		return cmp.Or(cmp.Compare(strings.Count(a, "subagents"), strings.Count(b, "subagents")), modified[a].Compare(modified[b]), cmp.Compare(a, b))
	})
	return files, nil
}

// importFile reads one transcript into a group of sessions.
func (m *Recorder) importFile(ctx context.Context, in ImportInput, file string, g *group) error {
	release, err := m.archive.LockTranscript(ctx, file)
	if err != nil {
		return err
	}
	g.releases = append(g.releases, release)
	r := &reading{
		local: m.archive.Files, redactor: m.Scanner, now: m.Moment, sink: g, path: file, whole: true,
		cursor: m.archive.Cursor(file), targets: map[string]*target{}, limit: m.Sessions.ArtifactAbove, progress: &g.done,
	}
	for _, id := range r.cursor.Sessions {
		known, err := m.archive.Has(ctx, id)
		if err != nil {
			return err
		}
		if !known && g.sealers[id] == nil { // its reference was deleted
			r.cursor = clone.Cursor{}
		}
	}
	r.begin = func(ctx context.Context, own string, meta transcript.Meta) (*target, error) {
		return m.beginImport(ctx, in, r, g, own, meta)
	}
	err = r.run(ctx)
	switch {
	case errors.Is(err, errNoTranscript), errors.Is(err, errNoFile), errors.Is(err, errElsewhere), errors.Is(err, errNoFolder):
		g.result.Skipped = append(g.result.Skipped, SkippedFile{file, err.Error()})
		return nil
	case err != nil:
		return err
	}
	g.result.Files++
	g.result.Bytes += r.bytes
	return g.read(ctx, r)
}

// errElsewhere says that a transcript is of another repository.
var errElsewhere = errors.New("the session worked in another folder")

// errNoFolder says that a transcript may be of another repository.
var errNoFolder = errors.New("it names no folder, so it may be of another repository; import it by its name if it is of this one")

// beginImport prepares the session that a record belongs to.
func (m *Recorder) beginImport(ctx context.Context, in ImportInput, r *reading, g *group, own string, meta transcript.Meta) (*target, error) {
	folder := cmp.Or(meta.Cwd, r.folder)
	switch {
	case !in.All || folder == "" && r.cursor.Format.Client() == transcript.Gemini.Client(): // it keeps projects apart, and names none
	case folder == "":
		return nil, errNoFolder
	case !inside(folder, m.WorkTree()):
		return nil, errElsewhere
	}
	if own == "" {
		own = r.unnamed()
		if len(r.cursor.Sessions) > 0 {
			own = r.cursor.Sessions[0]
		}
	}
	t := &target{id: session.IDOf(own), known: map[string]int{}, items: map[int]string{}}
	if in.All && m.archive.Forgotten(t.id) {
		return nil, errForgotten
	}
	if g.has(t.id) { // another transcript of it was read just now
		if err := g.commit(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := m.archive.Seal(ctx, t.id); err != nil { // what hooks have left
		return nil, err
	}
	state, err := m.archive.State(t.id)
	if err != nil {
		return nil, err
	}
	if !state.Activity.IsZero() && !state.Ended { // hooks may read meanwhile what this adds
		if err := m.archive.SetAgain(t.id); err != nil {
			return nil, err
		}
	}
	known, err := m.archive.Has(ctx, t.id)
	if err != nil {
		return nil, err
	}
	if known { // otherwise its reference was deleted, and it begins again
		t.state = state
		if err := m.knowAll(ctx, t); err != nil {
			return nil, err
		}
	}
	if t.state.Header.ID == "" {
		t.state.Header = headerOf(t.id, r.cursor.Format, meta)
	}
	return t, nil
}

// errForgotten says that somebody removed the session.
var errForgotten = fmt.Errorf("%w: it was removed with forget; name the file to bring it back", errElsewhere)

// knowAll reads which events a session has, and where it stands if no state says.
func (m *Recorder) knowAll(ctx context.Context, t *target) error {
	s, err := m.archive.Open(ctx, t.id)
	if err != nil {
		return err
	}
	t.tip = s.Tip
	header, err := s.Header(ctx)
	if err != nil {
		return err
	}
	lost := t.state.Header.ID == ""
	t.state.Header = header
	isDocument := transcript.Format(header.Client).Document()
	if !lost && !isDocument {
		return s.EachID(ctx, func(id string, turn int) { t.known[id] = turn })
	}
	for e, err := range s.Events(ctx) {
		if err != nil {
			return err
		}
		t.known[e.ID] = e.Turn
		if e.Source != nil && isDocument {
			t.items[e.Source.Item] = e.ID
		}
		if lost {
			t.note([]session.Event{e})
		}
	}
	return nil
}

// inside reports whether a folder is a repository's work tree or below it.
func inside(folder, top string) bool {
	if top == "" {
		return true
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	below, err := filepath.Rel(top, folder)
	return err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}
