package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"engram/bus"
	"engram/facts"
)

// ReachFloor is the confidence that an engram needs to reach beyond its run (seed 2
// §13.2 wants such a floor and names none): what its writer holds for less likely than
// not may help a run along, and does not belong in front of the whole project.
const ReachFloor = 0.5

// anchorEngram holds an engram against the rules of PutEngram, and replaces its pointers
// by whole ones. path is where it stands in what was handed in.
func (m *Memory) anchorEngram(ctx context.Context, in *PutInput, path string) ([]Refusal, error) {
	var refused []Refusal
	refuse := func(field, resend, format string, args ...any) {
		refused = append(refused, Refusal{Code: bus.Invalid, Path: below(path, field), Reason: fmt.Sprintf(format, args...), Resend: resend})
	}
	e := in.Engram
	if facts.FoldSpace(e.Claim) == "" {
		refuse("claim", "", "it claims nothing")
	} else if n, most := len([]rune(e.Claim)), m.limits().Inline.ClaimChars; n > most {
		refused = append(refused, Refusal{Code: bus.BudgetExceeded, Path: below(path, "claim"), Name: "max_engram_chars", Limit: most, Amount: n,
			Reason: fmt.Sprintf("the claim has %d characters; at most %d fit", n, most), Resend: "one claim of at most three sentences; the rest is behind its pointers"})
	}
	if _, err := facts.ParseTTL(e.TTL); err != nil {
		refuse("ttl", "ttl: P7D", "%v", err)
	}
	if err := checkOneOf("kind", facts.Kind(e.Kind), facts.Kinds()); err != nil {
		refuse("kind", "", "%v", err)
	}
	m.anchorReach(*in, refuse)
	if len(e.Pointers) == 0 {
		refuse("pointers", "pointers: [{type: repo, ref: repo:PATH#L1-L9@COMMIT}]", "an engram needs a pointer to what it rests on")
	}
	if len(e.Pointers) > facts.MaxPointers {
		refuse("pointers", "", "it has %d pointers; at most %d fit", len(e.Pointers), facts.MaxPointers)
		return refused, nil
	}
	in.Pointers = slices.Clone(e.Pointers)
	here := 0
	for i, p := range e.Pointers {
		whole, fault, err := m.anchorPointer(ctx, p)
		if err != nil {
			return nil, err
		}
		if fault != nil {
			fault.Path = below(path, fmt.Sprintf("pointers[%d]", i))
			refused = append(refused, *fault)
		}
		if in.Pointers[i] = whole; whole.Type != string(facts.PointURL) {
			here++
		}
	}
	if here == 0 && len(e.Pointers) > 0 {
		refuse("pointers", "", "none of its pointers is to something that can be looked up here; a url is evidence beside such a one")
	}
	return refused, nil
}

// anchorReach checks how far an engram is to reach, and what it has to be for that.
func (m *Memory) anchorReach(in PutInput, refuse func(field, resend, format string, args ...any)) {
	if in.Confidence == nil {
		refuse("confidence", "confidence: 0.8", "it says not how sure its writer is")
	} else if c := *in.Confidence; !(c >= 0 && c <= 1) {
		refuse("confidence", "", "%v is not between 0 and 1", c)
	} else if c < ReachFloor && in.Scope != string(facts.ReachRun) {
		refuse("confidence", "scope: run", "with a confidence of %v it may not reach beyond its run; that takes %v", c, ReachFloor)
	}
	switch err := checkOneOf("scope", facts.Reach(in.Scope), facts.Reaches()); {
	case in.Scope == "":
		refuse("scope", "scope: project", "it says not how far it reaches")
	case err != nil:
		refuse("scope", "", "%v", err)
	default:
		if err := m.mayReach(in.Agent, in.Scope); err != nil {
			refuse("scope", "scope: project", "%v", err)
		}
	}
}

// anchorPointer makes a pointer whole: what stands there is there, and its digest is
// recorded.
func (m *Memory) anchorPointer(ctx context.Context, p EngramPointer) (EngramPointer, *Refusal, error) {
	fault := func(resend, format string, args ...any) (EngramPointer, *Refusal, error) {
		return p, &Refusal{Code: bus.Invalid, Reason: fmt.Sprintf(format, args...), Resend: resend}, nil
	}
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return fault("", "%v", err)
	}
	if p.Type != "" && p.Type != string(address.Type) {
		return fault("", "%s is no pointer of type %.40s", p.Ref, p.Type)
	}
	if address.Type == facts.PointURL {
		return pointerOf(p.Ref, p.Digest), nil, nil
	}
	whole, err := m.Complete(ctx, p.Ref)
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrUsage):
		_, hint := Classify(err)
		return fault(hint, "%v", err)
	case err != nil:
		return p, nil, err
	}
	switch address.Type {
	case facts.PointRepo, facts.PointArtifact, facts.PointTest:
		if address.Commit == "" {
			return fault("ref: "+whole.Ref, "%s names no commit", p.Ref)
		}
	}
	if p.Digest != "" && whole.Digest != "" && !strings.EqualFold(p.Digest, whole.Digest) {
		return fault("dereference it anew", "%s: something else stands there than %s", p.Ref, p.Digest)
	}
	return pointerOf(whole.Ref, whole.Digest), nil, nil
}

func below(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
