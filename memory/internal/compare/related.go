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
	"engram/facts"
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

// Related returns the facts on the tip that are about the same matter as a fact, nearest
// first. It asks for the claim without its values, because they are what two claims about
// one thing differ in.
func (e *Examiner) Related(ctx context.Context, view *index.View, s *core.AnalyzedFact) ([]Near, error) {
	top, _, _ := strings.Cut(s.Fact.Scope, "/")
	found := make(map[string]float64) // the score of the words in common, by blob
	for _, scope := range slices.Compact([]string{top, ""}) {
		q := index.Query{Text: s.Claim.Question(), Scope: scope, Now: e.Now, Limit: nearMatter, Without: core.InternalPrefixes("")}
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
		if common >= minCommon && other.Fact.Lineage != s.Fact.Lineage && e.MayConflict(other.Fact) {
			list = append(list, Near{other, common / (common + minCommon)})
		}
	}
	slices.SortFunc(list, func(a, b Near) int {
		return cmp.Or(cmp.Compare(b.Nearness, a.Nearness), cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()))
	})
	return list[:min(len(list), maxNear)], nil
}

// inCommon says how much two claims have in common of what they are about: words is their
// score by BM25, in words that only one fact of the memory has. Rare words count most there,
// and words by their meaning in kinship. Claims of some breadth share more by chance.
func inCommon(words, kinship, breadth float64) float64 {
	return words * (0.1 + kinship) / math.Pow(breadth, 0.15)
}

// Offer is a pair of facts that the rules could not decide, for somebody to judge.
type Offer struct {
	KeyA        string  `json:"key_a"`
	KeyB        string  `json:"key_b"`
	A           string  `json:"fact_id_a"` // the versions
	B           string  `json:"fact_id_b"`
	Grade       string  `json:"grade"`
	Explanation string  `json:"explanation,omitempty"`
	Score       float64 `json:"score"` // how much judging it would tell; higher first
}

// OffersFile keeps what was offered and not judged yet, local to the clone.
const OffersFile = ".offers.json"

// OfferOf returns a likely contradiction as a pair to judge. Likely pairs come before related
// ones, whose score is at most 1.
func OfferOf(c Clash) Offer {
	a, b := c.First.Fact, c.Second.Fact
	return Offer{KeyA: a.Key.String(), KeyB: b.Key.String(), A: a.ID, B: b.ID, Grade: string(detect.GradeLikely), Explanation: c.Explanation, Score: 1 + c.Score}
}

// maxOffers bounds how many pairs wait for a judge.
const maxOffers = 500

// Offers returns the pairs that wait for a judge, the best first. Some may have been
// judged or changed since.
func (m *Comparer) Offers() (list []Offer) {
	if !m.ReadState(OffersFile, &list) {
		return nil
	}
	return list
}

// AddOffers adds pairs to those that wait for a judge.
func (m *Comparer) AddOffers(list []Offer) error {
	if len(list) == 0 {
		return nil
	}
	all := append(slices.Clone(list), m.Offers()...)
	seen := make(map[[2]string]bool)
	all = slices.DeleteFunc(all, func(o Offer) bool {
		id := [2]string{min(o.A, o.B), max(o.A, o.B)}
		twice := seen[id]
		seen[id] = true
		return twice
	})
	slices.SortStableFunc(all, func(a, b Offer) int { return cmp.Compare(b.Score, a.Score) })
	return m.WriteState(OffersFile, all[:min(len(all), maxOffers)])
}

// KeepOffers drops the offers that keep rejects.
func (m *Comparer) KeepOffers(keep func(Offer) bool) error {
	all := m.Offers()
	left := slices.DeleteFunc(slices.Clone(all), func(o Offer) bool { return !keep(o) })
	if len(left) == len(all) {
		return nil
	}
	return m.WriteState(OffersFile, left)
}

// Stands returns the two facts of an offer at a revision, or nil if one of them has changed
// since or can no longer be a side of a conflict.
func (m *Comparer) Stands(ctx context.Context, revision string, o Offer) (a, b *core.AnalyzedFact, err error) {
	sides := [2]*core.AnalyzedFact{}
	for i, offered := range [2]struct{ key, version string }{{o.KeyA, o.A}, {o.KeyB, o.B}} {
		key, err := facts.ParseKey(offered.key)
		if err != nil {
			return nil, nil, nil // written by another version of engram
		}
		s, err := m.ConflictSide(ctx, revision, detect.Party{Key: key})
		if err != nil || s == nil || s.Fact.ID != offered.version || !MayConflict(s.Fact, m.Moment()) {
			return nil, nil, err
		}
		sides[i] = s
	}
	return sides[0], sides[1], nil
}
