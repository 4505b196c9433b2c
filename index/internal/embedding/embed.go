// Package embedding keeps the vectors of the texts of an index: which have one, which are
// nearly the same, and the files that say so. It neither computes vectors, which an
// Embedder does, nor ranks by them. Claims are the texts of the index of facts; package
// index/events has its own.
package embedding

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"engram/internal/filelock"
	"engram/internal/vectors"
)

const (
	instantBatch = 1024 // texts embedded at once if that takes milliseconds
	slowBatch    = 8    // and if each takes a good part of a second
	// deadRows is how many rows beyond twice the number of standing claims the file may
	// have before all claims are read again; if most rows are unused then, the file is
	// compacted.
	deadRows = 4096
)

// ErrNoEmbedder reports that the index was made without an embedder.
var ErrNoEmbedder = errors.New("no model to embed with")

// Content is what vectors are made of.
type Content interface {
	// Update makes vectors for what stands in a revision and has none yet, by the methods
	// of call.
	Update(ctx context.Context, call *Call, revision string) error
	// Compares reports whether near-identical texts are looked for.
	Compares() bool
}

// Text is a text that gets a vector, with the key of that.
type Text struct {
	Key  uint64
	Text string
}

// Vectors is the vectors of the texts of one index, by the model that it was
// made with. It may be used from several goroutines and processes.
type Vectors struct {
	dir      string
	content  Content
	model    Embedder // nil: there are no vectors
	log      *slog.Logger
	progress func(task string, done, total int) // what embed is doing; may be nil

	mu     sync.Mutex
	shared *sharedVectors // nil: none yet
}

// New returns the vectors in the folder dir. It does no I/O.
func New(dir string, content Content, model Embedder, log *slog.Logger, tell func(task string, done, total int)) *Vectors {
	return &Vectors{dir: dir, content: content, model: model, log: log, progress: tell}
}

// Report says what the vectors reflect.
type Report struct {
	Model    string
	Revision string // every text of it has been looked at; "" for none yet
	Missing  int    // texts that stand in it and have no vector yet
	Embedded int    // by this call
	Replaced string // the model in use before, if this one had no vectors yet
	Busy     bool   // another process is embedding; this call did nothing
	Took     time.Duration
}

// Report says what the vectors of the index's model reflect; it computes none. A Revision
// of "" means that there are none to rely on.
func (x *Vectors) Report() Report {
	if x.model == nil {
		return Report{}
	}
	e := x.readEmbedded()
	if !x.unchanged(e) {
		return Report{Model: e.Model}
	}
	return Report{Model: e.Model, Revision: e.Revision, Missing: e.Missing}
}

// Standing is how many texts the last call of Embed left without a vector, and how many there
// were in all: 0 if that is not known.
func (x *Vectors) Standing() (missing, live int) {
	e := x.readEmbedded()
	if !x.unchanged(e) {
		return 0, 0
	}
	return e.Missing, e.Live
}

// Embed computes a vector for every text that stands in a revision, the newest
// first, and finds near-identical ones: all of them if thorough, otherwise what takes
// milliseconds, because somebody waits. It may be cancelled at any time and resumes where
// it stopped. Only one process embeds at a time; the others report Busy. The error is
// ErrNoEmbedder, or one of the embedder, of the source, of the file system or of ctx.
func (x *Vectors) Embed(ctx context.Context, revision string, thorough bool) (Report, error) {
	model := x.model
	if model == nil {
		return Report{}, ErrNoEmbedder
	}
	if e := x.readEmbedded(); e.Revision == revision && e.Missing == 0 && x.unchanged(e) && (!thorough || !x.content.Compares() || x.allCompared(e)) {
		return Report{Model: e.Model, Revision: revision}, nil
	}
	release, held, err := filelock.Try(filepath.Join(x.dir, LockFile), filelock.Exclusive)
	if err != nil {
		return Report{}, fmt.Errorf("embed: %w", err)
	}
	if !held {
		r := x.Report()
		r.Busy = true
		return r, nil
	}
	defer func() { _ = release() }()
	e := &Call{Vectors: x, thorough: thorough, State: x.readEmbedded()}
	e.report.Replaced = x.otherModel()
	start := time.Now()
	err = e.run(ctx, revision)
	e.report.Model, e.report.Revision, e.report.Missing = model.ID(), e.Revision, e.Missing
	e.report.Took = time.Since(start)
	if err != nil {
		return e.report, fmt.Errorf("embed: %w", err)
	}
	if thorough {
		x.forgetUnused(time.Now())
	}
	return e.report, nil
}

// Purge calls do while no process embeds, to remove vectors that must not be kept. Those of
// other models are removed, and so is what is known of the model's own, so that they are made
// again if do fails. call is nil if there are none of the model.
func (x *Vectors) Purge(ctx context.Context, do func(call *Call) error) error {
	release, err := filelock.Acquire(ctx, filepath.Join(x.dir, LockFile), filelock.Exclusive)
	if err != nil {
		return fmt.Errorf("remove vectors: %w", err)
	}
	defer func() { _ = release() }()
	_ = x.Close() // some systems do not remove a mapped file
	var call *Call
	folders, _ := filepath.Glob(filepath.Join(x.dir, vectorFolders))
	for _, folder := range folders {
		remove := folder
		if x.model != nil && folder == filepath.Dir(x.vectorPath(vectorFile)) {
			call = &Call{Vectors: x, thorough: true, State: x.readEmbedded()}
			remove = x.vectorPath(embeddedFile)
		}
		if err := os.RemoveAll(remove); err != nil {
			return fmt.Errorf("remove vectors: %w", err)
		}
	}
	return do(call)
}

// IsFolder reports whether a name in the folder of an index is that of vectors.
func IsFolder(name string) bool {
	is, _ := filepath.Match(vectorFolders, name)
	return is
}

// allCompared reports whether every row was compared with the others.
func (x *Vectors) allCompared(e State) bool {
	file, err := vectors.Open(x.vectorPath(vectorFile))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = file.Close() }()
	return e.Related >= file.Len() && e.Neighbours == sizeOf(x.vectorPath(neighbourFile))
}

// Call is a call that holds the lock.
type Call struct {
	*Vectors
	State
	thorough bool
	report   Report
}

func (e *Call) run(ctx context.Context, revision string) error {
	if err := filelock.MakeFolder(e.vectorPath("")); err != nil {
		return err
	}
	if err := e.content.Update(ctx, e, revision); err != nil {
		return err
	}
	e.Revision, e.Missing = revision, 0
	if e.content.Compares() {
		if err := e.findRelated(ctx); err != nil {
			return errors.Join(err, e.Save())
		}
	}
	return e.Save()
}

// Open opens the vectors of the model; nil, after starting over, if there are none that
// can be used.
func (e *Call) Open() (*vectors.File, error) {
	file, err := vectors.Open(e.vectorPath(vectorFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, e.StartOver()
	case errors.Is(err, vectors.ErrDamaged):
		e.log.Warn("rebuilding damaged vectors", "error", err)
		return nil, e.StartOver()
	case err != nil:
		return nil, errors.Join(err, e.StartOver()) // such as a folder; the next call finds nothing
	}
	if file.Stamp() != e.stamp() || !e.unchanged(e.State) && file.Check() != nil {
		return nil, errors.Join(file.Close(), e.StartOver())
	}
	if e.Neighbours != sizeOf(e.vectorPath(neighbourFile)) {
		if err := e.forgetNeighbours(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// StartOver removes vectors that cannot be relied on.
func (e *Call) StartOver() error {
	_ = e.Close() // some systems do not remove a mapped file
	e.State = State{Model: e.model.ID()}
	return errors.Join(os.RemoveAll(e.vectorPath(vectorFile)), e.forgetNeighbours())
}

func (e *Call) stamp() vectors.Stamp {
	return vectors.Stamp{Model: e.model.ID(), Dimensions: e.model.Dimensions()}
}

// BatchSize is how many texts are embedded, and written, at once.
func (e *Call) BatchSize() int {
	if e.model.Instant() {
		return instantBatch
	}
	return slowBatch
}

// Add computes the vectors of texts in batches; each batch is written before the next
// begins. total is how many texts this call is to add in all.
func (e *Call) Add(ctx context.Context, texts []Text, total int) error {
	size := e.BatchSize()
	for part := range slices.Chunk(texts, size) {
		words, keys := make([]string, len(part)), make([]uint64, len(part))
		for i, t := range part {
			words[i], keys[i] = t.Text, t.Key
		}
		rows, err := e.model.Embed(ctx, words)
		if err == nil {
			err = vectors.Append(e.vectorPath(vectorFile), e.stamp(), keys, rows)
		}
		if err != nil {
			return err
		}
		e.seal()
		e.report.Embedded += len(part)
		e.Missing = max(0, e.Missing-len(part))
		if total > size {
			e.Tell("embedding", e.report.Embedded, total)
			if err := e.Save(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tell reports the progress of a task.
func (e *Call) Tell(task string, done, total int) {
	if e.progress != nil {
		e.progress(task, done, total)
	}
}

// Keep rewrites the file with only the vectors of some keys.
func (e *Call) Keep(file *vectors.File, digests []uint64) error {
	draft := e.vectorPath(vectorFile + ".compact")
	_ = os.Remove(draft)
	defer func() { _ = os.Remove(draft) }()
	slices.Sort(digests)
	for part := range slices.Chunk(slices.Compact(digests), instantBatch) {
		rows := make([][]float32, len(part))
		for i, digest := range part {
			row, _ := file.Row(digest)
			rows[i] = file.Vector(row)
		}
		if err := vectors.Append(draft, e.stamp(), part, rows); err != nil {
			return err
		}
	}
	if err := e.forgetNeighbours(); err != nil {
		return err
	}
	_ = e.Close() // some systems do not replace a mapped file
	return os.Rename(draft, e.vectorPath(vectorFile))
}
