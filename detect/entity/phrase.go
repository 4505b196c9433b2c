package entity

import (
	"strings"

	"engram/detect/lexicon"
)

// nounAfter returns what a number counts or measures by the words behind it:
// 3 replicas, 30 s read timeout, 5 GB of memory.
func (p *Parser) nounAfter(v *value) string {
	i := v.Last + 1
	if v.Unit == "count" {
		if p.Is(v.Last, "times") || p.Is(i, "of") {
			return ""
		}
		end := i
		for end < len(p.Tokens) && end-i < 3 && p.Tokens[end].Kind == Word && p.Tokens[end].ValueIndex == 0 && p.Tokens[end].Class&^(lexicon.Attr|lexicon.Setting|lexicon.Label) == 0 {
			end++
		}
		if end-i == 3 && p.plain(end) || end > i && p.Tokens[i].Glued {
			return ""
		}
		return p.phrase(i, end)
	}
	if p.Is(i, "of") && (v.Unit == "%" || v.Unit == "B") {
		end := i + 1
		for end < len(p.Tokens) && end-i < 4 && p.Tokens[end].Kind == Word && p.Tokens[end].Class&^(lexicon.Attr|lexicon.Filler) == 0 {
			end++
		}
		return p.phrase(i+1, end)
	}
	if p.Is(i, "-") {
		i++
	}
	for end := i; end < len(p.Tokens) && end-i < 3 && p.Tokens[end].Kind == Word; end++ {
		if p.Has(end, lexicon.Attr) {
			return p.phrase(i, end+1)
		}
		if p.Tokens[end].Class != 0 {
			break
		}
	}
	return ""
}

// phrase returns the name that tokens lo to hi make: the words that say
// something, owners first ("limit of the pool" is pool_limit). It is empty when
// there are none, or too many for a name.
func (p *Parser) phrase(lo, hi int) string {
	var words [maxWords]string
	var group [maxWords]int
	n, g, size := 0, 0, 0
	for i := lo; i < hi; i++ {
		t := &p.Tokens[i]
		if t.Lower == "(" {
			i = p.closing(i, hi) // an aside
			continue
		}
		if t.Kind == Symbol || t.ValueIndex != 0 && t.Mention == "" && !p.partOfName(&p.Values[t.ValueIndex-1]) {
			continue
		}
		if t.Class&lexicon.Prep != 0 {
			if n > 0 && group[n-1] == g && t.Lower != "to" {
				g++
			}
			continue
		}
		if t.Class&lexicon.Skipped != 0 && t.Mention == "" || t.Class&(lexicon.Copula|lexicon.Have) != 0 || t.Kind == Dotted && !p.plain(i+1) || EnvOf(t.Lower) != "" {
			continue
		}
		if n == maxWords {
			return ""
		}
		words[n], group[n] = p.nameWord(i), g
		size += len(words[n]) + 1
		n++
	}
	if n == 1 {
		return words[0]
	}
	b := make([]byte, 0, size)
	for ; g >= 0; g-- {
		for i := range n {
			if group[i] == g {
				if len(b) > 0 {
					b = append(b, '_')
				}
				b = append(b, words[i]...)
			}
		}
	}
	return string(b)
}

// nameWord returns the word that token i gives a name.
func (p *Parser) nameWord(i int) string {
	t := &p.Tokens[i]
	switch {
	case t.Mention == Service && strings.IndexByte(t.Text, '-') < 0 && strings.HasSuffix(t.name, t.Lower):
		return t.Lower // the words before it stand on their own
	case t.Mention != "":
		return t.name
	case t.Text[1:] == t.Lower[1:] && strings.IndexByte(t.Lower, '-') < 0:
		return lexicon.Canonical(lexicon.Singular(t.Lower))
	}
	return lexicon.Canonical(t.Lower)
}
