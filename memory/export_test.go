package memory

import (
	"context"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// Obsolete returns the keys of rivals that an audit would retire.
func Obsolete(ctx context.Context, m *Memory, revision string) ([]facts.Key, error) {
	ends, err := m.audit.ObsoleteRivals(ctx, "", revision)
	var keys []facts.Key
	for _, end := range ends {
		keys = append(keys, end.Key)
	}
	return keys, err
}

// Age returns how long ago something was stated, in words.
func Age(stated, now time.Time) string { return core.Age(stated, now) }

// NewJoiner returns what decides merges of the branch.
func NewJoiner(m *Memory) gitstore.Joiner { return m.share.Joiner() }

// TakeIn merges what was fetched, without an audit.
func TakeIn(ctx context.Context, m *Memory) (SettleResult, error) {
	var r SettleResult
	remote, err := m.core.Store.Upstream(ctx)
	if err == nil {
		err = m.share.MergeFetched(ctx, remote, &r)
	}
	return r, err
}

// Audited marks a revision as one that audits have seen.
func Audited(m *Memory, revision string) error {
	return compare.New(m.core).WriteState(audit.MarkFile, audit.Mark{Revision: revision, Rules: detect.RulesVersion})
}
