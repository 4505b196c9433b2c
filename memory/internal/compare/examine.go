package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
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
	// KeepUnsettled keeps pairs that the rules leave undecided for a model.
	KeepUnsettled bool
	seen          map[pairID]bool

	Tags      *tags
	cache     map[string]*core.AnalyzedFact // by blob
	earlier   map[string]*core.AnalyzedFact // what cache had before it was full
	Compared  int                           // pairs
	Clashes   []Clash
	Likely    []Clash   // not sure enough to open a conflict; somebody should judge them
	Unsettled []Pairing // likely or about the same matter, and undecided: for a model
	Skipped   skipped
	// Doubted are the families whose findings open no conflict in this memory, because they
	// were wrong too often. Withheld counts by family what they would have opened.
	Doubted  map[string]bool
	Withheld map[string]int
	// Judged reports pairs that no model need be asked about again; nil: none.
	Judged    func(Pairing) bool
	Scheduled []ScheduledFact // that were to be examined and have not begun
	progress  *progress       // nil: not kept
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
	// remarks end the explanation, for a reader of either side.
	remarks [2]string
}

// SeenFrom explains a clash to the reader of one side: "here" is that side, as it is the
// first one in Explanation.
func (c Clash) SeenFrom(side detect.Side) string {
	if side != detect.SideB {
		return c.Explanation
	}
	f, found := detect.Assess(c.Second.Claim, c.First.Claim)
	if !found {
		return c.Explanation
	}
	return f.Explanation + c.remarks[1]
}

func restsOnNewer(first bool) string {
	if first {
		return "; what the first rests on is newer"
	}
	return "; what the second rests on is newer"
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

// How long the index is kept open while facts are examined. Nobody can update the index
// meanwhile, and commits wait for that; but opening it takes as long as examining several
// facts.
const (
	maxIndexHold   = 2 * time.Second
	maxAwaitedHold = 25 * time.Millisecond // if somebody waits
)

// mayHold reports whether a view that was opened at a moment may be kept open.
func mayHold(view *index.View, since time.Time) bool {
	held := time.Since(since)
	return held < maxAwaitedHold || held < maxIndexHold && !view.Awaited()
}

// Examine compares the facts in blobs with all facts on the tip.
func (e *Examiner) Examine(ctx context.Context, tip string, blobs []string) error {
	for done := 0; done < len(blobs); {
		list, err := e.readBatch(ctx, blobs[done:])
		if err != nil {
			return err
		}
		_, err = e.m.Index.View(ctx, tip, func(view *index.View) (err error) {
			for since := time.Now(); ; {
				if err := e.examineBatch(ctx, view, list); err != nil {
					return err
				}
				done = min(done+BatchSize, len(blobs))
				e.m.Progress("auditing", done, len(blobs))
				if done == len(blobs) || e.Tags.slow() || !mayHold(view, since) {
					return nil
				}
				if list, err = e.readBatch(ctx, blobs[done:]); err != nil {
					return err
				}
			}
		})
		if err != nil {
			return fmt.Errorf("find what facts may clash with: %w", err)
		}
	}
	return nil
}

// readBatch reads the first BatchSize facts.
func (e *Examiner) readBatch(ctx context.Context, blobs []string) ([]*core.AnalyzedFact, error) {
	list, err := e.Read(ctx, blobs[:min(BatchSize, len(blobs))])
	if err != nil {
		return nil, err
	}
	return list, e.Tags.learn(ctx, list)
}

// Each calls one for every fact, with the index of a memory. It closes and reopens the index
// at intervals, so that others can update it.
func (e *Examiner) Each(ctx context.Context, m *Comparer, tip string, list []*core.AnalyzedFact, one func(context.Context, *index.View, *core.AnalyzedFact) error) error {
	for len(list) > 0 {
		_, err := m.Index.View(ctx, tip, func(view *index.View) error {
			for since := time.Now(); len(list) > 0 && mayHold(view, since); list = list[1:] {
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

// examineBatch compares facts with their candidates: all processors search, then read,
// then compare. What it records is in the order of the facts, however many processors
// there are.
func (e *Examiner) examineBatch(ctx context.Context, view *index.View, all []*core.AnalyzedFact) error {
	list := slices.DeleteFunc(slices.Clone(all), func(s *core.AnalyzedFact) bool {
		if s.Fact.StateAt(e.Now) == facts.Scheduled {
			e.Scheduled = append(e.Scheduled, ScheduledFact{s.Fact.Key, s.Blob, s.Fact.ValidFrom})
		}
		return !e.MayConflict(s.Fact)
	})
	proposals, errs := make([]proposal, len(list)), make([]error, len(list))
	inParallel(len(list), func(i int) { proposals[i], errs[i] = e.search(ctx, view, list[i]) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	pairs, err := e.freshPairs(ctx, list, proposals)
	if err != nil {
		return err
	}
	inParallel(len(pairs), func(i int) {
		pairs[i].finding, pairs[i].found = detect.Assess(pairs[i].First.Claim, pairs[i].Second.Claim)
	})
	for i := range pairs {
		p := &pairs[i]
		if !e.record(ctx, p.Pairing, p.finding, p.found) && e.KeepUnsettled && p.rank < maxJudged && p.undecided() && !e.wasJudged(p.Pairing) {
			p.unsettled = true
			if p.found && p.finding.Grade != detect.GradeRelated {
				p.priority += core.TopPriority
			}
			e.Unsettled = append(e.Unsettled, p.Pairing)
		}
	}
	e.examined(all, pairs)
	return nil
}

// ranked is a pairing of a fact with one of its candidates.
type ranked struct {
	Pairing
	rank      int // of the candidate
	finding   detect.Finding
	found     bool
	unsettled bool
}

// undecided reports a pair that a model is asked about although the rules open no conflict: the
// two may clash, or are about the same matter.
func (p *ranked) undecided() bool {
	return p.found || p.First.Claim.Kinship(p.Second.Claim) >= half
}

// freshPairs returns the pairs of facts with what is proposed for them that were not
// paired before.
func (e *Examiner) freshPairs(ctx context.Context, list []*core.AnalyzedFact, proposals []proposal) (pairs []ranked, err error) {
	var all []string
	for _, p := range proposals {
		all = append(all, p.blobs()...)
	}
	slices.Sort(all)
	if _, err := e.Read(ctx, slices.Compact(all)); err != nil {
		return nil, err
	}
	for i, s := range list {
		others, err := e.Read(ctx, proposals[i].blobs())
		if err != nil {
			return nil, err
		}
		for n, c := range e.choose(s, proposals[i], others) {
			if p, fresh := e.Pair(s, c.AnalyzedFact, c.priority); fresh {
				pairs = append(pairs, ranked{Pairing: p, rank: n})
			}
		}
	}
	return pairs, nil
}

// inParallel calls one with 0 to n-1, on all processors.
func inParallel(n int, one func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				one(i)
			}
		})
	}
	workers.Wait()
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
	p = Pairing{a, b, priority}
	fresh = !e.seen[p.id()]
	e.seen[p.id()] = true
	return p, fresh
}

func (p Pairing) id() pairID { return pairID{digits(p.First.Blob), digits(p.Second.Blob)} }

// Compare applies the rules to a pair and records a clash if they find one.
func (e *Examiner) Compare(ctx context.Context, p Pairing) (found bool) {
	f, found := detect.Assess(p.First.Claim, p.Second.Claim)
	return e.record(ctx, p, f, found)
}

// record keeps what the rules found between a pair; clashes is false if they found too
// little for a conflict.
func (e *Examiner) record(ctx context.Context, p Pairing, f detect.Finding, found bool) (clashes bool) {
	e.Compared++
	if !found {
		return false
	}
	c := Clash{Pairing: p, Finding: f, Basis: rulesBasis()}
	if e.doubts(p, f) {
		e.Withheld[f.Family]++
		c.Grade = detect.GradeLikely
		remark := fmt.Sprintf("; only likely, because findings of the family %s are often wrong in this memory", f.Family)
		c.remarks = [2]string{remark, remark}
	}
	if c.Grade == detect.GradeContradiction && c.Verdict == detect.Genuine {
		if newer := e.m.laterEvidence(ctx, p.First.Fact, p.Second.Fact); newer != detect.Neither {
			c.Finding = f.Evolve(newer)
			c.remarks = [2]string{restsOnNewer(newer == detect.SideA), restsOnNewer(newer == detect.SideB)}
		}
	}
	c.Explanation += c.remarks[0]
	if c.Grade != detect.GradeContradiction {
		if c.Grade == detect.GradeLikely {
			e.Likely = append(e.Likely, c)
		}
		return false
	}
	e.Clashes = append(e.Clashes, c)
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
