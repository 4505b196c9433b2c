package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"

	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/index/internal/embedding"
	"engram/index/internal/store"
	"engram/internal/terms"
	"engram/internal/vectors"
)

// What the tests need of the inside.

func Terms(text string) []string { return terms.Terms(text) }

// Names lists the documents of the index, all that is known of each.
func (x *Index) Names(ctx context.Context, revision string) (names []string, err error) {
	_, err = x.folder.View(ctx, revision, func(s *store.Store, _ store.Stamp) error {
		for _, seg := range s.Segments() {
			for it := seg.All().Iterator(); it.HasNext(); {
				id, err := seg.ID(it.Next())
				if err != nil {
					return err
				}
				names = append(names, id.Encode())
			}
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// WriteStamp overwrites the versions of the index in dir.
func WriteStamp(x *Index, layout, analysis int) error {
	dir := x.folder.Dir + "/current"
	s, err := store.Open(dir, store.ForWriting)
	if err != nil {
		return err
	}
	if err := s.Refresh(); err != nil {
		return err
	}
	st, err := s.ReadStamp()
	if err != nil {
		return err
	}
	st.Layout, st.Analysis = layout, analysis
	if err := s.Write(bleveapi.NewBatch(), &st); err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	return store.WriteSeal(dir, st.Revision)
}

// The files of the vectors, and how many rows of unused vectors they may have.
const (
	VectorFile    = "vectors"
	VectorState   = "state.json"
	NeighbourFile = "near"
	VectorLock    = embedding.LockFile
	DeadRows      = 4096
)

// Rows is how many vectors there are.
func (x *Index) Rows() int {
	file, err := vectors.Open(x.VectorPath(VectorFile))
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }()
	return file.Len()
}

// VectorPath is a file of the vectors of the index's model.
func (x *Index) VectorPath(name string) string {
	sum := sha256.Sum256([]byte(x.Vectors().Model))
	return filepath.Join(x.folder.Dir, "vectors-"+hex.EncodeToString(sum[:])[:12], name)
}
