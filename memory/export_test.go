package memory

import (
	"context"

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

// NewJoiner is what merges of the branch are decided by.
func NewJoiner(ctx context.Context, m *Memory) gitstore.Joiner { return joiner{m, ctx} }
