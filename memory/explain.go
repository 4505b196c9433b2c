package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/index"
)

// Explanation says what the score of a hit is made of.
type Explanation struct {
	Signals []SignalPlace `json:"signals"`
	Parts   []ScorePart   `json:"parts"`
	// Factor multiplies the sum of the parts: 0.6 for an ephemeral fact.
	Factor float64 `json:"factor"`
}

// SignalPlace is where one signal put a fact.
type SignalPlace struct {
	Signal string  `json:"signal"`
	Rank   int     `json:"rank"` // from 1; 0: so far down that it was not followed
	Score  float64 `json:"score"`
	// Shared are the words or keys in common with the question, the heaviest
	// first.
	Shared []string `json:"shared"`
}

// ScorePart is one term of the score; Points is Value times Weight.
type ScorePart struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points float64 `json:"points"`
}

// Absence says why a key is not among the results.
type Absence struct {
	Key         string       `json:"key"`
	Reason      string       `json:"reason"`
	Score       float64      `json:"score,omitempty"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

func explain(ctx context.Context, view *index.View, a asked, hit index.Ranked) (*Explanation, error) {
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

func parts(p index.Parts, w Weights) []ScorePart {
	part := func(name string, value, weight float64) ScorePart {
		return ScorePart{name, value, weight, value * weight}
	}
	return []ScorePart{
		part("relevance", p.Relevance, 1), part("recency", p.Recency, w.Recency), part("agent_trust", p.Trust, w.Trust),
		part("fact_type", p.Type, w.Type), part("provenance", p.Provenance, w.Provenance),
		part("corroboration", p.Corroboration, w.Corroboration), part("entity_density", p.Density, w.Density),
	}
}

// whyNot answers for each key that was asked about. The cases:
//
//  1. it is among the results, or was until the budget ended;
//  2. it is no key, or no fact stands there;
//  3. the fact does not hold, or a filter leaves it out;
//  4. nothing in the question finds it;
//  5. others have better scores.
func (m *Memory) whyNot(ctx context.Context, view *index.View, a asked, result *QueryResult) ([]Absence, error) {
	var absences []Absence
	for _, key := range a.in.WhyNot {
		absence, err := m.absence(ctx, view, a, result, key)
		if err != nil {
			return nil, err
		}
		absence.Key = key
		absences = append(absences, absence)
	}
	return absences, nil
}

func (m *Memory) absence(ctx context.Context, view *index.View, a asked, result *QueryResult, text string) (Absence, error) {
	key, err := facts.ParseKey(text)
	if err != nil {
		return Absence{Reason: err.Error()}, nil
	}
	if i := slices.IndexFunc(result.Results, func(h Hit) bool { return h.Key == key }); i >= 0 {
		return Absence{Reason: fmt.Sprintf("it is result %d", i+1), Score: result.Results[i].Score}, nil
	}
	hit, found, err := view.Place(ctx, a.query, a.ranking, key)
	if err != nil {
		return Absence{}, err
	}
	if !found {
		reason, err := m.leftOut(ctx, view, a, key)
		return Absence{Reason: reason}, err
	}
	e, err := explain(ctx, view, a, hit)
	return Absence{Reason: outranked(hit, e, result), Score: hit.Score, Explanation: e}, err
}

func outranked(hit index.Ranked, e *Explanation, result *QueryResult) string {
	var places []string
	taken := false
	for _, p := range hit.Places {
		switch {
		case p.Rank == 0:
			places = append(places, string(p.Signal)+" beyond 1000")
		default:
			taken = taken || p.Rank <= 100
			places = append(places, fmt.Sprintf("%s %d", p.Signal, p.Rank))
		}
	}
	where := "its places: " + strings.Join(places, ", ")
	n := len(result.Results)
	switch {
	case !taken:
		return "no signal has it among its first 100 candidates; " + where
	case result.Omitted > 0 && n > 0 && hit.Score < result.Results[n-1].Score:
		return fmt.Sprintf("the token budget ended after %d results; it scores %.3f, the last one %.3f; %s", n, hit.Score, result.Results[n-1].Score, where)
	case n > 0:
		return fmt.Sprintf("it scores %.3f, and the last of the %d results %.3f; %s", hit.Score, n, result.Results[n-1].Score, where)
	}
	return "the token budget holds no result; " + where
}

// leftOut says why nothing finds the fact at a key.
func (m *Memory) leftOut(ctx context.Context, view *index.View, a asked, key facts.Key) (string, error) {
	revision := view.Revision()
	if a.known != nil {
		revision = a.known.revision
	}
	f, found, err := m.factAt(ctx, revision, key)
	if err != nil {
		return err.Error(), nil
	}
	if !found {
		return "no fact has this key", nil
	}
	if reasons := a.excludes(f); len(reasons) > 0 {
		return strings.Join(reasons, "; "), nil
	}
	if a.ranking.Vector == nil {
		return "it shares no word, hash key or entity with the question", nil
	}
	return "it shares no word, hash key or entity with the question, and its vector is far from it or not made yet", nil
}

// excludes lists what of the question leaves a fact out.
func (a asked) excludes(f facts.Fact) []string {
	var reasons []string
	add := func(excluded bool, format string, args ...any) {
		if excluded {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	in, stated := a.in, f.WithDefaults()
	moment := a.query.Now
	if !a.query.AsOf.IsZero() {
		moment = a.query.AsOf
	}
	state := f.StateAt(moment)
	add(state != facts.Current, "it is %s", state)
	add(stated.Durability == facts.Ephemeral && !in.Ephemeral, "it is ephemeral, and ephemeral facts were not asked for")
	add(!underScope(f.Scope, in.Scope), "its scope is %q", f.Scope)
	add(in.Kind != "" && string(stated.Kind) != in.Kind, "its kind is %s", stated.Kind)
	add(in.Type != "" && string(stated.Type) != in.Type, "its type is %s", stated.Type)
	add(in.Agent != "" && stated.Provenance.Agent != in.Agent, "it was stated by %q", stated.Provenance.Agent)
	add(in.KeyPrefix != "" && !f.Key.HasPrefix(strings.Trim(in.KeyPrefix, "/")), "its key does not begin with %s", in.KeyPrefix)
	for _, tag := range in.Tags {
		has := slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
		add(!has, "it does not have the tag %s", tag)
	}
	return reasons
}
