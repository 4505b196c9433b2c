package entity

import (
	"strings"

	"engram/detect/lexicon"
)

const (
	maxWindow = 18 // tokens before a value that may name it
	maxWords  = 7  // words of a name; what has more is too vague to compare
)

// nameAll ties every value to what it is of, as far as the text says it.
func (p *Parser) nameAll() {
	for k := range p.Values {
		v := &p.Values[k]
		right := ""
		if v.Type == Number {
			right = p.nounAfter(v)
		}
		lo := p.window(k)
		of, name := p.split(lo, v.Left)
		if v.Name != "" { // a version knows its product, a use its object
			if of == "" {
				of = name
			}
			if of != v.Name {
				v.Of = of
			}
			v.Loose = v.Type == Release && v.Of == "" && !p.Has(v.Last+1, lexicon.Copula)
			continue
		}
		if right != "" {
			v.Loose = of == "" && name == "" && v.Unit == "count"
			name = join(right, name)
		} else if p.numbered(v) {
			v.Type = ""
			continue
		}
		if v.Type == Port {
			of, name = trimPort(of), trimPort(name)
		}
		if name == "" {
			of, name = "", of
		}
		if name == "" && k > 0 && p.continues(&p.Values[k-1], v) {
			of, name = p.Values[k-1].Of, p.Values[k-1].Name
		}
		if of == name {
			of = ""
		}
		if v.Type == Release { // Of is for versions of a product
			of, name = "", join(of, name)
		}
		v.Of, v.Name = of, name
	}
}

// numbered reports that a bare number stands right after a noun, which it then
// tells from others: alternative 1, Windows Server 2019.
func (p *Parser) numbered(v *value) bool {
	if v.Type != Number || v.Unit != "count" || v.Left == 0 || v.Left != v.First || p.Tokens[v.First].Code {
		return false
	}
	t := &p.Tokens[v.Left-1]
	return t.ValueIndex == 0 && (t.Kind == Word && (t.Class == 0 || t.Class&lexicon.Label != 0) && t.Mention != Config || p.Is(v.Left-1, "(") && p.Has(v.Left-2, lexicon.Prep))
}

// continues reports whether b is another value of what a is of: "100 in
// staging and 1000 in production".
func (p *Parser) continues(a, b *value) bool {
	if a.Type != b.Type || a.Unit != b.Unit || b.First-a.Last > 6 {
		return false
	}
	for i := a.Last + 1; i < b.Left; i++ {
		t := &p.Tokens[i]
		if t.Class&(lexicon.Conj|lexicon.Prep|lexicon.Filler|lexicon.Adverb) == 0 && !p.Is(i, ",") && EnvOf(t.Lower) == "" {
			return false
		}
	}
	return true
}

func trimPort(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(s, "port"), "_")
	s = strings.TrimSuffix(strings.TrimSuffix(s, "listen"), "_")
	return strings.TrimSuffix(strings.TrimSuffix(s, "listening"), "_")
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "_" + b
}

// Spoken makes words of a name.
func Spoken(name, of string) string {
	return strings.ReplaceAll(join(of, name), "_", " ")
}
