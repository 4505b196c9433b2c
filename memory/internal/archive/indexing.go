package archive

import (
	"context"
	"encoding/json"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"engram/gitstore"
	"engram/index/events"
	"engram/memory/internal/core"
	"engram/session"
)

// maxIndexed is how many bytes of an artifact are indexed.
const maxIndexed = 1 << 20

// sharedIndex is the one index of events that all archives of a memory use, so that its vectors
// are mapped once.
type sharedIndex struct {
	once  sync.Once
	index *events.Index
	tail  tail
}

func (a *Archive) newIndex() (*events.Index, *tail) {
	shared := core.CacheOf[sharedIndex](a.Memory)
	shared.once.Do(func() {
		shared.index = events.New(a.Folder("index"), indexSource{a}, &events.Options{
			Logger:    a.Memory.Log,
			Progress:  func(done, total int) { a.Progress("indexing sessions", done, total) },
			Embedder:  a.Memory.Embedder,
			Embedding: func(task string, done, total int) { a.Progress(task+" what sessions said", done, total) },
			Kinds:     meaningKinds(), Meaning: meaning,
		})
	})
	return shared.index, &shared.tail
}

// Close releases what is kept between searches of events. The memory may be used afterwards.
func (a *Archive) Close() error { return a.index.Close() }

// CatchUp brings the index of events up to what is sealed.
func (a *Archive) CatchUp(ctx context.Context) error {
	_, err := a.index.CatchUp(ctx)
	return err
}

// VectorReport says what the vectors of events reflect.
type VectorReport = events.VectorReport

// Embed makes vectors of the events that have none yet, the newest first, if there is a model.
func (a *Archive) Embed(ctx context.Context) (VectorReport, error) { return a.index.Embed(ctx) }

// indexSource shows the sealed sessions to the index of events.
type indexSource struct{ a *Archive }

// Tips is that of events.Source.
func (src indexSource) Tips(ctx context.Context) (map[string]string, error) {
	refs, err := src.a.Store.Threads(ctx)
	if err != nil {
		return nil, err
	}
	tips := make(map[string]string, len(refs))
	for ref, tip := range refs {
		if id := session.IDOfRef(ref); id != "" {
			tips[id] = tip
		}
	}
	return tips, nil
}

// Events is that of events.Source.
func (src indexSource) Events(ctx context.Context, id, from, to string) iter.Seq2[events.Doc, error] {
	return func(yield func(events.Doc, error) bool) {
		if from != "" {
			relation, err := src.a.Store.Relation(ctx, from, to)
			if err == nil && relation != gitstore.Ahead {
				err = events.ErrRewritten
			}
			if err != nil {
				yield(events.Doc{}, events.ErrRewritten)
				return
			}
		}
		added, err := src.a.Store.Changed(ctx, from, to)
		if err != nil {
			yield(events.Doc{}, err)
			return
		}
		s := &Session{ID: id, Tip: to, a: src.a, blobs: map[string][]gitstore.ThreadFile{}}
		for _, entry := range added {
			file := gitstore.ThreadFile{Path: entry.Path, Object: entry.Object}
			s.files = append(s.files, file)
			if digest := digestOf(entry.Path); digest != "" {
				s.blobs[digest] = append(s.blobs[digest], file)
			}
		}
		var header session.Header // only the first commit of a session adds it, so that of the tip is read
		if whole, err := src.a.Open(ctx, id); err == nil {
			header, _ = whole.Header(ctx) // without it, paths stay as the client writes them
		}
		for e, err := range s.eventsOf(ctx, segments(s.files), false) {
			if err != nil {
				yield(events.Doc{}, err)
				return
			}
			doc := s.document(ctx, &e)
			doc.Client = header.Client
			for i, path := range doc.Paths {
				doc.Paths[i] = src.a.inRepository(path, header.Folder)
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
}

// inRepository is a path as seen from the top of the repository, if it is in there; folder
// is where the client worked, maybe on another machine.
func (a *Archive) inRepository(path, folder string) string {
	for _, top := range []string{a.WorkTree(), folder} {
		if below, ok := strings.CutPrefix(filepath.ToSlash(path), strings.TrimRight(filepath.ToSlash(top), "/")+"/"); ok && top != "" {
			return below
		}
	}
	return path
}

// document returns an event as it is indexed: with the text of its artifacts.
func (s *Session) document(ctx context.Context, e *session.Event) events.Doc {
	text := e.Plain()
	for _, artifact := range e.Artifacts {
		if !isText(artifact.MediaType) {
			continue
		}
		if !s.HasArtifact(artifact.Digest) { // stored by an earlier event of the session
			text += "\n" + artifact.Preview
			continue
		}
		data, err := s.Artifact(ctx, artifact.Digest)
		if err != nil {
			s.a.Memory.Log.Debug("an artifact is not indexed", "session", s.ID, "error", err)
			continue
		}
		text += "\n" + ends(data)
	}
	return events.Doc{
		Session: s.ID, Event: e.ID, Turn: e.Turn, At: e.At, Kind: string(e.Kind), Agent: e.Agent, Sub: e.SubAgent, Tool: e.Tool,
		Label: string(e.Label), Branch: e.Branch, Paths: e.Paths, Commits: e.Commits, Tags: e.Tags, Text: text,
		Supersedes: e.Supersedes, Stored: s.stored(e),
	}
}

// kept is an event as the index keeps it, so that a hit can be read without its segment. Objects
// are those that have the bytes of its artifacts, by their digests.
type kept struct {
	session.Event
	Objects map[string][]string `json:"objects,omitempty"`
}

func (s *Session) stored(e *session.Event) []byte {
	k := kept{Event: *e}
	for _, a := range e.Artifacts {
		for _, part := range s.parts(a.Digest) {
			if k.Objects == nil {
				k.Objects = make(map[string][]string)
			}
			k.Objects[a.Digest] = append(k.Objects[a.Digest], part.Object)
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		s.a.Memory.Log.Debug("an event is not kept in the index", "event", e.ID, "error", err)
		return nil
	}
	return text
}

// isText reports whether the content of an artifact is text.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml") || strings.Contains(mediaType, "yaml")
}

// ends returns the beginning and the end of a content that is longer than maxIndexed.
func ends(data []byte) string {
	if len(data) > maxIndexed {
		data = append(append(data[:maxIndexed/2:maxIndexed/2], '\n'), data[len(data)-maxIndexed/2:]...)
	}
	if !utf8.Valid(data) {
		return strings.ToValidUTF8(string(data), " ")
	}
	return string(data)
}
