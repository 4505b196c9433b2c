package rule

import (
	"slices"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// deniesOf reports whether what directly follows a denial of clause x, up to the
// first word that says much, stands in clause y of the other claim.
func (c side) deniesOf(x *claim.Clause, other side, y *claim.Clause) bool {
	for i := x.From; i < x.To; i++ {
		if c.Terms[i].Role&claim.Denial != 0 && !c.partial(i, x) && c.saidIn(span{i + 1, x.To}, other, y) && (i >= x.Verb || c.saidIn(span{x.Verb, x.To}, other, y)) {
			return true
		}
	}
	return false
}

// partial reports that the denial at term i is one of all rather than of each: "is
// not set for all containers".
func (c side) partial(i int, x *claim.Clause) bool {
	for j := i + 1; j < x.To; j++ {
		switch c.Terms[j].Lower {
		case "all", "every", "both", "always", "necessarily":
			return true
		}
	}
	return false
}

// saidIn reports whether the words of s, up to the first that says much, stand in
// clause y of the other claim.
func (c side) saidIn(s span, other side, y *claim.Clause) bool {
	found := false
	for i := s.from; i < s.to; i++ {
		t := &c.Terms[i]
		if t.Role&(claim.StopWord|claim.Denial) != 0 || t.Traits&lexicon.Universal != 0 || light(t.Lower) || t.Weight < claim.StrongWeight && lexicon.Classify(t.Lower)&lexicon.Adverb != 0 {
			continue
		}
		if at := other.FindIn(t.ID, y.From, y.To); at < 0 || other.Terms[at].Role&claim.Hypothetical != 0 {
			return false
		}
		if found = true; t.Weight >= claim.StrongWeight {
			break
		}
	}
	return found
}

// light reports the verbs that say little without their object.
func light(w string) bool {
	switch w {
	case "use", "uses", "used", "using", "have", "has", "had", "do", "make", "makes", "made", "even", "single":
		return true
	}
	return false
}

// optional reports a clause on what can be done, which need not be done.
func (c side) optional(x *claim.Clause) bool { return c.says(x, "can", "may", "optionally") }

// forbids reports a denial that leaves no room for what can be done.
func (c side) forbids(x *claim.Clause) bool {
	return c.says(x, "cannot", "can't", "never", "must", "impossible", "may", "can", "forbidden")
}

// says reports whether a clause has one of some words.
func (c side) says(x *claim.Clause, words ...string) bool {
	for i := x.From; i < x.To; i++ {
		if slices.Contains(words, c.Terms[i].Lower) {
			return true
		}
	}
	return false
}
