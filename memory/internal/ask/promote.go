package ask

import (
	"context"
	"fmt"

	"engram/facts"
)

// countHits counts the ephemeral facts among the results, except those of the agent that
// asks, and promotes those that were found often enough. A failure becomes a note.
func (m *Reader) countHits(ctx context.Context, askedBy string, result *QueryResult) {
	hits := make(map[string]facts.Key)
	for _, hit := range result.Results {
		if hit.Ephemeral && (askedBy == "" || !m.write.Aliases().Matches(hit.AgentID, askedBy)) {
			hits[hit.FactID] = hit.Key
		}
	}
	if len(hits) == 0 {
		return
	}
	ripe, err := m.write.Count(ctx, hits)
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("hits of ephemeral facts were not counted: %v", err))
		return
	}
	for _, key := range ripe {
		// Only a parent may extend the reach of a fact of one run.
		if f, found, err := m.FactAt(ctx, result.Revision, key); err == nil && found && f.Reach == facts.ReachRun {
			continue
		}
		switch promoted, err := m.write.Promote(ctx, key.String(), askedBy); {
		case err != nil:
			result.Notes = append(result.Notes, fmt.Sprintf("%s was found often enough to be promoted, and was not: %v", key, err))
		case promoted.Proposed:
			result.Notes = append(result.Notes, fmt.Sprintf("%s was found often enough to be durable, which is proposed", key))
		case !promoted.Duplicate: // otherwise another process was faster
			result.Notes = append(result.Notes, fmt.Sprintf("%s is durable from now on: a second question found it", key))
		}
	}
}
