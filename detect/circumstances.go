package detect

import (
	"slices"
	"strings"
)

// condition is a circumstance under which something is said to hold.
type condition struct {
	text  string
	words []entry
}

// conditionsOf reads conditions as the extractor writes them. What holds by
// default holds where nothing else is said, so that is none.
func conditionsOf(texts []string) []condition {
	var list []condition
	for _, text := range texts {
		if text == "" || text == "default" {
			continue
		}
		c := condition{text: text}
		_, words, _ := strings.Cut(text, " ")
		for w := range strings.FieldsSeq(words) {
			if e := lookUp(w); e.traits&weak == 0 || w == words {
				c.words = append(c.words, e)
			}
		}
		list = append(list, c)
	}
	return list
}

// together reports whether what holds under the conditions x in the one claim and
// y in the other can hold at once: each names the conditions of the other.
func (p *pair) together(x, y []condition) bool {
	return implied(x, p.b) && implied(y, p.a)
}

// beside returns the conditions but for one that is no more than what is chosen:
// on Kubernetes. A platform stays one: what runs on Linux may run elsewhere too.
func beside(list []condition, id uint32) []condition {
	return slices.DeleteFunc(slices.Clone(list), func(c condition) bool {
		return len(c.words) == 1 && c.words[0].id == id && envOf(strings.TrimPrefix(c.text, "in ")) == ""
	})
}

// implied reports whether a claim speaks of the circumstances in the list. What
// holds since a release holds now, and what holds everywhere, here too.
func implied(list []condition, by side) bool {
	for _, c := range list {
		if strings.HasPrefix(c.text, "since ") && !by.changed() || strings.HasPrefix(c.text, "in ") && by.read.everywhere() {
			continue
		}
		for _, w := range c.words {
			at := by.read.find(w.id)
			if at < 0 && !slices.Contains(by.read.scope, w.id) || at >= 0 && (by.read.terms[at].opposed < 0) != (w.opposed < 0) {
				return false
			}
		}
	}
	return true
}

// conditions returns those of all clauses.
func (c side) conditions() (list []condition) {
	for i := range c.read.clauses {
		list = append(list, c.read.clauses[i].conditions...)
	}
	return list
}

// changed reports whether a claim speaks of the time before or after a change.
func (c side) changed() bool {
	for i := range c.read.clauses {
		for _, c := range c.read.clauses[i].conditions {
			if strings.HasPrefix(c.text, "since ") || strings.HasPrefix(c.text, "until ") || strings.HasPrefix(c.text, "before ") {
				return true
			}
		}
	}
	return false
}

// everywhere reports whether a claim speaks of every environment.
func (r *reading) everywhere() bool {
	for i := 1; i < len(r.terms); i++ {
		if r.terms[i].id == environmentID && r.terms[i-1].traits&universal != 0 {
			return true
		}
	}
	return false
}

// reserved reports whether the claim holds only unless or until something is so.
func (r *reading) reserved() bool {
	return slices.ContainsFunc(r.clauses, func(c clause) bool { return c.reserved })
}

// supposes reports whether a word is part of a condition of the claim.
func (c side) supposes(id uint32) bool {
	for i := range c.read.clauses {
		for _, condition := range c.read.clauses[i].conditions {
			if slices.ContainsFunc(condition.words, func(e entry) bool { return e.id == id }) {
				return true
			}
		}
	}
	return false
}
