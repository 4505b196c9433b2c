package memory

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/index"
)

// KeyOf is the key of the fact that has or had an id: that of any of its versions,
// or of its lineage. It says nothing of what the fact says, so whoever asks may
// know it. The error wraps ErrNotFound.
func (m *Memory) KeyOf(ctx context.Context, id string) (facts.Key, error) {
	tip, _, err := m.tip(ctx)
	if err != nil {
		return facts.Key{}, err
	}
	var text string
	_, err = m.index.View(ctx, tip, func(view *index.View) error {
		text, err = view.KeyOf(ctx, id)
		return err
	})
	if err != nil {
		return facts.Key{}, fmt.Errorf("look up %.40q: %w", id, err)
	}
	if text == "" {
		return facts.Key{}, fmt.Errorf("%w: nothing has the id %.40q", ErrNotFound, id)
	}
	return facts.ParseKey(text)
}
