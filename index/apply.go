package index

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"

	"engram/internal/filelock"
)

const (
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

// apply carries a plan out. The writers' turn is ours, so the index is still what
// the plan was made for.
func (c *call) apply(ctx context.Context, p *plan) error {
	release, err := acquire(ctx, c.path("lock"), filelock.Exclusive)
	if err != nil {
		return err
	}
	defer release()
	if err := markWriting(c.current()); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	s, err := openStore(c.current(), toWrite)
	if err != nil {
		return damaged(err, p.from.Build)
	}
	if err = s.write(p.batch, &p.to); err == nil {
		err = s.mergeSmall(ctx)
	}
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = sealFolder(c.current(), p.to.Revision)
	}
	switch {
	case diskFull(err):
		return fmt.Errorf("write the index: %w", err)
	case err != nil:
		return damaged(err, p.from.Build)
	}
	c.worked = true
	c.report.Indexed += p.indexed
	c.reflect(p.to)
	return nil
}

// mergeSmall keeps the number of segments in bounds.
func (s *store) mergeSmall(ctx context.Context) error {
	if err := s.refresh(); err != nil {
		return err
	}
	small := 0
	for _, seg := range s.segs {
		if seg.live() < smallSegment {
			small++
		}
	}
	options := mergeplan.DefaultMergePlanOptions
	options.MaxSegmentsPerTier, options.SegmentsPerMergeTask = 4, 24
	options.FloorSegmentSize = 10
	// The planner leaves segments above half of the largest size alone.
	switch {
	case len(s.segs) > compactAbove:
		options.MaxSegmentSize = 2 * largeSegment
	case small > mergeAbove:
		options.MaxSegmentSize = 2 * smallSegment
	default:
		return nil
	}
	return s.background(func() error { return s.scorch.ForceMerge(context.WithoutCancel(ctx), &options) })
}
