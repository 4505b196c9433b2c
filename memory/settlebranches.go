package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"engram/facts"
	"engram/gitstore"
)

// BranchesResult says what became of the facts that are bound to code branches.
type BranchesResult struct {
	Answer
	Trunk    string          `json:"trunk"` // what branches were held against; "" where none is known
	Promoted []Settled       `json:"promoted"`
	Dropped  []Settled       `json:"dropped"`
	Waiting  []WaitingBranch `json:"waiting"`
}

// WaitingBranch is a branch whose facts stay bound.
type WaitingBranch struct {
	Branch string      `json:"branch"`
	Keys   []facts.Key `json:"keys"`
	Reason string      `json:"reason"`
	// Undecided: git cannot tell what became of the branch, and a person has to.
	Undecided bool `json:"undecided"`
}

func branchesResult(revision string) BranchesResult {
	return BranchesResult{Answer: answer(revision), Promoted: []Settled{}, Dropped: []Settled{}, Waiting: []WaitingBranch{}}
}

// codeBranch is what is known of a code branch that facts are bound to.
type codeBranch struct {
	Here    bool // a local or fetched branch has the name
	Seen    bool // it was seen here with commits that the trunk did not have
	Landing gitstore.Landing
	Holder  string // another reference that contains these commits
	Follows bool   // if it were on a remote, it would be seen here
}

// fate is what becomes of the facts of a branch.
type fate int

const (
	fateWait fate = iota
	fateMerged
	fateDropped
)

// fate decides by what is known of a branch. Nothing is concluded from what this
// clone has never seen.
//
//  1. No work of its own was seen: wait. It may be fresh, and it may belong to
//     another clone.
//  2. That work is in the trunk: merged, whether or not the branch still exists.
//  3. It is not, and the branch exists: wait.
//  4. The branch is gone, and another reference has its commits: wait. It was
//     renamed, or another branch builds on it.
//  5. The branch is gone, and something like its work is in the trunk: wait for a
//     person.
//  6. The branch is gone, and a remote may have it: wait.
//  7. The branch is gone, and so is its work: dropped.
func (b codeBranch) fate() (f fate, reason string, undecided bool) {
	switch {
	case !b.Seen:
		return fateWait, "no commits of its own have been seen here", false
	case b.Landing == gitstore.HasLanded:
		return fateMerged, "", false
	case b.Here:
		return fateWait, "it has commits that are not in the trunk", false
	case b.Holder != "":
		return fateWait, "it is gone, and " + b.Holder + " has its commits", true
	case b.Landing == gitstore.MayHaveLanded:
		return fateWait, "it is gone, and its work may be in the trunk in another form", true
	case !b.Follows:
		return fateWait, "it is gone here, and a remote may have it: not all branches of each are fetched", true
	}
	return fateDropped, "", false
}

// SettleBranches promotes the facts whose code branch was merged and retires those
// whose branch was dropped, in one commit. It compares what is with what was seen
// before, so it can be called at any time, by whoever and as often as one likes; a
// call that is missed only delays.
func (m *Memory) SettleBranches(ctx context.Context) (BranchesResult, error) {
	return m.settleBound(ctx, "settle", func(s *settling) error { return s.observe() })
}

// PromoteInput says which bound facts to promote.
type PromoteInput struct {
	Branch string // CurrentBranch: the one that this work tree is on
	Key    string // where the fact stands, or the key that it is for; "": all of the branch
	Agent  string
}

// PromoteBranch promotes facts that are bound to a branch, whatever became of it. The
// error wraps ErrNotFound where there are none.
func (m *Memory) PromoteBranch(ctx context.Context, in PromoteInput) (BranchesResult, error) {
	name, err := m.asksOn(in.Branch), error(nil)
	if name == "" {
		return BranchesResult{}, fmt.Errorf("%w: HEAD is not on a branch of code", ErrNoCodeBranch)
	}
	only := facts.Key{}
	if in.Key != "" {
		if only, err = facts.ParseKey(in.Key); err != nil {
			return BranchesResult{}, err
		}
	}
	return m.settleBound(ctx, "promote", func(s *settling) error {
		s.bound = slices.DeleteFunc(s.bound, func(f facts.Fact) bool {
			return f.Branch != name || !only.IsZero() && f.Key != only && f.Target() != only
		})
		if len(s.bound) == 0 {
			return fmt.Errorf("%w: nothing open is bound to the branch %s", ErrNotFound, name)
		}
		why := "branch " + name
		if in.Agent != "" {
			why += ", by " + in.Agent
		}
		for _, f := range s.bound {
			s.fates[f.Key] = verdict{fateMerged, why}
		}
		return nil
	})
}

// settling is one run over the bound facts.
type settling struct {
	m      *Memory
	ctx    context.Context // of that run
	now    time.Time
	state  boundState
	bound  []facts.Fact // by branch, then key
	fates  map[facts.Key]verdict
	result BranchesResult
}

type verdict struct {
	fate fate
	why  string
}

func (m *Memory) settleBound(ctx context.Context, verb string, decide func(*settling) error) (BranchesResult, error) {
	tip, _, err := m.tip(ctx)
	if err != nil {
		return BranchesResult{}, err
	}
	release, err := m.lockBound(ctx)
	if err != nil {
		return BranchesResult{}, err
	}
	defer func() { _ = release() }()
	s := settling{m: m, ctx: ctx, now: m.moment(), state: m.readBound(), fates: make(map[facts.Key]verdict), result: branchesResult(tip)}
	if s.bound, err = m.openBound(ctx, &s.state, tip); err != nil {
		return BranchesResult{}, err
	}
	slices.SortFunc(s.bound, func(a, b facts.Fact) int {
		return cmp.Or(cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	if err := decide(&s); err != nil {
		return BranchesResult{}, err
	}
	if len(s.fates) > 0 {
		if err := s.write(verb); err != nil {
			return BranchesResult{}, err
		}
	}
	if err := m.catchUpBound(ctx, &s.state, s.result.Revision); err != nil {
		m.log.Warn("bound facts not caught up", "error", err)
	}
	if err := m.writeBound(s.state); err != nil {
		m.log.Warn("what is known of branches is not kept", "error", err)
	}
	return s.result, nil
}

// observe looks at each branch and decides.
func (s *settling) observe() error {
	named := make(map[string]bool)
	for _, f := range s.bound {
		named[f.Branch] = true
	}
	maps.DeleteFunc(s.state.Seen, func(name string, _ sighting) bool { return !named[name] })
	if len(named) == 0 {
		return nil
	}
	eye, err := s.m.newEye(s.ctx, s.now)
	if err != nil {
		return err
	}
	s.result.Trunk = eye.trunk.Ref
	for _, name := range slices.Sorted(maps.Keys(named)) {
		seen, known, err := eye.look(name, s.state.Seen[name])
		if err != nil {
			return err
		}
		if known.Seen {
			s.state.Seen[name] = seen
		}
		if eye.trunk.Ref == "" {
			s.wait(name, time.Time{}, "no trunk is known; set trunk in .engram.yml", true)
			continue
		}
		f, reason, undecided := known.fate()
		if f == fateWait {
			s.wait(name, time.Time{}, reason, undecided)
			continue
		}
		why := map[fate]string{fateMerged: "branch " + name + " merged", fateDropped: "the branch " + name + " was dropped"}[f]
		for _, b := range s.bound {
			if b.Branch == name && !b.Provenance.CreatedAt.After(seen.At) {
				s.fates[b.Key] = verdict{f, why}
			}
		}
		s.wait(name, seen.At, "it was written after commits of the branch were last seen here", false)
	}
	return nil
}

// wait notes the facts of a branch that were written after a moment.
func (s *settling) wait(name string, after time.Time, reason string, undecided bool) {
	w := WaitingBranch{Branch: name, Reason: reason, Undecided: undecided}
	for _, f := range s.bound {
		if f.Branch == name && f.Provenance.CreatedAt.After(after) {
			w.Keys = append(w.Keys, f.Key)
		}
	}
	if len(w.Keys) > 0 {
		s.result.Waiting = append(s.result.Waiting, w)
	}
}

// write carries the verdicts out, on facts that are still as they were.
func (s *settling) write(verb string) error {
	waiting := len(s.result.Waiting)
	revision, err := s.m.update(s.ctx, verb, func(p *planner) error {
		s.result.Promoted, s.result.Dropped, s.result.Waiting = []Settled{}, []Settled{}, s.result.Waiting[:waiting]
		for _, f := range s.bound {
			v, decided := s.fates[f.Key]
			if !decided {
				continue
			}
			at, found, err := p.at(f.Key)
			if err != nil && !errors.Is(err, ErrUnreadable) {
				return err
			}
			if err != nil || !found || at.ID != f.ID || !at.IsBound() || !open(at, p.now) {
				continue
			}
			if err := s.settle(p, at, v); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.result.Answer = answer(revision)
	}
	return err
}

// barred says why a fact must not become the one that holds for all, though its
// branch has merged: whoever settles would have to have it reviewed, or its agent may
// not write what stands there.
func (s *settling) barred(p *planner, f facts.Fact) (reason string, err error) {
	if p.manifest.Review.Needed(f.Target(), p.author) {
		return fmt.Sprintf("%s has to be reviewed: commit its claim without --branch, which proposes it, or let somebody promote it who may accept", f.Target()), nil
	}
	standing, found, err := p.at(f.Target())
	if err != nil || !found {
		return "", err
	}
	if !p.manifest.Permissions.Allow(f.Provenance.Agent, standing.Scope, facts.Write, p.now) {
		return fmt.Sprintf("%s may not write to %s, which %s is about", f.Provenance.Agent, standing.Scope, f.Target()), nil
	}
	return "", nil
}

// settle carries one verdict out. A fact that cannot be written waits and says why.
func (s *settling) settle(p *planner, f facts.Fact, v verdict) error {
	if v.fate == fateDropped {
		_, err := p.retire(draft{fact: facts.Fact{Key: f.Key}, reason: v.why})
		s.result.Dropped = append(s.result.Dropped, Settled{Branch: f.Branch, Bound: f.Key, Key: f.Key, Claim: f.Claim, FactID: f.ID})
		return err
	}
	if reason, err := s.barred(p, f); err != nil || reason != "" {
		s.result.Waiting = append(s.result.Waiting, WaitingBranch{Branch: f.Branch, Keys: []facts.Key{f.Key}, Reason: reason, Undecided: true})
		return err
	}
	done, err := p.promoteBound(f, v.why)
	var invalid *facts.ValidationError
	if errors.As(err, &invalid) || errors.Is(err, ErrUnreadable) {
		s.result.Waiting = append(s.result.Waiting, WaitingBranch{Branch: f.Branch, Keys: []facts.Key{f.Key}, Reason: err.Error(), Undecided: true})
		return nil
	}
	if err == nil {
		s.result.Promoted = append(s.result.Promoted, done)
	}
	return err
}
