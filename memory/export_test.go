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

// Complete turns a short form, such as internal/auth.go:12-40, into a pointer with a commit and
// a digest.
func (m *Memory) Complete(ctx context.Context, text string) (Completed, error) {
	return m.deref.Complete(ctx, text)
}

// CommitAll carries out the operations in order, in one git commit: all of them or none.
func (m *Memory) CommitAll(ctx context.Context, ins []CommitInput) ([]CommitResult, error) {
	return m.write.CommitAll(ctx, ins)
}

// HasBound reports whether any fact is bound to a code branch; it is cheap enough for a hook.
func (m *Memory) HasBound(ctx context.Context) (bool, error) { return m.write.HasBound(ctx) }

// Violations lists the changes between two revisions that violate the policy; an empty revision
// is as in AuditInput.
func (m *Memory) Violations(ctx context.Context, from, to string) ([]Violation, error) {
	return m.audit.Violations(ctx, from, to)
}

// Resolutions returns every way to settle a conflict.
func Resolutions() []string { return compare.Resolutions() }
