package ask

import (
	"cmp"
	"context"
	"slices"

	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// question is a question that was checked and translated for the index.
type question struct {
	in      QueryInput
	query   index.Query
	ranking index.Ranking
	limit   int
	budget  int
	phrases []string   // that a hit must contain, in lower case
	known   *core.Past // the branch at an earlier time; nil: as it is now
	reader  *core.Reader
	// sources is what sources answer meanwhile; nil: none is asked.
	sources  *sourceSearch
	evidence proof.PointersByKey // of the hits of this memory
}

// question checks a question and translates it into a query of the index.
func (m *Reader) newQuestion(in QueryInput) (question, error) {
	a := question{in: in, limit: cmp.Or(in.Limit, DefaultLimit), budget: cmp.Or(in.Budget, DefaultBudget), ranking: index.Ranking{Weights: m.Weights}}
	if in.KnownAtRevision != "" || !in.KnownAt.IsZero() {
		a.known = &core.Past{}
	}
	for _, s := range in.Signals {
		a.ranking.Signals = append(a.ranking.Signals, index.Signal(s))
	}
	if err := a.check(); err != nil {
		return a, err
	}
	a.query = index.Query{
		Text: in.Question, Scope: in.Scope, Kind: facts.Kind(in.Kind), Type: facts.Type(in.Type),
		Reach: facts.Reach(in.Reach), Agent: in.Agent,
		Tags: in.Tags, KeyPrefix: in.KeyPrefix, AsOf: in.AsOf, Now: m.Moment(), Ephemeral: in.Ephemeral, Branch: m.ResolveBranch(in.Branch), Limit: a.limit,
	}
	a.query.Without = core.InternalPrefixes(in.KeyPrefix)
	if !in.Syntax {
		return a, nil
	}
	d, err := parseSyntax(in.Question)
	a.query.Text, a.query.Must, a.query.MustNot, a.phrases = d.text, d.must, d.mustNot, d.phrases
	if len(a.phrases) > 0 {
		a.query.Limit = MaxLimit // some hits may not have the words in that order
	}
	return a, err
}

func (a question) check() error {
	in := a.in
	switch {
	case a.limit < 1 || a.limit > MaxLimit:
		return core.UsageErrorf(core.OmitHint(hint.Limit), "limit %d is not between 1 and %d", a.limit, MaxLimit)
	case a.budget < 1:
		return core.UsageErrorf(core.BudgetHint, "a budget of %d tokens holds nothing", a.budget)
	case facts.FoldSpace(in.Question) == "":
		return core.UsageErrorf(hint.New(`say what you want to know in a sentence: "When does the gateway time out?"`), "the question is empty")
	case in.KnownAtRevision != "" && !in.KnownAt.IsZero():
		return core.UsageErrorf(core.OneOfTwoHint, "known at a moment or at a revision, not both")
	}
	for _, s := range a.ranking.Signals {
		if err := core.CheckOneOf("signal", s, index.Signals()); err != nil {
			return err
		}
	}
	return cmp.Or(core.CheckOneOf("kind", facts.Kind(in.Kind), facts.Kinds()), core.CheckOneOf("reach", facts.Reach(in.Reach), facts.Reaches()),
		core.CheckOneOf("type", facts.Type(in.Type), facts.Types()))
}

func (a question) wantsVectors() bool {
	return len(a.ranking.Signals) == 0 || slices.Contains(a.ranking.Signals, index.Vectors)
}

// markFreshness sets the freshness of the hits of this memory.
func (m *Reader) markFreshness(ctx context.Context, tip string, found proof.PointersByKey, result *QueryResult) error {
	hits := result.Results
	notes, err := found.CheckEach(ctx, m.proof, tip, proof.FreshTime, len(hits), func(i int) facts.Key {
		if hits[i].Origin != "" {
			return facts.Key{}
		}
		return hits[i].Key
	}, func(i int, f core.Freshness) { hits[i].Freshness = f })
	result.Notes = append(result.Notes, notes...)
	return err
}
