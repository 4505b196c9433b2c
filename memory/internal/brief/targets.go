package brief

import (
	"context"
	"slices"

	"engram/facts"
	"engram/memory/internal/budget"
)

// Bounds of the pointers of a shared brief.
const (
	maxTargets     = 8
	maxTargetsEach = 2 // of one fact
)

// target is a pointer that a brief may give to a child.
type target struct {
	pointer budget.EngramPointer
	shared  int // words that it shares with role, instructions and goal
}

// Targets returns the pointers of the facts that were found. Those that share the most
// words with the child's role, instructions and goal come first; ties keep the order of
// the facts. Each names a commit or a version, and a digest. Pointers to nothing, or to
// facts that the child may not read, are omitted.
func (b *brief) Targets(ctx context.Context, in BroadcastInput) ([]budget.EngramPointer, error) {
	var words []string
	for _, text := range append([]string{in.Role, in.Goal}, in.Instructions...) {
		words = append(words, splitName(text)...)
	}
	var all []target
	for _, hit := range slices.Concat(b.relevant, b.rules, b.others) {
		f, err := b.m.FactOfBlob(ctx, hit.Blob)
		if err != nil {
			return nil, err
		}
		of := 0
		for _, p := range f.Pointers {
			if of == maxTargetsEach {
				break
			}
			whole, ok, err := b.pinPointer(ctx, p)
			if err != nil {
				return nil, err
			}
			if !ok || slices.ContainsFunc(all, func(t target) bool { return t.pointer.Ref == whole.Ref }) {
				continue
			}
			of++
			all = append(all, target{whole, sharedWords(words, p.Ref+" "+f.Claim)})
		}
	}
	slices.SortStableFunc(all, func(a, b target) int { return b.shared - a.shared })
	list := make([]budget.EngramPointer, 0, maxTargets)
	for _, t := range all[:min(len(all), maxTargets)] {
		list = append(list, t.pointer)
	}
	return list, nil
}

// pinPointer completes a pointer of a fact; ok is false if the child may not follow it or it
// leads to nothing.
func (b *brief) pinPointer(ctx context.Context, p facts.Pointer) (whole budget.EngramPointer, ok bool, err error) {
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return budget.EngramPointer{}, false, nil
	}
	switch address.Type {
	case facts.PointURL:
		return budget.PointerOf(p.Ref, p.Digest), true, nil
	case facts.PointSAM:
		if address.InSession() {
			break
		}
		if may, err := b.mayRead(ctx, address.Path); err != nil || !may {
			return budget.EngramPointer{}, false, err
		}
	}
	if p.Digest != "" && (address.Commit != "" || address.Version != "" || address.Type == facts.PointDiff) {
		return budget.PointerOf(p.Ref, p.Digest), true, nil
	}
	completed, err := b.m.deref.Complete(ctx, p.Ref)
	if err != nil {
		if ctx.Err() != nil {
			return budget.EngramPointer{}, false, err
		}
		return budget.EngramPointer{}, false, nil // it leads to nothing
	}
	if made, err := facts.ParseRef(completed.Ref); err != nil || made.InRepository() && made.Commit == "" {
		return budget.EngramPointer{}, false, nil // it is not committed yet
	}
	return budget.PointerOf(completed.Ref, completed.Digest), true, nil
}

// mayRead reports whether there is a fact at a key that the reader may see.
func (b *brief) mayRead(ctx context.Context, text string) (bool, error) {
	key, err := facts.ParseKey(text)
	if err != nil {
		return false, nil
	}
	f, found, err := b.m.FactAt(ctx, b.tip, key)
	if err != nil || !found {
		return false, err
	}
	return b.reader.MayRead(ctx, b.tip, f)
}

// sharedWords counts the words that a text has of a list.
func sharedWords(words []string, text string) int {
	n := 0
	for _, part := range splitName(text) {
		if slices.Contains(words, part) && !isStopWord(part) {
			n++
		}
	}
	return n
}
