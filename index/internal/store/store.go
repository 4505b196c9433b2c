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

// The versions of what an index consists of. A change of either makes every
// existing index be built anew.
const (
	LayoutVersion   = 3 // documents, their names, fields and filter terms
	AnalysisVersion = 2 // Terms, and the weights of the parts of a fact
)

const (
	// boltPatience bounds the wait for the lock that Bleve itself takes. Ours
	// comes first, so it is free unless somebody goes past us.
	boltTimeout = "5s"
	// batchPatience bounds the wait for Bleve's background work, which ends
	// without a word where it panics.
	batchTimeout = 5 * time.Minute
)

// Stamp says what an index reflects. It is written together with the documents.
type Stamp struct {
	Layout   int    `json:"layout"`
	Analysis int    `json:"analysis"`
	Concepts int    `json:"concepts"`
	Build    string `json:"build"` // names the rebuild this index comes from
	Revision string `json:"revision"`
	Skipped  int    `json:"skipped"` // states that are no fact, since the last rebuild
}

const stampKey = "engram"

// Store is one open index of Bleve's.
type Store struct {
	scorch   *scorch.Scorch
	queue    *bleveapi.AnalysisQueue
	snapshot *scorch.IndexSnapshot // nil in one that is written
	segments []Segment
	Damaged  atomic.Bool
}

type openMode int

const (
	ForReading openMode = iota
	ForWriting
	ForBuilding
)

// Open opens the index in folder, or a new one in memory where that is "".
// Any error but a refusal by the file system means damage.
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

// Refresh makes what was written visible to segments.
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

func (s *Store) Segments() []Segment { return s.segments }

func (s *Store) Close() error {
	err := Guard(func() error {
		if s.snapshot != nil {
			_ = s.snapshot.Close()
		}
		return s.scorch.Close()
	})
	s.queue.Close()
	return err
}

// ReadStamp returns the stamp; one of another version is returned as it is.
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

// Write applies a batch and, where st is not nil, the stamp with it. A batch
// that has begun is finished, whatever becomes of the caller's context.
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

// background runs work that waits for goroutines of Bleve's.
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

// Guard turns a panic in Bleve, which takes the bytes of its files on trust,
// into an error; so it does with a file that ends before its mapping does.
func Guard(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrDamaged, r)
		}
	}()
	return work()
}

// ErrDamaged says that the files of an index are not what was written.
var ErrDamaged = errors.New("the index was damaged")
