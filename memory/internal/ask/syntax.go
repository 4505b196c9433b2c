package ask

import (
	"strings"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// searchSyntax is a question in search syntax:
//
//	word       may occur
//	+word      must occur
//	-word      must not occur
//	"a phrase" must occur in this order, in claim or detail
//
// Words are matched as in any question: by stem, identifiers by part.
type searchSyntax struct {
	text          string // everything except the words that must not occur
	must, mustNot []string
	phrases       []string // in lower case, with single spaces
}

func parseSyntax(question string) (searchSyntax, error) {
	var d searchSyntax
	var text []string
	for rest := strings.TrimSpace(question); rest != ""; rest = strings.TrimSpace(rest) {
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			phrase, after, closed := strings.Cut(quoted, `"`)
			if !closed {
				return d, core.UsageErrorf(hint.New("close the quote, or omit it"), "a quote is not closed: %s", rest)
			}
			if phrase = facts.FoldSpace(phrase); phrase != "" {
				d.phrases = append(d.phrases, strings.ToLower(phrase))
				d.must, text = append(d.must, phrase), append(text, phrase)
			}
			rest = after
			continue
		}
		word, after, _ := strings.Cut(rest, " ")
		rest = after
		switch bare := word[1:]; {
		case word[0] == '+' && bare != "":
			d.must, text = append(d.must, bare), append(text, bare)
		case word[0] == '-' && bare != "":
			d.mustNot = append(d.mustNot, bare)
		default:
			text = append(text, word)
		}
	}
	if d.text = strings.Join(text, " "); d.text == "" {
		return d, core.UsageErrorf(hint.New("say what it is about as well"), "the question only says what must not occur")
	}
	return d, nil
}

func hasPhrases(f facts.Fact, phrases []string) bool {
	for _, phrase := range phrases {
		text := strings.ToLower(facts.FoldSpace(f.Claim) + "\n" + facts.FoldSpace(f.Detail))
		if !strings.Contains(text, phrase) {
			return false
		}
	}
	return true
}
