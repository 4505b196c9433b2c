package ledger

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"engram/facts"
)

// Bounds of what an event keeps.
const (
	maxAgent = 80 // characters of the name of an agent
	maxList  = 64 // ids, kinds and types of pointers
	maxCount = 1_000_000
)

// other stands for a word that is not known.
const other = "other"

var (
	idForm   = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`) // a ULID
	roleForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$`)
	wordForm = regexp.MustCompile(`^[A-Za-z_]{1,40}$`)
)

func pointerTypes() []string { return []string{"repo", "artifact", "sam", "diff", "test", "url"} }

// clean leaves of an event what can be no text: known words, ids, counts, and names of
// one word.
func clean(e Event) (Event, error) {
	if !slices.Contains([]Name{EngramPut, EngramQuery, DerefRequest, DerefGrant, BudgetReject}, e.Name) {
		return e, fmt.Errorf("there is no event %.40q", e.Name)
	}
	e.Agent, e.Child = oneWord(e.Agent), oneWord(e.Child)
	e.Role = knownOr(e.Role, roleForm.MatchString(e.Role))
	e.Code, e.Limit = knownOr(e.Code, wordForm.MatchString(e.Code)), knownOr(e.Limit, wordForm.MatchString(e.Limit))
	e.IDs = slices.DeleteFunc(slices.Clone(e.IDs), func(id string) bool { return !idForm.MatchString(id) })
	e.Kinds, e.Pointers = slices.Clone(e.Kinds), slices.Clone(e.Pointers)
	for i, kind := range e.Kinds {
		e.Kinds[i] = knownOr(kind, slices.Contains(facts.Kinds(), facts.Kind(kind)))
	}
	for i, t := range e.Pointers {
		e.Pointers[i] = knownOr(t, slices.Contains(pointerTypes(), t))
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

// oneWord is the name of an agent; one that could be a sentence is cut at its first
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
