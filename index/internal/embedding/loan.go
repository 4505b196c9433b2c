package embedding

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"engram/internal/vectors"
)

// sharedVectors are vectors that stay mapped from one reader to the next. Mapping them
// again causes page faults and rebuilds the table of their keys, which together cost more
// than the search.
type sharedVectors struct {
	file *vectors.File
	near neighbours

	bytes, neighbours int64 // of the files, when they were opened
	written           time.Time
	users             int
	replaced          bool // the last user closes them
}

// borrowVectors returns the vectors of the index's model as they are on disk. The caller
// must give them back. The error is fs.ErrNotExist if there are none.
func (x *Vectors) borrowVectors() (*sharedVectors, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	path := x.vectorPath(vectorFile)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	pairs := sizeOf(x.vectorPath(neighbourFile))
	if s := x.shared; s != nil && s.bytes == info.Size() && s.written.Equal(info.ModTime()) && s.neighbours == pairs {
		s.users++
		return s, nil
	}
	file, err := vectors.Open(path)
	if err != nil {
		return nil, err
	}
	model := x.model
	if want := (vectors.Stamp{Model: model.ID(), Dimensions: model.Dimensions()}); file.Stamp() != want {
		return nil, errors.Join(fmt.Errorf("the vectors are of %v, not %v", file.Stamp(), want), file.Close())
	}
	x.replaceShared(&sharedVectors{
		file: file, near: x.readNeighbours(file.Len()), bytes: info.Size(), written: info.ModTime(), neighbours: pairs, users: 1,
	})
	return x.shared, nil
}

func (x *Vectors) giveBack(s *sharedVectors) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s.users--; s.users == 0 && s.replaced {
		_ = s.file.Close()
	}
}

// replaceShared replaces what is shared by s, which may be nil. The caller holds the
// mutex.
func (x *Vectors) replaceShared(s *sharedVectors) {
	if old := x.shared; old != nil {
		old.replaced = true
		if old.users == 0 {
			_ = old.file.Close()
		}
	}
	x.shared = s
}

// Close releases what is kept mapped between calls. The set may be used afterwards.
func (x *Vectors) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.replaceShared(nil)
	return nil
}

// Loan is the vectors as one reader sees them, borrowed when first asked for.
type Loan struct {
	from   *Vectors
	once   sync.Once
	shared *sharedVectors // nil: none that can be used
}

// Lend returns the vectors for one reader, who must close the Loan.
func (x *Vectors) Lend() *Loan { return &Loan{from: x} }

// File returns the vectors, nil if there are none. Unusable ones count as none:
// Embed repairs them.
func (l *Loan) File() *vectors.File {
	l.once.Do(func() {
		if l.from.model == nil {
			return
		}
		shared, err := l.from.borrowVectors()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			l.from.log.Warn("answering without vectors", "error", err)
		default:
			l.shared = shared
		}
	})
	if l.shared == nil {
		return nil
	}
	return l.shared.file
}

// Near returns the rows whose claims are nearly the same as that of a row.
func (l *Loan) Near(row int) []int { return l.shared.near[row] }

// Close ends the loan.
func (l *Loan) Close() {
	if l.shared != nil {
		l.from.giveBack(l.shared)
	}
}
