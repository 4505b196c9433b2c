package catchup

import (
	"context"

	"engram/facts"
	"engram/index/internal/version"
)

// appended handles the common case of planKey without reading every version that a key
// ever had: one new version, the last in time, follows a tip that was the last in time.
// Then the new one ends the old tip, and all other windows stay (facts.Timeline). ok is
// false in all other cases.
func (f *Facts) appended(ctx context.Context, key facts.Key, old []version.ID, states []version.State) (previous version.ID, fresh []version.Version, ok bool, err error) {
	previous, ok = lastTip(old)
	if !ok || len(states) != 1 || !states[0].Tip || states[0].Blob == "" {
		return version.ID{}, nil, false, nil
	}
	for _, id := range old {
		if id.Blob == states[0].Blob {
			return version.ID{}, nil, false, nil // it came back
		}
	}
	h := version.NewHistory(key)
	h.Add(previous.Blob, false)
	h.Apply(states)
	fresh, _, err = h.Read(ctx, f.Source, f.Concepts)
	if err != nil || len(fresh) != 2 {
		return version.ID{}, nil, false, err
	}
	for _, v := range fresh {
		// What a retirement does to windows depends on a version before these two.
		if v.Fact.Operation == facts.OpDelete && !v.ID.Window.Empty() {
			return version.ID{}, nil, false, nil
		}
		if v.ID.Tip && v.ID.Window.From.Before(previous.Window.From) {
			return version.ID{}, nil, false, nil
		}
	}
	return previous, fresh, true, nil
}

// lastTip returns the version on the tip if it starts after all others.
func lastTip(ids []version.ID) (tip version.ID, ok bool) {
	for _, id := range ids {
		if id.Tip {
			tip, ok = id, true
		}
	}
	for _, id := range ids {
		if !id.Tip && !id.Window.From.Before(tip.Window.From) {
			return version.ID{}, false
		}
	}
	return tip, ok
}
