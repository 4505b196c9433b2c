package memory

import (
	"context"

	"engram/memory/internal/undo"
)

type (
	// UndoInput names the commit to take back; the zero value is the last write of this person.
	UndoInput = undo.Input
	// UndoResult says what was taken back.
	UndoResult = undo.Result
	// UndoChange is what became of one fact or conflict that was taken back.
	UndoChange = undo.Change
)

// ErrCannotUndo: the commit cannot be taken back, because something changed since or it is of another
// kind.
var ErrCannotUndo = undo.ErrCannotUndo

// Undo takes back one commit in a new one: facts say what they said before, new facts are retired,
// and settled conflicts are open again.
func (m *Memory) Undo(ctx context.Context, in UndoInput) (UndoResult, error) {
	return m.undo.Undo(ctx, in)
}
