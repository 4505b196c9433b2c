package ask

import (
	"context"
	"fmt"

	"engram/index"
	"engram/memory/internal/core"
)

// EmbedQuestion adds the question's vector to a ranking if there is a model, and records
// in the result which facts lack vectors. If the model fails, the answer is lexical, with
// a note.
func (m *Reader) EmbedQuestion(ctx context.Context, tip, question string, ranking *index.Ranking, result *QueryResult) {
	note := func(format string, args ...any) {
		result.Notes = append(result.Notes, fmt.Sprintf(format, args...))
	}
	if m.EmbedderProblem != "" {
		note("answered by words alone: %s", m.EmbedderProblem)
	}
	if m.Embedder == nil {
		return
	}
	remedy := "`engram watch` makes them"
	if m.Embedder.Instant() {
		report, err := m.Index.Embed(ctx, tip, false)
		switch {
		case err != nil:
			remedy = fmt.Sprintf("they could not be made: %v", err)
		case report.Busy:
			remedy = "another process is making them"
		case report.Replaced != "":
			note("the model changed from %s to %s: %s embedded anew", report.Replaced, report.Model, core.Plural(report.Embedded, "fact"))
		}
	}
	pending, any, err := m.PendingVectors(ctx, tip)
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
	vectors, err := m.Embedder.Embed(ctx, []string{question})
	if err != nil {
		note("answered without vectors: %v", err)
		return
	}
	ranking.Vector = vectors[0]
	if pending > 0 {
		note("%s without a vector yet, found by words alone; %s", core.Plural(pending, "fact"), remedy)
	}
}

// setMode records in the result whether vectors took part after all: another process may be
// replacing them.
func (m *Reader) setMode(found index.Answer, ranking index.Ranking, result *QueryResult) {
	result.Mode, result.Model = ModeLexical, ""
	switch {
	case found.Compared:
		result.Mode, result.Model = ModeHybrid, m.Embedder.ID()
	case ranking.Vector != nil:
		result.Notes = append(result.Notes, "answered without vectors: they are being replaced")
	}
}

// PendingVectors counts the facts at the tip that may lack a vector; any reports whether
// any fact has one.
func (m *Reader) PendingVectors(ctx context.Context, tip string) (pending int, any bool, err error) {
	v := m.Index.Vectors()
	if v.Revision == "" {
		files, err := m.Store.Files(ctx, tip, "")
		for _, f := range files {
			if core.IsFactFile(f) {
				pending++
			}
		}
		return pending, false, err
	}
	changed, err := m.Pending(ctx, v.Revision, tip)
	return v.Missing + changed, true, err
}
