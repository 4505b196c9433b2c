package ask

import (
	"context"
	"fmt"
	"strings"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// split splits NAME:KEY; no key contains a colon.
func (in GetInput) split() GetInput {
	if name, key, found := strings.Cut(in.Key, ":"); found && in.Origin == "" {
		in.Origin, in.Key = name, key
	}
	return in
}

// getFrom is Get for a source. A fact that this repository may not see is reported like
// one that does not exist.
func (m *Reader) getFrom(ctx context.Context, in GetInput) (FactResult, error) {
	if !in.AsOf.IsZero() || !in.KnownAt.IsZero() || in.KnownAtRevision != "" {
		return FactResult{}, core.UsageErrorf(hint.New("omit the time and the branch, or ask in a clone of it"), "a source is read as it stands")
	}
	k, err := facts.ParseKey(in.Key)
	if err != nil {
		return FactResult{}, err
	}
	other, tip, err := m.sourceTip(ctx, in.Origin)
	if err != nil {
		return FactResult{}, err
	}
	now := m.Moment()
	f, found, err := other.FactAt(ctx, tip, k)
	if ctx.Err() != nil {
		return FactResult{}, err
	}
	if err != nil || !found || !other.MayShow(f, now) {
		return FactResult{}, fmt.Errorf("%w: %s has none at %s that this repository may see", core.ErrNotFound, in.Origin, k)
	}
	result := FactResult{Answer: core.AnswerAt(tip), Fact: core.Show(f, f.Window(), now)}
	result.Fact.Origin = in.Origin
	if err = other.markDisputed(ctx, tip, &result.Fact); err == nil && in.Trust {
		err = other.addTrust(ctx, tip, &result.Fact)
	}
	return result, err
}

// sourceTip opens a source at its tip. The error wraps gitstore.ErrNoSource if there is none
// of that name.
func (m *Reader) sourceTip(ctx context.Context, name string) (*Reader, string, error) {
	src, err := m.Store.Source(ctx, name)
	if err != nil {
		return nil, "", err
	}
	other := New(m.OpenSource(src))
	tip, _, err := other.Tip(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, other.SourceError(err))
	}
	return other, tip, nil
}

// markDisputed marks facts of a source as disputed if its own team's memory says so. Other facts
// stay unmarked, because no audit here has examined them.
func (m *Reader) markDisputed(ctx context.Context, tip string, list ...*core.Fact) error {
	d, err := m.audit.DisputesAt(ctx, tip, nil)
	if err != nil {
		return err
	}
	for _, f := range list {
		if open := d.Open[f.Key.String()] > 0; open {
			f.HasConflict = &open
		}
	}
	return nil
}

// listFrom is List for a source, limited to what this repository may see.
func (m *Reader) listFrom(ctx context.Context, in ListInput) (ListResult, error) {
	if in.All {
		return ListResult{}, core.UsageErrorf(hint.New("ask in a clone of it for what held before"), "of a source only what holds is shown")
	}
	other, tip, err := m.sourceTip(ctx, in.Origin)
	if err != nil {
		return ListResult{}, err
	}
	now := m.Moment()
	result, list, err := other.listAt(ctx, tip, in, false, func(f facts.Fact) (bool, error) { return other.MayShow(f, now), nil })
	result.Damaged = 0 // the source's own team lints them
	if err != nil {
		return result, err
	}
	return result, other.markDisputed(ctx, tip, list...)
}
