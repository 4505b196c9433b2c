package embedding

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"time"

	"engram/internal/vectors"
)

// Near-identical claims of different agents corroborate each other. The near rows of each
// row are computed once and kept as pairs of rows; who stated the claims, and whether they
// still hold, is looked up when a question asks.
const (
	// nearlySame is the cosine from which claims count as the same (source document 4).
	nearlySame = 0.85
	// maxNeighbours is how many neighbours of a row are looked for.
	maxNeighbours = 16
	// relateTime is how long a caller who waits looks for neighbours; the rest is left to
	// the background.
	relateTime = 2 * time.Millisecond
	pairSize   = 8 // bytes: two rows
)

// findRelated finds the neighbours of rows that were not compared yet.
func (e *Call) findRelated(ctx context.Context) error {
	file, err := e.Open()
	if err != nil || file == nil {
		return err
	}
	defer func() { _ = file.Close() }()
	start := time.Now()
	for e.Related < file.Len() {
		if !e.thorough && time.Since(start) > relateTime {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		next := min(file.Len(), e.Related+relateStep(e.thorough))
		if err := e.appendPairs(file, e.Related, next); err != nil {
			return err
		}
		e.Related = next
		if !e.thorough {
			continue // saved at the end
		}
		if file.Len() > instantBatch {
			e.Tell("comparing", next, file.Len())
		}
		if err := e.Save(); err != nil {
			return err
		}
	}
	return nil
}

// relateStep is how many rows are compared between two looks at the clock.
func relateStep(thorough bool) int {
	if thorough {
		return 256
	}
	return 1
}

// appendPairs appends the pairs of rows from up to to. A pair that is found
// from both sides, or again after a crash, is the same pair.
func (e *Call) appendPairs(file *vectors.File, from, to int) error {
	var pairs []byte
	for row := from; row < to; row++ {
		near, err := file.Nearest(file.Vector(row), maxNeighbours+1, nil)
		if err != nil {
			return err
		}
		for _, n := range near {
			if n.Row != row && n.Cosine >= nearlySame {
				pairs = binary.LittleEndian.AppendUint32(pairs, uint32(min(row, n.Row)))
				pairs = binary.LittleEndian.AppendUint32(pairs, uint32(max(row, n.Row)))
			}
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	f, err := os.OpenFile(e.vectorPath(neighbourFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(pairs)
	return errors.Join(err, f.Close())
}

func (e *Call) forgetNeighbours() error {
	e.Related, e.Neighbours = 0, 0
	if err := os.Remove(e.vectorPath(neighbourFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// neighbours are the rows near each row.
type neighbours map[int][]int

// readNeighbours reads the pairs; rows beyond those in use are omitted.
func (x *Vectors) readNeighbours(rows int) neighbours {
	raw, err := os.ReadFile(x.vectorPath(neighbourFile))
	if err != nil {
		return nil
	}
	n := make(neighbours)
	seen := make(map[[2]int]bool)
	for ; len(raw) >= pairSize; raw = raw[pairSize:] {
		pair := [2]int{int(binary.LittleEndian.Uint32(raw)), int(binary.LittleEndian.Uint32(raw[4:]))}
		if pair[1] < rows && !seen[pair] {
			seen[pair] = true
			n[pair[0]] = append(n[pair[0]], pair[1])
			n[pair[1]] = append(n[pair[1]], pair[0])
		}
	}
	return n
}
