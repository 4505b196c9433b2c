package facts

import (
	"strconv"
	"strings"
	"time"
)

// Change is one field that differs between two versions of a fact.
type Change struct {
	Field string `json:"field"`
	From  string `json:"from"` // "" where it was not stated
	To    string `json:"to"`   // "" where it is not stated any more
}

// Diff lists what b states differently from a, in the order of the canonical
// form. Fields that differ with every version (id, supersedes, created_at) are
// left out.
func Diff(a, b Fact) []Change {
	changes := []Change{}
	compare := func(field, from, to string) {
		if from != to {
			changes = append(changes, Change{field, from, to})
		}
	}
	compare("lineage", a.Lineage, b.Lineage)
	compare("claim", a.Claim, b.Claim)
	compare("detail", a.Detail, b.Detail)
	compare("kind", string(a.Kind), string(b.Kind))
	compare("type", string(a.Type), string(b.Type))
	compare("scope", a.Scope, b.Scope)
	compare("reach", string(a.Reach), string(b.Reach))
	compare("branch", a.Branch, b.Branch)
	compare("for", a.For.String(), b.For.String())
	compare("confidence", number(a.Confidence), number(b.Confidence))
	compare("tags", strings.Join(a.Tags, ", "), strings.Join(b.Tags, ", "))
	compare("pointers", refs(a.Pointers), refs(b.Pointers))
	compare("valid_from", moment(a.ValidFrom), moment(b.ValidFrom))
	compare("valid_until", moment(a.ValidUntil), moment(b.ValidUntil))
	compare("ttl", a.TTL, b.TTL)
	compare("durability", string(a.Durability), string(b.Durability))
	compare("operation", string(a.Operation), string(b.Operation))
	compare("agent", a.Provenance.Agent, b.Provenance.Agent)
	compare("engineer", a.Provenance.Engineer, b.Provenance.Engineer)
	compare("source", string(a.Provenance.Source), string(b.Provenance.Source))
	compare("evidence", a.Provenance.Evidence, b.Provenance.Evidence)
	return changes
}

func number(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func refs(pointers []Pointer) string {
	list := make([]string, len(pointers))
	for i, p := range pointers {
		list[i] = p.Ref
	}
	return strings.Join(list, " ")
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeLayout)
}
