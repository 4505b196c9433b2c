package index

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"engram/index/internal/catchup"
	"engram/index/internal/embedding"
	"engram/index/internal/rank"
	"engram/index/internal/score"
	"engram/index/internal/store"
	"engram/index/internal/survey"
	"engram/index/internal/version"
)

// Index is the index of one memory branch in one folder. Between calls it keeps
// its vectors mapped, until Close, and itself open for a minute. Its methods may be called from several
// goroutines, and several processes may have an Index on the same folder.
type Index struct {
	folder  *catchup.Folder
	facts   *catchup.Facts
	vectors *embedding.Vectors
	scratch score.Scratch
	columns survey.Cache
}

// New returns the index of src in the folder dir. It does no I/O.
func New(dir string, src version.Source, opts *Options) *Index {
	o := *cmp.Or(opts, &Options{})
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Concepts == nil {
		o.Concepts = func(string) []string { return nil }
	}
	content := &catchup.Facts{Source: src, Progress: o.Progress, Concepts: o.Concepts, ConceptsVersion: o.ConceptsVersion}
	return &Index{
		folder:  &catchup.Folder{Dir: dir, Content: content, Logger: o.Logger, Kept: catchup.NewKept()},
		facts:   content,
		vectors: embedding.New(dir, embedding.Claims{Source: src}, o.Embedder, o.Logger, o.Embedding),
	}
}

// View brings the index up to revision and calls fn with it, open for reading;
// nobody writes until fn returns. An index that is ahead of revision is used as it
// is. The report says which revision fn saw. fn may be nil.
//
// An index that is damaged, of another version of engram or of a history that was
// rewritten is rebuilt. If the damage shows only while fn searches, fn is called a
// second time after the rebuild.
//
// If the folder cannot be written or the disk is full, fn gets the index as it
// stands, however far behind, or, if there is none, an index in memory that is gone
// afterwards. Errors are those of fn, of the source and of ctx.
func (x *Index) View(ctx context.Context, revision string, fn func(*rank.View) error) (catchup.Report, error) {
	return x.folder.View(ctx, revision, x.reader(fn))
}

// CatchUp brings the index up to revision. See View.
func (x *Index) CatchUp(ctx context.Context, revision string) (catchup.Report, error) {
	return x.folder.View(ctx, revision, nil)
}

// Glance calls fn with the index as it stands, however far behind. It neither waits
// for writers nor writes. The error wraps ErrNotReady if there is no index, or one
// that View would rebuild.
func (x *Index) Glance(ctx context.Context, fn func(*rank.View) error) (catchup.Report, error) {
	return x.folder.Glance(ctx, x.reader(fn))
}

// reader shows fn an open index as a View.
func (x *Index) reader(fn func(*rank.View) error) func(*store.Store, store.Stamp) error {
	if fn == nil {
		return nil
	}
	return func(s *store.Store, st store.Stamp) error {
		vectors := x.vectors.Lend()
		defer vectors.Close()
		return fn(rank.NewView(s, st, vectors, x.facts.Concepts, &x.scratch, &x.columns, x.folder.Awaited))
	}
}

// Stats describes the index as it stands and changes nothing. If there is none the
// result is zero. The error says what is wrong with an index that cannot be used.
func (x *Index) Stats(ctx context.Context) (catchup.Stats, error) { return x.folder.Stats(ctx) }

// Remove removes the index, so that the next call rebuilds it. It waits for readers
// and writers to finish; none needs to know.
func (x *Index) Remove(ctx context.Context) error { return x.folder.Remove(ctx) }

// Forget removes what must not be kept: the index, the vectors of all models, and
// what builders left that died. It also waits for a process that embeds.
func (x *Index) Forget(ctx context.Context) error {
	return x.folder.Forget(ctx, embedding.LockFile, x.vectors.Close)
}

// Vectors says what the vectors of the index's model reflect; it computes none. A
// Revision of "" means that there are none to rely on.
func (x *Index) Vectors() embedding.Report { return x.vectors.Report() }

// Embed computes a vector for every claim that stands in a revision, the newest
// claims first, and finds near-identical ones: all of them if it is thorough,
// otherwise what takes milliseconds, because somebody waits. It may be cancelled at
// any time and resumes where it stopped. Only one process embeds at a time; to the
// others the report says that it is busy. The error is ErrNoEmbedder, or one of the
// embedder, of the source, of the file system or of ctx.
func (x *Index) Embed(ctx context.Context, revision string, thorough bool) (embedding.Report, error) {
	return x.vectors.Embed(ctx, revision, thorough)
}

// Close releases what the Index keeps between calls. It may be used afterwards.
func (x *Index) Close() error { return errors.Join(x.folder.Kept.Close(), x.vectors.Close()) }
