// Package review lists, accepts and rejects proposed facts, and reads and changes the
// policy that asks for reviews.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Reviewer decides what was proposed to a memory.
type Reviewer struct {
	*core.Memory
	compare *compare.Comparer
	write   *write.Writer
}

// New returns the Reviewer of a memory.
func New(m *core.Memory) *Reviewer {
	return &Reviewer{Memory: m, compare: compare.New(m), write: write.New(m)}
}

// Decision names a proposal, as it was seen.
type Decision struct {
	Key string `json:"key"`
	// Version is that of Proposal, or the id of its fact; "" stands for what
	// Proposals showed last in this clone.
	Version string `json:"version,omitempty"`
}

// ReviewInput is what somebody decided.
type ReviewInput struct {
	Decisions []Decision `json:"decisions"`
	Reason    string     `json:"reason,omitempty"` // of a rejection, which needs one
}

// ReviewResult says what was decided.
type ReviewResult struct {
	core.Answer
	Decided []write.Decided `json:"decided"`
	Left    int             `json:"left"` // proposals that still wait
	Notes   []string        `json:"notes,omitempty"`
}

// Accept writes proposals to the memory branch, all in one commit or none, and removes
// them from the proposal branch. The proposer stays the author of the fact; the reviewer
// is the author of the commit. The error wraps ErrNoProposal, ErrUnseen or
// ErrMayNotReview, or is a *SecretError.
func (m *Reviewer) Accept(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	branch, decisions, err := m.beginReview(in)
	if err != nil {
		return ReviewResult{}, err
	}
	defer branch.Close()
	var result ReviewResult
	revision, err := m.write.Update(ctx, "accept", func(p *write.Planner) error {
		if err := p.MayReview(); err != nil {
			return err
		}
		proposed, err := branch.Head(ctx)
		if err != nil {
			return err
		}
		chosen, err := m.chosen(ctx, p.Tip, proposed, decisions)
		if err != nil {
			return err
		}
		result = ReviewResult{}
		for _, c := range chosen {
			if err := p.Accept(c); err != nil {
				return err
			}
			result.Decided = append(result.Decided, write.Decided{Key: c.Fact.Key, FactID: c.Fact.ID, Claim: c.Fact.Claim})
		}
		return nil
	})
	if err != nil {
		return ReviewResult{}, err
	}
	result.Answer = core.AnswerAt(revision)
	if err := branch.Settle(ctx, result.Decided, "accepted"); err != nil { // they are on the memory branch
		result.Notes = append(result.Notes, fmt.Sprintf("%s still has them: %v", branch.Store.Branch(), err))
	}
	result.Left, err = m.CountProposals(ctx, revision)
	return result, err
}

// Reject removes proposals from the proposal branch; the reason is in the commit there.
// A proposer may take a proposal back.
func (m *Reviewer) Reject(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	branch, decisions, err := m.beginReview(in)
	if err != nil {
		return ReviewResult{}, err
	}
	defer branch.Close()
	reason := facts.FoldSpace(in.Reason)
	if reason == "" {
		return ReviewResult{}, core.UsageErrorf(hint.New("give the reason in %s", hint.Reason), "a rejection needs a reason")
	}
	if err := m.ScanText("reason", in.Reason); err != nil {
		return ReviewResult{}, err
	}
	if at, err := branch.Head(ctx); err != nil || at == "" { // do not begin the branch for nothing
		return ReviewResult{}, errors.Join(err, fmt.Errorf("%w: there is no branch %s", ErrNoProposal, branch.Store.Branch()))
	}
	var result ReviewResult
	err = branch.Restore(ctx, func(tip, proposed string) ([]facts.Key, []string, error) {
		chosen, err := m.chosen(ctx, tip, proposed, decisions)
		if err == nil {
			err = m.mayReject(ctx, tip, proposed, chosen)
		}
		if err != nil {
			return nil, nil, err
		}
		var keys []facts.Key
		var lines []string
		result = ReviewResult{Answer: core.AnswerAt(tip)}
		for _, c := range chosen {
			keys, lines = append(keys, c.Fact.Key), append(lines, core.MessageLine("reject", c.Fact.Key, reason))
			result.Decided = append(result.Decided, write.Decided{Key: c.Fact.Key, FactID: c.Fact.ID, Claim: c.Fact.Claim})
		}
		return keys, lines, nil
	})
	if err != nil {
		return ReviewResult{}, err
	}
	result.Left, err = m.CountProposals(ctx, result.Revision)
	return result, err
}

func (m *Reviewer) mayReject(ctx context.Context, tip, proposed string, chosen []write.Proposal) error {
	who, err := m.Store.Identity(ctx)
	if err != nil {
		return err
	}
	manifest, err := m.Manifest(ctx, tip)
	if err != nil || manifest.Review.MayAccept(write.Email(who)) {
		return err
	}
	for _, c := range chosen {
		commits, err := m.Store.History(ctx, proposed, c.Fact.Key.Path(), 1)
		if err != nil {
			return err
		}
		if len(commits) == 0 || write.Email(commits[0].Author) != write.Email(who) {
			return fmt.Errorf("%w: to reject what others proposed", write.ErrMayNotReview)
		}
	}
	return nil
}

// beginReview checks decisions and fills in what was seen.
func (m *Reviewer) beginReview(in ReviewInput) (*write.ProposedBranch, map[facts.Key]string, error) {
	if len(in.Decisions) == 0 {
		return nil, nil, core.UsageErrorf(hint.New("%s shows them", hint.Do(hint.ListProposals)), "no proposal is named")
	}
	seen := make(map[string]string)
	m.compare.ReadState(seenFile, &seen)
	decisions := make(map[facts.Key]string)
	for _, d := range in.Decisions {
		key, err := facts.ParseKey(d.Key)
		if err != nil {
			return nil, nil, err
		}
		decisions[key] = cmp.Or(d.Version, seen[d.Key])
	}
	branch, err := m.write.OpenProposed()
	return branch, decisions, err
}

// chosen are the proposals that decisions name, in the versions that were shown.
func (m *Reviewer) chosen(ctx context.Context, tip, proposed string, decisions map[facts.Key]string) ([]write.Proposal, error) {
	list, _, err := m.write.ProposalsAt(ctx, tip, proposed)
	if err != nil {
		return nil, err
	}
	manifest, err := m.Manifest(ctx, tip)
	if err != nil {
		return nil, err
	}
	open, reads := write.ByKey(list), m.Reader(manifest, "")
	for key, seen := range decisions {
		p, exists := open[key]
		switch {
		case !exists:
			return nil, fmt.Errorf("%w: %s", ErrNoProposal, key)
		case !readable(reads, p):
			return nil, &core.PermissionError{Agent: m.Agent, Scope: p.Fact.Scope, Access: facts.Read}
		case seen == "":
			return nil, fmt.Errorf("%w: %s was not shown in this clone yet", write.ErrUnseen, key)
		case seen != p.Blob && seen != p.Fact.ID:
			return nil, fmt.Errorf("%w: %s is another version than the one that was shown", write.ErrUnseen, key)
		}
	}
	return slices.DeleteFunc(list, func(p write.Proposal) bool { _, named := decisions[p.Fact.Key]; return !named }), nil
}
