package index

import (
	"context"

	"engram/facts"
)

// appended is the common case of planKey without reading every version that a
// key ever had: one new version, the last in time, after a tip that was the
// last in time before. Then the new one ends the old tip, and all other
// windows stay (facts.Timeline). ok is false where it is not that case.
func (c *call) appended(ctx context.Context, key facts.Key, old []docID, states []State) (previous docID, fresh []version, ok bool, err error) {
	previous, ok = lastTip(old)
	if !ok || len(states) != 1 || !states[0].Tip || states[0].Blob == "" {
		return docID{}, nil, false, nil
	}
	for _, id := range old {
		if id.Blob == states[0].Blob {
			return docID{}, nil, false, nil // it came back
		}
	}
	h := newHistory(key)
	h.add(previous.Blob, false)
	h.apply(states)
	fresh, _, err = h.read(ctx, c.Source, c.Concepts)
	if err != nil || len(fresh) != 2 {
		return docID{}, nil, false, err
	}
	for _, v := range fresh {
		// What a retirement does to windows depends on a version before these two.
		if v.fact.Operation == facts.OpDelete && !v.id.Window.Empty() {
			return docID{}, nil, false, nil
		}
		if v.id.Tip && v.id.Window.From.Before(previous.Window.From) {
			return docID{}, nil, false, nil
		}
	}
	return previous, fresh, true, nil
}

// lastTip returns the version on the tip if it begins after all others.
func lastTip(ids []docID) (tip docID, ok bool) {
	for _, id := range ids {
		if id.Tip {
			tip, ok = id, true
		}
	}
	for _, id := range ids {
		if !id.Tip && !id.Window.From.Before(tip.Window.From) {
			return docID{}, false
		}
	}
	return tip, ok
}
