package compare

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"engram/detect"
	"engram/index"
	"engram/memory/internal/core"
)

// Near is a fact about the same matter as another; the rules found nothing against the two.
type Near struct {
	*core.AnalyzedFact
	Nearness float64 // 0 to 1, from the words in common
}

// How facts about the same matter are chosen.
const (
	nearMatter = 6 // candidates in the topmost scope, and as many in the whole memory
	// maxNear is how many are returned.
	maxNear = 3
	// minCommon keeps out facts that are about something else: docs/detection.md has the
	// figures.
	minCommon = 0.65
	// leastRarity is the weight of a word that only one of 600 facts has. In a smaller
	// memory words are rare by chance. tooFew is that of one of 30: among fewer facts
	// nothing can be said about how rare words are, and at least half of what two claims
	// are about must be the same.
	leastRarity = 6
	tooFew      = 3
	half        = 0.5
)

// Two short claims of one scope that share a name ("We removed Webpack.", "We use Webpack.")
// are about the same matter, too.

// Related returns the facts on the tip that are about the same matter as a fact, nearest
// first. It asks for the claim without its values, because they are what two claims about
// one thing differ in.
func (e *Examiner) Related(ctx context.Context, view *index.View, s *core.AnalyzedFact) ([]Near, error) {
	top, _, _ := strings.Cut(s.Fact.Scope, "/")
	question := s.Claim.Question()
	if short(s) {
		question += " " + s.Fact.Claim // the names in it, too
	}
	found := make(map[string]float64) // the score of the words in common, by blob
	for _, scope := range slices.Compact([]string{top, ""}) {
		q := index.Query{Text: question, Scope: scope, Now: e.Now, Limit: nearMatter, Without: core.InternalPrefixes("")}
		e.m.Restrict(&q)
		a, err := view.Rank(ctx, q, index.Ranking{Signals: []index.Signal{index.Words}, Pool: nearMatter})
		if err != nil {
			return nil, fmt.Errorf("find related facts: %w", err)
		}
		for _, hit := range a.Hits {
			for _, place := range hit.Places {
				found[hit.Blob] = max(found[hit.Blob], place.Score)
			}
		}
	}
	delete(found, s.Blob)
	read, err := e.Read(ctx, slices.Sorted(maps.Keys(found)))
	if err != nil {
		return nil, err
	}
	rarity := view.Rarity()
	var list []Near
	for _, other := range read {
		kinship := s.Claim.Kinship(other.Claim)
		common := inCommon(found[other.Blob]/max(leastRarity, rarity), kinship, s.Claim.Breadth()*other.Claim.Breadth())
		if rarity < tooFew {
			common = max(common, kinship/half*minCommon)
		}
		if other.Fact.Scope == s.Fact.Scope && short(s) && short(other) && detect.ShareName(s.Claim, other.Claim) {
			common = max(common, minCommon)
		}
		if common >= minCommon && other.Fact.Lineage != s.Fact.Lineage && e.MayConflict(other.Fact) {
			list = append(list, Near{other, common / (common + minCommon)})
		}
	}
	slices.SortFunc(list, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Nearness, a.Nearness), cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()))
	})
	return list[:min(len(list), maxNear)], nil
}

// mostShort is how many words a claim has at most that says little beside the names in it.
const mostShort = 8

func short(f *core.AnalyzedFact) bool { return len(strings.Fields(f.Fact.Claim)) <= mostShort }

// inCommon says how much two claims have in common of what they are about: words is their
// score by BM25, in words that only one fact of the memory has. Rare words count most there,
// and words by their meaning in kinship. Claims of some breadth share more by chance.
func inCommon(words, kinship, breadth float64) float64 {
	return words * (0.1 + kinship) / math.Pow(breadth, 0.15)
}
