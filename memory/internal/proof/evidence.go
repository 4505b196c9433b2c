package proof

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

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
	touched := make(map[string]bool)
	for _, f := range files {
		for _, p := range core.WithParentFolders([]string{f.Path, cmp.Or(f.From, f.Path)}) {
			touched[p] = true
		}
	}
	paths := make([]string, 0, len(touched))
	for p := range touched {
		paths = append(paths, p)
	}
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
	for _, hit := range hits {
		if err := coming.add(ctx, hit.Blob, &result); err != nil {
			return result, err
		}
	}
	slices.SortFunc(result.Touched, func(a, b Evidence) int {
		return cmp.Or(strings.Compare(a.Key.String(), b.Key.String()), strings.Compare(a.Ref, b.Ref))
	})
	return result, nil
}
