// Package feedback says how often the findings of each family were right in one memory, by
// what people and agents decided about them. A family that is wrong too often no longer opens
// conflicts there; its findings are put before somebody who can judge.
package feedback

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"engram/detect/conflict"
	"engram/detect/finding"
)

// How decisions are weighed.
const (
	// latest is how many decisions about a family count, so that it recovers: the latest.
	latest = 50
	// perAgent is how many of them one agent may contribute: a flood of verdicts counts no
	// more than that, and other judges can outweigh it. As many may be corrections.
	perAgent = 12
	// correctedWeight is the weight of a conflict that ended because a side was retired or
	// changed: mostly because it was right, sometimes by chance.
	correctedWeight = 0.5
	// authorWeight is the weight of an agent that decides about its own fact, as a share of
	// its trust.
	authorWeight = 0.5
)

// When a family is doubted.
const (
	// Enough is the weight of decisions below which a family is never doubted: of eight
	// findings of a family that is right three times in four, five or more are wrong in 3 of
	// 100 cases.
	Enough = 8
	// Tolerable is the precision that findings of the grade likely have in prose
	// (docs/detection.md). A family that is certainly less precise opens no conflicts.
	Tolerable = 0.75
	// z is the quantile of the normal distribution for a confidence of 95 %, both sides.
	z = 1.96
)

// Family is what was found of one family of findings, and decided about it.
type Family struct {
	Name      string `json:"family"`    // "" for findings of models and merges, and those of versions without families
	Found     int    `json:"found"`     // conflicts, and pairs that were judged
	Open      int    `json:"open"`      // nobody has decided
	Settled   int    `json:"settled"`   // as real
	Dismissed int    `json:"dismissed"` // without a verdict
	Corrected int    `json:"corrected"` // ended because a side was retired or changed
	// Judged are verdicts of agents and people on pairs, by verdict.
	Judged map[string]int `json:"judged"`
	// Latest are the decisions that count, newest first.
	Latest []Piece `json:"latest"`
}

// Piece is a decision that counts for or against a family.
type Piece struct {
	Agent  string `json:"agent,omitempty"` // "" for a person
	Author bool   `json:"author,omitempty"`
	Right  bool   `json:"right,omitempty"`
	// Corrected: a side was retired or changed, without a word.
	Corrected bool `json:"corrected,omitempty"`
}

// Tally counts conflicts by family, in the order of their names. It depends on nothing but
// the conflicts. Verdicts on pairs that the rules had called likely are counted, but are no
// pieces: they say nothing about findings that were sure enough to open a conflict.
func Tally(conflicts map[string]conflict.Conflict) []Family {
	list := slices.SortedFunc(maps.Values(conflicts), func(a, b conflict.Conflict) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	families := make(map[string]*Family)
	for _, c := range list {
		name := c.Family
		if c.Tier == finding.TierMerge {
			name = ""
		}
		f := families[name]
		if f == nil {
			f = &Family{Name: name, Judged: make(map[string]int)}
			families[name] = f
		}
		f.add(c)
	}
	tally := make([]Family, 0, len(families))
	for _, name := range slices.Sorted(maps.Keys(families)) {
		tally = append(tally, *families[name])
	}
	return tally
}

// AddOpen returns a tally with one conflict more; ok is false if somebody has decided about
// it, which needs all conflicts. The tally itself is not changed.
func AddOpen(tally []Family, c conflict.Conflict) (added []Family, ok bool) {
	if _, decided := c.Decision(); decided || c.Status != conflict.Open {
		return nil, false
	}
	one := Tally(map[string]conflict.Conflict{c.ID: c})[0]
	at, found := slices.BinarySearchFunc(tally, one.Name, func(f Family, name string) int { return cmp.Compare(f.Name, name) })
	added = slices.Clone(tally)
	if !found {
		return slices.Insert(added, at, one), true
	}
	added[at].Found++
	added[at].Open++
	return added, true
}

func (f *Family) add(c conflict.Conflict) {
	f.Found++
	d, decided := c.Decision()
	switch {
	case !decided && c.Status == conflict.Open:
		f.Open++
	case !decided:
	case d.Corrected:
		f.Corrected++
	case d.Verdict != "":
		f.Judged[d.Verdict]++
	case d.Right:
		f.Settled++
	default:
		f.Dismissed++
	}
	if !decided || f.Name == "" || c.Grade == finding.Likely || len(f.Latest) == latest {
		return
	}
	piece := Piece{Agent: d.Agent, Author: d.Author, Right: d.Right, Corrected: d.Corrected}
	if byPerson := d.Agent == "" && !d.Corrected; byPerson || f.like(piece) < perAgent {
		f.Latest = append(f.Latest, piece)
	}
}

// like counts the pieces of the same agent, or those that nobody said.
func (f *Family) like(piece Piece) (n int) {
	for _, p := range f.Latest {
		if p.Agent == piece.Agent && p.Corrected == piece.Corrected {
			n++
		}
	}
	return n
}

// Rating is how often a family is right.
type Rating struct {
	Weight    float64 // of the decisions that count
	Precision float64 // the share of them that found the family right; 0 without any
	Highest   float64 // the precision is at most this, with a confidence of 95 %
	Doubted   bool    // the family is wrong too often to open conflicts
}

// Rate rates a family. A person's decision weighs 1, an agent's its trust (0 to 1), and half
// of that if the agent wrote one of the facts; a correction weighs a half. trust may be nil: every agent is trusted.
//
// The family is doubted if the decisions weigh enough and the upper bound of the Wilson score
// interval of their precision is below what is tolerable (E. B. Wilson, Probable Inference,
// the Law of Succession, and Statistical Inference, JASA 22 (1927) 209-212; for small samples
// recommended by Brown, Cai and DasGupta, Statistical Science 16 (2001) 101-133). It recovers
// as soon as later decisions lift the bound.
func (f Family) Rate(trust func(agent string) float64) (r Rating) {
	right := 0.0
	for _, p := range f.Latest {
		w := p.weight(trust)
		r.Weight += w
		if p.Right {
			right += w
		}
	}
	if r.Weight == 0 {
		r.Highest = 1
		return r
	}
	r.Precision = right / r.Weight
	r.Highest = highest(r.Precision, r.Weight)
	r.Doubted = r.Weight >= Enough && r.Highest < Tolerable
	return r
}

func (p Piece) weight(trust func(agent string) float64) float64 {
	w := 1.0
	if p.Corrected {
		w = correctedWeight
	}
	if p.Agent != "" && trust != nil {
		w = min(max(trust(p.Agent), 0), 1)
	}
	if p.Author {
		w *= authorWeight
	}
	return w
}

// highest is the upper bound of Wilson's score interval of a share p of n.
func highest(p, n float64) float64 {
	middle := p + z*z/(2*n)
	width := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return min((middle+width)/(1+z*z/n), 1)
}

// MayBeDoubted reports whether some trust of agents makes a rating doubt the family, so that
// their trust need not be asked for otherwise.
func (f Family) MayBeDoubted() bool {
	wrong := slices.ContainsFunc(f.Latest, func(p Piece) bool { return !p.Right })
	return wrong && len(f.Latest) >= Enough
}
