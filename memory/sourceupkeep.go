package memory

import (
	"context"
	"fmt"
)

// refreshSources brings the indexes of sources and their vectors up to what was
// fetched. It fetches nothing: only a person or a script decides when this machine
// talks to another. more: vectors are still to be made.
func (m *Memory) refreshSources(ctx context.Context) (more bool) {
	list, err := m.store.Sources(ctx)
	if err != nil {
		m.log.Warn("sources not looked at", "error", err)
	}
	for _, src := range list {
		if src.Problem != nil {
			continue
		}
		other := m.openSource(src)
		tip, _, err := other.tip(ctx)
		if err == nil {
			_, err = other.index.CatchUp(ctx, tip)
		}
		if err == nil {
			var unfinished bool
			unfinished, err = other.refreshVectors(ctx, tip, &WatchReport{})
			more = more || unfinished
		}
		if err != nil && ctx.Err() == nil {
			m.log.Warn("source not caught up", "source", src.Name, "error", err)
		}
	}
	return more
}

// checkSources finds the first source that cannot be asked.
func (m *Memory) checkSources(ctx context.Context) (any bool, err error) {
	list, err := m.store.Sources(ctx)
	for _, src := range list {
		problem := src.Problem
		if problem == nil {
			other := m.openSource(src)
			if _, _, problem = other.tip(ctx); problem != nil {
				problem = other.unreadable(problem)
			}
		}
		if problem != nil && err == nil {
			err = fmt.Errorf("%s: %w", src.Name, problem)
		}
	}
	return len(list) > 0, err
}

// sourceFootprint is what sources keep in this repository.
func (m *Memory) sourceFootprint(ctx context.Context) (list []Footprint) {
	sources, _ := m.store.Sources(ctx)
	for _, src := range sources {
		list = append(list, Footprint{"the source " + src.Name + ", as it was fetched",
			src.Ref() + ", its entry in the repository's git configuration, and " + m.sourceDir(src.Name), "engram source rm " + src.Name})
	}
	return list
}
