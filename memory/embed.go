package memory

import (
	"context"
	"fmt"

	"engram/index"
)

// embedQuestion adds the question's vector to a ranking where there is a
// model, and says in the result what the vectors lack. A model that fails
// leaves a lexical answer, with a note.
func (m *Memory) embedQuestion(ctx context.Context, tip, question string, ranking *index.Ranking, result *QueryResult) {
	note := func(format string, args ...any) {
		result.Notes = append(result.Notes, fmt.Sprintf(format, args...))
	}
	if m.noModel != "" {
		note("answered by words alone: %s", m.noModel)
	}
	if m.embedder == nil {
		return
	}
	if m.embedder.Instant() {
		report, err := m.index.Embed(ctx, tip, false)
		switch {
		case err != nil:
			note("the newest facts have no vectors: %v", err)
		case report.Replaced != "":
			note("the model changed from %s to %s: %d facts were embedded again", report.Replaced, report.Model, report.Embedded)
		}
	}
	pending, any, err := m.pendingVectors(ctx, tip)
	if err != nil {
		note("what the vectors lack is not known: %v", err)
	}
	result.PendingVectors = pending
	if !any {
		note("no fact has a vector yet; `engram watch` makes them")
		return
	}
	vectors, err := m.embedder.Embed(ctx, []string{question})
	if err != nil {
		note("answered without vectors: %v", err)
		return
	}
	ranking.Vector = vectors[0]
	result.Mode, result.Model = ModeHybrid, m.embedder.ID()
	if pending > 0 {
		note("%d facts have no vector yet and are found by their words alone; `engram watch` makes them", pending)
	}
}

// pendingVectors counts the facts on the tip that may lack a vector, and says
// whether any fact has one.
func (m *Memory) pendingVectors(ctx context.Context, tip string) (pending int, any bool, err error) {
	v := m.index.Vectors()
	if v.Revision == "" {
		files, err := m.store.Files(ctx, tip, "")
		for _, f := range files {
			if belongsToFacts(f) {
				pending++
			}
		}
		return pending, false, err
	}
	changed, err := m.pending(ctx, v.Revision, tip)
	return v.Missing + changed, true, err
}

// EmbedReport says what making vectors did.
type EmbedReport = index.VectorReport
