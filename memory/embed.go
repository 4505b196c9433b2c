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
	remedy := "`engram watch` makes them"
	if m.embedder.Instant() {
		report, err := m.index.Embed(ctx, tip, false)
		switch {
		case err != nil:
			remedy = fmt.Sprintf("they could not be made: %v", err)
		case report.Busy:
			remedy = "another process is making them"
		case report.Replaced != "":
			note("the model changed from %s to %s: %s embedded anew", report.Replaced, report.Model, counted(report.Embedded, "fact"))
		}
	}
	pending, any, err := m.pendingVectors(ctx, tip)
	if err != nil {
		note("what the vectors lack is not known: %v", err)
	}
	result.PendingVectors = pending
	if !any {
		if pending > 0 {
			note("no fact has a vector yet; %s", remedy)
		}
		return
	}
	vectors, err := m.embedder.Embed(ctx, []string{question})
	if err != nil {
		note("answered without vectors: %v", err)
		return
	}
	ranking.Vector = vectors[0]
	if pending > 0 {
		note("%s without a vector yet, found by words alone; %s", counted(pending, "fact"), remedy)
	}
}

// compared says in the result whether vectors took part after all: another
// process may be replacing them.
func (m *Memory) compared(found index.Answer, ranking index.Ranking, result *QueryResult) {
	result.Mode, result.Model = ModeLexical, ""
	switch {
	case found.Compared:
		result.Mode, result.Model = ModeHybrid, m.embedder.ID()
	case ranking.Vector != nil:
		result.Notes = append(result.Notes, "answered without vectors: they are being replaced")
	}
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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
