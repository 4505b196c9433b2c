package ask

import (
	"cmp"
	"context"
	"fmt"

	"engram/facts"
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

// HistoryInput names a key and says how much of its history to read.
type HistoryInput struct {
	Key     string `json:"key"`
	Limit   int    `json:"limit,omitempty" flag:"limit,n,N" default:"all" help:"at most N versions"` // 0: all
	AskedBy string `json:"asked_by,omitempty"`                                                       // the agent that reads; "" whom the memory was opened for
}

// HistoryResult is the history of a key, newest first.
type HistoryResult struct {
	core.Answer
	Key      facts.Key      `json:"key"`
	Versions []core.Version `json:"versions"`
	Withheld int            `json:"withheld"` // versions that the agent may not read
}

// History lists the commits that changed a key, newest first. The error wraps ErrNotFound
// if the key never existed, and is a *PermissionError if every version is withheld.
func (m *Reader) History(ctx context.Context, in HistoryInput) (HistoryResult, error) {
	k, err := facts.ParseKey(in.Key)
	if err != nil {
		return HistoryResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return HistoryResult{}, err
	}
	entries, err := m.Store.History(ctx, tip, k.Path(), in.Limit)
	if err != nil {
		return HistoryResult{}, err
	}
	if len(entries) == 0 {
		return HistoryResult{}, fmt.Errorf("%w: %s", core.ErrNotFound, k)
	}
	result := HistoryResult{Answer: core.AnswerAt(tip), Key: k}
	reads := m.Reader(manifest, in.AskedBy)
	var refused error
	for _, e := range entries {
		v := core.Version{Commit: e.Revision, Author: e.Author, Date: e.Date, Subject: e.Subject, Changes: []facts.Change{}}
		now, nowErr := m.Version(ctx, e.New)
		before, beforeErr := m.Version(ctx, e.Old)
		if err := reads.CheckVersion(ctx, tip, now, before); err != nil {
			refused = err
			result.Withheld++
			continue
		}
		switch {
		case e.New == "":
			v.Problem = "the file was removed, which retires nothing"
		case nowErr != nil:
			v.Problem = nowErr.Error()
		default:
			shown := core.Show(now, now.Window(), m.Moment())
			v.Fact = &shown
			if beforeErr == nil {
				v.Changes = facts.Diff(before, now)
			}
		}
		result.Versions = append(result.Versions, v)
	}
	if len(result.Versions) == 0 {
		return HistoryResult{}, refused
	}
	return result, nil
}
