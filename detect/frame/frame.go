// Package frame reads a claim as statements: clauses with their words, what they deny,
// and the quantities they give. It sets aside how somebody came to know ("heads-up",
// "as discussed yesterday"). It is pure, deterministic and does not compare claims;
// package clash does.
package frame

import (
	"slices"
	"strings"
	"unicode"

	"engram/detect/lexicon"
	"engram/detect/quantity"
)

// Role says what a token is beside its meaning.
type Role uint8

// The roles.
const (
	Content Role = 1 << iota // carries meaning
	Name                     // an identifier, a path, a host, a proper name
	Code                     // an identifier, a path, or in backticks
	Proper                   // has a capital letter of its own
	Denies                   // denies its clause
)

// Token is a word of a claim.
type Token struct {
	quantity.Word
	lexicon.Sense
	Role   Role
	Weight float32  // how much it tells of what the claim is about; 0 for stop words and quantities
	Value  int      // 1 + the index of the quantity it is part of
	Clause int      // the index of its clause
	Parts  []uint32 // the stems of the parts of an identifier
}

// Clause is a part of a claim that states something.
type Clause struct {
	From, To    int // its tokens
	Denials     int
	Conditional bool // if, when, unless, with, without
	Aside       bool // an explanation, or how somebody came to know
}

// Frame is a claim that was read.
type Frame struct {
	Text       string
	Tokens     []Token
	Quantities []quantity.Quantity
	Clauses    []Clause
	// Keys are the stems and meanings of the words of weight, sorted: two claims
	// without a common key are about different things.
	Keys []uint32
	// Step tells that the claim begins with a bare verb, as the steps of a test and of a
	// manual do; Dated, that it begins with a date, as the lines of a history.
	Step, Dated bool
	// Evolving, Excluding and Admitting count the words of these parts.
	Evolving, Excluding, Admitting int
}

// maxText is the longest text that is read, in bytes.
const maxText = 4000

// Read reads a claim.
func Read(text string) *Frame {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	words := quantity.Split(text)
	f := &Frame{Text: text, Quantities: quantity.Read(words), Tokens: make([]Token, len(words))}
	for i, w := range words {
		f.Tokens[i] = Token{Word: w}
		if w.Form != quantity.Symbol {
			f.Tokens[i].Sense = lexicon.SenseOf(w.Lower)
		}
	}
	for q := range f.Quantities {
		for i := f.Quantities[q].From; i < f.Quantities[q].To; i++ {
			f.Tokens[i].Value = q + 1
		}
	}
	f.joinHyphens()
	f.assignRoles()
	f.cut()
	f.count()
	f.Step, f.Dated = f.step(), f.dated()
	return f
}

// step reports a text that begins with a bare verb of what somebody does in a test or by
// a manual.
func (f *Frame) step() bool {
	switch f.Lower(f.start()) {
	case "add", "adjust", "allow", "apply", "ask", "assert", "attach", "build", "call", "change", "check", "confirm", "configure", "copy", "create", "define", "delete", "deploy", "describe", "disable", "downgrade",
		"enable", "ensure", "execute", "generate", "get", "give", "implement", "improve", "install", "introduce", "invoke", "list", "make", "mark", "measure", "modify", "monitor", "observe", "open", "patch", "perform",
		"post", "prepare", "promote", "provide", "query", "read", "remove", "rename", "repeat", "replace", "restart", "return", "rotate", "scale", "schedule", "set", "show", "simulate", "start", "stop", "submit",
		"test", "trigger", "try", "update", "upgrade", "validate", "verify", "wait", "write":
		return len(f.Tokens) > 2
	}
	return false
}

// dated reports a text that begins with a day.
func (f *Frame) dated() bool {
	i := f.start()
	return i < len(f.Tokens) && f.Tokens[i].Value > 0 && f.Quantities[f.Tokens[i].Value-1].Dim == quantity.Date
}

// start returns the first token that is no symbol.
func (f *Frame) start() (i int) {
	for i < len(f.Tokens) && f.Tokens[i].Form == quantity.Symbol {
		i++
	}
	return i
}

// joinHyphens gives the last part of a word with hyphens what is known of the whole.
func (f *Frame) joinHyphens() {
	for i := 1; i+1 < len(f.Tokens); i++ {
		left, right := &f.Tokens[i-1], &f.Tokens[i+1]
		if f.Tokens[i].Lower != "-" || !f.Tokens[i].Glued || !right.Glued {
			continue
		}
		whole := lexicon.SenseOf(left.Lower + "-" + right.Lower)
		if len(whole.Kinds)+len(whole.Opposed)+len(whole.Cases) > 0 || whole.Part != 0 {
			right.Kinds, right.Opposed, right.Cases = whole.Kinds, whole.Opposed, whole.Cases
			right.Part |= whole.Part
			left.Kinds, left.Opposed, left.Cases = nil, nil, nil
		}
	}
}

// The weights of tokens: how much sharing one says.
const (
	nameWeight   = 1.3
	rareWeight   = 1
	knownWeight  = 0.75
	commonWeight = 0.35
	asideWeight  = 0.2
)

func (f *Frame) assignRoles() {
	first := true // of a sentence
	for i := range f.Tokens {
		t := &f.Tokens[i]
		switch {
		case t.Form == quantity.Symbol:
			first = first || strings.Contains(".;:!?", t.Lower)
			continue
		case t.Form == quantity.Identifier || t.Form == quantity.Path:
			t.Role = Content | Name | Code
			t.Parts = partsOf(t.Text)
		case t.Value > 0:
			t.Role = Content
		case t.Part&lexicon.Stop != 0:
		default:
			t.Role = Content
			if capital(t.Text) && (!first || len(t.Kinds) > 0) && len(t.Text) > 1 {
				t.Role |= Proper | Name
			}
			if t.Quoted {
				t.Role |= Code
			}
		}
		if f.denies(i) {
			t.Role |= Denies
		}
		t.Weight = t.weight()
		first = false
	}
}

func (t *Token) weight() float32 {
	switch {
	case t.Value > 0 || t.Role&Content == 0 || t.Role&Denies != 0:
		return 0
	case t.Role&Name != 0:
		return nameWeight
	case t.Part&lexicon.Framing != 0:
		return asideWeight
	case t.Part&lexicon.Common != 0:
		return commonWeight
	case len(t.Topics) > 0:
		return knownWeight
	}
	return rareWeight
}

// denies reports a token that denies its clause, and not "nothing but", "not only",
// "no other", "nowhere else", "no matter".
func (f *Frame) denies(i int) bool {
	t := &f.Tokens[i]
	if t.Part&lexicon.Negator == 0 || t.Value > 0 {
		return false
	}
	switch f.Lower(i + 1) {
	case "but", "only", "other", "else", "matter", "doubt", "more", "less", "later", "earlier", "older", "until", "before", "exception", "exceptions", "fail", "any":
		return false
	}
	switch t.Lower {
	case "stop", "stops", "stopped", "missing", "absent", "fails", "drop", "drops", "dropped", "leaves", "nothing", "instead":
		return t.Lower == "leaves" && f.Has("out", i, i+8) || t.Lower == "nothing" && !f.Has("else", i, i+3)
	}
	return true
}

// Lower returns token i in lower case, "" outside the text.
func (f *Frame) Lower(i int) string {
	if i < 0 || i >= len(f.Tokens) {
		return ""
	}
	return f.Tokens[i].Lower
}

// Has reports a word among tokens from to to.
func (f *Frame) Has(word string, from, to int) bool {
	for i := max(from, 0); i < min(to, len(f.Tokens)); i++ {
		if f.Tokens[i].Lower == word {
			return true
		}
	}
	return false
}

func capital(w string) bool {
	for _, r := range w {
		return unicode.IsUpper(r)
	}
	return false
}

// partsOf returns the stems of the parts of an identifier: AUTH_SESSION_TTL, getUser.
func partsOf(name string) (parts []uint32) {
	start, lower := 0, false
	cut := func(end int) {
		if end-start > 1 {
			parts = append(parts, lexicon.SenseOf(strings.ToLower(name[start:end])).Stem)
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start, lower = i+len(string(r)), false
		case unicode.IsUpper(r) && lower:
			cut(i)
			start, lower = i, false
		default:
			lower = unicode.IsLower(r)
		}
	}
	cut(len(name))
	return parts
}

// cut parts the tokens into clauses: at the ends of sentences, at semicolons and
// brackets, and before conjunctions that begin another statement.
func (f *Frame) cut() {
	from := 0
	end := func(to int) {
		if to > from {
			f.Clauses = append(f.Clauses, f.clause(from, to))
			from = to
		}
	}
	for i := range f.Tokens {
		switch t := &f.Tokens[i]; {
		case t.Form == quantity.Symbol && strings.Contains(".;!?()", t.Lower):
			end(i + 1)
		case f.begins(i):
			end(i)
		}
	}
	end(len(f.Tokens))
	for c := range f.Clauses {
		for i := f.Clauses[c].From; i < f.Clauses[c].To; i++ {
			f.Tokens[i].Clause = c
		}
	}
}

// begins reports a word that begins another statement.
func (f *Frame) begins(i int) bool {
	switch f.Lower(i) {
	case "because", "but", "whereas", "although", "though", "which", "while", "who", "whose":
		return i > 0
	case "since", "so", "and", "it", "they", "where", "then", "this", "that's", "as", "we", "he", "she", "otherwise", "after", "with":
		return f.Lower(i-1) == ","
	}
	return false
}

func (f *Frame) clause(from, to int) Clause {
	c := Clause{From: from, To: to}
	switch f.Lower(from) {
	case "because", "since", "who", "whose", "otherwise", "though", "although":
		c.Aside = true
	}
	for i := from; i < to; i++ {
		t := &f.Tokens[i]
		if t.Role&Denies != 0 {
			c.Denials++
		}
		switch t.Lower {
		case "if", "when", "unless", "whenever", "while", "once", "until", "without", "during", "after", "as soon", "in case":
			c.Conditional = true
		}
	}
	return c
}

func (f *Frame) count() {
	for i := range f.Tokens {
		t := &f.Tokens[i]
		if t.Part&lexicon.Evolving != 0 {
			f.Evolving++
		}
		if t.Part&lexicon.Excluding != 0 {
			f.Excluding++
		}
		if t.Part&lexicon.Admitting != 0 {
			f.Admitting++
		}
		if t.Weight >= knownWeight {
			f.Keys = append(f.Keys, t.ID, t.Stem)
			f.Keys = append(f.Keys, t.Parts...)
		}
	}
	slices.Sort(f.Keys)
	f.Keys = slices.Compact(f.Keys)
}
