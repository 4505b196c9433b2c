package memory

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// What stands for memories beside the names of sources.
const (
	Ours     = "ours" // this memory
	NoSource = "none" // this memory alone
)

// others are the memories of sources, kept open from one question to the next.
type others struct {
	mu   sync.Mutex
	open map[string]*Memory
}

func (o *others) close() (err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range o.open {
		err = errors.Join(err, m.index.Close())
	}
	o.open = nil
	return err
}

// openSource is the memory of a source, to be read. What is derived from it lies
// in a folder of its own, under the source's name.
func (m *Memory) openSource(src gitstore.Source) *Memory {
	m.others.mu.Lock()
	defer m.others.mu.Unlock()
	known := m.others.open[src.Name]
	if known != nil && reflect.DeepEqual(*known.from, src) {
		return known
	}
	if known != nil {
		_ = known.index.Close() // it may still be used, and closes what that opens then
	}
	other := &Memory{
		store: m.store.OnRef(src.Ref(), src.Name, m.sourceDir(src.Name)), scanner: m.scanner, now: m.now, newID: m.newID,
		progress: m.progress, log: m.log, classify: m.classify, embedder: m.embedder, noModel: m.noModel, weights: m.weights, from: &src,
	}
	other.index = other.newIndex("indexing " + src.Name)
	if m.others.open == nil {
		m.others.open = make(map[string]*Memory)
	}
	m.others.open[src.Name] = other
	return other
}

func (m *Memory) sourceDir(name string) string {
	return filepath.Join(m.store.StateDir(), "sources", name)
}

// source opens one by name. The error wraps gitstore.ErrNoSource.
func (m *Memory) source(ctx context.Context, name string) (*Memory, error) {
	src, err := m.store.Source(ctx, name)
	if err != nil {
		return nil, err
	}
	return m.openSource(src), nil
}

// restrict narrows a query to what this memory may show: of a source, what its
// team meant for others and this repository asked for.
func (m *Memory) restrict(q *index.Query) {
	if m.from != nil {
		q.Shared, q.Within, q.Ephemeral, q.Without = true, m.from.Scopes, false, unasked("")
	}
}

// shows is restrict for one fact.
func (m *Memory) shows(f facts.Fact, now time.Time) bool {
	if m.from == nil {
		return true
	}
	within := len(m.from.Scopes) == 0 || slices.ContainsFunc(m.from.Scopes, func(scope string) bool { return underScope(f.Scope, scope) })
	return index.Shared(f) && within && f.StateAt(now) == facts.Current && !bookkeeping(f.Key)
}
