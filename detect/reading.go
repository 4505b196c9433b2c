package detect

import (
	"slices"
	"strings"
)

// reading is what comparing needs to know of a claim, worked out once.
type reading struct {
	terms   []term
	clauses []clause
	values  []stated
	strong  []uint32 // the ids of terms that say what it is about, sorted
	scope   []uint32 // the ids of the words of the scope
	signs   signs
}

// signs are what a claim must have for a rule to find anything in it.
type signs uint8

const (
	hasValue signs = 1 << iota
	hasDenial
	hasOpposed
	hasKind
	hasLife
	hasChange
	hasUniversal
)

// role says what part a term plays in its clause.
type role uint8

const (
	named   role = 1 << iota // an identifier or a proper name
	literal                  // in quotation marks or backticks
	figure                   // a number or version
	denial                   // not, never, without
	shadow                   // only mentioned as what is not or no longer so
	owning                   // a name that means one thing wherever it is used
	glue                     // says nothing by itself: the, of, and
)

// term is a word of a claim as the rules see it.
type term struct {
	entry
	role       role
	weight     int8
	value      int16 // 1 + the index of the value it is part of
	start, end int
}

// The weights of terms.
const (
	weakWeight   = 1
	strongWeight = 3
	nameWeight   = 4
)

// clause is a part of a claim that states something by itself.
type clause struct {
	from, to   int // its terms
	verb       int // the term that links its subject to the rest, or from
	denials    int
	conditions []condition
	signs      signs
	open       bool // leaves room for others
}

// stated is a value with the clause and the terms it stands in.
type stated struct {
	Entity
	clause, from, to int
	near, far        int // the terms that may say what it is of, where a clause has several
	conditions       []condition
}

// condition is a circumstance under which something is said to hold.
type condition struct {
	text string
	ids  []uint32
}

// read prepares a claim for comparing. The parser has found its values.
func (p *parser) read(scope string) reading {
	r := reading{terms: make([]term, 0, len(p.toks))}
	first := make([]int, len(p.toks)+1) // the first term of each token
	start := 0
	for i := range p.toks {
		first[i] = len(r.terms)
		if p.ends(i) {
			p.addClause(&r, start, i, first)
			start = i + 1
			continue
		}
		p.terms(&r, i)
	}
	first[len(p.toks)] = len(r.terms)
	p.addClause(&r, start, len(p.toks), first)
	p.stated(&r, first)
	r.index(scope)
	return r
}

// ends reports whether token i parts two clauses.
func (p *parser) ends(i int) bool {
	t := &p.toks[i]
	if t.kind == symbol {
		return t.low == ";" || t.low == "!" || t.low == "?" || t.low == "." && !t.glued || t.low == "." && (i+1 == len(p.toks) || !p.toks[i+1].glued)
	}
	return p.is(i, "but", "while", "whereas", "although")
}

// terms adds the terms of token i: the parts of a compound that is no name.
func (p *parser) terms(r *reading, i int) {
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

// compound reports words of prose that hyphens join: "size-limit", not KEP-7.
func compound(low string) bool {
	if strings.IndexByte(low, '-') < 2 || low[len(low)-2] == '-' {
		return false
	}
	for i := range len(low) {
		if low[i] != '-' && (low[i] < 'a' || low[i] > 'z') {
			return false
		}
	}
	_, whole := lexicon()[stem(low)]
	return !whole
}

// term reads a word of token i.
func (p *parser) term(i int, low string, start, end int) term {
	t := &p.toks[i]
	e := term{entry: lookUp(low), start: start, end: end, weight: strongWeight}
	if t.kind == digits || t.kind == dotted || t.kind == dated {
		e.role |= figure
	}
	if t.value > 0 && p.vals[t.value-1].Type != "" && p.vals[t.value-1].Type != State {
		e.value = int16(t.value)
	}
	if t.code || t.mention != "" && t.mention != Tool || t.kind == word && p.properName(i) {
		e.role |= named
	}
	if t.mention == Service || t.mention == URL || t.mention == Path || e.role&named != 0 && p.distinct(i) {
		e.role |= owning
	}
	if t.code || p.quoted(i) {
		e.role |= literal
	}
	switch {
	case t.class&neg != 0 || e.traits&universal != 0 && deniesAll(low):
		e.role, e.weight = denial, 0
	case t.class&(prep|conj|aux|be|when|starts) != 0 && e.role&literal == 0 || t.class&fill != 0 && e.traits&weak == 0:
		e.role, e.weight = e.role|glue, 0
	case e.value > 0:
		e.weight = 0
	case e.role&(named|figure) != 0 || e.kinds != 0:
		e.weight = nameWeight
	case e.traits&(weak|universal) != 0 || e.opposed != 0 || t.class&(have|adverb|sets) != 0:
		e.weight = weakWeight
	}
	return e
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
func (p *parser) properName(i int) bool {
	t := &p.toks[i]
	if strings.ContainsAny(t.text, "0123456789_/.") {
		return true
	}
	upper := t.text[0] >= 'A' && t.text[0] <= 'Z'
	return upper && i > 0 && p.sentenceWord(i)
}

// distinct reports names that are no abbreviations of general terms: payout-svc,
// Storybook, libs/core, but not OS.
func (p *parser) distinct(i int) bool {
	t := &p.toks[i]
	return t.mention == "" && strings.ContainsAny(t.low, "-/_.") || t.text[0] >= 'A' && t.text[0] <= 'Z' && len(t.text) > 3 && t.text[1] >= 'a'
}

// quoted reports whether token i stands in quotation marks by itself.
func (p *parser) quoted(i int) bool {
	if i == 0 || i+1 >= len(p.toks) || p.toks[i-1].kind != symbol || p.toks[i+1].kind != symbol {
		return false
	}
	return strings.Contains(`"'“”‘’`, p.toks[i-1].text) && strings.Contains(`"'“”‘’`, p.toks[i+1].text)
}

// index gathers what the whole claim has.
func (r *reading) index(scope string) {
	for i := range r.terms {
		t := &r.terms[i]
		if t.weight >= strongWeight && t.role&shadow == 0 {
			r.strong = append(r.strong, t.id)
		}
	}
	for w := range strings.FieldsFuncSeq(lower(scope), func(c rune) bool { return strings.ContainsRune("/-_. ", c) }) {
		r.scope = append(r.scope, lookUp(w).id)
	}
	slices.Sort(r.strong)
	r.strong = slices.Compact(r.strong)
	for i := range r.clauses {
		r.signs |= r.clauses[i].signs
	}
	if len(r.values) > 0 {
		r.signs |= hasValue
	}
}
