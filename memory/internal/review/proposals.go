package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// What can be wrong with a decision on proposals.
var (
	// ErrNoProposal: nothing is proposed at that key.
	ErrNoProposal = errors.New("nothing is proposed there")
)

// Proposal is a fact that waits for a review.
type Proposal struct {
	Key facts.Key `json:"key"`
	// Version is what a decision names, so that nobody accepts what they have not
	// seen.
	Version    string              `json:"version"`
	Change     string              `json:"change"` // add, update, retire or close
	Fact       core.Fact           `json:"fact"`
	Replaces   *core.Fact          `json:"replaces"` // what stands at the key; null
	ProposedBy string              `json:"proposed_by"`
	ProposedAt time.Time           `json:"proposed_at"`
	Clashes    []compare.ClashWith `json:"clashes"`           // with facts that stand, by the rules, the gravest first
	Problem    string              `json:"problem,omitempty"` // why it cannot be accepted as it is
}

// ProposalsInput narrows what is listed.
type ProposalsInput struct {
	Prefix string `json:"prefix,omitempty" flag:"key-prefix,,PREFIX" help:"only keys below this PREFIX"`
	Scope  string `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH and those below it"`
	// AskedBy is the agent that reads; "" whom the memory was opened for.
	AskedBy string `json:"-"`
}

// ProposalsResult is what is proposed.
type ProposalsResult struct {
	core.Answer
	Branch    string     `json:"branch"`            // of the proposals
	Proposed  string     `json:"proposed_revision"` // "" if nobody has proposed anything
	Proposals []Proposal `json:"proposals"`         // by scope, then key
	MayAccept bool       `json:"may_accept"`        // the identity of git's configuration
	Withheld  int        `json:"withheld"`          // proposals that the agent that reads may not
	Damaged   int        `json:"damaged"`           // files that are no facts
	Notes     []string   `json:"notes,omitempty"`
}

// maxHeld bounds how many proposals are compared with the memory.
const maxHeld = 200

// Proposals lists the open proposals, with what each would replace and contradict. The
// versions shown are remembered in this clone, so that Accept and Reject notice a
// proposal that has changed since.
func (m *Reviewer) Proposals(ctx context.Context, in ProposalsInput) (ProposalsResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return ProposalsResult{}, err
	}
	branch, err := m.write.OpenProposed()
	if err != nil {
		return ProposalsResult{}, err
	}
	defer branch.Close()
	result := ProposalsResult{Answer: core.AnswerAt(tip), Branch: branch.Store.Branch(), Proposals: []Proposal{}}
	if who, err := m.Store.Identity(ctx); err == nil {
		result.MayAccept = manifest.Review.MayAccept(write.Email(who))
	}
	if result.Proposed, err = branch.Head(ctx); err != nil {
		return result, err
	}
	list, damaged, err := m.write.ProposalsAt(ctx, tip, result.Proposed)
	if err != nil {
		return result, err
	}
	result.Damaged = damaged
	reads := m.Reader(manifest, in.AskedBy)
	for i, p := range list {
		if !p.Fact.Key.HasPrefix(in.Prefix) || !core.UnderScope(p.Fact.Scope, in.Scope) {
			continue
		}
		if !readable(reads, p) {
			result.Withheld++
			continue
		}
		shown, err := m.showProposal(ctx, tip, result.Proposed, p, i < maxHeld, reads)
		if err != nil {
			return result, err
		}
		result.Proposals = append(result.Proposals, shown)
	}
	if len(list) > maxHeld {
		result.Notes = append(result.Notes, fmt.Sprintf("only the first %d were compared with the memory", maxHeld))
	}
	slices.SortStableFunc(result.Proposals, func(a, b Proposal) int { return cmp.Compare(a.Fact.Scope, b.Fact.Scope) })
	m.rememberSeen(result.Proposals)
	return result, nil
}

// readable reports whether a proposal and what it replaces may be read.
func readable(reads *core.Reader, p write.Proposal) bool {
	return reads.MayReadScope(p.Fact.Scope) && (p.Replaces == nil || reads.MayReadScope(p.Replaces.Scope))
}

func (m *Reviewer) showProposal(ctx context.Context, tip, proposed string, p write.Proposal, hold bool, reads *core.Reader) (Proposal, error) {
	now := m.Moment()
	shown := Proposal{
		Key: p.Fact.Key, Version: p.Blob, Change: p.Change(), Fact: core.Show(p.Fact, p.Fact.Window(), now),
		ProposedBy: p.Fact.Provenance.Engineer, ProposedAt: p.Fact.Provenance.CreatedAt, Clashes: []compare.ClashWith{},
	}
	if p.Replaces != nil {
		old := core.Show(*p.Replaces, p.Replaces.Window(), now)
		shown.Replaces = &old
	}
	if _, err := p.Accepted(now); err != nil {
		shown.Problem = err.Error()
	}
	// The commit names the proposer; the fact need not name its author.
	if commits, err := m.Store.History(ctx, proposed, p.Fact.Key.Path(), 1); err != nil {
		return shown, err
	} else if len(commits) > 0 {
		shown.ProposedBy, shown.ProposedAt = commits[0].Author, commits[0].Date
	}
	if !hold || !compare.MayConflict(p.Fact, now) {
		return shown, nil
	}
	var err error
	shown.Clashes, err = m.compare.ClashesOf(ctx, tip, p.Fact, p.Blob, nil, reads.MayReadScope)
	return shown, err
}

// ProposedKeys are the keys at which something is proposed.
func (m *Reviewer) ProposedKeys(ctx context.Context) (keys []facts.Key, err error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return nil, err
	}
	reads := m.Reader(manifest, "")
	list, err := m.proposalsNow(ctx, tip)
	for _, p := range list {
		if readable(reads, p) {
			keys = append(keys, p.Fact.Key)
		}
	}
	return keys, err
}

// CountProposals counts the open proposals. It is 0 if the proposal branch cannot be
// compared with the memory branch, which Proposals reports.
func (m *Reviewer) CountProposals(ctx context.Context, tip string) (int, error) {
	list, err := m.proposalsNow(ctx, tip)
	if errors.Is(err, core.ErrNotMemory) || errors.Is(err, gitstore.ErrShallow) { // Proposals says so
		m.Log.Warn("proposals not counted", "error", err)
		return 0, nil
	}
	return len(list), err
}

func (m *Reviewer) proposalsNow(ctx context.Context, tip string) ([]write.Proposal, error) {
	branch, err := m.write.OpenProposed()
	if err != nil {
		return nil, err
	}
	defer branch.Close()
	proposed, err := branch.Head(ctx)
	if err != nil {
		return nil, err
	}
	list, _, err := m.write.ProposalsAt(ctx, tip, proposed)
	return list, err
}

// seenFile is what this clone was shown last of each proposal.
const seenFile = "proposals-seen.json"

func (m *Reviewer) rememberSeen(list []Proposal) {
	seen := make(map[string]string)
	m.compare.ReadState(seenFile, &seen)
	for _, p := range list {
		seen[p.Key.String()] = p.Version
	}
	if err := m.compare.WriteState(seenFile, seen); err != nil {
		m.Log.Warn("what was shown is not remembered", "error", err)
	}
}
