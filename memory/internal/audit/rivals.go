package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// maxMerges is the number of merges that an audit examines, newest first.
const maxMerges = 100

// MergesMade has the revisions of the merges that this process made. They keep losing claims
// as rivals, so an audit skips them.
type MergesMade struct{ sync.Map }

// droppedByMerges returns, as rivals to keep, the claims that were dropped by merges that
// engram did not make, such as those of plain git or of a hosting service: claims that one
// parent had and that the branch has neither at their key nor as a rival, nor had since.
func (m *Auditor) droppedByMerges(ctx context.Context, from, tip string) ([]facts.Fact, error) {
	merges, err := m.Store.Merges(ctx, from, tip, maxMerges)
	if err != nil {
		return nil, err
	}
	var lost []facts.Fact
	seen := make(map[facts.Key]bool)
	for _, merge := range merges {
		if _, ours := core.CacheOf[MergesMade](m.Memory).Load(merge.Revision); ours {
			continue
		}
		for _, parent := range merge.Parents[1:] {
			both, err := m.Store.BothChanged(ctx, merge.Parents[0], parent)
			if err != nil {
				return nil, err
			}
			for _, sides := range both {
				rivals, err := m.droppedAt(ctx, merge.Revision, sides)
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
	return m.stillMissing(ctx, tip, lost)
}

// droppedAt are the rivals of the claims that a merge took from neither side of one
// file.
func (m *Auditor) droppedAt(ctx context.Context, merge string, sides [2]gitstore.Change) ([]facts.Fact, error) {
	key, ok := facts.KeyOfPath(sides[0].Path)
	if !ok || detect.IsConflict(key) {
		return nil, nil
	}
	stands, err := m.Store.BlobAt(ctx, merge, sides[0].Path)
	if err != nil {
		return nil, err
	}
	said := make(map[string]bool)
	for _, blob := range []string{sides[0].Old, stands} {
		if f, ok := m.FactIn(ctx, key, blob); ok {
			said[facts.ContentHash(f.Claim)] = true
		}
	}
	var rivals []facts.Fact
	for _, side := range sides {
		f, ok := m.FactIn(ctx, key, side.New)
		if ok && f.Operation != facts.OpDelete && !said[facts.ContentHash(f.Claim)] {
			rivals = append(rivals, facts.Rival(f))
		}
	}
	return rivals, ctx.Err()
}

// FactIn reads the fact of a key from a blob; ok is false if the blob has none.
func (m *Auditor) FactIn(ctx context.Context, key facts.Key, blob string) (facts.Fact, bool) {
	if blob == "" {
		return facts.Fact{}, false
	}
	data, err := m.Store.Blob(ctx, blob)
	if err != nil {
		return facts.Fact{}, false
	}
	f, err := facts.ParseAt(key, data)
	return f, err == nil
}

// stillMissing leaves out the rivals that are on the branch or have been there.
func (m *Auditor) stillMissing(ctx context.Context, tip string, rivals []facts.Fact) (lost []facts.Fact, err error) {
	for _, r := range rivals {
		blob, err := m.Store.BlobAt(ctx, tip, r.Key.Path())
		if err != nil {
			return nil, err
		}
		if blob != "" {
			continue
		}
		if f, ok := m.readable(ctx, tip, r.For); ok && facts.ContentHash(f.Claim) == facts.ContentHash(r.Claim) {
			continue // somebody has stated it again
		}
		been, err := m.Store.History(ctx, tip, r.Key.Path(), 1)
		if err != nil {
			return nil, err
		}
		if len(been) == 0 {
			lost = append(lost, r)
		}
	}
	return lost, nil
}

// readable is the fact at a key of a revision, if a readable one stands there.
func (m *Auditor) readable(ctx context.Context, revision string, key facts.Key) (facts.Fact, bool) {
	s, err := m.ConflictSide(ctx, revision, detect.Party{Key: key})
	if err != nil || s == nil {
		return facts.Fact{}, false
	}
	return s.Fact, true
}

// rivalChanges is what an audit does to rivals before anything else.
type rivalChanges struct {
	kept   []facts.Key // claims that merges of others dropped
	closed []facts.Key // rivals of versions that somebody replaced knowingly
}

// updateRivals restores as rivals what merges since a revision dropped, and retires obsolete
// rivals, in one commit.
func (m *Auditor) updateRivals(ctx context.Context, from string) (t rivalChanges, err error) {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return t, err
	}
	var lost []facts.Fact
	if tip != from {
		if lost, err = m.droppedByMerges(ctx, from, tip); err != nil {
			return t, err
		}
	}
	over, err := m.ObsoleteRivals(ctx, from, tip)
	if err != nil || len(lost)+len(over) == 0 {
		return t, err
	}
	_, err = m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		t = rivalChanges{}
		manifest, err := m.Manifest(ctx, tip)
		if err != nil {
			return nil, gitstore.Meta{}, err
		}
		var writes []gitstore.Write
		var lines []string
		put := func(verb string, f facts.Fact, keys *[]facts.Key) {
			*keys = append(*keys, f.Key)
			writes = append(writes, gitstore.Write{Path: f.Key.Path(), Data: facts.Marshal(f)})
			lines = append(lines, core.MessageLine(verb, f.Key, f.Claim))
		}
		for _, r := range lost {
			_, secret := m.Scanner.Scan(r.Claim) // brought by plain git, and not ours to spread
			blob, err := m.Store.BlobAt(ctx, tip, r.Key.Path())
			if err != nil {
				return nil, gitstore.Meta{}, err
			}
			if blob == "" && !secret {
				put("keep", r, &t.kept)
			}
		}
		for _, end := range over {
			if f, ok := m.readable(ctx, tip, end.Key); ok && f.ID == end.Supersedes {
				put("retire", end, &t.closed)
			}
		}
		return writes, core.CommitMeta(manifest, core.CommitMessage("rivals:", lines)), nil
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("look after rivals: %w", err)
	}
	return t, err
}

// ObsoleteRivals returns the retirements of obsolete rivals, among those that changed since
// a revision and those that are sides of open conflicts.
func (m *Auditor) ObsoleteRivals(ctx context.Context, from, tip string) (ends []facts.Fact, err error) {
	var keys []facts.Key
	if from != tip {
		changes, err := m.Changes(ctx, from, tip)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if key, ok := facts.KeyOfPath(c.Path); ok && c.New != "" && strings.Contains(c.Path, facts.RivalMark) {
				keys = append(keys, key)
			}
		}
	}
	conflicts, err := m.ConflictsAt(ctx, tip)
	if err != nil {
		return nil, err
	}
	for _, c := range conflicts {
		if c.Status == detect.Open {
			keys = append(keys, c.A.Key, c.B.Key)
		}
	}
	slices.SortFunc(keys, func(a, b facts.Key) int { return cmp.Compare(a.String(), b.String()) })
	now := m.Moment()
	for _, key := range slices.Compact(keys) {
		if !strings.Contains(key.String(), facts.RivalMark) {
			continue
		}
		r, ok := m.readable(ctx, tip, key)
		if !ok || !r.IsRival() || r.StateAt(now) != facts.Current {
			continue
		}
		end, over, err := m.retirement(ctx, tip, r)
		if err != nil {
			return nil, err
		}
		if over {
			ends = append(ends, end)
		}
	}
	return ends, nil
}

// retirement is the retirement of a rival whose claim a writer who knew it replaced:
// the version that gave way has a successor in the history, and only the order
// of merges kept it. So does one whose claim stands at its key again. What is
// written depends on the facts alone, so clones write the same.
func (m *Auditor) retirement(ctx context.Context, tip string, rival facts.Fact) (end facts.Fact, over bool, err error) {
	path := rival.For.Path()
	versions, err := m.Store.History(ctx, tip, path, 0)
	if err != nil {
		return end, false, err
	}
	var successor facts.Fact
	if f, ok := m.readable(ctx, tip, rival.For); ok && f.StateAt(m.Moment()) == facts.Current && facts.ContentHash(f.Claim) == facts.ContentHash(rival.Claim) {
		successor = f
	}
	edited := false // by hand: who replaced that id may have known another claim
	for _, v := range versions {
		f, ok := m.FactIn(ctx, rival.For, v.New)
		if ok && f.ID == rival.Supersedes && facts.ContentHash(f.Claim) != facts.ContentHash(rival.Claim) {
			edited = true
		}
		if ok && f.Supersedes == rival.Supersedes && (successor.ID == "" || facts.Compare(f, successor) < 0) {
			successor = f
		}
	}
	if successor.ID == "" || edited && facts.ContentHash(successor.Claim) != facts.ContentHash(rival.Claim) {
		return end, false, nil
	}
	end = rival.Clone()
	end.Operation, end.Supersedes = facts.OpDelete, rival.ID
	end.ValidUntil = Latest(successor.ValidFrom, rival.ValidFrom.Add(time.Millisecond))
	end.ID = facts.DerivedULID(end.ValidUntil, "end of a rival", rival.ID, successor.ID)
	return end, true, nil
}
