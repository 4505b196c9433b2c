package thread

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"engram/gitstore/internal/commit"
)

// JoinThreads brings theirs, a commit of the same session, into the session's reference:
// it moves forward, or to a commit of both with all the files of the two. Whichever side
// does it, the tree is the same. It returns where the reference is then.
func (k *Keeper) JoinThreads(ctx context.Context, ref, theirs string) (string, error) {
	if err := checkRef(ref); err != nil {
		return "", err
	}
	return k.move(ctx, ref, func(tip string) (string, error) {
		joined, err := k.joined(ctx, ref, tip, theirs)
		if err != nil || joined == tip {
			return joined, err
		}
		return joined, k.repo.Objects.SyncHistory(ctx, []string{joined}, []string{tip})
	})
}

// joined is the commit that contains both, one of the two if possible.
func (k *Keeper) joined(ctx context.Context, ref, ours, theirs string) (string, error) {
	if ours == theirs || ours == "" {
		return theirs, nil
	}
	bases, err := k.repo.MergeBases(ctx, ours, theirs)
	if err != nil {
		return "", err
	}
	if slices.Contains(bases, theirs) {
		return ours, nil
	}
	if slices.Contains(bases, ours) {
		return theirs, nil
	}
	mine, err := k.ThreadFiles(ctx, ours)
	if err != nil {
		return "", err
	}
	others, err := k.ThreadFiles(ctx, theirs)
	if err != nil {
		return "", err
	}
	if err := checkRemoved(mine, others); err != nil {
		return "", err
	}
	if len(bases) == 0 {
		if err := checkApart(mine, others); err != nil {
			return "", err
		}
	}
	tree, err := k.repo.RootTree(ctx, ours)
	if err != nil {
		return "", err
	}
	edits, err := editsOf(union(mine, others))
	if err != nil {
		return "", err
	}
	// The parents are in order, so that two clones that join the same differ by no more
	// than who did it.
	parents := []string{ours, theirs}
	slices.Sort(parents)
	meta := commit.Meta{Message: "join " + strings.TrimPrefix(ref, Prefix) + "\n"}
	return k.commit(ctx, tree, edits, parents, meta)
}

// Removed is the folder of empty files that are named after the objects which were taken
// out of a session.
const Removed = "removed/"

// ErrRemoved: one side of a session has what was taken out of the other. What is joined is ours,
// which is here, and theirs, of a remote; each of the others wraps it.
var (
	ErrRemoved       = errors.New("one side still has what was taken out of the other")
	ErrRedactedHere  = fmt.Errorf("it was redacted here, and the remote still has what was taken out: %w", ErrRemoved)
	ErrRedactedThere = fmt.Errorf("it was redacted at the remote, and this clone still has what was taken out: %w", ErrRemoved)
	ErrRedactedTwice = fmt.Errorf("it was redacted here and at the remote, each time without the other: %w", ErrRemoved)
)

// checkRemoved rejects a join if one side has what was taken out of the other.
func checkRemoved(ours, theirs []TreeFile) error {
	return refusal(lacks(ours, theirs), lacks(theirs, ours))
}

// refusal is the error of a join, given which sides have what the other one took out.
func refusal(here, there bool) error {
	switch {
	case here && there:
		return ErrRedactedTwice
	case here:
		return ErrRedactedHere
	case there:
		return ErrRedactedThere
	}
	return nil
}

// lacks reports whether something that is on the other side was taken out of this one.
func lacks(side, other []TreeFile) bool {
	removed := map[string]bool{}
	for _, f := range side {
		if object, ok := strings.CutPrefix(f.Path, Removed); ok {
			removed[object] = true
		}
	}
	return slices.ContainsFunc(other, func(f TreeFile) bool { return removed[f.Object] })
}

// checkApart rejects a join of two sides without a common history that may bring back what was
// taken out, in files of other bytes: if only one was redacted, the other was made again from a
// transcript; if both were, in two clones, each has what only the other one took out, unless the
// files that both have are the same.
func checkApart(ours, theirs []TreeFile) error {
	here, there := redacted(ours), redacted(theirs)
	if here && there {
		at := map[string]string{}
		for _, f := range ours {
			at[f.Path] = f.Object
		}
		differ := slices.ContainsFunc(theirs, func(f TreeFile) bool { return at[f.Path] != "" && at[f.Path] != f.Object })
		here, there = differ, differ
	}
	return refusal(here, there)
}

func redacted(side []TreeFile) bool {
	return slices.ContainsFunc(side, func(f TreeFile) bool { return strings.HasPrefix(f.Path, Removed) })
}

// union lists the files of both sides. Files that differ at one path are told apart by
// the folder that they are in: see numbered. The file whose object has the lowest name
// keeps the path.
func union(sides ...[]TreeFile) []Entry {
	taken := map[string]bool{}
	for _, side := range sides {
		for _, f := range side {
			taken[f.Path] = true
		}
	}
	objects := map[string][]string{} // of each path, before it was numbered
	for _, side := range sides {
		for _, f := range side {
			path := f.Path
			if plain, ok := unnumbered(path); ok && taken[plain] {
				path = plain
			}
			objects[path] = append(objects[path], f.Object)
		}
	}
	var all []Entry
	for _, path := range names(objects) {
		found := objects[path]
		slices.Sort(found)
		for i, object := range slices.Compact(found) {
			all = append(all, Entry{numbered(path, i), object})
		}
	}
	return all
}

// numbered is the path of the file that comes as the i-th of those that were at one path:
// the folder of its segment, the second on the way, ends in -2, -3 and so on. What is not
// that deep has its first element numbered.
func numbered(path string, i int) string {
	if i == 0 {
		return path
	}
	before, folder, after := segment(path)
	return before + folder + "-" + strconv.Itoa(i+1) + after
}

// unnumbered is the reverse of numbered, if the path may come from there.
func unnumbered(path string) (string, bool) {
	before, folder, after := segment(path)
	at := strings.LastIndexByte(folder, '-')
	if at < 1 {
		return "", false
	}
	n, err := strconv.Atoi(folder[at+1:])
	return before + folder[:at] + after, err == nil && n > 1 && folder[at+1] != '0' && folder[at+1] != '+'
}

// segment divides a path around the element that is numbered.
func segment(path string) (before, folder, after string) {
	parts := strings.SplitN(path, "/", 3)
	switch len(parts) {
	case 3:
		return parts[0] + "/", parts[1], "/" + parts[2]
	case 2:
		return "", parts[0], "/" + parts[1]
	}
	return "", path, ""
}
