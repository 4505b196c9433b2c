package compare

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
	"engram/memory/internal/core"
)

// Examiner holds facts against those that they may clash with. It serves one
// audit, in one goroutine.
type Examiner struct {
	m   *Comparer
	Ctx context.Context // of the one call that the examiner lives for
	Now time.Time
	// KeepUnsettled keeps pairs that the rules say nothing about for a model.
	KeepUnsettled bool
	seen          map[pairID]bool

	Tags      *tags
	known     map[string]*core.AnalyzedFact // by blob
	Compared  int                           // pairs
	Clashes   []Clash
	Unsettled []Pairing // that the rules say nothing about, for a model
	Missed    missed
	// Judged reports pairs that no model need be asked about again; nil: none.
	Judged  func(Pairing) bool
	Planned []Planned // that were to be examined and have not begun
}

// pairID names two blobs by their first 16 digits: an audit of everything sees
// millions of pairs.
type pairID [2]uint64

func digits(blob string) uint64 {
	n, _ := strconv.ParseUint(blob[:min(len(blob), 16)], 16, 64)
	return n
}

// Pairing is two facts in the order of detect.Order.
type Pairing struct {
	First, Second *core.AnalyzedFact
	priority      float64
}

// Clash is a pairing with what is wrong between the two.
type Clash struct {
	Pairing
	detect.Finding
	Basis string
}

func (m *Comparer) NewExaminer(ctx context.Context, now time.Time) *Examiner {
	return &Examiner{
		m: m, Tags: m.NewTags(0), Ctx: ctx, Now: now, seen: make(map[pairID]bool), known: make(map[string]*core.AnalyzedFact),
		Missed: missed{Crowded: make(map[string]int)},
	}
}

// FactsAtOnce is how many facts are read in one round trip to git.
const FactsAtOnce = 50

// heldFor is how long the index is held open for facts that are examined: nobody can
// bring it up to date meanwhile, and whoever commits waits for that.
const heldFor = 25 * time.Millisecond

// Examine holds the facts of blobs on the tip against all others.
func (e *Examiner) Examine(tip string, blobs []string) error {
	for done := 0; done < len(blobs); {
		part := blobs[done:min(done+FactsAtOnce, len(blobs))]
		list, err := e.Read(part)
		if err == nil {
			err = e.Tags.learn(e.Ctx, list)
		}
		if err == nil {
			err = e.Each(e.m, tip, list, e.one)
		}
		if err != nil {
			return err
		}
		done += len(part)
		e.m.Progress("auditing", done, len(blobs))
	}
	return nil
}

// Each examines facts with the index of a memory, which it lets go again and again.
func (e *Examiner) Each(m *Comparer, tip string, list []*core.AnalyzedFact, one func(*index.View, *core.AnalyzedFact) error) error {
	for len(list) > 0 {
		_, err := m.Index.View(e.Ctx, tip, func(view *index.View) error {
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
func (e *Examiner) one(view *index.View, s *core.AnalyzedFact) error {
	if s.Fact.StateAt(e.Now) == facts.Scheduled {
		e.Planned = append(e.Planned, Planned{s.Fact.Key, s.Blob, s.Fact.ValidFrom})
	}
	if !e.Concerns(s.Fact) {
		return nil
	}
	candidates, err := e.candidates(view, s)
	if err != nil {
		return err
	}
	for i, c := range candidates {
		p, fresh := e.Pair(s, c.AnalyzedFact, c.priority)
		if fresh && !e.Compare(p) && e.KeepUnsettled && i < maxJudged && !e.wasJudged(p) {
			e.Unsettled = append(e.Unsettled, p)
		}
	}
	return nil
}

func (e *Examiner) wasJudged(p Pairing) bool { return e.Judged != nil && e.Judged(p) }

// CompareWithAll holds a claim that is on no branch against the facts on one; it
// is the side a of every clash.
func (e *Examiner) CompareWithAll(tip string, s *core.AnalyzedFact) error {
	_, err := e.m.Index.View(e.Ctx, tip, func(view *index.View) error {
		candidates, err := e.candidates(view, s)
		for _, c := range candidates {
			e.Compare(Pairing{s, c.AnalyzedFact, c.priority})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("find what the claim may clash with: %w", err)
	}
	return nil
}

// Pair puts two facts in order; fresh is false where they were compared before.
func (e *Examiner) Pair(a, b *core.AnalyzedFact, priority float64) (p Pairing, fresh bool) {
	if first, _ := detect.Order(a.Fact, b.Fact); first.Key != a.Fact.Key {
		a, b = b, a
	}
	id := pairID{digits(a.Blob), digits(b.Blob)}
	fresh = !e.seen[id]
	e.seen[id] = true
	return Pairing{a, b, priority}, fresh
}

// Compare lets the rules judge a pair.
func (e *Examiner) Compare(p Pairing) (found bool) {
	e.Compared++
	f, found := detect.Compare(p.First.Claim, p.Second.Claim)
	if !found {
		return false
	}
	if f.Verdict == detect.Genuine {
		if newer := e.m.laterEvidence(e.Ctx, p.First.Fact, p.Second.Fact); newer != detect.Neither {
			f = f.Evolve(newer)
			f.Explanation += "; what the " + map[detect.Side]string{detect.SideA: "first", detect.SideB: "second"}[newer] + " rests on is newer"
		}
	}
	e.Clashes = append(e.Clashes, Clash{p, f, rulesBasis()})
	return true
}

func rulesBasis() string { return fmt.Sprintf("rules %d", detect.RulesVersion) }

// laterEvidence compares the commits that two facts name as evidence, where
// both point into the same file: the side whose commit descends from the other's
// has seen the newer state.
func (m *Comparer) laterEvidence(ctx context.Context, a, b facts.Fact) detect.Side {
	mine, yours := commitsOf(a), commitsOf(b)
	for _, path := range slices.Sorted(maps.Keys(mine)) {
		ours, theirs := mine[path], yours[path]
		if theirs == "" || ours == theirs {
			continue
		}
		if _, err := m.Store.Ancestor(ctx, ours, theirs); err == nil {
			return detect.SideB
		}
		if _, err := m.Store.Ancestor(ctx, theirs, ours); err == nil {
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
