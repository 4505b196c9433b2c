package treemerge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// contest is a conflict that the Joiner has to resolve.
type contest struct {
	path               string
	base, ours, theirs item
	mode               string // of what will stand there
}

// placement is a file that a Joiner puts at a path.
type placement struct {
	path string
	item item
}

// joinRounds is the number of rounds in which a Joiner may return conflicting files.
// After that a conflicting file gets a name with the hash of its object, so that the
// merge ends.
const joinRounds = 8

// resolve joins what is contested and moves what clashes, until neither is left.
func (m *Merge) resolve(ctx context.Context, open []contest) error {
	for round := range 2 * joinRounds {
		late := round >= joinRounds
		extras, err := m.joinAll(ctx, open, late)
		if err != nil {
			return err
		}
		extras, m.waiting = append(extras, m.waiting...), nil
		if open, err = m.place(ctx, extras); err != nil {
			return err
		}
		if len(open) > 0 {
			continue
		}
		clashes, err := m.clashes(ctx)
		if err != nil || len(clashes) == 0 {
			return err
		}
		if extras, err = m.moveAll(ctx, clashes, late); err != nil {
			return err
		}
		if open, err = m.place(ctx, extras); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: after %d rounds of joining and moving", commit.ErrClash, 2*joinRounds)
}

// contestsAtOnce bounds what is held of contested files: three each make one
// round trip to git.
const contestsAtOnce = gitcmd.MaxSpecs / 3

// joinAll has contests joined and returns the files that belong elsewhere.
// If a side cannot be read (a blob that is missing, or larger than a fact)
// the object of the lesser name stays and the other is put aside.
func (m *Merge) joinAll(ctx context.Context, open []contest, late bool) ([]placement, error) {
	var extras []placement
	for part := range slices.Chunk(open, contestsAtOnce) {
		var wanted []item
		for _, c := range part {
			wanted = append(wanted, c.base, c.ours, c.theirs)
		}
		data, err := m.read(ctx, wanted)
		if err != nil {
			return nil, err
		}
		for _, c := range part {
			ours, theirs := data[c.ours.hash], data[c.theirs.hash]
			if ours == nil || theirs == nil || late {
				extras = append(extras, m.decideUnread(c))
				continue
			}
			writes, err := m.joiner.Join(ctx, Contest{Path: c.path, Base: data[c.base.hash], Ours: ours, Theirs: theirs})
			if err != nil {
				return nil, fmt.Errorf("join %s: %w", c.path, err)
			}
			if extras, err = m.applyJoin(c, writes, extras); err != nil {
				return nil, err
			}
		}
	}
	return extras, nil
}

// decideUnread decides a contest without its content, and returns what gives way.
func (m *Merge) decideUnread(c contest) placement {
	first, second := item{c.mode, c.ours.hash}, item{c.mode, c.theirs.hash}
	if compareItems(first, second) > 0 {
		first, second = second, first
	}
	m.result[c.path] = first
	return placement{pathWithHash(c.path, c.path, second.hash), second}
}

// applyJoin puts what became of a contest in its place, and the rest with extras.
func (m *Merge) applyJoin(c contest, writes []commit.Write, extras []placement) ([]placement, error) {
	m.result[c.path] = item{}
	for _, w := range writes {
		switch {
		case w.Path == c.path && w.Data != nil:
			m.result[c.path] = item{c.mode, m.blob(w.Data)}
		case w.Path == c.path:
			m.result[c.path] = item{}
		case w.Data == nil:
			return nil, fmt.Errorf("join %s: %s is not contested, so it cannot be removed", c.path, w.Path)
		default:
			if err := object.CheckPath(w.Path); err != nil {
				return nil, fmt.Errorf("join %s: %w", c.path, err)
			}
			extras = append(extras, placement{w.Path, item{object.ModeFile, m.blob(w.Data)}})
		}
	}
	return extras, nil
}

func (m *Merge) blob(data []byte) object.Hash {
	h := m.Objects.Put("blob", data)
	m.made[h] = data
	return h
}

// place puts files at free paths, and returns contests for paths that are taken: without a base, because what a merge wrote has no past
// in common with it. The order is by path and name.
func (m *Merge) place(ctx context.Context, extras []placement) ([]contest, error) {
	slices.SortFunc(extras, func(a, b placement) int {
		return cmp.Or(strings.Compare(a.path, b.path), compareItems(a.item, b.item))
	})
	var open []contest
	for i, p := range extras {
		if i > 0 && extras[i-1] == p {
			continue
		}
		there, err := m.at(ctx, p.path)
		if err != nil {
			return nil, err
		}
		switch {
		case len(open) > 0 && open[len(open)-1].path == p.path:
			m.waiting = append(m.waiting, p) // a contest has two sides
		case there.absent() || !there.plain():
			m.result[p.path] = p.item
		case there.hash != p.item.hash:
			open = append(open, contest{path: p.path, ours: there, theirs: p.item, mode: there.mode})
			m.Contested = append(m.Contested, p.path)
		}
	}
	return open, nil
}

// at is the current item at a path. A path at which the sides do not differ is
// looked up in ours.
func (m *Merge) at(ctx context.Context, path string) (item, error) {
	if it, known := m.result[path]; known {
		return it, nil
	}
	it, err := m.itemAt(ctx, m.ours, path)
	if err == nil {
		m.sides[path], m.result[path] = sides{it, it, it}, it
	}
	return it, err
}

// read returns the content of those items that are plain files and can be read.
func (m *Merge) read(ctx context.Context, items []item) (map[object.Hash][]byte, error) {
	data := map[object.Hash][]byte{}
	wanted := map[object.Hash]bool{}
	for _, it := range items {
		if made, ok := m.made[it.hash]; ok {
			data[it.hash] = made
		} else if it.plain() {
			wanted[it.hash] = true
		}
	}
	for part := range slices.Chunk(slices.Collect(maps.Keys(wanted)), gitcmd.MaxSpecs) {
		names := make([]string, len(part))
		for i, h := range part {
			names[i] = h.String()
		}
		answers, err := m.repo.Cat.GetAll(ctx, names, facts.MaxFile)
		if err != nil {
			return nil, fmt.Errorf("read contested files: %w", err)
		}
		for i, a := range answers {
			if a.Err == nil && a.Kind == "blob" {
				data[part[i]] = a.Data
			} else if a.Err != nil && !errors.Is(a.Err, gitcmd.ErrNotFound) && !errors.Is(a.Err, gitcmd.ErrTooLarge) {
				return nil, a.Err
			}
		}
	}
	return data, nil
}

// pathWithHash is a path for an object whose content was not read: prefix, which is
// path or a folder on the way to it, gets the object's name. No other object
// has that name, so the path is free.
func pathWithHash(file, prefix string, h object.Hash) string {
	end := ""
	if file == prefix {
		end = path.Ext(path.Base(prefix))
	}
	return strings.TrimSuffix(prefix, end) + "-" + h.String()[:12] + end + strings.TrimPrefix(file, prefix)
}
