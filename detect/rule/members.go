package rule

import (
	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/lexicon"
)

// overAll returns the noun of the class that a clause speaks of all of, "services"
// of "all services run on Linux", or -1: right behind the word for all, and nothing
// but the verb behind it. What has exceptions is not said of all.
func (c side) overAll(x *claim.Clause) int {
	if x.Provisional || x.Denials > 0 {
		return -1
	}
	for i := x.From; i+1 < x.Verb && i < x.From+2; i++ {
		if t := &c.Terms[i]; t.Traits&lexicon.Universal != 0 && !c.nearly(i) && i+2 == x.Verb {
			return i + 1
		}
	}
	return -1
}

// nearly reports a word before term i that makes less of "all": almost, not.
func (c side) nearly(i int) bool {
	if i == 0 {
		return false
	}
	t := &c.Terms[i-1]
	return t.Role&claim.Denial != 0 || lexicon.Classify(t.Lower)&lexicon.About != 0 || t.Lower == "not"
}

// oneOf reports whether a clause is about one named member of the class that term
// class of the other claim stands for: the payments service, of all services.
func (c side) oneOf(x *claim.Clause, class *claim.Term) bool {
	head, names := -1, 0
	for i := x.From; i < x.Verb; i++ {
		t := &c.Terms[i]
		switch {
		case t.Traits&lexicon.Universal != 0 || lexicon.Classify(t.Lower)&lexicon.Prep != 0:
			return false
		case t.Role&claim.StopWord == 0:
			head, names = i, names+1
		}
	}
	return names > 1 && c.Terms[head].ID == class.ID
}

// membership reports that one clause speaks of all of a class, and the other of
// one member of it, of which it says something of the same sort: what the first
// says holds for the member too. Beside the terms k and l, which are of one kind,
// the first may say nothing that the second does not, and the second little.
func (p *pair) membership(x, y *claim.Clause, k, l int) bool {
	all, one := p.a.predicateWithout(x, k), p.b.predicateWithout(y, l)
	switch i, j := p.a.overAll(x), p.b.overAll(y); {
	case i >= 0 && j < 0 && p.b.oneOf(y, &p.a.Terms[i]):
	case j >= 0 && i < 0 && p.a.oneOf(x, &p.b.Terms[j]):
		all, one = one, all
	default:
		return false
	}
	g := agree(all, one)
	return g.restA.special() == 0 && (g.restB.special() == 0 || g.restB.special() == 1 && p.a.Terms[x.Verb].ID == p.b.Terms[y.Verb].ID) && g.restB.narrowing == 0
}

// predicateWithout is what a clause says of its subject, but for term k.
func (c side) predicateWithout(x *claim.Clause, k int) part {
	s := c.partOf(span{x.Verb, x.To})
	s.without, s.figures = c.filled(k), true
	return s
}

// filled is the place that term k fills, with what only completes it: the version
// of a product, the day and the time of what is done weekly.
func (c side) filled(k int) span {
	s := span{k, k + 1}
	scheduled := c.Terms[k].Schedules()
	for s.to < len(c.Terms) {
		t := &c.Terms[s.to]
		completes := t.Role&claim.Numeric != 0 || lexicon.IsDigit(t.Lower[0]) || t.ValueIndex > 0 && c.Values[t.ValueIndex-1].Type == entity.Release
		if scheduled {
			completes = completes || t.Role&claim.StopWord != 0 || t.Schedules() || t.ValueIndex > 0 && c.Values[t.ValueIndex-1].Type == entity.Date
		}
		if !completes {
			break
		}
		s.to++
	}
	return s
}
