package catchup

import (
	"context"
	"crypto/rand"
	"iter"
	"runtime"
	"sync"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// Build indexes every state of the revision's history.
func (f *Facts) Build(ctx context.Context, s *store.Store, revision string) (store.Stamp, int, error) {
	b := &builder{Facts: f, store: s}
	err := b.run(ctx, revision)
	return b.stamp, b.indexed, err
}

// builder fills an empty store with every state of a revision's history.
type builder struct {
	*Facts
	store   *store.Store
	mu      sync.Mutex // guards what follows
	stamp   store.Stamp
	indexed int
	done    int
	total   int
}

// run reads the states in the calling goroutine and indexes them in one goroutine for each
// processor.
func (b *builder) run(ctx context.Context, revision string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.stamp = store.Stamp{Layout: store.LayoutVersion, Analysis: store.AnalysisVersion, Concepts: b.ConceptsVersion, Revision: revision, Build: rand.Text()}
	states, total, err := b.Source.States(ctx, revision)
	if err != nil {
		return &version.SourceError{Err: err}
	}
	b.total = total
	work := make(chan []*version.History, 2)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			if err := b.work(ctx, work); err != nil {
				cancel(err)
			}
		})
	}
	err = feed(ctx, states, work)
	close(work)
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	return b.store.Write(bleveapi.NewBatch(), &b.stamp)
}

const chunkSize = 256 // states that a worker receives at a time

// feed gathers the states by key and passes them on.
func feed(ctx context.Context, states iter.Seq2[version.State, error], work chan<- []*version.History) error {
	var chunk []*version.History
	size := 0
	send := func() bool {
		select {
		case work <- chunk:
			chunk, size = nil, 0
			return true
		case <-ctx.Done():
			return false
		}
	}
	for state, err := range states {
		if err != nil {
			return &version.SourceError{Err: err}
		}
		if len(chunk) == 0 || chunk[len(chunk)-1].Key != state.Key {
			if size >= chunkSize && !send() {
				return context.Cause(ctx)
			}
			chunk = append(chunk, version.NewHistory(state.Key))
		}
		h := chunk[len(chunk)-1]
		h.Add(state.Blob, state.Tip)
		h.Data[state.Blob] = notNil(state.Data)
		size++
	}
	if !send() {
		return context.Cause(ctx)
	}
	return nil
}

// work turns states into documents and writes them, until there is no more.
func (b *builder) work(ctx context.Context, work <-chan []*version.History) error {
	a := &terms.Analyzer{}
	batch := bleveapi.NewBatch()
	for chunk := range work {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		states := 0
		for _, h := range chunk {
			states += len(h.Data)
			if err := b.index(ctx, a, batch, h); err != nil {
				return err
			}
		}
		if len(batch.IndexOps) >= store.BatchSize {
			if err := b.store.Write(batch, nil); err != nil {
				return err
			}
			batch.Reset()
		}
		b.progress(states)
	}
	if len(batch.IndexOps) == 0 || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return b.store.Write(batch, nil)
}

func (b *builder) index(ctx context.Context, a *terms.Analyzer, batch *bleveapi.Batch, h *version.History) error {
	versions, skipped, err := h.Read(ctx, b.Source, b.Concepts)
	if err != nil {
		return err
	}
	for _, v := range versions {
		batch.Update(version.NewDocument(a, v))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.indexed += len(versions)
	b.stamp.Skipped += len(skipped)
	return nil
}

// progress reports progress, from one goroutine at a time.
func (b *builder) progress(states int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += states
	if b.Progress != nil {
		b.Progress(b.done, b.total)
	}
}

// notNil turns unreadable content into content that is not a fact; nil would mean that it
// is still to be read.
func notNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
