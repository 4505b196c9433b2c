package core

import (
	"errors"
	"fmt"
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
		err = errors.Join(err, m.Index.Close())
	}
	o.open = nil
	return err
}

// OpenSource opens the memory of a source for reading. What is derived from it is kept
// in a folder under the name of the source.
func (m *Memory) OpenSource(src gitstore.Source) *Memory {
	m.others.mu.Lock()
	defer m.others.mu.Unlock()
	known := m.others.open[src.Name]
	if known != nil && reflect.DeepEqual(*known.From, src) {
		return known
	}
	if known != nil {
		_ = known.Index.Close() // it may still be used, and closes what that opens then
	}
	other := &Memory{
		Store: m.Store.OnRef(src.Ref(), src.Name, m.SourceDir(src.Name)), Scanner: m.Scanner, now: m.now, NewID: m.NewID,
		Progress: m.Progress, Log: m.Log, Classify: m.Classify, Embedder: m.Embedder, EmbedderProblem: m.EmbedderProblem, Weights: m.Weights, From: &src,
	}
	other.Index = other.newIndex("indexing " + src.Name)
	if m.others.open == nil {
		m.others.open = make(map[string]*Memory)
	}
	m.others.open[src.Name] = other
	return other
}

// SourceDir is the folder of what is derived from a source.
func (m *Memory) SourceDir(name string) string {
	return filepath.Join(m.Store.StateDir(), "sources", name)
}

// Restrict narrows a query to what this memory may show. Of a source, these are the
// facts that its team shares and the scopes that this repository asked for.
func (m *Memory) Restrict(q *index.Query) {
	if m.From != nil {
		q.Shared, q.Within, q.Ephemeral, q.Without = true, m.From.Scopes, false, InternalPrefixes("")
	}
}

// MayShow is Restrict for one fact.
func (m *Memory) MayShow(f facts.Fact, now time.Time) bool {
	if m.From == nil {
		return true
	}
	within := len(m.From.Scopes) == 0 || slices.ContainsFunc(m.From.Scopes, func(scope string) bool { return UnderScope(f.Scope, scope) })
	return index.Shared(f) && within && f.StateAt(now) == facts.Current && !IsInternal(f.Key)
}

// SourceError explains why a source has no answer.
func (m *Memory) SourceError(err error) error {
	if errors.Is(err, gitstore.ErrNoBranch) {
		return fmt.Errorf("it has not been fetched; run `engram source fetch %s`", m.From.Name)
	}
	return err
}
