package rule

import (
	"slices"
	"strings"

	"engram/detect/claim"
	"engram/detect/entity"
	"engram/detect/lexicon"
)

// canHoldTogether reports whether what holds under the conditions x in the one claim and
// y in the other can hold at once: each names the conditions of the other.
func (p *pair) canHoldTogether(x, y []claim.Condition) bool {
	return implied(x, p.b) && implied(y, p.a)
}

// withoutChoice returns the conditions but for one that is no more than what is chosen:
// on Kubernetes. A platform stays one: what runs on Linux may run elsewhere too.
func withoutChoice(list []claim.Condition, id uint32) []claim.Condition {
	return slices.DeleteFunc(slices.Clone(list), func(c claim.Condition) bool {
		return len(c.Words) == 1 && c.Words[0].ID == id && entity.EnvOf(strings.TrimPrefix(c.Text, "in ")) == ""
	})
}

// implied reports whether a claim speaks of the circumstances in the list. What
// holds since a release holds now, and what holds everywhere, here too.
func implied(list []claim.Condition, by side) bool {
	for _, c := range list {
		if strings.HasPrefix(c.Text, "since ") && !by.changed() || strings.HasPrefix(c.Text, "in ") && by.Everywhere() {
			continue
		}
		for _, w := range c.Words {
			at := by.Find(w.ID)
			if at < 0 && !slices.Contains(by.ScopeWords, w.ID) || at >= 0 && (by.Terms[at].Pole < 0) != (w.Pole < 0) {
				return false
			}
		}
	}
	return true
}

// allConditions returns those of all clauses.
func (c side) allConditions() (list []claim.Condition) {
	for i := range c.Clauses {
		list = append(list, c.Clauses[i].Conditions...)
	}
	return list
}

// changed reports whether a claim speaks of the time before or after a change.
func (c side) changed() bool {
	for i := range c.Clauses {
		for _, c := range c.Clauses[i].Conditions {
			if strings.HasPrefix(c.Text, "since ") || strings.HasPrefix(c.Text, "until ") || strings.HasPrefix(c.Text, "before ") {
				return true
			}
		}
	}
	return false
}

// supposes reports whether a word is part of a condition of the claim.
func (c side) supposes(id uint32) bool {
	for i := range c.Clauses {
		for _, condition := range c.Clauses[i].Conditions {
			if slices.ContainsFunc(condition.Words, func(e lexicon.Entry) bool { return e.ID == id }) {
				return true
			}
		}
	}
	return false
}
