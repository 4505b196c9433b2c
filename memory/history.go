package memory

import (
	"context"
	"fmt"
	"time"

	"engram/facts"
)

// HistoryInput names a key, and how much of its history is asked for.
type HistoryInput struct {
	Key     string `json:"key"`
	Limit   int    `json:"limit,omitempty"`    // versions; 0: all
	AskedBy string `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
}

// HistoryResult is what became of a key, newest first.
type HistoryResult struct {
	Answer
	Key      facts.Key `json:"key"`
	Versions []Version `json:"versions"`
	Withheld int       `json:"withheld"` // versions that the agent that reads may not
}

// Version is one commit that changed a key.
type Version struct {
	Commit  string         `json:"commit"`
	Author  string         `json:"author"`
	Date    time.Time      `json:"date"`
	Subject string         `json:"subject"`
	Fact    *Fact          `json:"fact"`              // null: the file was removed or is no fact
	Problem string         `json:"problem,omitempty"` // why Fact is null
	Changes []facts.Change `json:"changes"`           // against the version before
}

// History follows a key through the branch's commits. The error wraps ErrNotFound
// where the key never existed, and is a *PermissionError where every version is
// withheld.
func (m *Memory) History(ctx context.Context, in HistoryInput) (HistoryResult, error) {
	k, err := facts.ParseKey(in.Key)
	if err != nil {
		return HistoryResult{}, err
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return HistoryResult{}, err
	}
	entries, err := m.store.History(ctx, tip, k.Path(), in.Limit)
	if err != nil {
		return HistoryResult{}, err
	}
	if len(entries) == 0 {
		return HistoryResult{}, fmt.Errorf("%w: %s", ErrNotFound, k)
	}
	result := HistoryResult{Answer: answer(tip), Key: k}
	reads := m.reader(manifest, in.AskedBy)
	var refused error
	for _, e := range entries {
		v := Version{Commit: e.Revision, Author: e.Author, Date: e.Date, Subject: e.Subject, Changes: []facts.Change{}}
		now, nowErr := m.version(ctx, e.New)
		before, beforeErr := m.version(ctx, e.Old)
		if err := reads.checkVersion(ctx, tip, now, before); err != nil {
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
			shown := show(now, now.Window(), m.moment())
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

// version reads a fact by its blob; "" is the zero Fact.
func (m *Memory) version(ctx context.Context, blob string) (facts.Fact, error) {
	if blob == "" {
		return facts.Fact{}, nil
	}
	return m.factOf(ctx, blob)
}
