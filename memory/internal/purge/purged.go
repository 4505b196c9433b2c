package purge

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/gitstore"
)

// PurgedFrom returns a commit in the history of a revision that the manifest names as purged,
// or "". Merging such a history into one without that commit would bring back what was
// purged.
func (m *Purger) PurgedFrom(ctx context.Context, manifest facts.Manifest, revision string) (bad string, err error) {
	for _, commit := range manifest.Purged {
		_, err := m.Store.Ancestor(ctx, commit, revision)
		switch {
		case err == nil:
			return commit, nil
		case !errors.Is(err, gitstore.ErrNotFound): // which a commit is that is not in this repository
			return "", err
		}
	}
	return "", nil
}

// CheckPurged checks, for Doctor, that nothing purged came back.
func (m *Purger) CheckPurged(ctx context.Context, tip string, manifest facts.Manifest) error {
	bad, err := m.PurgedFrom(ctx, manifest, tip)
	if err == nil && bad != "" {
		err = fmt.Errorf("the history contains %s, which was purged: it was merged with a clone that still had it", bad)
	}
	return err
}
