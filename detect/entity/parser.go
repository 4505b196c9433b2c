package entity

import "engram/detect/lexicon"

// mention records what tokens i to last name; the name stays with the last.
func (p *Parser) mention(i, last int, typ Type, name string) {
	e := Entity{Type: typ, Name: name, Start: p.Tokens[i].Start, End: p.Tokens[last].End}
	if typ == Path || typ == URL {
		e.Text = name
	}
	p.Tokens[last].Mention, p.Tokens[last].name = typ, name
	p.out = append(p.out, e)
}

// Parser is one run over one text.
type Parser struct {
	Text, Lower string
	Tokens      []Token
	out         []Entity // mentions
	Values      []value
	inCode      bool
	noTick      bool // no backtick follows
}

// At returns the byte at i, or zero.
func (p *Parser) At(i int) byte {
	if i < 0 || i >= len(p.Text) {
		return 0
	}
	return p.Text[i]
}

// Is reports whether token i is one of these, by its text in lower case.
func (p *Parser) Is(i int, texts ...string) bool {
	if i < 0 || i >= len(p.Tokens) {
		return false
	}
	for _, s := range texts {
		if p.Tokens[i].Lower == s {
			return true
		}
	}
	return false
}

// Has reports whether token i is a word of one of these classes.
func (p *Parser) Has(i int, c lexicon.Class) bool {
	return i >= 0 && i < len(p.Tokens) && p.Tokens[i].Class&c != 0
}

// put records a value on n tokens from i and returns n.
func (p *Parser) put(e Entity, i, n int) int {
	e.Start, e.End = p.Tokens[i].Start, p.Tokens[i+n-1].End
	v := value{Entity: e, First: i, Last: i + n - 1, Left: i}
	p.bound(&v)
	p.Values = append(p.Values, v)
	for j := i; j < i+n; j++ {
		p.Tokens[j].ValueIndex = len(p.Values)
	}
	return n
}

// bound reads the words just before a value that say how exact it is.
func (p *Parser) bound(v *value) {
	for i := v.First - 1; i >= 0 && i >= v.First-4 && p.Tokens[i].ValueIndex == 0; i-- {
		two := i > 0 && p.Is(i-1, "at", "no", "not")
		switch t := &p.Tokens[i]; {
		case t.Lower == "least" && two || t.Lower == ">=" || t.Lower == ">" || t.Lower == "minimum" && v.Bound == "" && p.Is(i-1, "a"):
			v.Bound = AtLeast
		case t.Lower == "most" && two || t.Lower == "<=" || t.Lower == "<" || p.Is(i, "max", "maximum") && p.Is(i+1, "of"):
			v.Bound = AtMost
		case t.Lower == "to" && p.Is(i-1, "up"):
			v.Bound = AtMost
			i--
		case t.Lower == "than" && p.Is(i-1, "more", "greater", "longer", "fewer", "less", "shorter", "later", "older", "larger", "smaller"):
			i--
			more := !p.Is(i, "fewer", "less", "shorter", "smaller")
			if more != p.Is(i-1, "no", "not") {
				v.Bound = AtLeast
			} else {
				v.Bound = AtMost
			}
		case t.Lower == "over" || t.Lower == "above" || t.Lower == "exceeds" || t.Lower == "exceed":
			v.Bound = AtLeast
			if t.Lower != "over" && t.Lower != "above" {
				return
			}
		case t.Lower == "under" || t.Lower == "below" || t.Lower == "within":
			v.Bound = AtMost
		case t.Class&lexicon.About != 0 || t.Lower == "~":
			v.Bound = About
		case t.Class&lexicon.Former != 0:
			v.Old = true
		case t.Class&lexicon.Neg != 0 && t.Lower != "no":
			v.Negated = true
		case t.Lower == "of" && p.Is(i-1, "instead"):
			v.Old = true
			i--
		case t.Lower == "longer" && p.Is(i-1, "no"):
			v.Negated = true
			i--
		case t.Lower == "a" || t.Lower == "exactly" || t.Lower == "the" || t.Lower == "only":
		default:
			return
		}
		v.Left = i
		if two && (p.Is(i, "least", "most")) {
			i--
			v.Left = i
		}
	}
}
