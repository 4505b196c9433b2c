// Package ask answers questions: query, get, list, log, recent, why, also from other
// memories (sources). It writes nothing to the branch, except that a query promotes
// ephemeral facts that were found often enough.
package ask

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/archive"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
	"engram/memory/internal/source"
	"engram/memory/internal/write"
)

// Reader answers questions about a memory. It is safe for concurrent use.
type Reader struct {
	*core.Memory
	archive *archive.Archive
	audit   *audit.Auditor
	proof   *proof.Verifier
	source  *source.Sources
	write   *write.Writer
}

// New returns the Reader of a memory.
func New(m *core.Memory) *Reader {
	return &Reader{Memory: m, archive: archive.New(m), audit: audit.New(m), proof: proof.New(m), source: source.New(m), write: write.New(m)}
}

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

// Explanation says what the score of a hit is made of.
type Explanation struct {
	Signals []SignalPlace `json:"signals"`
	Parts   []ScorePart   `json:"parts"`
	// Factor multiplies the sum of the parts: 0.6 for an ephemeral fact.
	Factor float64 `json:"factor"`
}

// SignalPlace is the rank of a fact by one signal.
type SignalPlace struct {
	Signal string  `json:"signal"`
	Rank   int     `json:"rank"` // from 1; 0: too low to be considered
	Score  float64 `json:"score"`
	// Shared are the words or keys in common with the question, the heaviest first.
	Shared []string `json:"shared"`
}

// ScorePart is one term of the score; Points is Value times Weight.
type ScorePart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points float64 `json:"points"`
}

func explain(ctx context.Context, view *index.View, a question, hit index.Ranked) (*Explanation, error) {
	shared, err := view.Shared(ctx, a.query, hit.Hit)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Signals: []SignalPlace{}, Parts: parts(hit.Parts, a.ranking.Weights), Factor: hit.Parts.Durability}
	for _, p := range hit.Places {
		place := SignalPlace{Signal: string(p.Signal), Rank: p.Rank, Score: p.Score, Shared: []string{}}
		for _, s := range shared[p.Signal] {
			place.Shared = append(place.Shared, s.Text)
		}
		e.Signals = append(e.Signals, place)
	}
	return e, nil
}

func parts(p index.Parts, w core.Weights) []ScorePart {
	part := func(name string, value, weight float64) ScorePart {
		return ScorePart{name, value, weight, value * weight}
	}
	return []ScorePart{
		part("relevance", p.Relevance, 1), part("recency", p.Recency, w.Recency), part("agent_trust", p.Trust, w.Trust),
		part("fact_type", p.Type, w.Type), part("provenance", p.Provenance, w.Provenance),
		part("corroboration", p.Corroboration, w.Corroboration), part("entity_density", p.Density, w.Density),
	}
}
