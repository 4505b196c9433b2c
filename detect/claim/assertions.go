package claim

import (
	"strings"

	"engram/detect/entity"
	"engram/detect/lexicon"
)

// idle reports that the clause on tokens lo to hi asserts nothing that another
// claim could contradict:
//
//  1. A question.
//  2. An example, a supposition or an alternative: for example, suppose, consider.
//  3. A possibility: could, would, might, may or may not.
//  4. A step of a procedure, or an entry of a plan: add, change, create, verify.
//
// Rules (must, should, never, do not) assert.
func (p *reader) idle(lo, hi int) bool {
	if p.Is(hi, "?") || p.hypothetical(lo, hi) || p.steps(lo, hi) {
		return true
	}
	for i := lo; i < hi; i++ {
		switch {
		case p.Is(i, "could", "would", "might") && !p.Is(i+1, "not"), p.Is(i, "may") && p.Is(i+1, "or"), p.Is(i, "e.g"):
			return true
		case p.Is(i, "example", "instance") && p.Is(i-1, "for"):
			return true
		case len(p.Tokens[i].Text) == 1 && strings.IndexByte("TXYZ", p.Tokens[i].Text[0]) >= 0 && !p.Has(i+1, lexicon.Copula):
			return true // a placeholder, unless the clause is about what has that name
		}
	}
	return false
}

// hypothetical reports words at the beginning of a clause that introduce what is only
// thought of.
func (p *reader) hypothetical(lo, hi int) bool {
	for lo < hi && (p.Tokens[lo].Kind == entity.Symbol || p.Is(lo, "and", "or", "so", "the", "a", "an")) {
		lo++
	}
	switch {
	case p.Is(lo, "suppose", "consider", "imagine", "assume", "assuming", "alternatively", "alternative", "possible", "another", "maybe",
		"perhaps", "cons", "pros", "con", "pro", "option", "proposal", "idea", "example", "examples", "scenario", "case", "whether",
		"some", "certain", "another", "many", "to"):
		return true
	case p.Is(lo, "if"):
		return p.Is(lo+1, "you", "we", "i", "someone", "instead") || p.Is(lo+2, "were", "had")
	}
	return false
}

// steps reports that the clause begins with the imperative of a step, rather than
// with a noun ("test coverage is 80%") or a rule.
func (p *reader) steps(lo, hi int) bool {
	for lo < hi && (p.Tokens[lo].Kind == entity.Symbol || p.Tokens[lo].Kind == entity.Digits || p.Is(lo, "then", "first", "finally", "next")) {
		lo++
	}
	if !p.Is(lo, "add", "adding", "change", "changing", "update", "updating", "create", "creating", "deploy", "mark", "verify", "check",
		"remove", "removing", "implement", "implementing", "introduce", "extend", "modify", "replace", "confirm", "test", "bring", "brought",
		"delete", "move", "promote", "graduate", "expand", "define", "investigate") {
		return false
	}
	if p.Has(lo+1, lexicon.Filler|lexicon.Prep) || p.Is(lo+1, "whether") || lo+1 < hi && (p.Tokens[lo+1].Code || p.Tokens[lo+1].ValueIndex > 0) {
		return true
	}
	for i := lo + 1; i < hi; i++ {
		if p.Has(i, lexicon.Copula|lexicon.Have|lexicon.Aux) {
			return false
		}
	}
	return true
}

// markup reports a text that is no sentence: an image, a directive, a row of a
// table, a lone piece of code, what an element of a list is at some moment.
func (p *reader) markup() bool {
	text := strings.TrimSpace(p.Text)
	for _, lead := range [...]string{"image::", "![", "<img", "|", "---"} {
		if strings.HasPrefix(text, lead) {
			return true
		}
	}
	rest, code := strings.CutPrefix(text, "`")
	if !code {
		return false
	}
	span, behind, _ := strings.Cut(rest, "`")
	return behind == "" || strings.HasPrefix(behind, " = ") && strings.IndexByte(span, '[') > 0
}
