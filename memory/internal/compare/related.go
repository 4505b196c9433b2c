package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/index"
	"engram/memory/internal/core"
)

// Near is a fact about the same matter as another; the rules found nothing against the two.
type Near struct {
	*core.AnalyzedFact
	Kinship float64 // see claim.Claim.Kinship
}

// How facts about the same matter are chosen.
const (
	nearMatter = 6 // candidates in the topmost scope, and as many in the whole memory
	// maxNear is how many are returned.
	maxNear = 3
	// minKinship keeps out facts that are about something else: docs/detection.md has the
	// figures.
	minKinship = 0.55
)

// Related returns the facts on the tip that are about the same matter as a fact, nearest
// first. It asks for the claim without its values, because they are what two claims about
// one thing differ in.
func (e *Examiner) Related(ctx context.Context, view *index.View, s *core.AnalyzedFact) ([]Near, error) {
	top, _, _ := strings.Cut(s.Fact.Scope, "/")
	found := make(map[string]bool)
	for _, scope := range slices.Compact([]string{top, ""}) {
		q := index.Query{Text: s.Claim.Question(), Scope: scope, Now: e.Now, Limit: nearMatter, Without: core.InternalPrefixes("")}
		e.m.Restrict(&q)
		a, err := view.Rank(ctx, q, index.Ranking{Signals: []index.Signal{index.Words}, Pool: nearMatter})
		if err != nil {
			return nil, fmt.Errorf("find related facts: %w", err)
		}
		for _, hit := range a.Hits {
			found[hit.Blob] = true
		}
	}
	delete(found, s.Blob)
	read, err := e.Read(ctx, sortedKeys(found))
	if err != nil {
		return nil, err
	}
	var list []Near
	for _, other := range read {
		kinship := s.Claim.Kinship(other.Claim)
		if kinship >= minKinship && other.Fact.Lineage != s.Fact.Lineage && e.MayConflict(other.Fact) {
			list = append(list, Near{other, kinship})
		}
	}
	slices.SortFunc(list, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Kinship, a.Kinship), cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()))
	})
	return list[:min(len(list), maxNear)], nil
}

func sortedKeys(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for key := range set {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}
