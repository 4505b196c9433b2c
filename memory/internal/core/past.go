package core

import (
	"context"
	"errors"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

// Past is the branch as it was known at an earlier revision.
type Past struct {
	Revision string
	Date     time.Time // of the revision
	Standing index.Past
}

// ResolvePast finds what the branch knew at a moment or a commit. For a moment this is
// the newest commit on the first-parent line by then: what was merged later was not
// known, whenever it was written.
func (m *Memory) ResolvePast(ctx context.Context, tip, at string, moment time.Time) (Past, error) {
	var p Past
	var err error
	if moment.IsZero() {
		p.Revision, err = m.Store.Ancestor(ctx, at, tip)
	} else {
		p.Revision, err = m.Store.RevisionAt(ctx, tip, moment)
	}
	if errors.Is(err, gitstore.ErrNotFound) {
		return p, UsageErrorf(hint.New("%s shows the memory's commits, %s the forms of a time", hint.Do(hint.ShowCommits), hint.Do(hint.Help, "times")), "known at: %w", err)
	}
	if err != nil {
		return p, err
	}
	entry, err := m.Store.Describe(ctx, p.Revision)
	if err != nil {
		return p, err
	}
	if p.Date = entry.Date; !moment.IsZero() {
		p.Date = moment
	}
	p.Standing, err = m.standingAt(ctx, p.Revision, tip)
	return p, err
}

// standingAt tells how versions stood at a revision. Most keys have not changed
// since: they stand as they do now. For the others the timeline of what was
// known then is worked out when a key is asked for.
func (m *Memory) standingAt(ctx context.Context, revision, tip string) (index.Past, error) {
	since, _, err := m.Store.Introduced(ctx, revision, tip)
	if err != nil {
		return nil, err
	}
	changed := make(map[string][]string) // by path: the blobs known then
	for _, c := range since {
		changed[c.Path] = nil
	}
	if len(changed) > 0 {
		before, _, err := m.Store.Introduced(ctx, "", revision)
		if err != nil {
			return nil, err
		}
		for _, c := range before {
			if _, ok := changed[c.Path]; ok && c.New != "" {
				changed[c.Path] = append(changed[c.Path], c.New)
			}
		}
	}
	worked := make(map[string]map[string]*index.Standing)
	return func(key, blob string) (*index.Standing, bool, error) {
		k, err := facts.ParseKey(key)
		if err != nil {
			return nil, false, err
		}
		blobs, ok := changed[k.Path()]
		if !ok {
			return nil, true, nil
		}
		standing, ok := worked[key]
		if !ok {
			if standing, err = m.timeline(ctx, revision, k, blobs); err != nil {
				return nil, false, err
			}
			worked[key] = standing
		}
		stood, known := standing[blob]
		return stood, known, nil
	}, nil
}

// timeline is how the versions of a key in those blobs stood at a revision.
func (m *Memory) timeline(ctx context.Context, revision string, key facts.Key, blobs []string) (map[string]*index.Standing, error) {
	tipBlob, err := m.Store.BlobAt(ctx, revision, key.Path())
	if err != nil {
		return nil, err
	}
	var versions []facts.Fact
	var names []string
	tip := -1
	for _, blob := range blobs {
		data, err := source{m.Store}.Read(ctx, blob)
		if err != nil {
			return nil, err
		}
		f, err := facts.ParseAt(key, data)
		if err != nil {
			continue // no fact then either
		}
		if blob == tipBlob {
			tip = len(versions)
		}
		versions, names = append(versions, f), append(names, blob)
	}
	standing := make(map[string]*index.Standing, len(versions))
	for i, window := range facts.Timeline(versions, tip) {
		standing[names[i]] = &index.Standing{Window: window, Tip: i == tip}
	}
	return standing, nil
}
