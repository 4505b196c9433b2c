package source

import (
	"context"
	"fmt"

	"engram/memory/internal/core"
)

// CheckSources finds the first source that cannot be asked.
func (m *Sources) CheckSources(ctx context.Context) (any bool, err error) {
	list, err := m.Store.Sources(ctx)
	for _, src := range list {
		problem := src.Problem
		if problem == nil {
			other := New(m.OpenSource(src))
			if _, _, problem = other.Tip(ctx); problem != nil {
				problem = other.SourceError(problem)
			}
		}
		if problem != nil && err == nil {
			err = fmt.Errorf("%s: %w", src.Name, problem)
		}
	}
	return len(list) > 0, err
}

// SourceFootprint is what sources keep in this repository.
func (m *Sources) SourceFootprint(ctx context.Context) (list []core.Footprint) {
	sources, _ := m.Store.Sources(ctx)
	for _, src := range sources {
		list = append(list, core.Footprint{What: "the source " + src.Name + ", as it was fetched",
			Where: src.Ref() + ", its entry in the repository's git configuration, and " + m.SourceDir(src.Name), Remove: "engram source rm " + src.Name})
	}
	return list
}
