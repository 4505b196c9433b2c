package core

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

// Version is one commit that changed a key.
type Version struct {
	Commit  string         `json:"commit"`
	Author  string         `json:"author"`
	Date    time.Time      `json:"date"`
	Subject string         `json:"subject"`
	Fact    *Fact          `json:"fact"`              // null: the file was removed or is no fact
	Problem string         `json:"problem,omitempty"` // why Fact is null
	Changes []facts.Change `json:"changes"`           // against the version before
}

// Version reads a fact by its blob; "" is the zero Fact.
func (m *Memory) Version(ctx context.Context, blob string) (facts.Fact, error) {
	if blob == "" {
		return facts.Fact{}, nil
	}
	return m.FactOfBlob(ctx, blob)
}

// LookupQuery asks for the facts on the tip with a content hash in a scope, or
// with a lineage. Which of them are open is the caller's to judge.
type LookupQuery struct {
	Hash, Scope string
	Lineage     string
}

func (m *Memory) IndexLookup(ctx context.Context, view *index.View, q LookupQuery) ([]facts.Fact, error) {
	const enough = 20 // open facts of one hash or lineage; more than one is already odd
	hits, _, err := view.Search(ctx, index.Query{
		Hash: q.Hash, Scope: q.Scope, Lineage: q.Lineage, Now: m.Moment(), Ephemeral: true, Branch: EveryBranch, Limit: enough,
	})
	if err != nil {
		return nil, err
	}
	found := make([]facts.Fact, 0, len(hits))
	for _, hit := range hits {
		data, err := m.Store.Blob(ctx, hit.Blob)
		if err != nil {
			return nil, err
		}
		f, err := facts.Parse(data)
		if err != nil {
			continue // the index holds only facts; a damaged one is lint's to report
		}
		found = append(found, f)
	}
	return found, nil
}

// Past is the branch as it was known at an earlier revision.
type Past struct {
	Revision string
	Date     time.Time // of the revision
	Standing index.Past
}

// ResolvePast works out what the branch knew at a moment, or at a commit. A moment
// means the newest commit on the branch's first-parent line by then: what was
// merged later was not known, whenever it was written.
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

// FactAt reads the fact at a key. A file that is no fact is an error, so that
// it is not overwritten.
func (m *Memory) FactAt(ctx context.Context, revision string, key facts.Key) (facts.Fact, bool, error) {
	file, err := m.Store.Get(ctx, revision, key.Path())
	if errors.Is(err, gitstore.ErrNotFound) {
		return facts.Fact{}, false, nil
	}
	if errors.Is(err, gitstore.ErrTooLarge) {
		return facts.Fact{}, false, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err != nil {
		return facts.Fact{}, false, err
	}
	f, err := Parse(file)
	if err != nil {
		return facts.Fact{}, false, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f, true, nil
}

// FactsOf reads the facts of hits in one round trip to git.
func (m *Memory) FactsOf(ctx context.Context, hits []index.Ranked) ([]facts.Fact, error) {
	names := make([]string, len(hits))
	for i, hit := range hits {
		names[i] = hit.Blob
	}
	blobs, err := m.Store.Blobs(ctx, names)
	if err != nil {
		return nil, err
	}
	list := make([]facts.Fact, len(blobs))
	for i, data := range blobs {
		if data == nil {
			return nil, fmt.Errorf("read object %s: %w", names[i], gitstore.ErrNotFound)
		}
		if list[i], err = facts.Parse(data); err != nil {
			return nil, fmt.Errorf("read object %s: %w", names[i], err)
		}
	}
	return list, nil
}

func (m *Memory) FactOfBlob(ctx context.Context, blob string) (facts.Fact, error) {
	data, err := m.Store.Blob(ctx, blob)
	if err != nil {
		return facts.Fact{}, err
	}
	f, err := facts.Parse(data)
	if err != nil {
		return f, fmt.Errorf("read object %s: %w", blob, err)
	}
	return f, nil
}

func UnderScope(scope, filter string) bool {
	filter = strings.Trim(filter, "/")
	return filter == "" || scope == filter || strings.HasPrefix(scope, filter+"/")
}

// Each calls use for every fact under a key prefix, and counts the files that
// are in a fact's place but are none.
func (m *Memory) Each(ctx context.Context, revision, prefix string, use func(facts.Fact) error) (damaged int, err error) {
	prefix = strings.TrimSuffix(prefix, "/")
	for file, err := range m.Store.All(ctx, revision, prefix) {
		if err != nil {
			return damaged, err
		}
		if !IsFactFile(file) {
			continue
		}
		f, err := Parse(file)
		if err != nil {
			damaged++
			continue
		}
		if !f.Key.HasPrefix(prefix) {
			continue
		}
		if err := use(f); err != nil {
			return damaged, err
		}
	}
	return damaged, nil
}

// IsFactFile tells the files of facts from those beside them: facts lie in
// folders, and the top folder is for everything else, as are folders that begin
// with a dot, such as a hosting service's.
func IsFactFile(file gitstore.File) bool {
	return strings.Contains(file.Path, "/") && !strings.HasPrefix(file.Path, ".")
}
