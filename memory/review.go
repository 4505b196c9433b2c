package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
)

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
	Answer
	Decided []Decided `json:"decided"`
	Left    int       `json:"left"` // proposals that still wait
	Notes   []string  `json:"notes,omitempty"`
}

// Decided is a proposal that was accepted or rejected.
type Decided struct {
	Key    facts.Key `json:"key"`
	FactID string    `json:"fact_id"`
	Claim  string    `json:"claim"`
}

// Accept puts proposals on the memory branch, all of them in one commit or
// none, and takes them off the branch of proposals. Who proposed a fact stays
// its author; who accepts it is the author of the commit. The error wraps
// ErrNoProposal, ErrUnseen, ErrMayNotReview, or is a *SecretError.
func (m *Memory) Accept(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	branch, decisions, err := m.beginReview(in)
	if err != nil {
		return ReviewResult{}, err
	}
	defer branch.close()
	var result ReviewResult
	revision, err := m.update(ctx, "accept", func(p *planner) error {
		if err := p.mayReview(); err != nil {
			return err
		}
		proposed, err := branch.tip(ctx)
		if err != nil {
			return err
		}
		chosen, err := m.chosen(ctx, p.tip, proposed, decisions)
		if err != nil {
			return err
		}
		result = ReviewResult{}
		for _, c := range chosen {
			if err := p.accept(c); err != nil {
				return err
			}
			result.Decided = append(result.Decided, Decided{c.fact.Key, c.fact.ID, c.fact.Claim})
		}
		return nil
	})
	if err != nil {
		return ReviewResult{}, err
	}
	result.Answer = answer(revision)
	if err := branch.settle(ctx, result.Decided, "accepted"); err != nil { // they are on the memory branch
		result.Notes = append(result.Notes, fmt.Sprintf("%s still has them: %v", branch.store.Branch(), err))
	}
	result.Left, err = m.countProposals(ctx, revision)
	return result, err
}

// accept plans one proposal. It is scanned and validated like anything else:
// plain git may have brought it.
func (p *planner) accept(c proposal) error {
	f, err := c.accepted(p.now)
	if err != nil {
		return err
	}
	if err := p.m.scan(draft{fact: f}); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	if err := facts.Validate(f, p.manifest); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	p.set(f)
	p.lines = append(p.lines, messageLine("accept", f.Key, f.Claim))
	return nil
}

func (p *planner) mayReview() error {
	if p.manifest.Review.MayAccept(p.author) {
		return nil
	}
	return fmt.Errorf("%w: to decide on proposals", ErrMayNotReview)
}

// Reject takes proposals off the branch of proposals; the reason is in the
// commit there. Who proposed something may take it back.
func (m *Memory) Reject(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	branch, decisions, err := m.beginReview(in)
	if err != nil {
		return ReviewResult{}, err
	}
	defer branch.close()
	reason := facts.FoldSpace(in.Reason)
	if reason == "" {
		return ReviewResult{}, wrong(hint.New("give the reason in %s", hint.Reason), "why? who proposed it will ask")
	}
	if rule, found := m.scanner.Scan(reason); found {
		return ReviewResult{}, &SecretError{Field: "reason", Rule: rule}
	}
	if at, err := branch.tip(ctx); err != nil || at == "" { // do not begin the branch for nothing
		return ReviewResult{}, errors.Join(err, fmt.Errorf("%w: there is no branch %s", ErrNoProposal, branch.store.Branch()))
	}
	var result ReviewResult
	err = branch.restore(ctx, func(tip, proposed string) ([]facts.Key, []string, error) {
		chosen, err := m.chosen(ctx, tip, proposed, decisions)
		if err == nil {
			err = m.mayReject(ctx, tip, proposed, chosen)
		}
		if err != nil {
			return nil, nil, err
		}
		var keys []facts.Key
		var lines []string
		result = ReviewResult{Answer: answer(tip)}
		for _, c := range chosen {
			keys, lines = append(keys, c.fact.Key), append(lines, messageLine("reject", c.fact.Key, reason))
			result.Decided = append(result.Decided, Decided{c.fact.Key, c.fact.ID, c.fact.Claim})
		}
		return keys, lines, nil
	})
	if err != nil {
		return ReviewResult{}, err
	}
	result.Left, err = m.countProposals(ctx, result.Revision)
	return result, err
}

func (m *Memory) mayReject(ctx context.Context, tip, proposed string, chosen []proposal) error {
	who, err := m.store.Identity(ctx)
	if err != nil {
		return err
	}
	manifest, err := m.manifest(ctx, tip)
	if err != nil || manifest.Review.MayAccept(email(who)) {
		return err
	}
	for _, c := range chosen {
		commits, err := m.store.History(ctx, proposed, c.fact.Key.Path(), 1)
		if err != nil {
			return err
		}
		if len(commits) == 0 || email(commits[0].Author) != email(who) {
			return fmt.Errorf("%w: to reject what others proposed", ErrMayNotReview)
		}
	}
	return nil
}

// beginReview checks decisions and fills in what was seen.
func (m *Memory) beginReview(in ReviewInput) (*proposedBranch, map[facts.Key]string, error) {
	if len(in.Decisions) == 0 {
		return nil, nil, wrong(hint.New("%s shows them", hint.Do(hint.ListProposals)), "which proposal?")
	}
	seen := make(map[string]string)
	m.readState(seenFile, &seen)
	decisions := make(map[facts.Key]string)
	for _, d := range in.Decisions {
		key, err := facts.ParseKey(d.Key)
		if err != nil {
			return nil, nil, err
		}
		decisions[key] = orElse(d.Version, seen[d.Key])
	}
	branch, err := m.openProposed()
	return branch, decisions, err
}

// chosen are the proposals that decisions name, as they were seen.
func (m *Memory) chosen(ctx context.Context, tip, proposed string, decisions map[facts.Key]string) ([]proposal, error) {
	list, _, err := m.proposalsAt(ctx, tip, proposed)
	if err != nil {
		return nil, err
	}
	open := byKey(list)
	for key, seen := range decisions {
		p, exists := open[key]
		switch {
		case !exists:
			return nil, fmt.Errorf("%w: %s", ErrNoProposal, key)
		case seen == "":
			return nil, fmt.Errorf("%w: %s was not shown in this clone yet", ErrUnseen, key)
		case seen != p.blob && seen != p.fact.ID:
			return nil, fmt.Errorf("%w: %s is another version than the one that was shown", ErrUnseen, key)
		}
	}
	return slices.DeleteFunc(list, func(p proposal) bool { _, named := decisions[p.fact.Key]; return !named }), nil
}

// settle lets the branch have at some keys what the memory branch has.
func (b *proposedBranch) settle(ctx context.Context, decided []Decided, verb string) error {
	return b.restore(ctx, func(string, string) ([]facts.Key, []string, error) {
		var keys []facts.Key
		var lines []string
		for _, d := range decided {
			keys, lines = append(keys, d.Key), append(lines, messageLine(verb, d.Key, ""))
		}
		return keys, lines, nil
	})
}

// restore writes what the memory branch has at some keys, or its absence.
func (b *proposedBranch) restore(ctx context.Context, choose func(tip, proposed string) ([]facts.Key, []string, error)) error {
	_, err := b.write(ctx, func(_ facts.Manifest, tip, proposed string) ([]gitstore.Write, string, error) {
		keys, lines, err := choose(tip, proposed)
		if err != nil {
			return nil, "", err
		}
		var writes []gitstore.Write
		for _, key := range keys {
			file, err := b.m.store.Get(ctx, tip, key.Path())
			if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
				return nil, "", err
			}
			writes = append(writes, gitstore.Write{Path: key.Path(), Data: file.Data}) // nil: absent
		}
		return writes, commitMessage("reject", lines), nil
	})
	return err
}
