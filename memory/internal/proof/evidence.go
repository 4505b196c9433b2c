package proof

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/core"
)

// TouchedFile is a file of the code that is about to change.
type TouchedFile struct {
	Path string // from the top of the repository, with slashes; the new path of a renamed file
	From string // the old path of a renamed file; "" otherwise
	// Before and After are the names of its blobs, at HEAD and after the change; "" if
	// there is no file.
	Before, After string
}

// EvidenceResult lists facts by their evidence.
type EvidenceResult struct {
	core.Answer
	// Any reports whether any current fact has evidence in the repository.
	Any     bool       `json:"any"`
	Touched []Evidence `json:"touched"` // by key
	Omitted int        `json:"omitted"` // facts that are not listed because there are too many
}

// Evidence is a fact whose evidence is about to drift or to go missing.
type Evidence struct {
	Key       facts.Key      `json:"key"`
	Claim     string         `json:"claim"`
	Ref       string         `json:"ref"`
	Freshness core.Freshness `json:"freshness"` // after the change
}

// maxEvidence is how many facts Evidence examines.
const maxEvidence = 200

// Evidence finds the current facts whose evidence is at HEAD, at its place or moved, and
// would not be anywhere in these files after the change. Evidence that drifted before is
// not reported again. A pointer with neither a digest nor a commit stands for what is at
// HEAD.
func (m *Verifier) Evidence(ctx context.Context, files []TouchedFile) (EvidenceResult, error) {
	result := EvidenceResult{Answer: core.AnswerAt(""), Touched: []Evidence{}}
	tip, _, err := m.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.Answer = core.AnswerAt(tip)
	var touched []string
	for _, f := range files {
		touched = append(touched, f.Path, cmp.Or(f.From, f.Path))
	}
	paths := core.WithParentFolders(touched)
	var hits []index.Hit
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		query := index.Query{HasPointer: true, Now: m.Moment(), Ephemeral: true, Limit: 1}
		_, total, err := view.Search(ctx, query)
		if result.Any = total > 0; err != nil || !result.Any || len(paths) == 0 {
			return err
		}
		query.Pointing, query.Limit = paths, maxEvidence
		hits, total, err = view.Search(ctx, query)
		result.Omitted = max(0, total-len(hits))
		return err
	})
	if err != nil {
		return result, err
	}
	if len(hits) == 0 {
		return result, nil
	}
	c, err := m.CheckerAt(ctx, tip, HeadName)
	if err != nil {
		return result, err
	}
	coming := plannedChange{Checker: c, files: files}
	err = m.EachHit(ctx, hits, func(_ index.Hit, f facts.Fact) error { return coming.add(ctx, f, &result) })
	slices.SortFunc(result.Touched, func(a, b Evidence) int {
		return cmp.Or(strings.Compare(a.Key.String(), b.Key.String()), strings.Compare(a.Ref, b.Ref))
	})
	return result, err
}

// plannedChange is the code as it will be: HEAD, and files that are about to change.
type plannedChange struct {
	*Checker
	files []TouchedFile
}

// maxPlannedFiles is in how many changing files content that leaves its file is searched for.
const maxPlannedFiles = 200

// add adds a fact if one of its pointers will drift or be missing, with the first such
// pointer.
func (n plannedChange) add(ctx context.Context, f facts.Fact, result *EvidenceResult) error {
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

// verdict returns what the change does to a pointer:
//
//  1. The change does not touch its file or folder: fresh.
//  2. It drifted before: unchecked, because that is not new.
//  3. It is a folder in which names are added or removed, or its file is too large to be
//     read: drifted.
//  4. The changed file still has the content: fresh or moved.
//  5. Another of the files has it: moved.
//  6. Otherwise: drifted, or missing if the file is removed.
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

// folder returns what the change does to a pointer to a folder, which stands for the
// names in it. The removal of the last file of a subfolder is not detected.
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
		went, in := strings.CutPrefix(cmp.Or(f.From, f.Path), a.Path+"/")
		if in && has[went] && (f.After == "" || f.From != "" && f.From != f.Path) {
			return core.Drifted, nil
		}
	}
	return core.Fresh, nil
}

// after searches the files as they will be for the content that is at HEAD.
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

// touching returns the changing file at a path, or nil if the path is a folder above one.
func (n plannedChange) touching(path string) (file *TouchedFile, into bool) {
	for i, f := range n.files {
		was := cmp.Or(f.From, f.Path)
		if was == path {
			return &n.files[i], f.Before != ""
		}
		into = into || strings.HasPrefix(f.Path, path+"/") || strings.HasPrefix(was, path+"/")
	}
	return nil, into
}

// blobOf is blob, except that it returns nil for the name "".
func (n plannedChange) blobOf(ctx context.Context, name string) (*evidence.Content, error) {
	if name == "" {
		return nil, nil
	}
	return n.blob(ctx, name)
}
