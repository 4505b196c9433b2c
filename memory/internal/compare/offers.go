package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
)

// Offer is a pair of facts that the rules could not decide, for somebody to judge.
type Offer struct {
	KeyA        string `json:"key_a"`
	KeyB        string `json:"key_b"`
	A           string `json:"fact_id_a"` // the versions
	B           string `json:"fact_id_b"`
	Grade       string `json:"grade"`
	Explanation string `json:"explanation,omitempty"`
	Prospect
}

// Prospect is what is known of a pair that nobody has judged.
type Prospect struct {
	Kinship  float64         `json:"kinship"`            // see claim.Claim.Kinship
	Signal   float64         `json:"signal,omitempty"`   // the probability of a clash, if one is read
	Severity detect.Severity `json:"severity,omitempty"` // of that clash
	Begun    time.Time       `json:"begun,omitzero"`     // since when both claims hold
}

// How a prospect is weighed.
const (
	// unread is the probability that is assumed for two claims about exactly the same matter in
	// which no clash is read: less than that of the least probable clash that is (0.20).
	unread = 0.15
	// surest is the most that a finding below a contradiction counts as sure: they are right
	// about three times in four (docs/detection.md).
	surest = 0.75
	// fading is how long it takes until half of what a pair loses by age is lost.
	fading = 30 * 24 * time.Hour
)

// Information says how much a verdict on a pair would tell, 0 to 1: the entropy of whether the
// two contradict each other, in bits, times how much that matters. It grows with nearness, with
// how undecided the rules are, and with severity; a pair that has stood for long without harm
// loses up to half of it.
func (p Prospect) Information(now time.Time) float64 {
	probability := unread * p.Kinship
	if p.Signal > 0 {
		probability = min(max(p.Signal, probability), surest)
	}
	severity := map[detect.Severity]float64{detect.High: 1, detect.Medium: 0.9}[p.Severity]
	if severity == 0 {
		severity = 0.8
	}
	age := max(now.Sub(p.Begun), 0)
	return entropy(probability) * severity * (1 + math.Exp2(-float64(age)/float64(fading))) / 2
}

// entropy is that of an event of probability p, in bits.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

// OffersFile keeps what was offered and not judged yet, local to the clone.
const OffersFile = ".offers.json"

// OfferOf returns a likely contradiction as a pair to judge.
func OfferOf(c Clash) Offer {
	return offer(c.First, c.Second, detect.GradeLikely, c.Finding)
}

// OfferNear returns a fact and one about the same matter as a pair to judge.
func OfferNear(s *core.AnalyzedFact, n Near) Offer {
	f, _ := detect.Assess(s.Claim, n.Claim)
	f.Explanation = "" // of a clash that is too improbable to be shown
	return offer(s, n.AnalyzedFact, detect.GradeRelated, f)
}

func offer(a, b *core.AnalyzedFact, grade detect.Grade, f detect.Finding) Offer {
	begun := a.Fact.ValidFrom
	if b.Fact.ValidFrom.After(begun) {
		begun = b.Fact.ValidFrom
	}
	return Offer{
		KeyA: a.Fact.Key.String(), KeyB: b.Fact.Key.String(), A: a.Fact.ID, B: b.Fact.ID, Grade: string(grade), Explanation: f.Explanation,
		Prospect: Prospect{Kinship: a.Claim.Kinship(b.Claim), Signal: f.Score, Severity: f.Severity, Begun: begun},
	}
}

// offers is what OffersFile holds.
type offers struct {
	Pairs   []Offer `json:"pairs"`
	Dropped int     `json:"dropped"` // for want of room, since the last audit of everything
}

// MaxOffers bounds how many pairs wait for a judge.
const MaxOffers = 500

// Offers returns the pairs that wait for a judge, those first about which a verdict tells
// most, and how many more there was no room for. Some may have been judged or changed since.
func (m *Comparer) Offers() (list []Offer, dropped int) {
	var o offers
	if !m.ReadState(OffersFile, &o) {
		return nil, 0
	}
	m.rank(o.Pairs)
	return o.Pairs, o.Dropped
}

// rank orders pairs by how much a verdict on them would tell.
func (m *Comparer) rank(list []Offer) {
	now := m.Moment()
	slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Compare(b.Information(now), a.Information(now)) })
}

// AddOffers adds pairs to those that wait for a judge. all says that they are everything that
// an audit found likely, so that none of these is missing for want of room before.
func (m *Comparer) AddOffers(list []Offer, all bool) error {
	if len(list) == 0 {
		return nil
	}
	before, dropped := m.Offers()
	if all {
		dropped = 0
	}
	seen := make(map[[2]string]bool)
	pairs := slices.DeleteFunc(append(slices.Clone(list), before...), func(o Offer) bool {
		id := o.Pair()
		twice := seen[id]
		seen[id] = true
		return twice
	})
	dropped += max(0, len(pairs)-MaxOffers)
	return m.WriteState(OffersFile, offers{m.best(pairs, MaxOffers), dropped})
}

// best returns at most so many pairs: half of the room is for the newest, the rest for those
// of the others about which a verdict tells most.
func (m *Comparer) best(list []Offer, most int) []Offer {
	m.rank(list)
	if len(list) > most {
		slices.SortStableFunc(list, func(a, b Offer) int { return b.Begun.Compare(a.Begun) })
		m.rank(list[most/2:])
		list = list[:most]
	}
	return list
}

// Pair names the two versions, in whatever order they were offered.
func (o Offer) Pair() [2]string { return [2]string{min(o.A, o.B), max(o.A, o.B)} }

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
