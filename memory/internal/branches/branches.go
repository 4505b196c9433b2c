// Package branches settles what becomes of facts that are bound to a code branch once the
// branch has landed or is gone.
package branches

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"engram/facts"
	"engram/memory/internal/codebranch"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Settler settles the facts that are bound to code branches.
type Settler struct {
	*core.Memory
	codebranch *codebranch.Watcher
	write      *write.Writer
}

// New returns the Settler of a memory.
func New(m *core.Memory) *Settler {
	return &Settler{Memory: m, codebranch: codebranch.New(m), write: write.New(m)}
}

// BranchesResult says what became of the facts that are bound to code branches.
type BranchesResult struct {
	core.Answer
	Trunk    string          `json:"trunk"` // that branches were compared with; "" if unknown
	Promoted []write.Settled `json:"promoted"`
	Dropped  []write.Settled `json:"dropped"`
	Waiting  []WaitingBranch `json:"waiting"`
}

// WaitingBranch is a branch whose facts stay bound.
type WaitingBranch struct {
	Branch string      `json:"branch"`
	Keys   []facts.Key `json:"keys"`
	Reason string      `json:"reason"`
	// Undecided means that git cannot tell whether the branch was merged, so a person has to
	// decide.
	Undecided bool `json:"undecided"`
}

// SettleBranches promotes the facts whose code branch was merged and retires those
// whose branch was dropped, in one commit. It compares the current branches with earlier
// observations, so it can be called at any time and any number of times; a missed call
// only causes a delay.
func (m *Settler) SettleBranches(ctx context.Context) (BranchesResult, error) {
	return m.settleBound(ctx, "settle", func(s *settling) error { return s.observe(ctx) })
}

// PromoteInput says which bound facts to promote.
type PromoteInput struct {
	Branch string // CurrentBranch means the branch of this work tree
	Key    string // of the bound fact, or the key that it is for; "" means all facts of the branch
	Agent  string `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" help:"NAME of the agent that promotes the fact"`
}

// PromoteBranch promotes facts that are bound to a branch, whether or not it was merged. The
// error wraps ErrNotFound if there are none.
func (m *Settler) PromoteBranch(ctx context.Context, in PromoteInput) (BranchesResult, error) {
	name, err := m.ResolveBranch(in.Branch), error(nil)
	if name == "" {
		return BranchesResult{}, fmt.Errorf("%w: HEAD is not on a branch of code", core.ErrNoCodeBranch)
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
			return fmt.Errorf("%w: nothing open is bound to the branch %s", core.ErrNotFound, name)
		}
		why := "branch " + name
		if in.Agent != "" {
			why += ", by " + in.Agent
		}
		for _, f := range s.bound {
			s.decisions[f.Key] = decision{codebranch.Merged, why}
		}
		return nil
	})
}

// settling is one run over the bound facts.
type settling struct {
	m         *Settler
	now       time.Time
	state     codebranch.BoundState
	bound     []facts.Fact // by branch, then key
	decisions map[facts.Key]decision
	result    BranchesResult
}

type decision struct {
	outcome codebranch.Outcome
	reason  string
}

func (m *Settler) settleBound(ctx context.Context, verb string, decide func(*settling) error) (BranchesResult, error) {
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return BranchesResult{}, err
	}
	release, err := m.codebranch.LockBound(ctx)
	if err != nil {
		return BranchesResult{}, err
	}
	defer func() { _ = release() }()
	s := settling{m: m, now: m.Moment(), state: m.codebranch.ReadBound(), decisions: make(map[facts.Key]decision)}
	s.result = BranchesResult{Answer: core.AnswerAt(tip), Promoted: []write.Settled{}, Dropped: []write.Settled{}, Waiting: []WaitingBranch{}}
	if s.bound, err = m.write.OpenBound(ctx, &s.state, tip); err != nil {
		return BranchesResult{}, err
	}
	slices.SortFunc(s.bound, func(a, b facts.Fact) int {
		return cmp.Or(cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	if err := decide(&s); err != nil {
		return BranchesResult{}, err
	}
	if len(s.decisions) > 0 {
		if err := s.write(ctx, verb); err != nil {
			return BranchesResult{}, err
		}
	}
	if err := m.write.CatchUpBound(ctx, &s.state, s.result.Revision); err != nil {
		m.Log.Warn("bound facts not caught up", "error", err)
	}
	if err := m.codebranch.WriteBound(s.state); err != nil {
		m.Log.Warn("what is known of branches is not kept", "error", err)
	}
	return s.result, nil
}

// observe inspects each branch that facts are bound to and decides about its facts.
func (s *settling) observe(ctx context.Context) error {
	named := make(map[string]bool)
	for _, f := range s.bound {
		named[f.Branch] = true
	}
	maps.DeleteFunc(s.state.Seen, func(name string, _ codebranch.Observation) bool { return !named[name] })
	if len(named) == 0 {
		return nil
	}
	snapshot, err := s.m.codebranch.NewSnapshot(ctx, s.now)
	if err != nil {
		return err
	}
	s.result.Trunk = snapshot.Trunk.Ref
	for _, name := range slices.Sorted(maps.Keys(named)) {
		seen, known, err := snapshot.Inspect(ctx, name, s.state.Seen[name])
		if err != nil {
			return err
		}
		if known.Seen {
			s.state.Seen[name] = seen
		}
		if snapshot.Trunk.Ref == "" {
			s.wait(name, time.Time{}, "no trunk is known; set trunk in .engram.yml", true)
			continue
		}
		f, reason, undecided := known.Outcome()
		if f == codebranch.Wait {
			s.wait(name, time.Time{}, reason, undecided)
			continue
		}
		why := map[codebranch.Outcome]string{codebranch.Merged: "branch " + name + " merged", codebranch.Dropped: "the branch " + name + " was dropped"}[f]
		for _, b := range s.bound {
			if b.Branch == name && !b.Provenance.CreatedAt.After(seen.At) {
				s.decisions[b.Key] = decision{f, why}
			}
		}
		s.wait(name, seen.At, "it was written after commits of the branch were last seen here", false)
	}
	return nil
}

// wait lists the facts of a branch that were written after a time as waiting.
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

// write carries out the decisions on facts that have not changed meanwhile.
func (s *settling) write(ctx context.Context, verb string) error {
	waiting := len(s.result.Waiting)
	revision, err := s.m.write.Update(ctx, verb, func(p *write.Planner) error {
		s.result.Promoted, s.result.Dropped, s.result.Waiting = []write.Settled{}, []write.Settled{}, s.result.Waiting[:waiting]
		for _, f := range s.bound {
			v, decided := s.decisions[f.Key]
			if !decided {
				continue
			}
			at, found, err := p.At(ctx, f.Key)
			if err != nil && !errors.Is(err, core.ErrUnreadable) {
				return err
			}
			if err != nil || !found || at.ID != f.ID || !at.IsBound() || !core.CurrentOrScheduled(at, p.Now) {
				continue
			}
			if err := s.settle(ctx, p, at, v); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.result.Answer = core.AnswerAt(revision)
	}
	return err
}

// whyNotPromote returns why a fact must not be promoted although its branch has merged: the
// author of the commit needs a review, or the fact's agent must not write to the scope of
// the fact that it would replace. It returns "" if nothing prevents it.
func (s *settling) whyNotPromote(ctx context.Context, p *write.Planner, f facts.Fact) (reason string, err error) {
	if p.Manifest.Review.Needed(f.Target(), p.Author) {
		return fmt.Sprintf("%s has to be reviewed: commit its claim without --branch, which proposes it, or let somebody promote it who may accept", f.Target()), nil
	}
	standing, found, err := p.At(ctx, f.Target())
	if err != nil || !found {
		return "", err
	}
	if !p.Manifest.Permissions.Allow(f.Provenance.Agent, standing.Scope, facts.Write, p.Now) {
		return fmt.Sprintf("%s may not write to %s, which %s is about", f.Provenance.Agent, standing.Scope, f.Target()), nil
	}
	return "", nil
}

// settle carries out one decision. A fact that cannot be written waits, with the reason.
func (s *settling) settle(ctx context.Context, p *write.Planner, f facts.Fact, v decision) error {
	if v.outcome == codebranch.Dropped {
		_, err := p.Retire(ctx, write.Draft{Fact: facts.Fact{Key: f.Key}, Reason: v.reason})
		s.result.Dropped = append(s.result.Dropped, write.Settled{Branch: f.Branch, Bound: f.Key, Key: f.Key, Claim: f.Claim, FactID: f.ID})
		return err
	}
	reason, err := s.whyNotPromote(ctx, p, f)
	if err != nil {
		return err
	}
	if reason == "" {
		done, err := p.PromoteBound(ctx, f, v.reason)
		if _, invalid := errors.AsType[*facts.ValidationError](err); !invalid && !errors.Is(err, core.ErrUnreadable) {
			if err == nil {
				s.result.Promoted = append(s.result.Promoted, done)
			}
			return err
		}
		reason = err.Error()
	}
	s.result.Waiting = append(s.result.Waiting, WaitingBranch{Branch: f.Branch, Keys: []facts.Key{f.Key}, Reason: reason, Undecided: true})
	return nil
}
