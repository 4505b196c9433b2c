package detect

import "strings"

// terms adds the terms of token i: the parts of a compound that is no name.
func (p *reader) terms(r *reading, i int) {
	t := &p.toks[i]
	if t.kind == symbol {
		return
	}
	low, at := t.low, t.start
	if t.mention == Service {
		low = serviceName(low)
	} else if t.kind == word && t.mention == "" && !t.code && compound(low) {
		for part := range strings.SplitSeq(low, "-") {
			r.terms = append(r.terms, p.term(i, part, at, at+len(part)))
			at += len(part) + 1
		}
		return
	}
	r.terms = append(r.terms, p.term(i, low, t.start, t.end))
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
	return !known(low)
}

// term reads a word of token i.
func (p *reader) term(i int, low string, start, end int) term {
	t := &p.toks[i]
	meant := p.meant(i, low)
	e := term{entry: lookUp(meant), role: p.roleOf(i), start: start, end: end, low: low}
	if k := t.value - 1; k >= 0 && p.vals[k].Type != State && (p.vals[k].Type != "" || p.timesOnly(k)) {
		e.value = int16(t.value)
	}
	switch {
	case t.mention == Path:
		e.kinds |= pathKind
	case p.is(i+1, "team", "squad", "guild") && p.plainOrName(i), p.is(i-1, "team", "squad") && e.role&named != 0:
		e.kinds |= teamKind
	}
	if p.is(i, "no") && i+1 < len(p.toks) && lookUp(p.toks[i+1].low).traits&weak != 0 {
		e.traits |= universal // no service, no endpoint: none of all there are
	}
	if p.is(i, "before", "after") && i+1 < len(p.toks) && p.toks[i+1].value > 0 {
		e.opposed = 0 // after 30 days
	}
	p.weigh(&e, i, meant)
	return e
}

// weigh decides how much a term says, and which say nothing by themselves.
func (p *reader) weigh(e *term, i int, meant string) {
	t := &p.toks[i]
	denies := t.class&neg != 0 || deniesAll(meant)
	switch {
	case denies && (e.role&supposed != 0 || p.describes(i)), p.joined(i):
		e.role |= glue
	case denies:
		e.role = denial
	case t.class&(prep|conj|aux|be|when|starts) != 0 && e.role&literal == 0 && e.opposed == 0 || t.class&fill != 0 && e.traits&weak == 0:
		e.role |= glue
	case e.value > 0: // compared by the rule for values
	case e.role&(named|figure) != 0 || e.kinds != 0:
		e.weight = nameWeight
	case p.activity(i):
		e.weight = strongWeight
	case e.traits&(weak|universal|changing) != 0 || e.traits&(relation|single) == relation, e.opposed != 0 && e.traits&direction == 0,
		t.class&(have|adverb|sets) != 0 || t.class&setting != 0 && e.role == 0:
		e.weight = weakWeight
	default:
		e.weight = strongWeight
	}
}

// describes reports a denial at i that only describes the thing before it: "a job
// that does not end".
func (p *reader) describes(i int) bool { return p.is(i-1, "that", "who") && !p.is(i, "no") }

// plainOrName reports a word that can be the name of a team.
func (p *reader) plainOrName(i int) bool {
	return p.toks[i].kind == word && p.toks[i].class == 0 && lookUp(p.toks[i].low).traits&weak == 0
}

// roleOf returns the roles of token i that its shape tells.
func (p *reader) roleOf(i int) (r role) {
	t := &p.toks[i]
	if t.kind == digits || t.kind == dotted || t.kind == dated {
		r |= figure
	}
	if t.code || t.mention != "" && t.mention != Tool || t.kind == word && p.properName(i) {
		r |= named
	}
	if t.mention == Service || t.mention == URL || t.mention == Path || r&named != 0 && r&figure == 0 && t.mention != Tool && p.distinct(i) {
		r |= owning
	}
	if p.conditional && p.supposed(i) {
		r |= supposed
	}
	if t.code || p.quoted(i) {
		r |= literal
	}
	return r
}

// switches reports whether "on" or "off" at i says that something is.
func (p *reader) switches(i int) bool {
	return p.is(i, "on", "off") && (i+1 == len(p.toks) || p.toks[i+1].kind == symbol || p.is(i+1, "by", "in", "for", "now")) &&
		(p.has(i-1, be|conj|adverb) || p.is(i-1, "been", "turned", "switched"))
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
	t := &p.toks[i]
	if strings.ContainsAny(t.text, "0123456789_/.") {
		return true
	}
	upper := t.text[0] >= 'A' && t.text[0] <= 'Z'
	return upper && i > 0 && p.sentenceWord(i)
}

// distinct reports names that are no abbreviations of general terms: payout-svc,
// Storybook, libs/core, but not OS.
func (p *reader) distinct(i int) bool {
	t := &p.toks[i]
	return t.mention == "" && strings.ContainsAny(t.low, "-/_.") || t.text[0] >= 'A' && t.text[0] <= 'Z' && len(t.text) > 3 && t.text[1] >= 'a'
}

// quoted reports whether token i stands in quotation marks by itself.
func (p *reader) quoted(i int) bool {
	if i == 0 || i+1 >= len(p.toks) || p.toks[i-1].kind != symbol || p.toks[i+1].kind != symbol {
		return false
	}
	return strings.Contains(`"'“”‘’`, p.toks[i-1].text) && strings.Contains(`"'“”‘’`, p.toks[i+1].text)
}
