// Package write writes facts: it plans what a commit means against the tip of the branch,
// checks policy, and applies the plan. What an audit or a review writes is planned here as
// well.
package write

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/budget"
	"engram/memory/internal/codebranch"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/proof"
)

// Writer writes facts to a memory.
type Writer struct {
	*core.Memory
	audit      *audit.Auditor
	budget     *budget.Limiter
	codebranch *codebranch.Watcher
	compare    *compare.Comparer
	deref      *deref.Reader
	proof      *proof.Verifier
}

// New returns the Writer of a memory.
func New(m *core.Memory) *Writer {
	return &Writer{Memory: m, audit: audit.New(m), budget: budget.New(m), codebranch: codebranch.New(m), compare: compare.New(m), deref: deref.New(m), proof: proof.New(m)}
}

// Write writes drafts to the branch in one commit, or all of them to the proposal branch
// if one must be reviewed.
func (m *Writer) Write(ctx context.Context, drafts []Draft, verb string) ([]CommitResult, error) {
	var results []CommitResult
	// Looking facts up goes through the index; what it lacks is caught up
	// before the lock is taken, so that other writers wait as short as can be.
	if tip, err := m.Store.Tip(ctx); err != nil {
		return nil, err
	} else if len(drafts) <= scanAbove {
		m.warm(ctx, tip)
	}
	revision, err := m.Update(ctx, verb, func(p *Planner) error {
		err := p.planGated(ctx, drafts)
		results = p.Results
		return err
	})
	if errors.Is(err, errReviewFirst) {
		return m.propose(ctx, drafts, verb)
	}
	if err != nil {
		return nil, err
	}
	for i := range results {
		results[i].Answer = core.AnswerAt(revision)
	}
	return results, m.tellConflicts(ctx, revision, results)
}

// Update makes one commit of what plan puts into a planner. After a lost race, plan is
// called again with a new planner.
func (m *Writer) Update(ctx context.Context, verb string, plan func(*Planner) error) (revision string, err error) {
	_, _ = m.Store.Identity(ctx) // asked before the lock is taken; whether it is needed, the manifest says
	rate := m.NewRateReservation()
	revision, err = m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		if tip == "" {
			return nil, gitstore.Meta{}, fmt.Errorf("%w: %s does not exist", gitstore.ErrNoBranch, m.Store.Branch())
		}
		manifest, err := m.Manifest(ctx, tip)
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		p, err := m.newPlanner(ctx, tip, manifest)
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		if err := plan(p); err != nil {
			return nil, gitstore.Meta{}, err
		}
		writes := p.writes()
		if len(writes) > 0 {
			err = rate.Take(ctx, manifest.RateLimit, p.charged)
		}
		return writes, core.CommitMeta(manifest, core.CommitMessage(verb, p.Lines)), err
	})
	rate.ReleaseOn(ctx, err)
	return revision, err
}

func (m *Writer) newPlanner(ctx context.Context, tip string, manifest facts.Manifest) (*Planner, error) {
	engineer, err := m.engineerOf(ctx, manifest)
	if err != nil {
		return nil, err
	}
	author := ""
	if review := manifest.Review; review.Any() || len(review.Authors) > 0 {
		if author, err = m.Store.Identity(ctx); err != nil {
			return nil, err
		}
	}
	return &Planner{
		m: m, Tip: tip, Manifest: manifest, Engineer: engineer, Author: Email(author), Now: m.Moment(),
		pending: make(map[facts.Key]facts.Fact), written: make(map[core.LookupQuery][]facts.Key),
	}, nil
}

// tellConflicts adds to each result how many open conflicts earlier audits found at its
// key. A version that was just written is not audited, so 0 is left unstated.
func (m *Writer) tellConflicts(ctx context.Context, revision string, results []CommitResult) error {
	if m.audit.ReadMark().Revision == "" {
		return nil
	}
	d, err := m.audit.DisputesAt(ctx, revision, nil)
	if err != nil {
		return err
	}
	for i := range results {
		if open := d.Open[results[i].Key]; open > 0 || results[i].Duplicate {
			results[i].Conflicts = &open
		}
	}
	return nil
}

// warm brings the index up to a revision; a failure only costs time later.
func (m *Writer) warm(ctx context.Context, tip string) {
	if _, err := m.Index.CatchUp(ctx, tip); err != nil {
		m.Log.Warn("index not caught up", "error", err)
	}
}
