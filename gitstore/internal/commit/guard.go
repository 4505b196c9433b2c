package commit

import (
	"context"

	"engram/gitstore/internal/object"
)

// Guard looks at what a commit says beside its files, before any of it is written. A nil
// function lets everything pass. Both may be called from several goroutines.
type Guard struct {
	// Message returns a message as it may be written. Messages quote facts that others
	// brought, so it must not fail.
	Message func(message string) string
	// Name rejects the name or the email of who commits; field says which it is.
	Name func(field, text string) error
}

// Guarded is the same writer with a guard.
func (w *Writer) Guarded(guard Guard) *Writer {
	guarded := *w
	guarded.guard = guard
	return &guarded
}

// guardedCommit is writeCommit behind the guard.
func (w *Writer) guardedCommit(ctx context.Context, objects *object.Batch, who identity, tree string, parents []string, meta Meta) (string, error) {
	if check := w.guard.Name; check != nil && !meta.Anonymous {
		for _, text := range []struct{ field, text string }{
			{"the author's name", who.author.Name}, {"the author's email", who.author.Email},
			{"the committer's name", who.committer.Name}, {"the committer's email", who.committer.Email},
		} {
			if err := check(text.field, text.text); err != nil {
				return "", err
			}
		}
	}
	if w.guard.Message != nil {
		meta.Message = w.guard.Message(meta.Message)
	}
	return w.writeCommit(ctx, objects, who, tree, parents, meta)
}
