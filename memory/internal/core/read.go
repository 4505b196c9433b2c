package core

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// Parse reads a fact from a file and checks that the path is that of its key.
func Parse(file gitstore.File) (facts.Fact, error) {
	if file.Err != nil {
		return facts.Fact{}, file.Err
	}
	key, ok := facts.KeyOfPath(file.Path)
	if !ok {
		return facts.Fact{}, fmt.Errorf("%s: no key has this path", file.Path)
	}
	f, err := facts.ParseAt(key, file.Data)
	if err != nil {
		return facts.Fact{}, fmt.Errorf("%s: %w", file.Path, err)
	}
	return f, nil
}

// FactAt reads the fact at a key. A file that is not a fact is an error that wraps
// ErrUnreadable, so that the file is not overwritten.
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

// FactOfBlob reads the fact in a blob.
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

// EachHit reads the facts of hits in one round trip to git and calls use for those that are
// readable; Lint reports damaged ones.
func (m *Memory) EachHit(ctx context.Context, hits []index.Hit, use func(index.Hit, facts.Fact) error) error {
	names := make([]string, len(hits))
	for i, hit := range hits {
		names[i] = hit.Blob
	}
	blobs, err := m.Store.Blobs(ctx, names)
	if err != nil {
		return err
	}
	for i, data := range blobs {
		f, err := facts.Parse(data)
		if err != nil {
			continue
		}
		if err := use(hits[i], f); err != nil {
			return err
		}
	}
	return nil
}

// Version reads a fact by its blob; "" is the zero Fact.
func (m *Memory) Version(ctx context.Context, blob string) (facts.Fact, error) {
	if blob == "" {
		return facts.Fact{}, nil
	}
	return m.FactOfBlob(ctx, blob)
}

// Each calls use for every fact under a key prefix, and counts the unreadable files
// among them.
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

// IsFactFile reports whether a file is to hold a fact. Facts are stored in folders; the
// top folder and folders that begin with a dot, such as a hosting service uses, hold
// other files.
func IsFactFile(file gitstore.File) bool {
	return strings.Contains(file.Path, "/") && !strings.HasPrefix(file.Path, ".")
}

// UnderScope reports whether a scope is filter or below it; an empty filter holds every
// scope.
func UnderScope(scope, filter string) bool {
	filter = strings.Trim(filter, "/")
	return filter == "" || scope == filter || strings.HasPrefix(scope, filter+"/")
}

// KeyOf is the key of the fact with an id, which may be that of any version or of the
// lineage. The key reveals nothing of the claim, so no permission is checked. The error
// wraps ErrNotFound.
func (m *Memory) KeyOf(ctx context.Context, id string) (facts.Key, error) {
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return facts.Key{}, err
	}
	var text string
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
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

// LookupQuery asks for the facts on the tip with a content hash in a scope, or with a
// lineage, whether open or not.
type LookupQuery struct {
	Hash, Scope string
	Lineage     string
}

// IndexLookup finds the facts that a LookupQuery asks for in a view of the index.
func (m *Memory) IndexLookup(ctx context.Context, view *index.View, q LookupQuery) ([]facts.Fact, error) {
	const enough = 20 // open facts of one hash or lineage; more than one is already odd
	hits, _, err := view.Search(ctx, index.Query{
		Hash: q.Hash, Scope: q.Scope, Lineage: q.Lineage, Now: m.Moment(), Ephemeral: true, Branch: EveryBranch, Limit: enough,
	})
	if err != nil {
		return nil, err
	}
	found := make([]facts.Fact, 0, len(hits))
	err = m.EachHit(ctx, hits, func(_ index.Hit, f facts.Fact) error {
		found = append(found, f)
		return nil
	})
	return found, err
}

// Version is one commit that changed a key.
type Version struct {
	Commit  string         `json:"commit"`
	Author  string         `json:"author"`
	Date    time.Time      `json:"date"`
	Subject string         `json:"subject"`
	Fact    *Fact          `json:"fact"`              // null: the file was removed or is not a fact
	Problem string         `json:"problem,omitempty"` // why Fact is null
	Changes []facts.Change `json:"changes"`           // against the version before
}

// Earliest is a time before any fact.
var Earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// InvitePrefix is where invitations stand on the branch.
const InvitePrefix = "tool/engram-invite"

// InternalPrefixes are the prefixes of keys that engram keeps for its own use, without
// those that keyPrefix asks for. Queries do not find these keys, lists omit them and
// audits ignore them.
//
//  1. Conflicts: they are shown with the facts that they concern.
//  2. Invitations and who used them.
func InternalPrefixes(keyPrefix string) []string {
	return slices.DeleteFunc([]string{detect.ConflictPrefix, InvitePrefix}, func(p string) bool {
		return strings.HasPrefix(keyPrefix, p)
	})
}

// IsInternal reports whether a key is below one of InternalPrefixes.
func IsInternal(k facts.Key) bool { return HasAnyPrefix(k.String(), InternalPrefixes("")) }

// HasAnyPrefix reports whether a key, or its path, is below one of prefixes.
func HasAnyPrefix(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p+"/") })
}
