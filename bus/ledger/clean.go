package ledger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/internal/lazyregexp"
)

// Bounds of a stored event.
const (
	maxAgent = 80 // characters of the name of an agent
	maxList  = 64 // ids, kinds and types of pointers
	maxCount = 1_000_000
)

// other replaces an unknown word.
const other = "other"

var (
	idForm   = lazyregexp.New(`^[0-9A-HJKMNP-TV-Z]{26}$`) // a ULID
	wordForm = lazyregexp.New(`^[A-Za-z_]{1,40}$`)
)

// roles are counted by name, the roles of the bus document among them. Any other role is
// counted as other: on the wire a role is free text.
var roles = []string{"architect", "director", "manager", "programmer", "reviewer", "tester", "researcher", "planner", "lead", "worker"}

func knownRole(role string) string {
	role = strings.ToLower(strings.TrimSpace(role))
	return knownOr(role, slices.Contains(roles, role))
}

var pointerTypes = []string{"repo", "artifact", "sam", "diff", "test", "url"}

// clean removes everything from an event that could be free text. Known words, ids, counts,
// and names of one word without a secret stay.
func (l *Ledger) clean(e Event) (Event, error) {
	if !slices.Contains([]Name{EngramPut, EngramQuery, DerefRequest, DerefGrant, BudgetReject}, e.Name) {
		return e, fmt.Errorf("unknown event %.40q", e.Name)
	}
	e.Agent, e.Child = l.nameOf(e.Agent), l.nameOf(e.Child)
	e.Role = knownRole(e.Role)
	e.Code, e.Limit = knownOr(e.Code, wordForm.MatchString(e.Code)), knownOr(e.Limit, wordForm.MatchString(e.Limit))
	e.IDs = slices.DeleteFunc(slices.Clone(e.IDs), func(id string) bool { return !idForm.MatchString(id) })
	e.Kinds, e.Pointers = slices.Clone(e.Kinds), slices.Clone(e.Pointers)
	for i, kind := range e.Kinds {
		e.Kinds[i] = knownOr(kind, slices.Contains(facts.Kinds(), facts.Kind(kind)))
	}
	for i, t := range e.Pointers {
		e.Pointers[i] = knownOr(t, slices.Contains(pointerTypes, t))
	}
	e.IDs, e.Kinds, e.Pointers = e.IDs[:min(len(e.IDs), maxList)], e.Kinds[:min(len(e.Kinds), maxList)], e.Pointers[:min(len(e.Pointers), maxList)]
	for _, n := range []*int{&e.Count, &e.Tokens, &e.Contradictions} {
		*n = min(max(*n, 0), maxCount)
	}
	return e, nil
}

func knownOr(word string, known bool) string {
	if word == "" || known {
		return word
	}
	return other
}

// nameOf returns the stored form of an agent's name: other if the name is invalid in facts
// or holds a secret.
func (l *Ledger) nameOf(name string) string {
	word := oneWord(name)
	known := utf8.ValidString(name) && utf8.RuneCountInString(name) <= facts.MaxName && strings.IndexFunc(name, unicode.IsControl) < 0 &&
		!l.opts.Secret(name) && !l.opts.Secret(word)
	return knownOr(word, known)
}

// oneWord returns the name of an agent as one word: a longer text is cut at its first
// space.
func oneWord(name string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(name), " ")
	word = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._:@+-", r) {
			return r
		}
		return '_'
	}, word)
	if runes := []rune(word); len(runes) > maxAgent {
		word = string(runes[:maxAgent])
	}
	if rest != "" {
		word += "_"
	}
	return word
}
