package detect

import "slices"

// deniesOf reports whether what directly follows a denial of clause x, up to the
// first word that says much, stands in clause y of the other claim.
func (c side) deniesOf(x *clause, other side, y *clause) bool {
	for i := x.from; i < x.to; i++ {
		if c.read.terms[i].role&denial != 0 && !c.partial(i, x) && c.saidIn(span{i + 1, x.to}, other, y) && (i >= x.verb || c.saidIn(span{x.verb, x.to}, other, y)) {
			return true
		}
	}
	return false
}

// partial reports that the denial at term i is one of all rather than of each: "is
// not set for all containers".
func (c side) partial(i int, x *clause) bool {
	for j := i + 1; j < x.to; j++ {
		switch c.read.terms[j].low {
		case "all", "every", "both", "always", "necessarily":
			return true
		}
	}
	return false
}

// saidIn reports whether the words of s, up to the first that says much, stand in
// clause y of the other claim.
func (c side) saidIn(s span, other side, y *clause) bool {
	found := false
	for i := s.from; i < s.to; i++ {
		t := &c.read.terms[i]
		if t.role&(glue|denial) != 0 || t.traits&universal != 0 || light(t.low) || t.weight < strongWeight && classify(t.low)&adverb != 0 {
			continue
		}
		if at := other.read.findIn(t.id, y.from, y.to); at < 0 || other.read.terms[at].role&supposed != 0 {
			return false
		}
		if found = true; t.weight >= strongWeight {
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
func (c side) optional(x *clause) bool { return c.says(x, "can", "may", "optionally") }

// forbids reports a denial that leaves no room for what can be done.
func (c side) forbids(x *clause) bool {
	return c.says(x, "cannot", "can't", "never", "must", "impossible", "may", "can", "forbidden")
}

// says reports whether a clause has one of some words.
func (c side) says(x *clause, words ...string) bool {
	for i := x.from; i < x.to; i++ {
		if slices.Contains(words, c.read.terms[i].low) {
			return true
		}
	}
	return false
}
