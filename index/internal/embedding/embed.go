// Package embedding keeps the vectors of the claims of an index: which claims have
// one, which are nearly the same, and the files that say so. It neither computes
// vectors, which an Embedder does, nor ranks by them.
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

	"engram/index/internal/version"
	"engram/internal/filelock"
	"engram/internal/vectors"
)

const (
	instantBatch = 1024 // claims embedded at once if that takes milliseconds
	slowBatch    = 8    // and if each takes a good part of a second
	// deadRows is how many rows beyond twice the number of standing claims the file may
	// have before all claims are read again; if most rows are unused then, the file is
	// compacted.
	deadRows = 4096
)

// ErrNoEmbedder reports that the index was made without an embedder.
var ErrNoEmbedder = errors.New("no model to embed with")

// Vectors is the vectors of the claims of one index, by the model that it was
// made with. It may be used from several goroutines and processes.
type Vectors struct {
	dir      string
	src      version.Source
	model    Embedder // nil: there are no vectors
	log      *slog.Logger
	progress func(task string, done, total int) // what embed is doing; may be nil

	mu     sync.Mutex
	shared *sharedVectors // nil: none yet
}

// New returns the vectors in the folder dir. It does no I/O.
func New(dir string, src version.Source, model Embedder, log *slog.Logger, tell func(task string, done, total int)) *Vectors {
	return &Vectors{dir: dir, src: src, model: model, log: log, progress: tell}
}

// Report says what the vectors reflect.
type Report struct {
	Model    string
	Revision string // every claim of it has been looked at; "" for none yet
	Missing  int    // claims that stand in it and have no vector yet
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

// Embed computes a vector for every claim that stands in a revision, the newest claims
// first, and finds near-identical ones: all of them if thorough, otherwise what takes
// milliseconds, because somebody waits. It may be cancelled at any time and resumes where
// it stopped. Only one process embeds at a time; the others report Busy. The error is
// ErrNoEmbedder, or one of the embedder, of the source, of the file system or of ctx.
func (x *Vectors) Embed(ctx context.Context, revision string, thorough bool) (Report, error) {
	model := x.model
	if model == nil {
		return Report{}, ErrNoEmbedder
	}
	if e := x.readEmbedded(); e.Revision == revision && e.Missing == 0 && x.unchanged(e) && (!thorough || x.allCompared(e)) {
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
	e := &embedCall{Vectors: x, thorough: thorough, state: x.readEmbedded()}
	e.report.Replaced = x.otherModel()
	start := time.Now()
	err = e.run(ctx, revision)
	e.report.Model, e.report.Revision, e.report.Missing = model.ID(), e.state.Revision, e.state.Missing
	e.report.Took = time.Since(start)
	if err != nil {
		return e.report, fmt.Errorf("embed: %w", err)
	}
	if thorough {
		x.forgetUnused(time.Now())
	}
	return e.report, nil
}

// allCompared reports whether every row was compared with the others.
func (x *Vectors) allCompared(e state) bool {
	file, err := vectors.Open(x.vectorPath(vectorFile))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = file.Close() }()
	return e.Related >= file.Len() && e.Neighbours == sizeOf(x.vectorPath(neighbourFile))
}

// embedCall is a call of Embed that holds the lock.
type embedCall struct {
	*Vectors
	thorough bool
	state    state
	report   Report
}

func (e *embedCall) run(ctx context.Context, revision string) error {
	if err := filelock.MakeFolder(e.vectorPath("")); err != nil {
		return err
	}
	claims, err := e.claims(ctx, revision)
	if err != nil {
		return err
	}
	if err := e.embedAll(ctx, claims); err != nil {
		return err
	}
	e.state.Revision, e.state.Missing = revision, 0
	return errors.Join(e.findRelated(ctx), e.save())
}

// open opens the vectors of the model; nil, after starting over, if there are none that
// can be used.
func (e *embedCall) open() (*vectors.File, error) {
	file, err := vectors.Open(e.vectorPath(vectorFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, e.startOver()
	case errors.Is(err, vectors.ErrDamaged):
		e.log.Warn("rebuilding damaged vectors", "error", err)
		return nil, e.startOver()
	case err != nil:
		return nil, errors.Join(err, e.startOver()) // such as a folder; the next call finds nothing
	}
	if file.Stamp() != e.stamp() || !e.unchanged(e.state) && file.Check() != nil {
		return nil, errors.Join(file.Close(), e.startOver())
	}
	if e.state.Neighbours != sizeOf(e.vectorPath(neighbourFile)) {
		if err := e.forgetNeighbours(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// startOver removes vectors that cannot be relied on.
func (e *embedCall) startOver() error {
	_ = e.Close() // some systems do not remove a mapped file
	e.state = state{Model: e.model.ID()}
	return errors.Join(os.RemoveAll(e.vectorPath(vectorFile)), e.forgetNeighbours())
}

func (e *embedCall) stamp() vectors.Stamp {
	return vectors.Stamp{Model: e.model.ID(), Dimensions: e.model.Dimensions()}
}

// embedAll computes the vectors of claims in batches; each batch is written before the
// next begins.
func (e *embedCall) embedAll(ctx context.Context, claims []newClaim) error {
	size := slowBatch
	if e.model.Instant() {
		size = instantBatch
	}
	done := 0
	for part := range slices.Chunk(claims, size) {
		texts, keys := make([]string, len(part)), make([]uint64, len(part))
		for i, c := range part {
			texts[i], keys[i] = c.text, c.digest
		}
		rows, err := e.model.Embed(ctx, texts)
		if err == nil {
			err = vectors.Append(e.vectorPath(vectorFile), e.stamp(), keys, rows)
		}
		if err != nil {
			return err
		}
		e.seal()
		done += len(part)
		e.report.Embedded += len(part)
		e.state.Missing = max(0, e.state.Missing-len(part))
		if len(claims) > size {
			e.tell("embedding", done, len(claims))
			if err := e.save(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *embedCall) tell(task string, done, total int) {
	if e.progress != nil {
		e.progress(task, done, total)
	}
}
