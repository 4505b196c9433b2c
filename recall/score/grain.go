package score

import (
	"strings"

	"engram/internal/lazyregexp"
)

// Grain is how specific a question is (source document 5, §8.3 and Annex A.6).
type Grain string

// The grains.
const (
	ExactGrain Grain = "exact"     // asks for a string letter by letter
	Local      Grain = "local"     // asks for one thing that happened
	Thematic   Grain = "thematic"  // asks about a subject over time
	Strategic  Grain = "strategic" // asks for decisions, rules and lessons
)

var (
	// Words for deciding, for reasons, and for what is agreed or learnt.
	strategicRE = lazyregexp.New(`(?i)\b(decid(e|ed|es|ing)|decisions?|chose|chosen|choose|choices?|pick(ed)?|prefer(red)?|select(ed|ion)?|settled? (on|for)|adopt(ed)?|opted` +
		`|why|reasons?|reasoning|thinking behind|rationale|motives?|motivat(ed|ion)|justif(y|ied|ies|ication)|arguments?|trade-?offs?|pros and cons|what made|speaks? for|spoke for|in favou?r of|advantages?` +
		`|polic(y|ies)|lessons?|learn(ed|t)|principles?|conventions?|agreed|root cause)\b`)
	thematicRE = lazyregexp.New(`(?i)\b(overview|summary|summari[sz]e|history of|what (have|has|did) (we|you|they|been) (been )?(do|done|work|working|worked)|so far|everything (about|on)|sessions? (about|on)|topics?|timeline|progress (on|of))\b`)
)

// GrainOf tells the grain of a question by its words; exact says that it has exact strings.
func GrainOf(question string, exact bool) Grain {
	switch {
	case exact:
		return ExactGrain
	case thematicRE.MatchString(question):
		return Thematic
	case strategicRE.MatchString(question):
		return Strategic
	}
	return Local
}

// OfViews is how much a grain trusts views: the strength of one is multiplied by it. An exact
// question needs the events themselves.
func (g Grain) OfViews() float64 {
	switch g {
	case ExactGrain:
		return 0.2
	case Local:
		return 0.5
	}
	return 1
}

// longestQuestion is how many words a question for a reason has: in a longer text, a "why" is about
// something else as often as not.
const longestQuestion = 40

// AsksForReason reports a question for a decision or its reason.
func AsksForReason(question string) bool {
	return len(strings.Fields(question)) <= longestQuestion && GrainOf(question, false) == Strategic
}
