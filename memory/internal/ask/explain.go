package ask

import (
	"context"

	"engram/index"
	"engram/memory/internal/core"
)

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
