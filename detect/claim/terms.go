package claim

import (
	"strings"

	"engram/detect/entity"
	"engram/detect/lexicon"
)

// terms adds the terms of token i: the parts of a compound that is no name.
func (p *reader) terms(r *Reading, i int) {
	t := &p.Tokens[i]
	if t.Kind == entity.Symbol {
		return
	}
	low, at := t.Lower, t.Start
	if t.Mention == entity.Service {
		low = entity.ServiceName(low)
	} else if t.Kind == entity.Word && t.Mention == "" && !t.Code && compound(low) {
		for part := range strings.SplitSeq(low, "-") {
			r.Terms = append(r.Terms, p.term(i, part, at, at+len(part)))
			at += len(part) + 1
		}
		return
	}
	r.Terms = append(r.Terms, p.term(i, low, t.Start, t.End))
}

// compound reports words of prose that hyphens join: "size-limit", not KEP-7
// nor "non-idempotent".
func compound(low string) bool {
	if strings.IndexByte(low, '-') < 2 || strings.HasPrefix(low, "non-") || low[len(low)-2] == '-' {
		return false
	}
	for i := range len(low) {
		if low[i] != '-' && (low[i] < 'a' || low[i] > 'z') {
			return false
		}
	}
	return !lexicon.Known(low)
}

// term reads a word of token i.
func (p *reader) term(i int, low string, start, end int) Term {
	t := &p.Tokens[i]
	meant := p.meant(i, low)
	e := Term{Entry: lexicon.LookUp(meant), Role: p.roleOf(i), Start: start, End: end, Lower: low}
	if k := t.ValueIndex - 1; k >= 0 && p.Values[k].Type != entity.State && (p.Values[k].Type != "" || p.timesOnly(k)) {
		e.ValueIndex = int16(t.ValueIndex)
	}
	switch {
	case t.Mention == entity.Path:
		e.Kinds |= lexicon.PathKind
	case p.Is(i+1, "team", "squad", "guild") && p.plainOrName(i), p.Is(i-1, "team", "squad") && e.Role&Named != 0:
		e.Kinds |= lexicon.TeamKind
	}
	if p.Is(i, "no") && i+1 < len(p.Tokens) && lexicon.LookUp(p.Tokens[i+1].Lower).Traits&lexicon.Weak != 0 {
		e.Traits |= lexicon.Universal // no service, no endpoint: none of all there are
	}
	if p.Is(i, "before", "after") && i+1 < len(p.Tokens) && p.Tokens[i+1].ValueIndex > 0 {
		e.Pole = 0 // after 30 days
	}
	p.weigh(&e, i, meant)
	return e
}

// weigh decides how much a term says, and which say nothing by themselves.
func (p *reader) weigh(e *Term, i int, meant string) {
	t := &p.Tokens[i]
	denies := t.Class&lexicon.Neg != 0 || deniesAll(meant)
	switch {
	case denies && (e.Role&Hypothetical != 0 || p.describes(i)), p.joined(i):
		e.Role |= StopWord
	case denies:
		e.Role = Denial
	case t.Class&(lexicon.Prep|lexicon.Conj|lexicon.Aux|lexicon.Copula|lexicon.When|lexicon.ClauseStart) != 0 && e.Role&Literal == 0 && e.Pole == 0 || t.Class&lexicon.Filler != 0 && e.Traits&lexicon.Weak == 0:
		e.Role |= StopWord
	case e.ValueIndex > 0: // compared by the rule for values
	case e.Role&(Named|Numeric) != 0 || e.Kinds != 0:
		e.Weight = nameWeight
	case p.activity(i):
		e.Weight = StrongWeight
	case e.Traits&(lexicon.Weak|lexicon.Universal|lexicon.Changing) != 0 || e.Traits&(lexicon.Relation|lexicon.SingleValued) == lexicon.Relation, e.Pole != 0 && e.Traits&lexicon.Direction == 0,
		t.Class&(lexicon.Have|lexicon.Adverb|lexicon.Sets) != 0 || t.Class&lexicon.Setting != 0 && e.Role == 0:
		e.Weight = WeakWeight
	default:
		e.Weight = StrongWeight
	}
}

// describes reports a denial at i that only describes the thing before it: "a job
// that does not end".
func (p *reader) describes(i int) bool { return p.Is(i-1, "that", "who") && !p.Is(i, "no") }

// plainOrName reports a word that can be the name of a team.
func (p *reader) plainOrName(i int) bool {
	return p.Tokens[i].Kind == entity.Word && p.Tokens[i].Class == 0 && lexicon.LookUp(p.Tokens[i].Lower).Traits&lexicon.Weak == 0
}

// roleOf returns the roles of token i that its shape tells.
func (p *reader) roleOf(i int) (r Role) {
	t := &p.Tokens[i]
	if t.Kind == entity.Digits || t.Kind == entity.Dotted || t.Kind == entity.Dated {
		r |= Numeric
	}
	if t.Code || t.Mention != "" && t.Mention != entity.Tool || t.Kind == entity.Word && p.properName(i) {
		r |= Named
	}
	if t.Mention == entity.Service || t.Mention == entity.URL || t.Mention == entity.Path || r&Named != 0 && r&Numeric == 0 && t.Mention != entity.Tool && p.distinct(i) {
		r |= Unique
	}
	if p.conditional && p.Supposed(i) {
		r |= Hypothetical
	}
	if t.Code || p.quoted(i) {
		r |= Literal
	}
	return r
}

// switches reports whether "on" or "off" at i says that something is.
func (p *reader) switches(i int) bool {
	return p.Is(i, "on", "off") && (i+1 == len(p.Tokens) || p.Tokens[i+1].Kind == entity.Symbol || p.Is(i+1, "by", "in", "for", "now")) &&
		(p.Has(i-1, lexicon.Copula|lexicon.Conj|lexicon.Adverb) || p.Is(i-1, "been", "turned", "switched"))
}

// deniesAll reports the words that deny without a "not".
func deniesAll(w string) bool {
	switch w {
	case "nothing", "nobody", "none", "neither":
		return true
	}
	return false
}

// properName reports a capital that is not that of the beginning of a sentence,
// or letters and digits in one.
func (p *reader) properName(i int) bool {
	t := &p.Tokens[i]
	if strings.ContainsAny(t.Text, "0123456789_/.") {
		return true
	}
	upper := t.Text[0] >= 'A' && t.Text[0] <= 'Z'
	return upper && i > 0 && p.SentenceWord(i)
}

// distinct reports names that are no abbreviations of general terms: payout-svc,
// Storybook, libs/core, but not OS.
func (p *reader) distinct(i int) bool {
	t := &p.Tokens[i]
	return t.Mention == "" && strings.ContainsAny(t.Lower, "-/_.") || t.Text[0] >= 'A' && t.Text[0] <= 'Z' && len(t.Text) > 3 && t.Text[1] >= 'a'
}

// quoted reports whether token i stands in quotation marks by itself.
func (p *reader) quoted(i int) bool {
	if i == 0 || i+1 >= len(p.Tokens) || p.Tokens[i-1].Kind != entity.Symbol || p.Tokens[i+1].Kind != entity.Symbol {
		return false
	}
	return strings.Contains(`"'“”‘’`, p.Tokens[i-1].Text) && strings.Contains(`"'“”‘’`, p.Tokens[i+1].Text)
}
