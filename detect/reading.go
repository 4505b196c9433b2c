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
	places  []uint32 // the ids of its parts
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
	hasOrder
)

// role says what part a term plays in its clause.
type role uint16

const (
	named    role = 1 << iota // an identifier or a proper name
	literal                   // in quotation marks or backticks
	figure                    // a number or version
	denial                    // not, never, without
	shadow                    // only mentioned as what is not so
	past                      // a shadow that was so before
	owning                    // a name that means one thing wherever it is used
	supposed                  // in a condition: if, when, unless
	glue                      // says nothing by itself: the, of, and
	topic                     // stands before the verb: what the clause is about
)

// term is a word of a claim as the rules see it.
type term struct {
	entry
	role       role
	weight     int8
	value      int16 // 1 + the index of the value it is part of
	start, end int
	low        string // as it is written, in lower case
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
	given      []condition // those of the form "with the flag set", which are among conditions
	signs      signs
	open       bool // leaves room for others
	only       bool // leaves no room for others: only, sole, no other
	dismisses  bool // says of what it mentions that it is not so, or is not accepted
	idle       bool // asserts nothing: a question, an example, a step
	reserved   bool // holds unless, until or only if something is so, or for what is without something
}

// stated is a value with the clause and the terms it stands in.
type stated struct {
	Entity
	clause, from, to int
	near, far        int // the terms that may say what it is of, where a clause has several
	conditions       []condition
}

// reader reads a claim of which the entities are found.
type reader struct {
	*parser
	// conditional is set if there is a condition: if, when, unless.
	conditional bool
}

// maxRead is the longest text that is read for comparing, in bytes: twice what a
// claim may have. It bounds the work of comparing.
const maxRead = 1000

// read prepares a claim for comparing. The parser has found its values.
func (p *reader) read(scope string) reading {
	if len(p.text) > maxRead || p.markup() {
		return reading{}
	}
	p.conditional = slices.ContainsFunc(p.toks, func(t token) bool { return t.class&when != 0 })
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

// index gathers what the whole claim has.
func (r *reading) index(scope string) {
	for i := range r.terms {
		if t := &r.terms[i]; t.weight >= strongWeight && t.role&shadow == 0 {
			r.strong = append(r.strong, t.id)
		}
	}
	for w := range strings.FieldsFuncSeq(lower(scope), func(c rune) bool { return strings.ContainsRune("/-_. ", c) }) {
		r.scope = append(r.scope, lookUp(w).id)
	}
	for w := range strings.SplitSeq(lower(scope), "/") {
		r.places = append(r.places, lookUp(w).id)
	}
	r.scope = append(r.scope, r.places...)
	slices.Sort(r.strong)
	slices.Sort(r.scope)
	r.strong, r.scope = slices.Compact(r.strong), slices.Compact(r.scope)
	for i := range r.clauses {
		r.signs |= r.clauses[i].signs
	}
	if len(r.values) > 0 {
		r.signs |= hasValue
	}
}

// find returns the first term of this meaning, or -1.
func (r *reading) find(id uint32) int {
	for i := range r.terms {
		if r.terms[i].id == id && r.terms[i].role&(shadow|glue) == 0 {
			return i
		}
	}
	return -1
}

// findIn is find within some terms.
func (r *reading) findIn(id uint32, from, to int) int {
	for i := from; i < to; i++ {
		if r.terms[i].id == id && r.terms[i].role&(shadow|glue) == 0 {
			return i
		}
	}
	return -1
}

// at returns the first term that begins at a byte of the text or behind it.
func (r *reading) at(start int) int {
	for i := range r.terms {
		if r.terms[i].start >= start {
			return i
		}
	}
	return len(r.terms)
}

// clauseOf returns the clause of a term.
func (r *reading) clauseOf(term int) *clause {
	for i := range r.clauses {
		if term < r.clauses[i].to {
			return &r.clauses[i]
		}
	}
	return &r.clauses[len(r.clauses)-1]
}
