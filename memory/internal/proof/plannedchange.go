package proof

import (
	"context"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// plannedChange is what the code is going to be: HEAD, and files that are about to change.
type plannedChange struct {
	*Checker
	files []TouchedFile
}

// maxPlannedFiles is in how many files that change what leaves one of them is looked for.
const maxPlannedFiles = 200

// add adds a fact with the first of its pointers that will not stand any more.
func (n plannedChange) add(ctx context.Context, blob string, result *EvidenceResult) error {
	data, err := n.Verifier.Store.Blob(ctx, blob)
	if err != nil {
		return err
	}
	f, err := facts.Parse(data)
	if err != nil {
		return nil // the index holds only facts; a damaged one is lint's to report
	}
	for _, p := range f.Pointers {
		address, err := facts.ParseRef(p.Ref)
		if err != nil || !address.InRepository() {
			continue
		}
		verdict, err := n.verdict(ctx, p, address)
		if err != nil {
			return err
		}
		if verdict == core.Drifted || verdict == core.Missing {
			result.Touched = append(result.Touched, Evidence{f.Key, f.Claim, p.Ref, verdict})
			return nil
		}
	}
	return nil
}

// verdict is what becomes of a pointer:
//
//  1. None of the files is the one that it is into, or is in that folder: fresh.
//  2. It drifted before: unchecked, because that is nothing new.
//  3. It is a folder in which names come or go, or into a file that is too large to be
//     read: drifted.
//  4. It stands in the file as that is going to be: fresh or moved.
//  5. It stands in another of the files: moved.
//  6. It does not: drifted, or missing with its file.
func (n plannedChange) verdict(ctx context.Context, p facts.Pointer, a facts.Address) (core.Freshness, error) {
	file, into := n.touching(a.Path)
	if !into { // 1.
		return core.Fresh, nil
	}
	then, _, err := n.before(ctx, a)
	if err != nil {
		return core.Unchecked, err
	}
	if file == nil { // 2. and 3., of a folder
		head, err := n.File(ctx, a.Path)
		if err != nil || head.Kind != gitstore.CodeFolder {
			return core.Unchecked, err
		}
		return n.folder(ctx, p, a, then, head)
	}
	before, err := n.blobOf(ctx, file.Before)
	if err != nil {
		return core.Unchecked, err
	}
	if before == nil {
		return core.Drifted, nil // 3.
	}
	was := evidence.Was(a, p.Digest, contentOf(then))
	if was.Unknown() {
		was = evidence.Was(a, "", before)
	}
	at := was.In(before)
	if at.Freshness != core.Fresh && at.Freshness != core.Moved {
		return core.Unchecked, nil // 2.
	}
	return n.after(ctx, *file, was.At(at, before))
}

// folder is what becomes of a pointer to a folder, which is of the names in it. That the
// last file of a folder in it goes does not show.
func (n plannedChange) folder(ctx context.Context, p facts.Pointer, a facts.Address, then, head *codeFile) (core.Freshness, error) {
	same, err := n.sameFolder(ctx, p.Digest, then, head.Name)
	if err != nil || !same {
		return core.Unchecked, err
	}
	entries, err := n.Verifier.Store.CodeFolder(ctx, head.Name)
	if err != nil {
		return core.Unchecked, err
	}
	has := make(map[string]bool, len(entries))
	for _, e := range entries {
		has[e.Path] = true
	}
	for _, f := range n.files {
		came, in := strings.CutPrefix(f.Path, a.Path+"/")
		if name, _, _ := strings.Cut(came, "/"); in && f.After != "" && !has[name] {
			return core.Drifted, nil
		}
		went, in := strings.CutPrefix(core.OrElse(f.From, f.Path), a.Path+"/")
		if in && has[went] && (f.After == "" || f.From != "" && f.From != f.Path) {
			return core.Drifted, nil
		}
	}
	return core.Fresh, nil
}

// after looks for what stands at HEAD in the files as they are going to be.
func (n plannedChange) after(ctx context.Context, file TouchedFile, was evidence.Original) (core.Freshness, error) {
	if file.After != "" { // 4.
		after, err := n.blobOf(ctx, file.After)
		if err != nil || after == nil {
			return core.Drifted, err
		}
		if s := was.In(after); s.Freshness == core.Fresh || s.Freshness == core.Moved {
			return s.Freshness, nil
		}
		if was.Edited(after) {
			return core.Drifted, nil
		}
	}
	for _, other := range n.files[:min(len(n.files), maxPlannedFiles)] { // 5.
		if other.After == "" || other.Path == file.Path {
			continue
		}
		content, err := n.blobOf(ctx, other.After)
		if err != nil {
			return core.Unchecked, err
		}
		if content == nil {
			continue
		}
		old, err := n.blobOf(ctx, other.Before)
		if err != nil {
			return core.Unchecked, err
		}
		if _, found := was.Arrived(content, old); found {
			return core.Moved, nil
		}
	}
	if file.After == "" { // 6.
		return core.Missing, nil
	}
	return core.Drifted, nil
}

// touching is the file of a path that changes, nil where it is a folder above one.
func (n plannedChange) touching(path string) (file *TouchedFile, into bool) {
	for i, f := range n.files {
		was := core.OrElse(f.From, f.Path)
		if was == path {
			return &n.files[i], f.Before != ""
		}
		into = into || strings.HasPrefix(f.Path, path+"/") || strings.HasPrefix(was, path+"/")
	}
	return nil, into
}

// blobOf is blob, and nil for none.
func (n plannedChange) blobOf(ctx context.Context, name string) (*evidence.Content, error) {
	if name == "" {
		return nil, nil
	}
	return n.blob(ctx, name)
}
