package store

import (
	"context"
	"runtime"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	bleveapi "github.com/blevesearch/bleve_index_api"

	"engram/facts"
	"engram/index/internal/version"
)

const (
	// batchSize is how many documents become a segment. Larger ones take less
	// processor time and more memory: 1,000, 2,500 and 5,000 took 19.2, 17.8 and
	// 19.0 s in all and 150, 257 and 441 MB for 100,000 facts.
	BatchSize = 2500
	// mergeAbove is how many segments an index may have beyond the large ones
	// before small ones are merged, and smallSegment how many documents make a
	// segment large: it bounds what one catch-up can cost.
	mergeAbove   = 24
	smallSegment = 2000
	// compactAbove is how many segments an index may have in all. Then those of
	// up to largeSegment documents are merged as well, which may take seconds
	// and happens once in some 100,000 changes.
	compactAbove = 80
	largeSegment = 20_000
)

// MergeSmall keeps the number of segments in bounds.
func (s *Store) MergeSmall(ctx context.Context) error {
	if err := s.Refresh(); err != nil {
		return err
	}
	small := 0
	for _, seg := range s.segments {
		if seg.Live() < smallSegment {
			small++
		}
	}
	options := mergeplan.DefaultMergePlanOptions
	options.MaxSegmentsPerTier, options.SegmentsPerMergeTask = 4, 24
	options.FloorSegmentSize = 10
	// The planner leaves segments above half of the largest size alone.
	switch {
	case len(s.segments) > compactAbove:
		options.MaxSegmentSize = 2 * largeSegment
	case small > mergeAbove:
		options.MaxSegmentSize = 2 * smallSegment
	default:
		return nil
	}
	return s.background(func() error { return s.scorch.ForceMerge(context.WithoutCancel(ctx), &options) })
}

// backgroundMerges says what Bleve merges on its own. While an index is built, its merges
// keep the number of segments low. Afterwards engram starts them: in the background of a
// process that lives for milliseconds they would be cancelled each time.
func backgroundMerges(mode openMode) map[string]any {
	if mode != ForBuilding {
		return map[string]any{"MaxSegmentsPerTier": 1 << 20, "FloorSegmentSize": 1}
	}
	return map[string]any{
		"MaxSegmentsPerTier": 2, "SegmentsPerMergeTask": 8, "FloorSegmentSize": BatchSize, "MaxSegmentSize": 2 * largeSegment,
	}
}

// Versions returns the versions of a key in the index.
func (s *Store) Versions(key facts.Key) (ids []version.ID, err error) {
	err = Guard(func() error {
		for _, seg := range s.segments {
			set, err := seg.Documents(version.FilterField, version.FilterTerm(version.ByKey, key.String()))
			if err != nil {
				return err
			}
			for it := set.Iterator(); it.HasNext(); {
				id, err := seg.ID(it.Next())
				if err != nil {
					return err
				}
				// The term is a prefix of the longer keys below this one, too.
				if id.Key == key.String() {
					ids = append(ids, id)
				}
			}
		}
		return nil
	})
	return ids, err
}

// Documents is the number of versions in the index.
func (s *Store) Documents() int { return CountDocuments(s.segments) }

// CountDocuments is the number of live documents of some segments.
func CountDocuments(segments []Segment) (n int) {
	for _, seg := range segments {
		n += seg.Live()
	}
	return n
}

// Drop adds to a batch the deletion of all documents with one of some filter terms,
// except those that the batch writes again.
func (s *Store) Drop(b *bleveapi.Batch, filters []string) error {
	if len(filters) == 0 {
		return nil
	}
	if err := s.Refresh(); err != nil {
		return err
	}
	return Guard(func() error {
		for _, seg := range s.segments {
			for _, term := range filters {
				if err := seg.drop(b, term); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (s Segment) drop(b *bleveapi.Batch, filter string) error {
	set, err := s.Documents(version.FilterField, filter)
	if err != nil {
		return err
	}
	for it := set.Iterator(); it.HasNext(); {
		name, err := s.DocID(uint64(it.Next()))
		if err != nil {
			return err
		}
		if id := version.StoredID(string(name)); b.IndexOps[id] == nil {
			b.Delete(id)
		}
	}
	return nil
}

// sequentialLimit is up to how many documents one goroutine looks through by itself;
// starting a second one would take as long.
const sequentialLimit = 5000

// Balance deals segments out so that each share has about as many documents:
// the largest first, each to who has least.
func Balance(segments []Segment) [][]int {
	n := min(runtime.GOMAXPROCS(0), len(segments))
	if n < 2 || CountDocuments(segments) <= sequentialLimit {
		n = 1
	}
	order := make([]int, len(segments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return segments[b].Size() - segments[a].Size() })
	shares, load := make([][]int, n), make([]int, n)
	for _, s := range order {
		least := 0
		for w := range load {
			if load[w] < load[least] {
				least = w
			}
		}
		shares[least] = append(shares[least], s)
		load[least] += segments[s].Size()
	}
	return shares
}
