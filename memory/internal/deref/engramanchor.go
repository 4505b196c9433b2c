package deref

import (
	"context"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/memory/internal/budget"
)

// AnchorPointer makes a pointer whole: something stands there, and its digest is
// recorded.
func (c *Completer) AnchorPointer(ctx context.Context, p budget.EngramPointer) (budget.EngramPointer, *budget.Refusal, error) {
	p.Type = budget.PointerOf(p.Ref, "").Type
	fault := func(resend, format string, args ...any) (budget.EngramPointer, *budget.Refusal, error) {
		return p, &budget.Refusal{Code: bus.Invalid, Reason: fmt.Sprintf(format, args...), Resend: resend}, nil
	}
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return fault("", "%v", err)
	}
	if address.Type == facts.PointURL {
		return budget.PointerOf(p.Ref, p.Digest), nil, nil
	}
	whole, err := c.complete(ctx, p.Ref)
	if err != nil {
		if why, nothing := NotHere(err); nothing {
			_, advice := c.M.Classify(err)
			return fault(advice.In(wireWords()), "%s", why)
		}
		return p, nil, err
	}
	if address.InRepository() && address.Commit == "" {
		return fault("ref: "+whole.Ref, "%s names no commit", p.Ref)
	}
	if same := sameDigest(p.Digest, whole.Digest); same != nil && !*same {
		return fault(readHint.In(wireWords()), "something else stands at %s than its digest says", whole.Ref)
	}
	return budget.PointerOf(whole.Ref, whole.Digest), nil, nil
}
