package exchange

import (
	"cmp"
	"context"
	"errors"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// PutInput is an engram to be stored.
type PutInput struct {
	budget.Engram
	Key   string `json:"key,omitempty" help:"namespace/category/identifier of the fact; omit it and one is made"`
	Agent string `json:"-"` // who puts it
}

// PutResult is an engram as it was stored.
type PutResult struct {
	core.Answer
	Engram budget.Engram      `json:"engram"`
	Commit write.CommitResult `json:"commit"`
}

// PutEngram stores an engram as a fact, under the rules of the strict boundary
// (seed 1 §8.2, seed 2 §5.2 and §13.2):
//
//  1. it has a claim, a confidence, a ttl and a scope;
//  2. it has a pointer to something that can be looked up here, which a url is not;
//  3. pointers into the repository name a commit, and something stands there; what
//     stands there is recorded by its digest, and has the one that the engram names;
//  4. beyond the scope run it is more likely true than not (ReachFloor);
//  5. beyond the project only a parent lets it reach;
//  6. at a key where a fact stands, it changes what its agent may change (guardBus).
//
// The error is a *RefusedEngram where it does not keep to them. One that stands already
// is answered as a duplicate and not written.
func (m *Bus) PutEngram(ctx context.Context, in PutInput) (PutResult, error) {
	if err := core.NameAgents(&in.Agent); err != nil {
		return PutResult{}, err
	}
	refusals, all := m.checkForm(in.Engram), []preparedEngram(nil)
	if len(refusals) == 0 {
		var err error
		if all, refusals, err = m.prepareAll(ctx, []PutInput{in}, func(int) string { return "" }); err != nil {
			return PutResult{}, err
		}
	}
	if len(refusals) > 0 {
		r := refusals[0]
		m.budget.Note(ctx, budget.Event{Name: ledger.BudgetReject, Agent: in.Agent, Count: len(refusals), Code: r.Code, Limit: r.Name})
		refused := &RefusedEngram{Refusals: refusals}
		var err error
		refused.Resend, err = m.resendOf(ctx, in)
		return PutResult{}, cmp.Or(err, error(refused))
	}
	puts, err := m.storeAll(ctx, all)
	if r := new(bus.Refusal); errors.As(err, &r) {
		m.budget.Note(ctx, budget.Event{Name: ledger.BudgetReject, Agent: in.Agent, Count: 1, Code: r.Code})
	}
	if err != nil {
		return PutResult{}, err
	}
	if put := puts[0]; !put.Commit.Duplicate {
		e := budget.Event{Name: ledger.EngramPut, Agent: in.Agent, IDs: []string{put.Commit.FactID}, Kinds: []string{put.Engram.Kind}}
		if bus.Contradicts(put.Engram) {
			e.Contradictions = 1
		}
		m.budget.Note(ctx, e)
	}
	return puts[0], nil
}

// preparedEngram is an engram that keeps to the rules, as it is committed.
type preparedEngram struct {
	commit write.CommitInput
	notes  []string
}

// prepareAll holds engrams against the rules. path is where an engram stands in what was
// handed in.
func (m *Bus) prepareAll(ctx context.Context, ins []PutInput, path func(i int) string) (all []preparedEngram, refusals []budget.Refusal, err error) {
	for i, in := range ins {
		refused, err := m.anchorEngram(ctx, &in, path(i))
		if err != nil {
			return nil, nil, err
		}
		refusals = append(refusals, refused...)
		commit, notes := commitOf(in)
		all = append(all, preparedEngram{commit, notes})
	}
	return all, refusals, nil
}

// storeAll commits engrams in one commit, all of them or none. It returns nil where
// nothing was written.
func (m *Bus) storeAll(ctx context.Context, all []preparedEngram) ([]PutResult, error) {
	if len(all) == 0 {
		return nil, nil
	}
	commits := make([]write.CommitInput, len(all))
	for i, r := range all {
		commits[i] = r.commit
	}
	stored, err := m.write.CommitAll(ctx, commits)
	if err != nil {
		return nil, err
	}
	puts := make([]PutResult, len(stored))
	for i, result := range stored {
		result.Notes = append(result.Notes, all[i].notes...)
		puts[i] = PutResult{Answer: result.Answer, Commit: result}
		if puts[i].Engram, err = m.storedEngram(ctx, result); err != nil {
			return puts, err
		}
	}
	return puts, nil
}

// storedEngram is what a commit left at its key.
func (m *Bus) storedEngram(ctx context.Context, result write.CommitResult) (budget.Engram, error) {
	key, err := facts.ParseKey(result.Key)
	if err != nil {
		return budget.Engram{}, err
	}
	f, found, err := m.FactAt(ctx, result.Revision, key)
	if err != nil || !found {
		return budget.Engram{}, err
	}
	return engramOf(f, shownHashKeys), nil
}

// DeleteEngram retires the fact that has an id or key. Only a parent or whoever stated
// it may: the error is a *LeadError otherwise. It wraps ErrNotFound where there
// is none.
func (m *Bus) DeleteEngram(ctx context.Context, id, agent string) (write.CommitResult, error) {
	if err := core.NameAgents(&agent); err != nil {
		return write.CommitResult{}, err
	}
	key, err := facts.ParseKey(id)
	if err != nil {
		if key, err = m.KeyOf(ctx, id); err != nil {
			return write.CommitResult{}, err
		}
	}
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return write.CommitResult{}, err
	}
	f, found, err := m.FactAt(ctx, tip, key)
	if err != nil {
		return write.CommitResult{}, err
	}
	if found && !m.budget.MayLead(agent) && !m.write.Aliases().Is(f.Provenance.Agent, agent) {
		return write.CommitResult{}, &write.LeadError{Agent: agent, What: "end a fact of somebody else"}
	}
	return m.write.Retire(ctx, key.String(), "engram deleted over the bus", agent)
}
