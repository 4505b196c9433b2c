package events

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"maps"
	"runtime"
	"slices"
	"sync"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/catchup"
	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

const (
	// layoutVersion changes with documents, their names, fields and filter terms.
	// Changing it makes every existing index be rebuilt.
	layoutVersion = 2
	// What becomes a segment at once is bounded by the bytes of its text, which
	// decide how much memory it takes, and by the number of its events.
	batchBytes = 1 << 20
	batchCount = store.BatchSize
	// A chunk is what one goroutine analyzes at a time.
	chunkBytes = 128 << 10
	chunkCount = 256
	// unfinished is the revision of an index that reflects a part of a change.
	unfinished = "unfinished"
)

// content is the content of an index of events (catchup.Content), for one call.
type content struct {
	source   Source
	progress func(done, total int)
	seen     []string // the digests of tips that were read
}

// tips reads the tips as they are now.
func (c *content) tips(ctx context.Context) (map[string]string, string, error) {
	tips, err := c.source.Tips(ctx)
	if err != nil {
		return nil, "", &version.SourceError{Err: err}
	}
	revision := digest(tips)
	c.seen = append(c.seen, revision)
	return tips, revision, nil
}

// Fits is catchup.Content's.
func (c *content) Fits(st store.Stamp) bool {
	return st.Layout == layoutVersion && st.Analysis == store.AnalysisVersion
}

// Build is catchup.Content's. The tips that it reads may be newer than revision.
func (c *content) Build(ctx context.Context, s *store.Store, _ string) (store.Stamp, int, error) {
	st := store.Stamp{Layout: layoutVersion, Analysis: store.AnalysisVersion, Build: rand.Text()}
	tips, revision, err := c.tips(ctx)
	if err != nil {
		return st, 0, err
	}
	st.Revision = revision
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *bleveapi.Batch)
	// One writer, beside those that analyze: a second one was no faster, and took a third
	// more memory.
	var writer sync.WaitGroup
	writer.Go(func() {
		for batch := range work {
			if err := s.Write(batch, nil); err != nil {
				cancel(err)
			}
		}
	})
	indexed := 0
	for p, err := range c.portions(ctx, changed(nil, tips), st) {
		if err != nil {
			cancel(err)
			break
		}
		indexed += p.Indexed
		work <- p.Batch
	}
	close(work)
	writer.Wait()
	if err := context.Cause(ctx); err != nil {
		return st, indexed, err
	}
	return st, indexed, s.Write(bleveapi.NewBatch(), &st)
}

// Plan is catchup.Content's. It compares the index with the tips as they are now, which
// may be newer than revision: other processes have read them at other times.
func (c *content) Plan(ctx context.Context, s *store.Store, st store.Stamp, _ string) (iter.Seq2[catchup.Portion, error], error) {
	tips, revision, err := c.tips(ctx)
	if err != nil {
		return nil, err
	}
	to := st
	if to.Revision = revision; to.Revision == st.Revision {
		return nil, nil
	}
	have, err := reflected(s)
	if err != nil {
		return nil, catchup.Damaged(err, st)
	}
	return c.portions(ctx, changed(have, tips), to), nil
}

// change is what an index has to learn of a session.
type change struct{ session, from, to string } // to "": the session is gone

// changed compares what an index reflects with the tips.
func changed(have, tips map[string]string) (changes []change) {
	for _, session := range slices.Sorted(maps.Keys(have)) {
		if _, ok := tips[session]; !ok {
			changes = append(changes, change{session, have[session], ""})
		}
	}
	for _, session := range slices.Sorted(maps.Keys(tips)) {
		if have[session] != tips[session] {
			changes = append(changes, change{session, have[session], tips[session]})
		}
	}
	return changes
}

// portions are the batches that make an index reflect to.
func (c *content) portions(ctx context.Context, changes []change, to store.Stamp) iter.Seq2[catchup.Portion, error] {
	return func(yield func(catchup.Portion, error) bool) {
		p, size, done := newPortion(to), 0, 0
		p.To.Revision = unfinished
		for chunk, err := range c.analyzed(ctx, changes) {
			if err != nil {
				yield(catchup.Portion{}, err)
				return
			}
			if chunk.cut || size+chunk.bytes > batchBytes || p.Indexed+len(chunk.documents) > batchCount {
				if p.Indexed > 0 && !yield(p, nil) {
					return
				}
				if p.Indexed > 0 {
					p, size = newPortion(to), 0
					p.To.Revision = unfinished
				}
			}
			chunk.addTo(&p)
			size += chunk.bytes
			if done += len(chunk.ended); c.progress != nil && len(chunk.ended) > 0 {
				c.progress(done, len(changes))
			}
		}
		p.To = to
		yield(p, nil)
	}
}

func newPortion(to store.Stamp) catchup.Portion {
	return catchup.Portion{Batch: bleveapi.NewBatch(), To: to}
}

// chunk is a part of the events of some sessions, in order.
type chunk struct {
	docs      []Doc
	documents []*version.Document // docs, analyzed
	bytes     int
	dropped   []string // the sessions that go, or begin again
	ended     []change // what is complete with it
	cut       bool     // it must not be in one batch with what was before
}

func (k *chunk) addTo(p *catchup.Portion) {
	for _, d := range k.documents {
		p.Batch.Update(d)
	}
	p.Indexed += len(k.documents)
	for _, session := range k.dropped {
		p.Drop = append(p.Drop, version.FilterTerm(bySession, session))
	}
	for _, e := range k.ended {
		if e.from != "" {
			p.Batch.Delete(version.StoredID(tipName(e.session, e.from)))
		}
		if e.to != "" {
			p.Batch.Update(tipDocument(e.session, e.to))
		}
	}
}

// analyzed yields the chunks of some changes in order. Several goroutines analyze, while
// another one reads.
func (c *content) analyzed(ctx context.Context, changes []change) iter.Seq2[*chunk, error] {
	return func(yield func(*chunk, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := runtime.GOMAXPROCS(0)
		analyzers := make(chan *terms.Analyzer, workers)
		for range workers {
			analyzers <- &terms.Analyzer{}
		}
		queue := make(chan chan *chunk, workers)
		var failed error
		go func() {
			defer close(queue)
			failed = c.read(ctx, changes, func(k *chunk) bool {
				result := make(chan *chunk, 1)
				select {
				case queue <- result:
				case <-ctx.Done():
					return false
				}
				a := <-analyzers
				go func() {
					k.analyze(a)
					analyzers <- a
					result <- k
				}()
				return true
			})
		}()
		defer func() { // the source must not be read any more after the end
			cancel()
			for range queue {
			}
		}()
		for result := range queue {
			if !yield(<-result, nil) {
				return
			}
		}
		if failed != nil {
			yield(nil, failed)
		}
	}
}

func (k *chunk) analyze(a *terms.Analyzer) {
	k.documents = make([]*version.Document, len(k.docs))
	for i, d := range k.docs {
		k.documents[i] = document(a, d)
	}
	k.docs = nil
}

// read reads the events of changes, and passes them on in chunks until send returns
// false.
func (c *content) read(ctx context.Context, changes []change, send func(*chunk) bool) error {
	k := &chunk{}
	flush := func() error {
		if !send(k) {
			return context.Cause(ctx)
		}
		k = &chunk{}
		return nil
	}
	for _, change := range changes {
		if change.to == "" {
			k.dropped = append(k.dropped, change.session)
		} else if err := c.readSession(ctx, change, &k, flush); err != nil {
			return err
		}
		k.ended = append(k.ended, change)
		if len(k.ended) >= chunkCount {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func (c *content) readSession(ctx context.Context, change change, k **chunk, flush func() error) error {
	read := 0
	for d, err := range c.source.Events(ctx, change.session, change.from, change.to) {
		if errors.Is(err, ErrRewritten) && change.from != "" {
			if read > 0 {
				if err := flush(); err != nil {
					return err
				}
				(*k).cut = true
			}
			(*k).dropped = append((*k).dropped, change.session)
			change.from = ""
			return c.readSession(ctx, change, k, flush)
		}
		if err != nil {
			return &version.SourceError{Err: err}
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		d.Session = change.session
		(*k).docs = append((*k).docs, d)
		(*k).bytes += min(len(d.Text), maxHead+maxTail)
		read++
		if (*k).bytes >= chunkBytes || len((*k).docs) >= chunkCount {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
