package memory

import (
	"context"
	"errors"
	"time"

	"engram/evidence"
	"engram/facts"
)

// How long an answer may take longer because its evidence is checked. What takes more
// is left to Verify.
const (
	freshTime      = 100 * time.Millisecond // of queries and lists
	freshTimeGet   = 500 * time.Millisecond // of one fact
	freshTimeBrief = 50 * time.Millisecond
	// of a brief for another agent, whose text is not to depend on what else the machine
	// has to do
	freshTimeShared = 2 * time.Second
)

// judge is the verdict on each of a fact's pointers, and the worst of them.
func (c *checker) judge(ctx context.Context, pointers []facts.Pointer) (checks []located, worst Freshness, err error) {
	all := make([]Freshness, 0, len(pointers))
	late := false
	for _, p := range pointers {
		check, err := c.pointer(ctx, p)
		if errors.Is(err, errLate) {
			late, err = true, nil
		}
		if err != nil {
			return nil, Unchecked, err
		}
		checks, all = append(checks, check), append(all, check.Freshness)
	}
	worst = evidence.Worst(all)
	if late {
		c.late++
		if worst == Fresh { // of what was looked at
			worst = Unchecked
		}
	}
	return checks, worst, nil
}

// tellFresh says of facts whether their evidence still stands, as far as there is time,
// and in notes that there was not. Facts without pointers cost nothing.
func (m *Memory) tellFresh(ctx context.Context, tip string, limit time.Duration, list ...*Fact) (notes []string, err error) {
	var c *checker
	for _, f := range list {
		if len(f.Pointers) == 0 || f.Origin != "" {
			continue
		}
		if c == nil {
			if c, err = m.codeHere(ctx, tip); err != nil {
				return nil, err
			}
			c.within(limit)
		}
		pointers := make([]facts.Pointer, len(f.Pointers))
		for i, p := range f.Pointers {
			pointers[i] = facts.Pointer{Ref: p.Ref, Digest: p.Digest}
		}
		checks, worst, err := c.judge(ctx, pointers)
		if err != nil {
			return nil, err
		}
		f.Freshness = worst
		for i, check := range checks {
			f.Pointers[i].Freshness, f.Pointers[i].Now = check.Freshness, check.Now
		}
	}
	return c.lateNote(), nil
}

// evidenceOf are the pointers of facts that were found, by key.
type evidenceOf map[facts.Key][]facts.Pointer

func (e evidenceOf) add(f facts.Fact) {
	if len(f.Pointers) > 0 {
		e[f.Key] = f.Pointers
	}
}

// tell calls set with the verdict on each fact that has pointers, of those that n and
// key name.
func (e evidenceOf) tell(ctx context.Context, m *Memory, tip string, limit time.Duration, n int, key func(int) facts.Key, set func(int, Freshness)) ([]string, error) {
	var c *checker
	for i := range n {
		pointers := e[key(i)]
		if len(pointers) == 0 {
			continue
		}
		if c == nil {
			var err error
			if c, err = m.codeHere(ctx, tip); err != nil {
				return nil, err
			}
			c.within(limit)
		}
		_, worst, err := c.judge(ctx, pointers)
		if err != nil {
			return nil, err
		}
		set(i, worst)
	}
	return c.lateNote(), nil
}

// tellHits is tellFresh for hits of this memory.
func (m *Memory) tellHits(ctx context.Context, tip string, found evidenceOf, result *QueryResult) error {
	hits := result.Results
	notes, err := found.tell(ctx, m, tip, freshTime, len(hits), func(i int) facts.Key {
		if hits[i].Origin != "" {
			return facts.Key{}
		}
		return hits[i].Key
	}, func(i int, f Freshness) { hits[i].Freshness = f })
	result.Notes = append(result.Notes, notes...)
	return err
}

// tellSides is tellFresh for the sides of conflicts.
func (m *Memory) tellSides(ctx context.Context, tip string, list []Conflict) ([]string, error) {
	var sides []*Fact
	for _, c := range list {
		for _, side := range []*Fact{c.A, c.B} {
			if side != nil {
				sides = append(sides, side)
			}
		}
	}
	return m.tellFresh(ctx, tip, freshTime, sides...)
}
