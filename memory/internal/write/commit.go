package write

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// Commit carries out one operation on the memory (the consistency plan, commit
// pipeline):
//
//	add     a new fact; if the key has an open fact, its next version
//	update  the next version of the fact named by key or lineage; without
//	        either, of the nearest current fact in scope, or a new fact if
//	        none is near enough
//	delete  the end of the fact named by key or lineage
//	none    nothing
//
// A claim that is invalid or holds a secret is rejected before anything is written.
// Commit returns when the fact is durable.
func (m *Writer) Commit(ctx context.Context, in CommitInput) (CommitResult, error) {
	results, err := m.CommitAll(ctx, []CommitInput{in})
	if err != nil {
		return CommitResult{}, err
	}
	return results[0], nil
}

// Retire ends the fact at a key. Its file stays, with a closed window; reason and agent
// go into the commit message. The error wraps ErrNotFound if no open fact stands there.
func (m *Writer) Retire(ctx context.Context, key, reason, agent string) (CommitResult, error) {
	return m.Commit(ctx, CommitInput{Key: key, Operation: string(facts.OpDelete), Reason: reason, Agent: agent})
}

// CommitAll carries out the operations in order, in one git commit: all of them or none.
func (m *Writer) CommitAll(ctx context.Context, ins []CommitInput) ([]CommitResult, error) {
	drafts := make([]Draft, len(ins))
	b := m.NewBinder()
	sessions := m.newSessionFinder()
	for i, in := range ins {
		in.Session = sessions.of(in)
		d, err := m.DraftOf(in)
		if err == nil {
			err = checkEnd(in)
		}
		if err == nil {
			err = b.Bind(ctx, &d)
		}
		if err == nil {
			err = m.Scan(d)
		}
		if err != nil {
			return nil, inputError(len(ins), i, err)
		}
		drafts[i] = d
	}
	warnings, err := m.anchor(ctx, drafts)
	if err != nil {
		return nil, err
	}
	if err := m.embedDrafts(ctx, drafts); err != nil {
		return nil, err
	}
	results, err := m.Write(ctx, drafts, "commit")
	if err == nil {
		m.sight(ctx, drafts, results)
		m.tellStandIns(ctx, results)
		warnOfInstructions(drafts, results)
		sessions.tell(ctx, results)
		for i, list := range warnings {
			if !results[i].Duplicate {
				results[i].Warnings = append(results[i].Warnings, list...)
			}
		}
	}
	return results, err
}

// warnOfInstructions warns the author of a claim that reads like an instruction: it may
// be a quotation, or injected by a text that an agent has read.
func warnOfInstructions(drafts []Draft, results []CommitResult) {
	for i, d := range drafts {
		wrote := !results[i].Duplicate && results[i].MemoryOp != string(facts.OpNone)
		if wrote && (facts.ReadsAsInstruction(d.Fact.Claim) || facts.ReadsAsInstruction(d.Fact.Detail)) {
			results[i].Warnings = append(results[i].Warnings, "it reads like an instruction to whoever reads it; readers are told that it is data")
		}
	}
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
		m.Warm(ctx, tip)
	}
	var offers []compare.Offer
	revision, err := m.Update(ctx, verb, func(p *Planner) error {
		err := p.planGated(ctx, drafts)
		results, offers = p.Results, p.offers
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
	if err := m.compare.AddOffers(offers, false); err != nil {
		m.Log.Warn("pairs to judge not stored", "error", err)
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
		err = plan(p)
		if err == nil {
			err = p.closeEnded(ctx)
		}
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		writes := p.writes()
		if len(writes) > 0 {
			err = rate.Take(ctx, manifest.RateLimit, p.charged)
		}
		return writes, core.CommitMeta(manifest, p.message(verb)), err
	})
	rate.ReleaseOn(ctx, err)
	return revision, err
}

// Preview calls plan with a planner against the tip, and writes nothing.
func (m *Writer) Preview(ctx context.Context, plan func(*Planner) error) (tip string, err error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return "", err
	}
	p, err := m.newPlanner(ctx, tip, manifest)
	if err != nil {
		return "", err
	}
	return tip, plan(p)
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
		pending: make(map[facts.Key]facts.Fact), written: make(map[core.LookupQuery][]facts.Key), charged: make(map[string]bool),
	}, nil
}

// tellConflicts adds to each result how many open conflicts the branch has at its key, or
// null if there is none and no audit has seen the version: models may find more than the
// commit did. A version that was just written is one that no audit has seen.
func (m *Writer) tellConflicts(ctx context.Context, revision string, results []CommitResult) error {
	seen, err := m.audit.AuditedAt(ctx, revision, nil)
	if err != nil {
		return err
	}
	for i, r := range results {
		open := seen.Open[r.Key]
		known := open > 0
		if r.Duplicate && !known && len(results) <= scanAbove {
			if known, err = m.wasAudited(ctx, revision, seen, r.Key); err != nil {
				return err
			}
		}
		if known {
			results[i].Conflicts = &open
		}
	}
	return nil
}

func (m *Writer) wasAudited(ctx context.Context, revision string, seen audit.Audited, name string) (bool, error) {
	key, err := facts.ParseKey(name)
	if err != nil {
		return false, err
	}
	blob, err := m.Store.BlobAt(ctx, revision, key.Path())
	return err == nil && seen.HasConflict(ctx, key, blob) != nil, err
}

// Warm brings the index and what is known of conflicts up to a revision before the writers' lock
// is taken; a failure only costs time later.
func (m *Writer) Warm(ctx context.Context, tip string) {
	if _, err := m.Index.CatchUp(ctx, tip); err != nil {
		m.Log.Warn("index not caught up", "error", err)
	}
	if _, err := m.audit.DisputesAt(ctx, tip, nil); err != nil {
		m.Log.Warn("conflicts not read", "error", err)
	}
}

// EndTurnBy ends the turn of an agent whose message was accepted. A message that stated
// nothing new ends it at most once per turn time.
func (m *Writer) EndTurnBy(ctx context.Context, agent string, stored []CommitResult) {
	if slices.ContainsFunc(stored, func(c CommitResult) bool { return !c.Duplicate }) {
		m.budget.EndTurn(ctx, agent)
		return
	}
	if agent == "" {
		return
	}
	if _, err := m.Ledger.EndQuietly(context.WithoutCancel(ctx), agent); err != nil {
		m.Log.Warn("a turn was not ended", "error", err)
	}
}
