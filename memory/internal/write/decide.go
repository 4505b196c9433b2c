package write

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

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
