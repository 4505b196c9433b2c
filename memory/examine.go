package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
)

// examiner holds facts against those that they may clash with. It serves one
// audit, in one goroutine.
type examiner struct {
	m   *Memory
	ctx context.Context // of the one call that the examiner lives for
	now time.Time
	// keepUnsettled keeps pairs that the rules say nothing about for a model.
	keepUnsettled bool
	seen          map[pairID]bool

	tags      *tags
	known     map[string]*stated // by blob
	compared  int                // pairs
	clashes   []clash
	unsettled []pairing // that the rules say nothing about, for a model
	missed    missed
	// judged reports pairs that no model need be asked about again; nil: none.
	judged  func(pairing) bool
	planned []planned // that were to be examined and have not begun
}

// pairID names two blobs by their first 16 digits: an audit of everything sees
// millions of pairs.
type pairID [2]uint64

func digits(blob string) uint64 {
	n, _ := strconv.ParseUint(blob[:min(len(blob), 16)], 16, 64)
	return n
}

// pairing is two facts in the order of detect.Order.
type pairing struct {
	a, b     *stated
	priority float64
}

// clash is a pairing with what is wrong between the two.
type clash struct {
	pairing
	detect.Finding
	basis string
}

func (m *Memory) newExaminer(ctx context.Context, now time.Time) *examiner {
	return &examiner{
		m: m, tags: m.newTags(0), ctx: ctx, now: now, seen: make(map[pairID]bool), known: make(map[string]*stated),
		missed: missed{crowded: make(map[string]int)},
	}
}

// factsAtOnce is how many facts are read in one round trip to git.
const factsAtOnce = 50

// heldFor is how long the index is held open for facts that are examined: nobody can
// bring it up to date meanwhile, and whoever commits waits for that.
const heldFor = 25 * time.Millisecond

// examine holds the facts of blobs on the tip against all others.
func (e *examiner) examine(tip string, blobs []string) error {
	for done := 0; done < len(blobs); {
		part := blobs[done:min(done+factsAtOnce, len(blobs))]
		list, err := e.read(part)
		if err == nil {
			err = e.tags.learn(e.ctx, list)
		}
		if err == nil {
			err = e.each(e.m, tip, list, e.one)
		}
		if err != nil {
			return err
		}
		done += len(part)
		e.m.progress("auditing", done, len(blobs))
	}
	return nil
}

// each examines facts with the index of a memory, which it lets go again and again.
func (e *examiner) each(m *Memory, tip string, list []*stated, one func(*index.View, *stated) error) error {
	for len(list) > 0 {
		_, err := m.index.View(e.ctx, tip, func(view *index.View) error {
			for until := time.Now().Add(heldFor); len(list) > 0 && time.Now().Before(until); list = list[1:] {
				if err := one(view, list[0]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("find what facts may clash with: %w", err)
		}
	}
	return nil
}

// one holds a fact against its candidates.
func (e *examiner) one(view *index.View, s *stated) error {
	if s.fact.StateAt(e.now) == facts.Scheduled {
		e.planned = append(e.planned, planned{s.fact.Key, s.blob, s.fact.ValidFrom})
	}
	if !e.concerns(s.fact) {
		return nil
	}
	candidates, err := e.candidates(view, s)
	if err != nil {
		return err
	}
	for i, c := range candidates {
		p, fresh := e.pair(s, c.stated, c.priority)
		if fresh && !e.compare(p) && e.keepUnsettled && i < maxJudged && !e.wasJudged(p) {
			e.unsettled = append(e.unsettled, p)
		}
	}
	return nil
}

func (e *examiner) wasJudged(p pairing) bool { return e.judged != nil && e.judged(p) }

// compareWithAll holds a claim that is on no branch against the facts on one; it
// is the side a of every clash.
func (e *examiner) compareWithAll(tip string, s *stated) error {
	_, err := e.m.index.View(e.ctx, tip, func(view *index.View) error {
		candidates, err := e.candidates(view, s)
		for _, c := range candidates {
			e.compare(pairing{s, c.stated, c.priority})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("find what the claim may clash with: %w", err)
	}
	return nil
}

// pair puts two facts in order; fresh is false where they were compared before.
func (e *examiner) pair(a, b *stated, priority float64) (p pairing, fresh bool) {
	if first, _ := detect.Order(a.fact, b.fact); first.Key != a.fact.Key {
		a, b = b, a
	}
	id := pairID{digits(a.blob), digits(b.blob)}
	fresh = !e.seen[id]
	e.seen[id] = true
	return pairing{a, b, priority}, fresh
}

// compare lets the rules judge a pair.
func (e *examiner) compare(p pairing) (found bool) {
	e.compared++
	f, found := detect.Compare(p.a.claim, p.b.claim)
	if !found {
		return false
	}
	if f.Verdict == detect.Genuine {
		if newer := e.m.laterEvidence(e.ctx, p.a.fact, p.b.fact); newer != detect.Neither {
			f = f.Evolve(newer)
			f.Explanation += "; what the " + map[detect.Side]string{detect.SideA: "first", detect.SideB: "second"}[newer] + " rests on is newer"
		}
	}
	e.clashes = append(e.clashes, clash{p, f, rulesBasis()})
	return true
}

func rulesBasis() string { return fmt.Sprintf("rules %d", detect.RulesVersion) }

// laterEvidence compares the commits that two facts name as evidence, where
// both point into the same file: the side whose commit descends from the other's
// has seen the newer state.
func (m *Memory) laterEvidence(ctx context.Context, a, b facts.Fact) detect.Side {
	mine, yours := commitsOf(a), commitsOf(b)
	for _, path := range slices.Sorted(maps.Keys(mine)) {
		ours, theirs := mine[path], yours[path]
		if theirs == "" || ours == theirs {
			continue
		}
		if _, err := m.store.Ancestor(ctx, ours, theirs); err == nil {
			return detect.SideB
		}
		if _, err := m.store.Ancestor(ctx, theirs, ours); err == nil {
			return detect.SideA
		}
	}
	return detect.Neither
}

// commitsOf are the commits by the path of each file that a fact points into.
func commitsOf(f facts.Fact) map[string]string {
	commits := make(map[string]string)
	for _, p := range f.Pointers {
		if address, err := facts.ParseRef(p.Ref); err == nil && address.Commit != "" {
			commits[address.Path] = address.Commit
		}
	}
	return commits
}
