package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// SettleInput says how long settling may take.
type SettleInput struct {
	Budget time.Duration // for the models of an audit; 0 means DefaultNLIBudget
}

// SettleResult says what settling brought.
type SettleResult struct {
	Answer
	From     []string    `json:"from"`    // tracking branches that were merged in
	Arrived  int         `json:"arrived"` // facts that changed
	Merged   bool        `json:"merged"`  // a merge commit was made (else a fast-forward)
	Opened   []Conflict  `json:"opened"`
	Closed   []Conflict  `json:"closed"`
	Rivals   []facts.Key `json:"rivals"` // claims that gave way in a merge and stand beside
	Promoted []facts.Key `json:"promoted"`
	Dropped  []facts.Key `json:"dropped"`
	Notes    []string    `json:"notes,omitempty"` // such as why nothing was merged: the branch is checked out
}

// Settle brings the local memory branch up to what was fetched and audits what
// arrived. It never uses the network.
func (m *Memory) Settle(ctx context.Context, in SettleInput) (SettleResult, error) {
	result := SettleResult{From: []string{}, Opened: []Conflict{}, Closed: []Conflict{}, Rivals: []facts.Key{}, Promoted: []facts.Key{}, Dropped: []facts.Key{}}
	before, _, err := m.tip(ctx)
	if err != nil {
		return result, err
	}
	result.Answer = answer(before)
	remotes, err := m.store.RemoteBranches(ctx)
	if err != nil {
		return result, err
	}
	for _, remote := range remotes {
		moved, err := m.store.FastForward(ctx, remote.Revision)
		if errors.Is(err, gitstore.ErrCheckedOut) {
			result.Notes = append(result.Notes, fmt.Sprintf("%s has more; %v", remote.Name, err))
			return result, nil
		}
		if err != nil {
			return result, err
		}
		if moved {
			result.From = append(result.From, remote.Name)
		}
	}
	if m.store.CheckedOutAt() != "" { // its owner audits once it is put away
		return result, nil
	}
	return result, m.settleConflicts(ctx, before, in, &result)
}

// settleConflicts counts what arrived and audits it.
func (m *Memory) settleConflicts(ctx context.Context, before string, in SettleInput, result *SettleResult) error {
	tip, err := m.store.Tip(ctx)
	if err != nil {
		return err
	}
	result.Answer = answer(tip)
	if len(result.From) > 0 {
		changes, err := m.changes(ctx, before, tip)
		if err != nil {
			return err
		}
		for _, c := range changes {
			if key, ok := facts.KeyOfPath(c.Path); ok && !detect.IsConflict(key) {
				result.Arrived++
			}
		}
	}
	audit, err := m.Audit(ctx, AuditInput{Budget: in.Budget})
	if err != nil {
		return err
	}
	result.Answer, result.Opened, result.Closed = audit.Answer, audit.Opened, audit.Closed
	return nil
}

// Share brings the memory branch to a remote, without force.
func (m *Memory) Share(ctx context.Context, remote string) error {
	return m.store.PushTo(ctx, remote)
}
