package memory

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// TouchedFile is a file of the code that is about to change.
type TouchedFile struct {
	Path string // from the top of the repository, with slashes
	// Lines are the first and the last of lines that change, as they are before;
	// {n+1, n} is what is added after line n. nil stands for all of the file.
	Lines [][2]int
}

// EvidenceResult lists facts by what they rest on.
type EvidenceResult struct {
	Answer
	// Any reports whether any fact that holds rests on a file of the repository.
	Any     bool       `json:"any"`
	Touched []Evidence `json:"touched"` // by key
	Omitted int        `json:"omitted"` // facts beyond those that are listed
}

// Evidence is a fact and what of its evidence is touched.
type Evidence struct {
	Key   facts.Key `json:"key"`
	Claim string    `json:"claim"`
	Ref   string    `json:"ref"`
	Path  string    `json:"path"`  // of the file or folder that the reference is into
	Lines bool      `json:"lines"` // the reference names lines of it
}

// maxEvidence is how many facts Evidence looks at.
const maxEvidence = 200

// Evidence finds the current facts whose evidence lies in any of the files:
// those with a repo:, artifact: or test: pointer to it or to a folder above it,
// and, where both name lines, to lines that change. The lines of a pointer are
// taken to be those of today.
func (m *Memory) Evidence(ctx context.Context, files []TouchedFile) (EvidenceResult, error) {
	result := EvidenceResult{Answer: answer(""), Touched: []Evidence{}}
	tip, _, err := m.tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.Answer = answer(tip)
	touched := make(map[string][]TouchedFile)
	for _, f := range files {
		for p := path.Clean(f.Path); p != "." && p != "/"; p = path.Dir(p) {
			touched[p] = append(touched[p], f)
		}
	}
	paths := make([]string, 0, len(touched))
	for p := range touched {
		paths = append(paths, p)
	}
	var hits []index.Hit
	_, err = m.index.View(ctx, tip, func(view *index.View) error {
		query := index.Query{HasPointer: true, Now: m.moment(), Ephemeral: true, Limit: 1}
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
	for _, hit := range hits {
		if err := m.addEvidence(ctx, hit.Blob, touched, &result); err != nil {
			return result, err
		}
	}
	slices.SortFunc(result.Touched, func(a, b Evidence) int {
		return cmp.Or(strings.Compare(a.Key.String(), b.Key.String()), strings.Compare(a.Ref, b.Ref))
	})
	return result, nil
}

// addEvidence adds the first pointer of a fact that is into what is touched.
func (m *Memory) addEvidence(ctx context.Context, blob string, touched map[string][]TouchedFile, result *EvidenceResult) error {
	data, err := m.store.Blob(ctx, blob)
	if err != nil {
		return err
	}
	f, err := facts.Parse(data)
	if err != nil {
		return nil // the index holds only facts; a damaged one is lint's to report
	}
	for _, p := range f.Pointers {
		address, err := facts.ParseRef(p.Ref)
		if err != nil || address.Type != facts.PointRepo && address.Type != facts.PointArtifact && address.Type != facts.PointTest {
			continue
		}
		if slices.ContainsFunc(touched[path.Clean(address.Path)], func(t TouchedFile) bool { return t.touches(address) }) {
			result.Touched = append(result.Touched, Evidence{f.Key, f.Claim, p.Ref, address.Path, address.FirstLine > 0})
			return nil
		}
	}
	return nil
}

func (t TouchedFile) touches(a facts.Address) bool {
	if t.Lines == nil || a.FirstLine == 0 {
		return true
	}
	last := max(a.FirstLine, a.LastLine)
	return slices.ContainsFunc(t.Lines, func(l [2]int) bool { return l[0] <= last && a.FirstLine <= l[1] })
}
