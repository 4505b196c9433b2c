package ask

import (
	"cmp"
	"context"
	"fmt"

	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// RecentInput narrows the list of recent facts. A zero field does not filter.
type RecentInput struct {
	KeyPrefix string   `json:"key_prefix,omitempty"` // in whole segments
	Without   []string // the same, of keys that are left out
	AskedBy   string   // the agent that asks, "" whom the memory was opened for
	Branch    string   // as of QueryInput
	Limit     int      `json:"limit,omitempty" min:"1" max:"50" default:"10" help:"at most so many facts"`
	Budget    int      // tokens; 0 means DefaultBudget
}

// RecentResult is what began to hold last, newest first.
type RecentResult struct {
	core.Answer
	Total   int   `json:"total"`   // facts that the input asks for
	Omitted int   `json:"omitted"` // results left out because the token budget was used up
	Tokens  int   `json:"tokens"`  // what the results take, estimated
	Results []Hit `json:"results"`
}

// Recent lists the current facts that began to hold last, newest first, except ephemeral
// ones and those that the agent may not read. It opens only the facts that it shows.
func (m *Reader) Recent(ctx context.Context, in RecentInput) (RecentResult, error) {
	limit, budget := cmp.Or(in.Limit, DefaultLimit), cmp.Or(in.Budget, DefaultBudget)
	if limit < 1 || limit > MaxLimit {
		return RecentResult{}, core.UsageErrorf(core.OmitHint(hint.Limit), "limit %d is not between 1 and %d", limit, MaxLimit)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return RecentResult{}, err
	}
	q := index.Query{
		All: true, KeyPrefix: in.KeyPrefix, Without: append(core.InternalPrefixes(""), in.Without...), Limit: limit,
		Now: m.Moment(), Access: m.Reader(manifest, in.AskedBy).ScopeRules(), Branch: m.ResolveBranch(in.Branch),
	}
	var result RecentResult
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		result = RecentResult{Answer: core.AnswerAt(view.Revision()), Results: []Hit{}} // called twice if the index was damaged
		hits, total, err := view.Search(ctx, q)
		if err != nil {
			return err
		}
		result.Total = total
		return m.showRecent(ctx, view, hits, budget, &result)
	})
	if err != nil {
		return RecentResult{}, fmt.Errorf("look for what is recent: %w", err)
	}
	return result, nil
}

func (m *Reader) showRecent(ctx context.Context, view *index.View, hits []index.Hit, budget int, result *RecentResult) error {
	seen, err := m.audit.AuditedAt(ctx, view.Revision(), view)
	if err != nil {
		return err
	}
	ranked := make([]index.Ranked, len(hits))
	for i, hit := range hits {
		ranked[i].Hit = hit
	}
	list, err := m.FactsOf(ctx, ranked)
	if err != nil {
		return err
	}

	trust, err := seen.Trust(ctx, view)
	if err != nil {
		return err
	}
	shown, now := make([]Hit, len(list)), m.Moment()
	for i, f := range list {
		h := newHit(f, ranked[i], now)

		h.HasConflict = seen.HasConflict(ctx, ranked[i].Key, ranked[i].Blob)
		if h.Trust, err = seen.RatingBy(ctx, view, h.AgentID, trust); err != nil {
			return err
		}
		shown[i] = h
	}
	fitted := QueryResult{Results: result.Results}
	err = fitBudget(&fitted, shown, budget)
	result.Results, result.Tokens, result.Omitted = fitted.Results, fitted.Tokens, fitted.Omitted
	return err
}
