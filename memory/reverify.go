package memory

import (
	"context"
	"slices"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
)

// ReverifyInput says which facts still hold.
type ReverifyInput struct {
	// Keys are facts that somebody looked at and that still hold: their pointers are made
	// anew for what stands there now. None: all whose evidence moved, of Scope.
	Keys  []string `json:"keys,omitempty"`
	Scope string   `json:"scope,omitempty"`
	Agent string   `json:"agent_id,omitempty"`
}

// ReverifyResult says what was committed.
type ReverifyResult struct {
	Answer
	Committed []CommitResult `json:"committed"`
	Left      []FactCheck    `json:"left"` // named, and without any place where the evidence could be
}

// Reverify commits a new version of facts, with the same claim and with pointers to
// where their evidence stands at HEAD now, all in one commit:
//
//  1. Of what moved: where it is.
//  2. Of facts that were named, what drifted as well: what stands in its place.
//  3. Of these, what is fresh or cannot be compared: the same place at HEAD.
//
// Facts that were not named and of which anything drifted or is missing are left alone,
// and those of which it is not sure where they moved.
// Who verifies a fact is its agent from then on; a TTL begins anew. Errors are those of
// Verify and of CommitAll.
func (m *Memory) Reverify(ctx context.Context, in ReverifyInput) (ReverifyResult, error) {
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return ReverifyResult{}, err
	}
	result := ReverifyResult{Answer: answer(tip), Committed: []CommitResult{}, Left: []FactCheck{}}
	c, err := m.codeAt(ctx, tip, headName)
	if err != nil {
		return result, err
	}
	if c.none != "" {
		return result, wrong(hint.New("run it in a repository that has the code"), "nothing can be verified: %s", c.none)
	}
	list, _, err := m.resting(ctx, tip, in.Keys, in.Scope, m.reader(manifest, in.Agent))
	if err != nil {
		return result, err
	}
	var inputs []CommitInput
	for i, f := range list {
		m.progress("verifying", i+1, len(list))
		pointers, left, err := c.anew(ctx, f, len(in.Keys) > 0)
		switch {
		case err != nil:
			return result, err
		case left != nil:
			result.Left = append(result.Left, *left)
		case pointers != nil:
			inputs = append(inputs, reverified(f, pointers, in.Agent))
		}
	}
	if len(inputs) == 0 {
		return result, nil
	}
	if result.Committed, err = m.CommitAll(ctx, inputs); err == nil {
		result.Answer = result.Committed[0].Answer
	}
	return result, err
}

// reverified states a fact again on new evidence. The rest is inherited.
func reverified(f facts.Fact, pointers []Pointer, agent string) CommitInput {
	in := CommitInput{
		Claim: f.Claim, Detail: f.Detail, Key: f.Key.String(), Operation: string(facts.OpUpdate), Agent: agent,
		Confidence: f.Confidence, Pointers: pointers, Evidence: f.Provenance.Evidence, TTL: f.TTL,
		Durability: string(f.Durability), Source: string(f.Provenance.Source),
	}
	if f.TTL == "" {
		in.ValidUntil = f.ValidUntil
	}
	return in
}

// anew makes the pointers of a fact for HEAD. pointers is nil where it is to be left
// alone, left says of a named one why.
func (c *checker) anew(ctx context.Context, f facts.Fact, named bool) (pointers []Pointer, left *FactCheck, err error) {
	checks, worst, err := c.judge(ctx, f.Pointers)
	if err != nil || !named && worst != Moved {
		return nil, nil, err
	}
	if !named && slices.ContainsFunc(checks, func(l located) bool { return l.several }) {
		return nil, nil, nil // whoever names the fact has looked where it is
	}
	for _, check := range checks {
		p, ok, err := c.pin(ctx, check, named)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			check, err := c.fact(ctx, f, false)
			return nil, &check, err
		}
		pointers = append(pointers, p)
	}
	return pointers, nil, nil
}

// pin is a pointer for what stands at HEAD in the place of one. ok is false where
// nothing does.
func (c *checker) pin(ctx context.Context, l located, named bool) (p Pointer, ok bool, err error) {
	same := Pointer{Ref: l.Ref, Digest: l.Digest}
	address, err := facts.ParseRef(l.Ref)
	if err != nil || !named && l.Freshness != Moved {
		return same, true, nil
	}
	if address.Type == facts.PointSAM {
		return c.pinFact(ctx, address)
	}
	if !address.InRepository() {
		return same, true, nil
	}
	switch l.Freshness {
	case Missing:
		return same, false, nil
	case Moved:
		if address, err = facts.ParseRef(l.Now); err != nil {
			return same, false, nil
		}
	case Drifted:
		r, err := c.region(ctx, l)
		if err != nil {
			return same, false, err
		}
		if address.FirstLine > 0 && r.first > 0 && r.last >= r.first {
			address.FirstLine, address.LastLine = r.first, r.last
		}
	}
	return c.pinFile(ctx, address)
}

func (c *checker) pinFile(ctx context.Context, address facts.Address) (p Pointer, ok bool, err error) {
	f, err := c.file(ctx, address.Path)
	if err != nil || f.Kind == gitstore.CodeNone {
		return Pointer{}, false, err
	}
	address.Commit = c.commit
	p.Ref = address.Ref()
	if f.content == nil { // a folder, a link, a submodule, or too large to be read
		return p, address.FirstLine == 0 && address.Name == "", nil
	}
	part, err := evidence.Cut(address, f.content.Bytes())
	if err != nil {
		return p, false, nil
	}
	p.Digest = evidence.Digest(part.Text)
	return p, true, nil
}

func (c *checker) pinFact(ctx context.Context, address facts.Address) (p Pointer, ok bool, err error) {
	key, err := facts.ParseKey(address.Path)
	if err != nil {
		return p, false, nil
	}
	f, found, err := c.m.factAt(ctx, c.tip, key)
	if err != nil || !found || !open(f, c.now) {
		return p, false, err
	}
	address.Version = f.ID
	return Pointer{Ref: address.Ref(), Digest: "sha256:" + facts.ContentHash(f.Claim)}, true, nil
}
