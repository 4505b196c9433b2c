// Package proof checks evidence against a state of the code: verdicts on pointers, engram
// verify, and which evidence a change of the code would break. Package evidence defines
// what a pointer means within a file. Nothing here writes to the branch.
package proof

import (
	"context"
	"errors"
	"time"

	"engram/evidence"
	"engram/facts"
	"engram/memory/internal/archive"
	"engram/memory/internal/core"
)

// Verifier checks the evidence of a memory's facts. It is safe for concurrent use.
type Verifier struct {
	*core.Memory
	archive *archive.Archive
}

// New returns the Verifier of a memory.
func New(m *core.Memory) *Verifier { return &Verifier{m, archive.New(m)} }

// How much time checking evidence may add to an answer. Verify has no such limit.
const (
	FreshTime      = 100 * time.Millisecond // of queries and lists
	FreshTimeGet   = 500 * time.Millisecond // of one fact
	FreshTimeBrief = 50 * time.Millisecond
	// FreshTimeShared is for a brief for another agent, whose text should not depend on
	// the load of the machine.
	FreshTimeShared = 2 * time.Second
)

// Judge returns the verdict on each of a fact's pointers, and the worst of them.
func (c *Checker) Judge(ctx context.Context, pointers []facts.Pointer) (checks []Verdict, worst core.Freshness, err error) {
	all := make([]core.Freshness, 0, len(pointers))
	late := false
	for _, p := range pointers {
		check, err := c.pointer(ctx, p)
		if errors.Is(err, errLate) {
			late, err = true, nil
		}
		if err != nil {
			return nil, core.Unchecked, err
		}
		checks, all = append(checks, check), append(all, check.Freshness)
	}
	worst = evidence.Worst(all)
	if late {
		c.late++
		if worst == core.Fresh { // of what was looked at
			worst = core.Unchecked
		}
	}
	return checks, worst, nil
}

// MarkFreshness sets the freshness of facts and of their pointers. A note says if the time
// did not suffice. Facts without pointers cost nothing.
func (m *Verifier) MarkFreshness(ctx context.Context, tip string, limit time.Duration, list ...*core.Fact) (notes []string, err error) {
	var c *Checker
	for _, f := range list {
		if len(f.Pointers) == 0 || f.Origin != "" {
			continue
		}
		if c == nil {
			if c, err = m.CheckerHere(ctx, tip); err != nil {
				return nil, err
			}
			c.WithLimit(limit)
		}
		pointers := make([]facts.Pointer, len(f.Pointers))
		for i, p := range f.Pointers {
			pointers[i] = facts.Pointer{Ref: p.Ref, Digest: p.Digest}
		}
		checks, worst, err := c.Judge(ctx, pointers)
		if err != nil {
			return nil, err
		}
		f.Freshness = worst
		for i, check := range checks {
			f.Pointers[i].Freshness, f.Pointers[i].Now = check.Freshness, check.Now
		}
	}
	return c.LateNotes(), nil
}

// PointersByKey are the pointers of facts that a search found.
type PointersByKey map[facts.Key][]facts.Pointer

// Add adds the pointers of a fact, if it has any.
func (e PointersByKey) Add(f facts.Fact) {
	if len(f.Pointers) > 0 {
		e[f.Key] = f.Pointers
	}
}

// CheckEach calls set with the verdict on each of n facts that has pointers; key returns the
// key of the i-th fact. notes say if the time did not suffice.
func (e PointersByKey) CheckEach(ctx context.Context, m *Verifier, tip string, limit time.Duration, n int, key func(int) facts.Key, set func(int, core.Freshness)) ([]string, error) {
	var c *Checker
	for i := range n {
		pointers := e[key(i)]
		if len(pointers) == 0 {
			continue
		}
		if c == nil {
			var err error
			if c, err = m.CheckerHere(ctx, tip); err != nil {
				return nil, err
			}
			c.WithLimit(limit)
		}
		_, worst, err := c.Judge(ctx, pointers)
		if err != nil {
			return nil, err
		}
		set(i, worst)
	}
	return c.LateNotes(), nil
}
