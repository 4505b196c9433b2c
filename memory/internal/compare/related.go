package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
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

// Offer is a pair of facts that the rules could not decide, for somebody to judge.
type Offer struct {
	KeyA        string    `json:"key_a"`
	KeyB        string    `json:"key_b"`
	A           string    `json:"fact_id_a"` // the versions
	B           string    `json:"fact_id_b"`
	Grade       string    `json:"grade"`
	Explanation string    `json:"explanation,omitempty"`
	Score       float64   `json:"score"` // how much judging it would tell; higher first
	Offered     time.Time `json:"offered_at"`
}

// OffersFile keeps what was offered and not judged yet, local to the clone.
const OffersFile = ".offers.json"

// offers is what OffersFile holds.
type offers struct {
	Pairs   []Offer `json:"pairs"`   // the best first
	Dropped int     `json:"dropped"` // for want of room, since the last audit of everything
}

// OfferOf returns a likely contradiction as a pair to judge. Likely pairs come before related
// ones, whose score is at most 1.
func OfferOf(c Clash) Offer {
	a, b := c.First.Fact, c.Second.Fact
	return Offer{KeyA: a.Key.String(), KeyB: b.Key.String(), A: a.ID, B: b.ID, Grade: string(detect.GradeLikely), Explanation: c.Explanation, Score: 1 + c.Score}
}

// MaxOffers bounds how many pairs wait for a judge.
const MaxOffers = 500

// Offers returns the pairs that wait for a judge, the best first, and how many more there
// was no room for. Some may have been judged or changed since.
func (m *Comparer) Offers() (list []Offer, dropped int) {
	var o offers
	if !m.ReadState(OffersFile, &o) {
		return nil, 0
	}
	return o.Pairs, o.Dropped
}

// AddOffers adds pairs to those that wait for a judge. all says that they are everything that
// an audit found likely, so that none of these is missing for want of room before.
func (m *Comparer) AddOffers(list []Offer, all bool) error {
	if len(list) == 0 {
		return nil
	}
	now := m.Moment()
	o := offers{Pairs: slices.Clone(list)}
	for i := range o.Pairs {
		o.Pairs[i].Offered = now
	}
	before, dropped := m.Offers()
	if !all {
		o.Dropped = dropped
	}
	o.Pairs = append(o.Pairs, before...)
	seen := make(map[[2]string]bool)
	o.Pairs = slices.DeleteFunc(o.Pairs, func(o Offer) bool {
		id := [2]string{min(o.A, o.B), max(o.A, o.B)}
		twice := seen[id]
		seen[id] = true
		return twice
	})
	o.Dropped += max(0, len(o.Pairs)-MaxOffers)
	o.Pairs = bestOffers(o.Pairs, MaxOffers)
	return m.WriteState(OffersFile, o)
}

// bestOffers returns at most so many offers: half of the room is for the newest, the rest for
// the likeliest of the others. The best come first.
func bestOffers(list []Offer, most int) []Offer {
	byScore := func(a, b Offer) int { return cmp.Or(cmp.Compare(b.Score, a.Score), b.Offered.Compare(a.Offered)) }
	if len(list) > most {
		slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Or(b.Offered.Compare(a.Offered), byScore(a, b)) })
		slices.SortStableFunc(list[most/2:], byScore)
		list = list[:most]
	}
	slices.SortStableFunc(list, byScore)
	return list
}

// KeepOffers drops the offers that keep rejects.
func (m *Comparer) KeepOffers(keep func(Offer) bool) error {
	all, dropped := m.Offers()
	left := slices.DeleteFunc(slices.Clone(all), func(o Offer) bool { return !keep(o) })
	if len(left) == len(all) {
		return nil
	}
	return m.WriteState(OffersFile, offers{left, dropped})
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
