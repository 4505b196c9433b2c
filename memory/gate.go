package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore"
)

// errReviewFirst: what was planned has to be proposed. It never leaves this
// package.
var errReviewFirst = errors.New("to be reviewed first")

// ErrMayNotReview: the team named who decides on what is proposed, and this
// author is not among them.
var ErrMayNotReview = errors.New("only authors that engram.yml lists may do this")

// The gate (engram.yml, review) sends what it concerns to the branch of
// proposals. Who goes through which door:
//
//  1. Commit, Retire, Import, Promote: gated, all drafts of a call together.
//  2. Audits: not gated. What they write follows from the facts and the
//     configuration alone, and every clone has to write the same bytes.
//  3. Resolve: to settle a conflict is to decide what stands, as accepting a
//     proposal is. Who may do the one may do the other; anybody else is refused,
//     because half of a resolution in a proposal would settle nothing.
//  4. Invitations: the same. Who joined is written whoever they are: nobody
//     reads it as a fact, and a new colleague is always unknown.

// gateDrafts finds what has to be proposed before anything is planned: a fact
// that so far is only proposed can be named by its key alone.
func (p *planner) gateDrafts(drafts []draft) error {
	review := p.manifest.Review
	for _, d := range drafts {
		if review.Any() && d.operation != facts.OpNone && review.Needed(d.fact.Key, p.author) {
			return errReviewFirst
		}
	}
	return nil
}

// gatePlanned finds what has to be proposed once every key is known.
func (p *planner) gatePlanned() error {
	review := p.manifest.Review
	for key := range p.pending {
		if review.Any() && review.Needed(key, p.author) {
			return errReviewFirst
		}
	}
	return nil
}

// mayDecide refuses to settle what others have to: what was planned, where the
// gate concerns it.
func (p *planner) mayDecide(what string) error {
	review, who := p.manifest.Review, p.author
	if !review.Any() || review.MayAccept(who) {
		return nil
	}
	concerned := review.Needed(facts.Key{}, who)
	for key := range p.pending {
		concerned = concerned || !bookkeeping(key) && review.Needed(key, who)
	}
	if !concerned {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrMayNotReview, what)
}

// planGated plans drafts, or says that they have to be proposed.
func (p *planner) planGated(drafts []draft) error {
	if err := p.gateDrafts(drafts); err != nil {
		return err
	}
	if err := p.plan(drafts); err != nil {
		return err
	}
	return p.gatePlanned()
}

// email is the address in "name <address>".
func email(identity string) string {
	_, address, _ := strings.Cut(identity, "<")
	return strings.TrimSuffix(address, ">")
}

// propose plans drafts against what is proposed already, and puts them there.
func (m *Memory) propose(ctx context.Context, drafts []draft, verb string) (results []CommitResult, err error) {
	branch, err := m.openProposed()
	if err != nil {
		return nil, err
	}
	defer branch.close()
	var open map[facts.Key]proposal
	counted := turns{m: m}
	revision, err := branch.write(ctx, func(manifest facts.Manifest, tip, proposed string) ([]gitstore.Write, string, error) {
		before, _, err := m.proposalsAt(ctx, tip, proposed)
		if err != nil {
			return nil, "", err
		}
		p, err := m.newPlanner(ctx, proposed, manifest)
		if err != nil {
			return nil, "", err
		}
		p.looksAt, p.over = tip, before
		if err := p.plan(drafts); err != nil {
			return nil, "", err
		}
		results, open = p.results, byKey(before)
		for key := range p.pending {
			open[key] = proposal{}
		}
		writes := p.writes()
		if len(writes) > 0 {
			err = counted.take(ctx, manifest.RateLimit, p.charged)
		}
		return writes, commitMessage(verb, p.lines), err
	})
	if err != nil {
		if kept := counted.giveBack(ctx); kept != nil {
			m.log.Warn("a proposal that was not made counts for the rate", "error", kept)
		}
		return nil, err
	}
	for i := range results {
		results[i].Answer = answer(revision)
		key, err := facts.ParseKey(results[i].Key)
		_, results[i].Proposed = open[key] // else a duplicate of what stands
		results[i].Proposed = results[i].Proposed && err == nil
	}
	return results, nil
}

// overlay makes a lookup in the memory branch one in the branch of proposals.
func (look lookup) overlay(over []proposal) lookup {
	if len(over) == 0 {
		return look
	}
	proposed := byKey(over)
	below := look
	look.find = func(q lookupQuery) ([]facts.Fact, error) {
		found, err := below.find(q)
		if err != nil {
			return nil, err
		}
		var all []facts.Fact
		for _, f := range found {
			if _, replaced := proposed[f.Key]; !replaced {
				all = append(all, f)
			}
		}
		for _, p := range over {
			if q.lineage != "" && p.fact.Lineage == q.lineage ||
				q.lineage == "" && p.fact.Scope == q.scope && facts.ContentHash(p.fact.Claim) == q.hash {
				all = append(all, p.fact)
			}
		}
		return all, nil
	}
	return look
}
