package rule

import (
	"slices"
	"strings"

	"engram/detect/claim"
	"engram/detect/lexicon"
)

// rolesSwapped reports that the subject of each clause is spoken of in the other as
// something else: "a depends on b" does not deny that b depends on a.
func (p *pair) rolesSwapped(x, y *claim.Clause) bool {
	s, t := p.a.actor(x), p.b.actor(y)
	return s != 0 && t != 0 && s != t && p.a.Find(t) >= 0 && p.b.Find(s) >= 0
}

// actor returns the meaning of the word before the verb, unless the clause is in
// the passive, or has no such word.
func (c side) actor(x *claim.Clause) (id uint32) {
	for i := x.From; i < x.To; i++ {
		t := &c.Terms[i]
		if i < x.Verb && (t.Weight >= claim.StrongWeight || id == 0 && t.Weight > 0) {
			id = t.ID
		}
		switch t.Lower {
		case "by", "is", "are", "be", "was", "were":
			return 0
		}
	}
	return id
}

// sameSubject reports that each clause is about something that the other claim
// speaks of; but for who does what is said, in the passive, not to be done.
func (p *pair) sameSubject(x, y *claim.Clause) bool {
	a, b := p.a.subjectIn(x, p.b), p.b.subjectIn(y, p.a)
	switch {
	case a && !b:
		return x.Denials > 0 && p.a.passive(x)
	case b && !a:
		return y.Denials > 0 && p.b.passive(y)
	}
	return a
}

// passive reports a clause of the form "rows are never deleted".
func (c side) passive(x *claim.Clause) bool {
	for i := x.Verb; i < x.To && i < x.Verb+4; i++ {
		if strings.HasSuffix(c.Terms[i].Lower, "ed") {
			return lexicon.Classify(c.Terms[x.Verb].Lower)&lexicon.Copula != 0
		}
	}
	return false
}

// subjectIn reports whether the head of what a clause is about is spoken of by the
// other claim or is its scope: the last word of weight before its verb and before
// what only narrows it ("rates" of "exchange rates in the API").
func (c side) subjectIn(x *claim.Clause, other side) bool {
	head := -1
	for i := x.From; i < x.Verb; i++ {
		t := &c.Terms[i]
		class := lexicon.Classify(t.Lower)
		switch {
		case t.Traits&lexicon.Universal != 0 && t.Role&claim.Denial != 0:
			return true
		case head >= 0 && class&lexicon.Prep != 0:
			i = x.Verb
		case t.Weight >= claim.StrongWeight || t.Weight > 0 && class&lexicon.Setting != 0:
			head = i
		}
	}
	if head < 0 {
		return true
	}
	id := c.Terms[head].ID
	return other.Find(id) >= 0 || slices.Contains(other.ScopeWords, id)
}

// speaksOf reports whether the claim has the head of a name: its last word that
// is no verb.
func (c side) speaksOf(name string) bool {
	for name != "" {
		at := strings.LastIndexByte(name, '_')
		head := lexicon.Lower(name[at+1:])
		if lexicon.Classify(head)&(lexicon.Sets|lexicon.Change|lexicon.Have|lexicon.Copula) == 0 {
			head = head[strings.LastIndexByte(head, '-')+1:]
			return c.Find(lexicon.LookUp(head).ID) >= 0
		}
		name = name[:max(at, 0)]
	}
	return true
}
