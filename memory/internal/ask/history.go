package ask

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/memory/internal/core"
)

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
