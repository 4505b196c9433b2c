package share

import (
	"context"
)

// refreshSources brings the indexes of sources and their vectors up to what was
// fetched. It fetches nothing: only a person or a script decides when this machine
// talks to another. more: vectors are still to be made.
func (m *Sharer) refreshSources(ctx context.Context) (more bool) {
	list, err := m.Store.Sources(ctx)
	if err != nil {
		m.Log.Warn("sources not looked at", "error", err)
	}
	for _, src := range list {
		if src.Problem != nil {
			continue
		}
		other := New(m.OpenSource(src))
		tip, _, err := other.Tip(ctx)
		if err == nil {
			_, err = other.Index.CatchUp(ctx, tip)
		}
		if err == nil {
			var unfinished bool
			unfinished, err = other.refreshVectors(ctx, tip, &WatchReport{})
			more = more || unfinished
		}
		if err != nil && ctx.Err() == nil {
			m.Log.Warn("source not caught up", "source", src.Name, "error", err)
		}
	}
	return more
}
