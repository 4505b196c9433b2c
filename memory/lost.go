package memory

import (
	"context"
	"errors"
	"fmt"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// mergesLooked is up to how many merges an audit looks into, the newest first.
const mergesLooked = 100

// lostInMerges finds the claims that merges dropped which engram did not make
// itself, such as those of plain git or of a hosting service: a claim that one
// parent brought, and that the branch has neither at its key nor beside it nor
// had there since. They come as the rivals to keep. What engram merges keeps its
// own.
func (m *Memory) lostInMerges(ctx context.Context, from, tip string) ([]facts.Fact, error) {
	merges, err := m.store.Merges(ctx, from, tip, mergesLooked)
	if err != nil {
		return nil, err
	}
	var lost []facts.Fact
	seen := make(map[facts.Key]bool)
	for _, merge := range merges {
		for _, parent := range merge.Parents[1:] {
			both, err := m.store.BothChanged(ctx, merge.Parents[0], parent)
			if err != nil {
				return nil, err
			}
			for _, sides := range both {
				rivals, err := m.lostAt(ctx, merge.Revision, sides)
				if err != nil {
					return nil, err
				}
				for _, r := range rivals {
					if !seen[r.Key] {
						seen[r.Key], lost = true, append(lost, r)
					}
				}
			}
		}
	}
	return m.stillLost(ctx, tip, lost)
}

// lostAt are the rivals of the claims that a merge took from neither side of one
// file.
func (m *Memory) lostAt(ctx context.Context, merge string, sides [2]gitstore.Change) ([]facts.Fact, error) {
	key, ok := facts.KeyOfPath(sides[0].Path)
	if !ok || detect.IsConflict(key) {
		return nil, nil
	}
	stands, err := m.store.BlobAt(ctx, merge, sides[0].Path)
	if err != nil {
		return nil, err
	}
	said := make(map[string]bool)
	for _, blob := range []string{sides[0].Old, stands} {
		if f, ok := m.factIn(ctx, key, blob); ok {
			said[facts.ContentHash(f.Claim)] = true
		}
	}
	var rivals []facts.Fact
	for _, side := range sides {
		f, ok := m.factIn(ctx, key, side.New)
		if ok && !said[facts.ContentHash(f.Claim)] {
			rivals = append(rivals, facts.Rival(f))
		}
	}
	return rivals, ctx.Err()
}

// factIn reads the fact of a key in a blob, if there is one.
func (m *Memory) factIn(ctx context.Context, key facts.Key, blob string) (facts.Fact, bool) {
	if blob == "" {
		return facts.Fact{}, false
	}
	data, err := m.store.Blob(ctx, blob)
	if err != nil {
		return facts.Fact{}, false
	}
	f, err := facts.ParseAt(key, data)
	return f, err == nil
}

// stillLost leaves out the rivals that are on the branch or have been there.
func (m *Memory) stillLost(ctx context.Context, tip string, rivals []facts.Fact) (lost []facts.Fact, err error) {
	for _, r := range rivals {
		blob, err := m.store.BlobAt(ctx, tip, r.Key.Path())
		if err != nil {
			return nil, err
		}
		if blob != "" {
			continue
		}
		if f, ok := m.standing(ctx, tip, r.For); ok && facts.ContentHash(f.Claim) == facts.ContentHash(r.Claim) {
			continue // somebody has stated it again
		}
		been, err := m.store.History(ctx, tip, r.Key.Path(), 1)
		if err != nil {
			return nil, err
		}
		if len(been) == 0 {
			lost = append(lost, r)
		}
	}
	return lost, nil
}

// standing is the fact at a key of a revision, if a readable one stands there.
func (m *Memory) standing(ctx context.Context, revision string, key facts.Key) (facts.Fact, bool) {
	s, err := m.side(ctx, revision, detect.Party{Key: key})
	if err != nil || s == nil {
		return facts.Fact{}, false
	}
	return s.fact, true
}

// keepLost puts onto the branch what merges since a revision dropped, and says
// which claims these were.
func (m *Memory) keepLost(ctx context.Context, from string) (kept []facts.Key, err error) {
	tip, err := m.store.Tip(ctx)
	if err != nil || tip == from {
		return nil, err
	}
	lost, err := m.lostInMerges(ctx, from, tip)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	_, err = m.store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		kept = nil
		var writes []gitstore.Write
		var lines []string
		for _, r := range lost {
			if blob, err := m.store.BlobAt(ctx, tip, r.Key.Path()); err != nil || blob != "" {
				if err != nil {
					return nil, gitstore.Meta{}, err
				}
				continue
			}
			if _, secret := m.scanner.Scan(r.Claim); secret { // brought by plain git, and not ours to spread
				continue
			}
			kept = append(kept, r.Key)
			writes = append(writes, gitstore.Write{Path: r.Key.Path(), Data: facts.Marshal(r)})
			lines = append(lines, messageLine("keep", r.Key, r.Claim))
		}
		return writes, gitstore.Meta{Message: commitMessage("keep", lines)}, nil
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("keep what a merge dropped: %w", err)
	}
	return kept, err
}
