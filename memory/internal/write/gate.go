package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// errReviewFirst reports that the plan must be proposed. It never leaves this package.
var errReviewFirst = errors.New("to be reviewed first")

// ErrMayNotReview: the team named who decides on what is proposed, and this
// author is not among them.
var ErrMayNotReview = errors.New("only authors that engram.yml lists may do this")

// The review policy of engram.yml sends the facts that it covers to the proposal branch:
//
//  1. Commit, Retire, Import, Promote: gated, all drafts of a call together.
//  2. Audits: not gated. What they write follows from the facts and the
//     configuration alone, and every clone has to write the same bytes.
//  3. Resolve: settling a conflict decides what stands, as accepting a proposal does,
//     and needs the same right. Others are rejected, because half of a resolution
//     in a proposal would settle nothing.
//  4. Invitations: the same. Joining is not gated: nobody reads the record as a fact,
//     and a new colleague is always an unknown author.

// gateDrafts finds what must be proposed before anything is planned: a fact that is only
// proposed so far can be named by its key alone.
func (p *Planner) gateDrafts(drafts []Draft) error {
	if slices.ContainsFunc(drafts, func(d Draft) bool { return d.operation != facts.OpNone && p.needsReview(d.Fact.Key) }) {
		return errReviewFirst
	}
	return nil
}

func (p *Planner) needsReview(key facts.Key) bool {
	return p.Manifest.Review.Any() && p.Manifest.Review.Needed(key, p.Author)
}

// gatePlanned finds what must be proposed once every key is known.
func (p *Planner) gatePlanned() error {
	for key := range p.pending {
		if !detect.IsConflict(key) && p.needsReview(key) {
			return errReviewFirst
		}
	}
	return nil
}

// MayDecide rejects a decision that the review policy leaves to others, if it concerns
// what was planned.
func (p *Planner) MayDecide(what string) error {
	concerned := p.needsReview(facts.Key{})
	for key := range p.pending {
		concerned = concerned || !core.IsInternal(key) && p.needsReview(key)
	}
	if !concerned || p.Manifest.Review.MayAccept(p.Author) {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrMayNotReview, what)
}

// planGated plans drafts, or returns errReviewFirst if they must be proposed.
func (p *Planner) planGated(ctx context.Context, drafts []Draft) error {
	if err := p.gateDrafts(drafts); err != nil {
		return err
	}
	if err := p.Plan(ctx, drafts...); err != nil {
		return err
	}
	return p.gatePlanned()
}

// Email is the address in "name <address>".
func Email(identity string) string {
	_, address, _ := strings.Cut(identity, "<")
	return strings.TrimSuffix(address, ">")
}

// propose plans drafts against the open proposals, and writes them to the proposal
// branch.
func (m *Writer) propose(ctx context.Context, drafts []Draft, verb string) (results []CommitResult, err error) {
	branch, err := m.OpenProposed()
	if err != nil {
		return nil, err
	}
	defer branch.Close()
	var open map[facts.Key]Proposal
	rate := m.NewRateReservation()
	revision, err := branch.write(ctx, func(manifest facts.Manifest, tip, proposed string) ([]gitstore.Write, string, error) {
		before, _, err := m.ProposalsAt(ctx, tip, proposed)
		if err != nil {
			return nil, "", err
		}
		p, err := m.newPlanner(ctx, proposed, manifest)
		if err != nil {
			return nil, "", err
		}
		p.memoryTip, p.proposals = tip, before
		if err := p.Plan(ctx, drafts...); err != nil {
			return nil, "", err
		}
		results, open = p.Results, ByKey(before)
		for key := range p.pending {
			open[key] = Proposal{}
		}
		writes := p.writes()
		if len(writes) > 0 {
			err = rate.Take(ctx, manifest.RateLimit, p.charged)
		}
		return writes, core.CommitMessage(verb, p.Lines), err
	})
	rate.ReleaseOn(ctx, err)
	if err != nil {
		return nil, err
	}
	for i := range results {
		results[i].Answer = core.AnswerAt(revision)
		key, err := facts.ParseKey(results[i].Key)
		_, results[i].Proposed = open[key] // else a duplicate of what stands
		results[i].Proposed = results[i].Proposed && err == nil
	}
	return results, nil
}

// withProposals turns a lookup in the memory branch into one in the proposal branch.
func (l lookup) withProposals(proposals []Proposal) lookup {
	if len(proposals) == 0 {
		return l
	}
	proposed := ByKey(proposals)
	below := l.find
	l.find = func(q core.LookupQuery) ([]facts.Fact, error) {
		found, err := below(q)
		if err != nil {
			return nil, err
		}
		var all []facts.Fact
		for _, f := range found {
			if _, replaced := proposed[f.Key]; !replaced {
				all = append(all, f)
			}
		}
		for _, p := range proposals {
			if q.Lineage != "" && p.Fact.Lineage == q.Lineage ||
				q.Lineage == "" && p.Fact.Scope == q.Scope && facts.ContentHash(p.Fact.Claim) == q.Hash {
				all = append(all, p.Fact)
			}
		}
		return all, nil
	}
	return l
}
