package write

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// What can be wrong with a decision on proposals.
var (
	// ErrUnseen: the proposal is not the one that was seen, or cannot be accepted
	// as it is because what it would replace has changed.
	ErrUnseen = errors.New("the proposal has changed")
)

// Proposal is a fact that differs from what the memory branch has.
type Proposal struct {
	Fact     facts.Fact
	Blob     string
	Replaces *facts.Fact // what stands at the key
}

// ByKey indexes proposals by key.
func ByKey(list []Proposal) map[facts.Key]Proposal {
	m := make(map[facts.Key]Proposal, len(list))
	for _, p := range list {
		m[p.Fact.Key] = p
	}
	return m
}

// Change names what accepting a proposal would do.
func (p Proposal) Change() string {
	switch {
	case p.Fact.Operation == facts.OpDelete:
		return "retire"
	case p.Replaces == nil:
		return "add"
	case p.Replaces.ID == p.Fact.ID && p.Replaces.ValidUntil.IsZero() && !p.Fact.ValidUntil.IsZero():
		return "close" // it goes on under another key, or lost to another fact
	}
	return "update"
}

// Accepted is the fact that a proposal becomes: the proposed version or, if another fact
// has come to stand at its key, the next version of that one. The error wraps ErrUnseen
// if the proposal does not apply to what stands there.
func (p Proposal) Accepted(now time.Time) (facts.Fact, error) {
	f, old := p.Fact.Clone(), p.Replaces
	if old == nil || old.ID == f.ID || old.ID == f.Supersedes {
		return f, nil
	}
	if p.Fact.Operation == facts.OpDelete || p.Fact.WithDefaults().StateAt(now) == facts.Superseded {
		return f, fmt.Errorf("%w: it was to end %q, but %s says %q by now", ErrUnseen, p.Fact.Claim, f.Key, old.Claim)
	}
	switch state := old.StateAt(now); state {
	case facts.Current, facts.Scheduled:
		f.Lineage, f.Supersedes, f.Operation = old.Lineage, old.ID, facts.OpUpdate
	}
	if !f.ValidFrom.After(old.ValidFrom) {
		beginAfter(&f, *old)
	}
	return f, nil
}

// Decided is a proposal that was accepted or rejected.
type Decided struct {
	Key    facts.Key `json:"key"`
	FactID string    `json:"fact_id"`
	Claim  string    `json:"claim"`
}

// Accept plans one proposal. It is scanned and validated like any other fact, because
// plain git may have written it.
func (p *Planner) Accept(c Proposal) error {
	f, err := c.Accepted(p.Now)
	if err != nil {
		return err
	}
	if err := p.m.Scan(Draft{Fact: f}); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	if err := facts.Validate(f, p.Manifest); err != nil {
		return fmt.Errorf("%s: %w", f.Key, err)
	}
	p.Set(f)
	p.Lines = append(p.Lines, core.MessageLine("accept", f.Key, f.Claim))
	return nil
}

// MayReview rejects an author who may not decide on proposals.
func (p *Planner) MayReview() error {
	if p.Manifest.Review.MayAccept(p.Author) {
		return nil
	}
	return fmt.Errorf("%w: to decide on proposals", ErrMayNotReview)
}

// Settle resets decided keys on the branch to what the memory branch has.
func (b *ProposedBranch) Settle(ctx context.Context, decided []Decided, verb string) error {
	return b.Restore(ctx, func(string, string) ([]facts.Key, []string, error) {
		var keys []facts.Key
		var lines []string
		for _, d := range decided {
			keys, lines = append(keys, d.Key), append(lines, core.MessageLine(verb, d.Key, ""))
		}
		return keys, lines, nil
	})
}

// Restore resets the chosen keys on the branch to what the memory branch has, or removes
// them.
func (b *ProposedBranch) Restore(ctx context.Context, choose func(tip, proposed string) ([]facts.Key, []string, error)) error {
	_, err := b.write(ctx, func(_ facts.Manifest, tip, proposed string) ([]gitstore.Write, string, error) {
		keys, lines, err := choose(tip, proposed)
		if err != nil {
			return nil, "", err
		}
		var writes []gitstore.Write
		for _, key := range keys {
			file, err := b.m.Store.Get(ctx, tip, key.Path())
			if err != nil && !errors.Is(err, gitstore.ErrNotFound) {
				return nil, "", err
			}
			writes = append(writes, gitstore.Write{Path: key.Path(), Data: file.Data}) // nil: absent
		}
		return writes, core.CommitMessage("reject", lines), nil
	})
	return err
}
