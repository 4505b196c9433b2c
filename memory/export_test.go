package memory

import (
	"context"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// Obsolete are the keys of rivals that an audit would retire.
func Obsolete(ctx context.Context, m *Memory, revision string) ([]facts.Key, error) {
	ends, err := m.obsolete(ctx, "", revision)
	var keys []facts.Key
	for _, end := range ends {
		keys = append(keys, end.Key)
	}
	return keys, err
}

// Age is how long ago something was stated, in words.
func Age(stated, now time.Time) string { return age(stated, now) }

// NewJoiner is what merges of the branch are decided by.
func NewJoiner(ctx context.Context, m *Memory) gitstore.Joiner { return joiner{m, ctx} }

// TakeIn merges what was fetched, and audits nothing.
func TakeIn(ctx context.Context, m *Memory) (SettleResult, error) {
	var r SettleResult
	remote, err := m.store.Upstream(ctx)
	if err == nil {
		err = m.takeIn(ctx, remote, &r)
	}
	return r, err
}

// Audited marks a revision as one that audits have seen.
func Audited(m *Memory, revision string) error {
	return m.writeState(markFile, auditMark{Revision: revision, Rules: detect.RulesVersion})
}
