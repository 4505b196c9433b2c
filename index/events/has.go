package events

import (
	"context"
	"slices"

	"github.com/oklog/ulid/v2"

	"engram/index/internal/store"
)

// idField has the names of documents.
const idField = "_id"

// Has tells which events are in the index, by their ids, after catching up.
func (x *Index) Has(ctx context.Context, ids []string) (map[string]bool, error) {
	folder, c, _, err := x.begin(ctx, x.source)
	if err != nil {
		return nil, err
	}
	wanted := make(map[ulid.ULID]string, len(ids))
	var list []ulid.ULID
	for _, text := range ids {
		if id, err := ulid.ParseStrict(text); err == nil && id.String() == text && wanted[id] == "" {
			wanted[id] = text
			list = append(list, id)
		}
	}
	slices.SortFunc(list, ulid.ULID.Compare)
	found := make(map[string]bool, len(list))
	if len(list) == 0 {
		return found, nil
	}
	_, err = folder.View(ctx, c.seen[0], func(s *store.Store, _ store.Stamp) error {
		return store.Guard(func() error {
			for _, seg := range s.Segments() {
				if err := has(seg, list, wanted, found); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return found, err
}

// has looks up events in a segment. Names begin with ids, which begin with times, so those of
// a window stand near each other.
func has(seg store.Segment, sorted []ulid.ULID, wanted map[ulid.ULID]string, found map[string]bool) error {
	first, last := sorted[0], sorted[len(sorted)-1]
	for _, flags := range []byte{flagULID, flagULID | flagUUID} {
		names, err := seg.Range(idField, string(append([]byte{flags}, first[:]...)), string(append(append([]byte{flags}, last[:]...), 0xff, 0xff)), seg.Size())
		if err != nil {
			return err
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			return len(name) <= len(first) || wanted[ulid.ULID([]byte(name[1:1+len(first)]))] == ""
		})
		lists, err := store.Lookup([]store.Segment{seg}, idField, names)
		if err != nil {
			return err
		}
		for i, name := range names {
			if store.CountPostings(lists[i]) > 0 { // deleted documents do not count
				found[wanted[ulid.ULID([]byte(name[1:1+len(first)]))]] = true
			}
		}
	}
	return nil
}
