package exchange

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/budget"
	"engram/memory/internal/deref"
)

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
		refuse("pointers", "", "none of its pointers is to something that can be looked up here; a url is evidence beside such a one")
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
