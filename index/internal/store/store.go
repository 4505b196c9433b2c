// Package store reads and writes the files of one index: Bleve's, and the seal that
// tells whether they are as they were written. It does not lock them, and it does not
// know what makes an index up to date.
package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveapi "github.com/blevesearch/bleve_index_api"
)

// The format versions of an index. Changing either makes every existing index be rebuilt.
const (
	LayoutVersion   = 4 // documents, their names, fields and filter terms
	AnalysisVersion = 2 // package terms, and the weights of the parts of a fact
)

const (
	// boltTimeout bounds the wait for Bleve's own lock. Callers hold engram's lock
	// already, so it is free unless another program opened the files.
	boltTimeout = "5s"
	// batchTimeout bounds the wait for Bleve's background work, which ends without an
	// answer if it panics.
	batchTimeout = 5 * time.Minute
)

// Stamp says what an index reflects. It is written together with the documents.
type Stamp struct {
	Layout   int    `json:"layout"`
	Analysis int    `json:"analysis"`
	Concepts int    `json:"concepts"`
	Build    string `json:"build"` // names the rebuild this index comes from
	Revision string `json:"revision"`
	Skipped  int    `json:"skipped"` // states that are not facts, since the last rebuild
}

const stampKey = "engram"

// Store is one open index of Bleve's.
type Store struct {
	scorch   *scorch.Scorch
	queue    *bleveapi.AnalysisQueue
	snapshot *scorch.IndexSnapshot // nil if the store is open for writing
	segments []Segment
	users    atomic.Int32 // beside the first
	Damaged  atomic.Bool
}

type openMode int

// How an index is opened.
const (
	ForReading openMode = iota
	ForWriting
	ForBuilding
)

// Open opens the index in folder, or a new one in memory if folder is "". Any error other
// than one of the file system means damage.
func Open(folder string, mode openMode) (s *Store, err error) {
	err = Guard(func() error {
		s, err = openScorch(folder, mode)
		return err
	})
	return s, err
}

func openScorch(folder string, mode openMode) (*Store, error) {
	queue := bleveapi.NewAnalysisQueue(1)
	config := map[string]any{
		"path": folder, "read_only": mode == ForReading, "bolt_timeout": boltTimeout,
		"scorchMergePlanOptions": backgroundMerges(mode),
	}
	opened, err := scorch.NewScorch(scorch.Name, config, queue)
	if err == nil {
		err = opened.Open()
	}
	if err != nil {
		queue.Close()
		return nil, err
	}
	s := &Store{scorch: opened.(*scorch.Scorch), queue: queue}
	if mode == ForReading {
		if err := s.Refresh(); err != nil {
			_ = s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Refresh makes what was written visible to Segments.
func (s *Store) Refresh() error {
	if s.snapshot != nil {
		_ = s.snapshot.Close()
		s.snapshot = nil
	}
	reader, err := s.scorch.Reader()
	if err != nil {
		return err
	}
	s.snapshot = reader.(*scorch.IndexSnapshot)
	s.segments = s.segments[:0]
	for _, seg := range s.snapshot.Segments() {
		s.segments = append(s.segments, Segment{seg})
	}
	return nil
}

// Segments are the segments as of the last Refresh.
func (s *Store) Segments() []Segment { return s.segments }

// Detach ends Bleve's goroutines and releases its lock, so that others can write. What was open
// for reading can be read until Close, also after its files were removed.
func (s *Store) Detach() error {
	err := Guard(s.scorch.Close)
	s.queue.Close()
	s.scorch = nil
	return err
}

// Share gives a store that was detached another user, who must call Close as well.
func (s *Store) Share() { s.users.Add(1) }

// Close closes the files when the last user calls it.
func (s *Store) Close() error {
	if s.users.Add(-1) >= 0 {
		return nil
	}
	err := Guard(func() error {
		if s.snapshot != nil {
			_ = s.snapshot.Close()
		}
		return nil
	})
	if s.scorch != nil {
		err = s.Detach()
	}
	return err
}

// ReadStamp returns the stamp, also one of another version.
func (s *Store) ReadStamp() (st Stamp, err error) {
	err = Guard(func() error {
		raw, err := s.snapshot.GetInternal([]byte(stampKey))
		if err != nil {
			return err
		}
		if raw == nil {
			return errors.New("it has no stamp")
		}
		return json.Unmarshal(raw, &st)
	})
	return st, err
}

// Write applies a batch, together with the stamp unless st is nil. A batch that has begun
// is finished even if the caller's context is cancelled.
func (s *Store) Write(b *bleveapi.Batch, st *Stamp) error {
	if st != nil {
		raw, err := json.Marshal(st)
		if err != nil {
			return err
		}
		b.SetInternal([]byte(stampKey), raw)
	}
	return s.background(func() error { return s.scorch.Batch(b) })
}

// background runs work that waits for Bleve's goroutines.
func (s *Store) background(work func() error) error {
	done := make(chan error, 1)
	go func() { done <- Guard(work) }()
	select {
	case err := <-done:
		return err
	case <-time.After(batchTimeout):
		return fmt.Errorf("%w: no answer within %v", ErrDamaged, batchTimeout)
	}
}

// Guard turns a panic of Bleve, which trusts the bytes of its files, into an error, and
// likewise the fault of reading a mapped file that was truncated.
func Guard(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrDamaged, r)
		}
	}()
	return work()
}

// ErrDamaged says that the files of an index are not as they were written.
var ErrDamaged = errors.New("the index was damaged")
