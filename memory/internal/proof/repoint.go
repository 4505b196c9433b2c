package proof

import (
	"context"
	"slices"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// Repoint returns the pointers of a fact for HEAD, or nil if the fact should not change. named
// reports that the user named the fact; left is then its verdict if it cannot be repointed.
func (c *Checker) Repoint(ctx context.Context, f facts.Fact, named bool) (pointers []core.Pointer, left *FactCheck, err error) {
	checks, worst, err := c.Judge(ctx, f.Pointers)
	if err != nil || !named && worst != core.Moved {
		return nil, nil, err
	}
	if !named && slices.ContainsFunc(checks, func(l Verdict) bool { return l.ambiguous }) {
		return nil, nil, nil // ambiguous, unless the user named the fact
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

// pin returns a pointer to what is at HEAD in the place of another. ok is false if nothing
// is there.
func (c *Checker) pin(ctx context.Context, l Verdict, named bool) (p core.Pointer, ok bool, err error) {
	same := core.Pointer{Ref: l.Ref, Digest: l.Digest}
	address, err := facts.ParseRef(l.Ref)
	if err != nil || !named && l.Freshness != core.Moved {
		return same, true, nil
	}
	if address.Type == facts.PointSAM && !address.InSession() {
		return c.pinFact(ctx, address)
	}
	if !address.InRepository() {
		return same, true, nil
	}
	switch l.Freshness {
	case core.Missing:
		return same, false, nil
	case core.Moved:
		if address, err = facts.ParseRef(l.Now); err != nil {
			return same, false, nil
		}
	case core.Drifted:
		r, err := c.Region(ctx, l)
		if err != nil {
			return same, false, err
		}
		if address.FirstLine > 0 && r.First > 0 && r.Last >= r.First {
			address.FirstLine, address.LastLine = r.First, r.Last
		}
	}
	return c.pinFile(ctx, address)
}

func (c *Checker) pinFile(ctx context.Context, address facts.Address) (p core.Pointer, ok bool, err error) {
	f, err := c.File(ctx, address.Path)
	if err != nil || f.Kind == gitstore.CodeNone {
		return core.Pointer{}, false, err
	}
	address.Commit = c.Commit
	p.Ref = address.Ref()
	if f.Content == nil { // a folder, a link, a submodule, or too large to be read
		return p, address.FirstLine == 0 && address.Name == "", nil
	}
	part, err := evidence.Cut(address, f.Content.Bytes())
	if err != nil {
		return p, false, nil
	}
	p.Digest = evidence.Digest(part.Text)
	return p, true, nil
}

func (c *Checker) pinFact(ctx context.Context, address facts.Address) (p core.Pointer, ok bool, err error) {
	key, err := facts.ParseKey(address.Path)
	if err != nil {
		return p, false, nil
	}
	f, found, err := c.Verifier.FactAt(ctx, c.Tip, key)
	if err != nil || !found || !core.CurrentOrScheduled(f, c.Now) {
		return p, false, err
	}
	address.Version = f.ID
	return core.Pointer{Ref: address.Ref(), Digest: "sha256:" + facts.ContentHash(f.Claim)}, true, nil
}
