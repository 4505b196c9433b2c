package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/write"
)

// PutInput is an engram to store.
type PutInput struct {
	budget.Engram
	Key   string `json:"key,omitempty" help:"namespace/category/identifier of the fact; omit it and one is made"`
	Agent string `json:"-"` // the agent that stores it
}

// PutResult is an engram as stored.
type PutResult struct {
	core.Answer
	Engram budget.Engram      `json:"engram"`
	Commit write.CommitResult `json:"commit"`
}

// PutEngram stores an engram as a fact, under the rules of the strict boundary between
// agents (the bus document, §8.2, and the protocol document, §5.2 and §13.2):
//
//  1. it has a claim, a confidence, a ttl and a scope;
//  2. it has a pointer to something that can be read here, which a url is not;
//  3. pointers into the repository name a commit and lead to something, whose digest is
//     recorded and must be the one that the engram names, if any;
//  4. beyond the scope run its confidence is at least ReachFloor;
//  5. only a parent may extend its reach beyond the project;
//  6. at the key of an existing fact, its agent must be permitted to change that fact.
//
// The error is a *RefusedEngram if a rule is violated. An engram that exists already is
// reported as a duplicate and not written.
func (m *Bus) PutEngram(ctx context.Context, in PutInput) (PutResult, error) {
	if err := m.NormalizeAgents(&in.Agent); err != nil {
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

// preparedEngram is an engram that was checked, as a commit.
type preparedEngram struct {
	commit write.CommitInput
	notes  []string
}

// prepareAll checks engrams against the rules. path returns the place of an engram in the
// message.
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

// storeAll commits engrams in one commit, all of them or none. It returns nil if nothing
// was written.
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

// storedEngram reads the engram that a commit wrote.
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

// DeleteEngram retires the fact with an id or key. Only a parent, a person or the agent
// that stated it may: the error is a *LeadError otherwise. It wraps ErrNotFound if there
// is no such fact.
func (m *Bus) DeleteEngram(ctx context.Context, id, agent string) (write.CommitResult, error) {
	if err := m.NormalizeAgents(&agent); err != nil {
		return write.CommitResult{}, err
	}
	key, err := m.resolveKey(ctx, id)
	if err != nil {
		return write.CommitResult{}, err
	}
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return write.CommitResult{}, err
	}
	f, found, err := m.FactAt(ctx, tip, key)
	if err != nil {
		return write.CommitResult{}, err
	}
	if found && !m.budget.MayLead(agent) && !m.write.Aliases().Matches(f.Provenance.Agent, agent) {
		return write.CommitResult{}, &write.LeadError{Agent: agent, What: "end a fact of somebody else"}
	}
	return m.write.Retire(ctx, key.String(), "engram deleted over the bus", agent)
}

// ReachFloor is the confidence that an engram needs to reach beyond its run. The protocol
// document, §13.2, asks for such a floor without a figure; a claim that its writer thinks
// is probably wrong may help a run but not the whole project.
const ReachFloor = 0.5

// checkForm checks one engram against the form and the limits of a message.
func (m *Bus) checkForm(e budget.Engram) []budget.Refusal {
	const first = "ENGRAMS[0]"
	verdict := bus.Check([]byte(singleMessage(e).YAML()), m.Bus.Limits, bus.Allowance{})
	for i := range verdict.Refusals {
		r := &verdict.Refusals[i]
		r.Path = strings.TrimPrefix(strings.TrimPrefix(r.Path, first), ".")
		r.Reason = strings.ReplaceAll(r.Reason, first+".", "")
	}
	return verdict.Refusals
}

// anchorEngram checks an engram of the right form against the other rules of PutEngram,
// and completes its pointers. path is its place in the message.
func (m *Bus) anchorEngram(ctx context.Context, in *PutInput, path string) ([]budget.Refusal, error) {
	var refused []budget.Refusal
	refuse := func(field, resend, format string, args ...any) {
		refused = append(refused, budget.Refusal{Code: bus.Invalid, Path: joinPath(path, field), Reason: fmt.Sprintf(format, args...), Resend: resend})
	}
	m.anchorReach(*in, refuse)
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return nil, err
	}
	c := &deref.Completer{M: m.deref, Tip: tip, Who: deref.Requester{Agent: in.Agent, Strict: true}}
	given := in.Pointers
	in.Pointers = slices.Clone(given)
	here := 0
	for i, p := range given {
		whole, fault, err := c.AnchorEngramPointer(ctx, p)
		if err != nil {
			return nil, err
		}
		if fault != nil {
			fault.Path = joinPath(path, fmt.Sprintf("pointers[%d]", i))
			refused = append(refused, *fault)
		}
		if in.Pointers[i] = whole; whole.Type != string(facts.PointURL) {
			here++
		}
	}
	if here == 0 {
		refuse("pointers", "", "none of its pointers leads to anything in this repository; a url alone is not enough")
	}
	return refused, nil
}

// anchorReach checks whether an engram may have its reach.
func (m *Bus) anchorReach(in PutInput, refuse func(field, resend, format string, args ...any)) {
	if c := in.Confidence; c != nil && *c < ReachFloor && in.Scope != string(facts.ReachRun) {
		refuse("confidence", "scope: run", "with a confidence of %v it may not reach beyond its run; that takes %v", *c, ReachFloor)
	}
	if err := m.write.MayReach(in.Agent, in.Scope); err != nil {
		refuse("scope", "scope: project", "%v", err)
	}
}

func joinPath(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
