package index

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
	layoutVersion   = 3 // documents, their names, fields and filter terms
	analysisVersion = 2 // Terms, and the weights of the parts of a fact
)

const (
	// boltPatience bounds the wait for the lock that Bleve itself takes. Ours
	// comes first, so it is free unless somebody goes past us.
	boltPatience = "5s"
	// batchPatience bounds the wait for Bleve's background work, which ends
	// without a word where it panics.
	batchPatience = 5 * time.Minute
)

// stamp says what an index reflects. It is written together with the documents.
type stamp struct {
	Layout   int    `json:"layout"`
	Analysis int    `json:"analysis"`
	Concepts int    `json:"concepts"`
	Build    string `json:"build"` // names the rebuild this index comes from
	Revision string `json:"revision"`
	Skipped  int    `json:"skipped"` // states that are no fact, since the last rebuild
}

const stampKey = "engram"

// store is one open index of Bleve's.
type store struct {
	scorch   *scorch.Scorch
	queue    *bleveapi.AnalysisQueue
	snapshot *scorch.IndexSnapshot // nil in one that is written
	segs     []segment
	damaged  atomic.Bool
}

type openMode int

const (
	toRead openMode = iota
	toWrite
	toBuild
)

// openStore opens the index in folder, or a new one in memory where that is "".
// Any error but a refusal by the file system means damage.
func openStore(folder string, mode openMode) (s *store, err error) {
	err = guard(func() error {
		s, err = openScorch(folder, mode)
		return err
	})
	return s, err
}

func openScorch(folder string, mode openMode) (*store, error) {
	queue := bleveapi.NewAnalysisQueue(1)
	config := map[string]any{
		"path": folder, "read_only": mode == toRead, "bolt_timeout": boltPatience,
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
	s := &store{scorch: opened.(*scorch.Scorch), queue: queue}
	if mode == toRead {
		if err := s.refresh(); err != nil {
			_ = s.close()
			return nil, err
		}
	}
	return s, nil
}

// refresh makes what was written visible to segments.
func (s *store) refresh() error {
	if s.snapshot != nil {
		_ = s.snapshot.Close()
		s.snapshot = nil
	}
	reader, err := s.scorch.Reader()
	if err != nil {
		return err
	}
	s.snapshot = reader.(*scorch.IndexSnapshot)
	s.segs = s.segs[:0]
	for _, seg := range s.snapshot.Segments() {
		s.segs = append(s.segs, segment{seg})
	}
	return nil
}

func (s *store) segments() []segment { return s.segs }

func (s *store) close() error {
	err := guard(func() error {
		if s.snapshot != nil {
			_ = s.snapshot.Close()
		}
		return s.scorch.Close()
	})
	s.queue.Close()
	return err
}

// readStamp returns the stamp; one of another version is returned as it is.
func (s *store) readStamp() (st stamp, err error) {
	err = guard(func() error {
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

// write applies a batch and, where st is not nil, the stamp with it. A batch
// that has begun is finished, whatever becomes of the caller's context.
func (s *store) write(b *bleveapi.Batch, st *stamp) error {
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
func (s *store) background(work func() error) error {
	done := make(chan error, 1)
	go func() { done <- guard(work) }()
	select {
	case err := <-done:
		return err
	case <-time.After(batchPatience):
		return fmt.Errorf("%w: no answer within %v", errDamaged, batchPatience)
	}
}

// guard turns a panic in Bleve, which takes the bytes of its files on trust,
// into an error; so it does with a file that ends before its mapping does.
func guard(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", errDamaged, r)
		}
	}()
	return work()
}

// errDamaged says that the files of an index are not what was written.
var errDamaged = errors.New("the index was damaged")
