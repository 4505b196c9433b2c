package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// What can be wrong with a decision on proposals.
var (
	// ErrNoProposal: nothing is proposed at that key.
	ErrNoProposal = errors.New("nothing is proposed there")
	// ErrUnseen: the proposal is not the one that was seen, or cannot be accepted
	// as it is because what it would replace has changed.
	ErrUnseen = errors.New("the proposal has changed")
)

// Proposal is a fact that waits for somebody to accept it.
type Proposal struct {
	Key facts.Key `json:"key"`
	// Version is what a decision names, so that nobody accepts what they have not
	// seen.
	Version    string      `json:"version"`
	Change     string      `json:"change"` // add, update, retire or close
	Fact       Fact        `json:"fact"`
	Replaces   *Fact       `json:"replaces"` // what stands at the key; null
	ProposedBy string      `json:"proposed_by"`
	ProposedAt time.Time   `json:"proposed_at"`
	Clashes    []ClashWith `json:"clashes"`           // with facts that stand, by the rules, the gravest first
	Problem    string      `json:"problem,omitempty"` // why it cannot be accepted as it is
}

// ProposalsInput narrows what is listed.
type ProposalsInput struct {
	Prefix string // of a key
	Scope  string // with its sub-scopes
}

// ProposalsResult is what is proposed.
type ProposalsResult struct {
	Answer
	Branch    string     `json:"branch"`            // of the proposals
	Proposed  string     `json:"proposed_revision"` // "" where nobody has proposed anything
	Proposals []Proposal `json:"proposals"`         // by scope, then key
	MayAccept bool       `json:"may_accept"`        // whoever git's configuration names
	Damaged   int        `json:"damaged"`           // files that are no facts
	Notes     []string   `json:"notes,omitempty"`
}

// maxHeld bounds how many proposals are held against the memory for clashes.
const maxHeld = 200

// Proposals lists what is proposed, with what it would replace and what it would
// clash with. What it showed is kept locally, so that Review can tell a
// proposal that has changed since.
func (m *Memory) Proposals(ctx context.Context, in ProposalsInput) (ProposalsResult, error) {
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return ProposalsResult{}, err
	}
	branch, err := m.openProposed()
	if err != nil {
		return ProposalsResult{}, err
	}
	defer branch.close()
	result := ProposalsResult{Answer: answer(tip), Branch: branch.store.Branch(), Proposals: []Proposal{}}
	if who, err := m.store.Identity(ctx); err == nil {
		result.MayAccept = manifest.Review.MayAccept(email(who))
	}
	if result.Proposed, err = branch.tip(ctx); err != nil {
		return result, err
	}
	list, damaged, err := m.proposalsAt(ctx, tip, result.Proposed)
	if err != nil {
		return result, err
	}
	result.Damaged = damaged
	for i, p := range list {
		if !p.fact.Key.HasPrefix(in.Prefix) || !underScope(p.fact.Scope, in.Scope) {
			continue
		}
		shown, err := m.showProposal(ctx, tip, result.Proposed, p, i < maxHeld)
		if err != nil {
			return result, err
		}
		result.Proposals = append(result.Proposals, shown)
	}
	if len(list) > maxHeld {
		result.Notes = append(result.Notes, fmt.Sprintf("only the first %d were held against the memory", maxHeld))
	}
	slices.SortStableFunc(result.Proposals, func(a, b Proposal) int { return cmp.Compare(a.Fact.Scope, b.Fact.Scope) })
	m.rememberSeen(result.Proposals)
	return result, nil
}

func (m *Memory) showProposal(ctx context.Context, tip, proposed string, p proposal, hold bool) (Proposal, error) {
	now := m.moment()
	shown := Proposal{
		Key: p.fact.Key, Version: p.blob, Change: p.change(), Fact: show(p.fact, p.fact.Window(), now),
		ProposedBy: p.fact.Provenance.Engineer, ProposedAt: p.fact.Provenance.CreatedAt, Clashes: []ClashWith{},
	}
	if p.replaces != nil {
		old := show(*p.replaces, p.replaces.Window(), now)
		shown.Replaces = &old
	}
	if _, err := p.accepted(now); err != nil {
		shown.Problem = err.Error()
	}
	// The commit says who; the fact says what its author said, or nothing.
	if commits, err := m.store.History(ctx, proposed, p.fact.Key.Path(), 1); err != nil {
		return shown, err
	} else if len(commits) > 0 {
		shown.ProposedBy, shown.ProposedAt = commits[0].Author, commits[0].Date
	}
	if !hold || !concerns(p.fact, now) {
		return shown, nil
	}
	e := m.newExaminer(ctx, now)
	if err := e.compareWithAll(tip, &stated{p.fact, p.blob, detect.Read(p.fact)}); err != nil {
		return shown, err
	}
	for _, c := range e.clashes {
		if c.b.fact.Key != p.fact.Key {
			with := show(c.b.fact, c.b.fact.Window(), now)
			shown.Clashes = append(shown.Clashes, ClashWith{showClash(c.Finding, c.a.fact.Claim, c.b.fact.Claim), with})
		}
	}
	slices.SortStableFunc(shown.Clashes, func(a, b ClashWith) int {
		return detect.CompareSeverity(detect.Severity(a.Severity), detect.Severity(b.Severity))
	})
	return shown, nil
}

// change names what accepting a proposal would do.
func (p proposal) change() string {
	switch {
	case p.fact.Operation == facts.OpDelete:
		return "retire"
	case p.replaces == nil:
		return "add"
	case p.replaces.ID == p.fact.ID && p.replaces.ValidUntil.IsZero() && !p.fact.ValidUntil.IsZero():
		return "close" // it goes on under another key, or lost to another fact
	}
	return "update"
}

// accepted is the fact that a proposal becomes: as it is, or as the next version
// of what has come to stand at its key since. The error wraps ErrUnseen where
// it says nothing about that.
func (p proposal) accepted(now time.Time) (facts.Fact, error) {
	f, old := p.fact.Clone(), p.replaces
	if old == nil || old.ID == f.ID || old.ID == f.Supersedes {
		return f, nil
	}
	if p.fact.Operation == facts.OpDelete || p.fact.WithDefaults().StateAt(now) == facts.Superseded {
		return f, fmt.Errorf("%w: it was to end %q, but %s says %q by now", ErrUnseen, p.fact.Claim, f.Key, old.Claim)
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

// ProposedKeys are the keys at which something is proposed.
func (m *Memory) ProposedKeys(ctx context.Context) (keys []facts.Key, err error) {
	tip, _, err := m.tip(ctx)
	if err != nil {
		return nil, err
	}
	list, err := m.proposalsNow(ctx, tip)
	for _, p := range list {
		keys = append(keys, p.fact.Key)
	}
	return keys, err
}

func (m *Memory) countProposals(ctx context.Context, tip string) (int, error) {
	list, err := m.proposalsNow(ctx, tip)
	if errors.Is(err, ErrNotMemory) || errors.Is(err, gitstore.ErrShallow) { // Proposals says so
		m.log.Warn("proposals not counted", "error", err)
		return 0, nil
	}
	return len(list), err
}

func (m *Memory) proposalsNow(ctx context.Context, tip string) ([]proposal, error) {
	branch, err := m.openProposed()
	if err != nil {
		return nil, err
	}
	defer branch.close()
	proposed, err := branch.tip(ctx)
	if err != nil {
		return nil, err
	}
	list, _, err := m.proposalsAt(ctx, tip, proposed)
	return list, err
}

// seenFile is what this clone was shown last of each proposal.
const seenFile = "proposals-seen.json"

func (m *Memory) rememberSeen(list []Proposal) {
	seen := make(map[string]string)
	m.readState(seenFile, &seen)
	for _, p := range list {
		seen[p.Key.String()] = p.Version
	}
	if err := m.writeState(seenFile, seen); err != nil {
		m.log.Warn("what was shown is not remembered", "error", err)
	}
}
