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

// Examiner compares facts with the facts that they may contradict. It serves one audit and
// is not safe for concurrent use.
type Examiner struct {
	m   *Comparer
	Now time.Time
	// KeepUnsettled keeps pairs that the rules say nothing about for a model.
	KeepUnsettled bool
	seen          map[pairID]bool

	Tags      *tags
	cache     map[string]*core.AnalyzedFact // by blob
	Compared  int                           // pairs
	Clashes   []Clash
	Likely    []Clash   // not sure enough to open a conflict; somebody should judge them
	Unsettled []Pairing // that the rules say nothing about, for a model
	Skipped   skipped
	// Doubted are the families whose findings open no conflict in this memory, because they
	// were wrong too often. Withheld counts by family what they would have opened.
	Doubted  map[string]bool
	Withheld map[string]int
	// Judged reports pairs that no model need be asked about again; nil: none.
	Judged    func(Pairing) bool
	Scheduled []ScheduledFact // that were to be examined and have not begun
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

// NewExaminer returns an Examiner that takes facts as they hold at now.
func (m *Comparer) NewExaminer(now time.Time) *Examiner {
	return &Examiner{
		m: m, Tags: m.NewTags(0), Now: now, seen: make(map[pairID]bool), cache: make(map[string]*core.AnalyzedFact),
		Withheld: make(map[string]int),
		Skipped:  skipped{Crowded: make(map[string]int)},
	}
}

// BatchSize is how many facts are read in one round trip to git.
const BatchSize = 50

// maxIndexHold is how long the index is kept open while facts are examined. Nobody can
// update the index meanwhile, and commits wait for that.
const maxIndexHold = 25 * time.Millisecond

// Examine compares the facts in blobs with all facts on the tip.
func (e *Examiner) Examine(ctx context.Context, tip string, blobs []string) error {
	for done := 0; done < len(blobs); {
		part := blobs[done:min(done+BatchSize, len(blobs))]
		list, err := e.Read(ctx, part)
		if err == nil {
			err = e.Tags.learn(ctx, list)
		}
		if err == nil {
			err = e.Each(ctx, e.m, tip, list, e.examineFact)
		}
		if err != nil {
			return err
		}
		done += len(part)
		e.m.Progress("auditing", done, len(blobs))
	}
	return nil
}

// Each calls one for every fact, with the index of a memory. It closes and reopens the index
// at intervals, so that others can update it.
func (e *Examiner) Each(ctx context.Context, m *Comparer, tip string, list []*core.AnalyzedFact, one func(context.Context, *index.View, *core.AnalyzedFact) error) error {
	for len(list) > 0 {
		_, err := m.Index.View(ctx, tip, func(view *index.View) error {
			for until := time.Now().Add(maxIndexHold); len(list) > 0 && time.Now().Before(until); list = list[1:] {
				if err := one(ctx, view, list[0]); err != nil {
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

// examineFact compares a fact with its candidates.
func (e *Examiner) examineFact(ctx context.Context, view *index.View, s *core.AnalyzedFact) error {
	if s.Fact.StateAt(e.Now) == facts.Scheduled {
		e.Scheduled = append(e.Scheduled, ScheduledFact{s.Fact.Key, s.Blob, s.Fact.ValidFrom})
	}
	if !e.MayConflict(s.Fact) {
		return nil
	}
	candidates, err := e.candidates(ctx, view, s)
	if err != nil {
		return err
	}
	for i, c := range candidates {
		p, fresh := e.Pair(s, c.AnalyzedFact, c.priority)
		if fresh && !e.Compare(ctx, p) && e.KeepUnsettled && i < maxJudged && !e.wasJudged(p) {
			e.Unsettled = append(e.Unsettled, p)
		}
	}
	return nil
}

// Meet compares a fact that is about to be written with the facts on the tip, except those
// that the same commit replaces.
func (e *Examiner) Meet(ctx context.Context, view *index.View, s *core.AnalyzedFact, replaced func(facts.Key) bool) error {
	candidates, err := e.candidates(ctx, view, s)
	if err != nil {
		return fmt.Errorf("find what the fact may clash with: %w", err)
	}
	for _, c := range candidates {
		if p, fresh := e.Pair(s, c.AnalyzedFact, c.priority); fresh && !replaced(c.Fact.Key) {
			e.Compare(ctx, p)
		}
	}
	return nil
}

// MeetEachOther compares facts that are about to be written together.
func (e *Examiner) MeetEachOther(ctx context.Context, list []*core.AnalyzedFact) {
	for i, s := range list {
		for _, other := range list[:i] {
			if p, fresh := e.Pair(s, other, 0); fresh && s.Fact.Lineage != other.Fact.Lineage {
				e.Compare(ctx, p)
			}
		}
	}
}

func (e *Examiner) wasJudged(p Pairing) bool { return e.Judged != nil && e.Judged(p) }

// CompareWithAll compares a claim that is not on the branch with the facts on the tip. The
// claim is side a of every clash.
func (e *Examiner) CompareWithAll(ctx context.Context, tip string, s *core.AnalyzedFact) error {
	_, err := e.m.Index.View(ctx, tip, func(view *index.View) error {
		candidates, err := e.candidates(ctx, view, s)
		for _, c := range candidates {
			e.Compare(ctx, Pairing{s, c.AnalyzedFact, c.priority})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("find what the claim may clash with: %w", err)
	}
	return nil
}

// Pair puts two facts in order; fresh is false if they were paired before.
func (e *Examiner) Pair(a, b *core.AnalyzedFact, priority float64) (p Pairing, fresh bool) {
	if first, _ := detect.Order(a.Fact, b.Fact); first.Key != a.Fact.Key {
		a, b = b, a
	}
	id := pairID{digits(a.Blob), digits(b.Blob)}
	fresh = !e.seen[id]
	e.seen[id] = true
	return Pairing{a, b, priority}, fresh
}

// Compare applies the rules to a pair and records a clash if they find one.
func (e *Examiner) Compare(ctx context.Context, p Pairing) (found bool) {
	e.Compared++
	f, found := detect.Assess(p.First.Claim, p.Second.Claim)
	if !found {
		return false
	}
	if e.doubts(p, f) {
		e.Withheld[f.Family]++
		f.Grade = detect.GradeLikely
		f.Explanation += fmt.Sprintf("; only likely, because findings of the family %s are often wrong in this memory", f.Family)
	}
	if f.Grade != detect.GradeContradiction {
		if f.Grade == detect.GradeLikely {
			e.Likely = append(e.Likely, Clash{p, f, rulesBasis()})
		}
		return false
	}
	if f.Verdict == detect.Genuine {
		if newer := e.m.laterEvidence(ctx, p.First.Fact, p.Second.Fact); newer != detect.Neither {
			f = f.Evolve(newer)
			f.Explanation += "; what the " + map[detect.Side]string{detect.SideA: "first", detect.SideB: "second"}[newer] + " rests on is newer"
		}
	}
	e.Clashes = append(e.Clashes, Clash{p, f, rulesBasis()})
	return true
}

// doubts reports a contradiction that opens no conflict because of its family. Versions of one
// key that a merge kept are told of in any case.
func (e *Examiner) doubts(p Pairing, f detect.Finding) bool {
	return e.Doubted[f.Family] && f.Grade == detect.GradeContradiction && !p.First.Fact.IsRival() && !p.Second.Fact.IsRival()
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

// ExamineForeign compares a fact of another memory, if it still stands there at the
// revision at, with the facts of the examiner's memory. It is side a of every clash.
func (e *Examiner) ExamineForeign(ctx context.Context, view *index.View, s *core.AnalyzedFact, from *Comparer, at string) error {
	blob, err := from.Store.BlobAt(ctx, at, s.Fact.Key.Path())
	if err != nil || blob != s.Blob || !e.MayConflict(s.Fact) || !from.MayShow(s.Fact, e.Now) {
		return err
	}
	candidates, err := e.candidates(ctx, view, s)
	for _, c := range candidates {
		if e.m.MayShow(c.Fact, e.Now) {
			e.Compare(ctx, Pairing{s, c.AnalyzedFact, c.priority})
		}
	}
	return err
}

// ScheduledFact is a fact that begins later than it was audited.
type ScheduledFact struct {
	Key   facts.Key `json:"key"`
	Blob  string    `json:"blob"`
	Begin time.Time `json:"begin"`
}
