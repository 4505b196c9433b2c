package write

import (
	"errors"
	"fmt"
	"time"

	"engram/facts"
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
