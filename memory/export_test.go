package memory

import (
	"context"

	"engram/gitstore"
)

// NewJoiner is what merges of the branch are decided by.
func NewJoiner(ctx context.Context, m *Memory) gitstore.Joiner { return joiner{m, ctx} }
