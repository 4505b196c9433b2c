package memory

import (
	"context"

	"engram/memory/internal/window"
	recall "engram/recall/window"
)

type (
	// PackInput says what to put into a window.
	PackInput = window.PackInput
	// PackResult is what is put into a window, block by block.
	PackResult = window.PackResult
	// CompactInput is a window, and how much of it may stay.
	CompactInput = window.CompactInput
	// CompactResult is a window after a compaction.
	CompactResult = window.CompactResult
	// WindowItem is a piece of a window.
	WindowItem = recall.Item
)

// What may have left a window.
const (
	LeftAll       = window.LeftAll
	LeftCompacted = window.LeftCompacted
	LeftNone      = window.LeftNone
)

// Pack makes what is put into a window at a turn.
func (m *Memory) Pack(ctx context.Context, in PackInput) (PackResult, error) {
	return m.window.Pack(ctx, in)
}

// ReadyBrief returns the text of a brief, "" if there is nothing to tell. It is made once for the
// same memory, work and reader, and kept ready for some minutes.
func (m *Memory) ReadyBrief(ctx context.Context, in BriefInput) (string, error) {
	return m.window.Brief(ctx, in)
}

// Compact evicts items of a window until the rest fits, and puts markers in their place. It
// evicts nothing that is not stored and indexed.
func (m *Memory) Compact(ctx context.Context, in CompactInput) (CompactResult, error) {
	return m.window.Compact(ctx, in)
}
