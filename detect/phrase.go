package detect

import "strings"

// nounAfter returns what a number counts or measures by the words behind it:
// 3 replicas, 30 s read timeout, 5 GB of memory.
func (p *parser) nounAfter(v *value) string {
	i := v.last + 1
	if v.Unit == "count" {
		if p.is(v.last, "times") || p.is(i, "of") {
			return ""
		}
		end := i
		for end < len(p.toks) && end-i < 3 && p.toks[end].kind == word && p.toks[end].value == 0 && p.toks[end].class&^(attr|setting|label) == 0 {
			end++
		}
		if end-i == 3 && p.plain(end) || end > i && p.toks[i].glued {
			return ""
		}
		return p.phrase(i, end)
	}
	if p.is(i, "of") && (v.Unit == "%" || v.Unit == "B") {
		end := i + 1
		for end < len(p.toks) && end-i < 4 && p.toks[end].kind == word && p.toks[end].class&^(attr|fill) == 0 {
			end++
		}
		return p.phrase(i+1, end)
	}
	if p.is(i, "-") {
		i++
	}
	for end := i; end < len(p.toks) && end-i < 3 && p.toks[end].kind == word; end++ {
		if p.has(end, attr) {
			return p.phrase(i, end+1)
		}
		if p.toks[end].class != 0 {
			break
		}
	}
	return ""
}

// phrase returns the name that tokens lo to hi make: the words that say
// something, owners first ("limit of the pool" is pool_limit). It is empty when
// there are none, or too many for a name.
func (p *parser) phrase(lo, hi int) string {
	var words [maxWords]string
	var group [maxWords]int
	n, g, size := 0, 0, 0
	for i := lo; i < hi; i++ {
		t := &p.toks[i]
		if t.low == "(" {
			i = p.closing(i, hi) // an aside
			continue
		}
		if t.kind == symbol || t.value != 0 && t.mention == "" && !p.partOfName(&p.vals[t.value-1]) {
			continue
		}
		if t.class&prep != 0 {
			if n > 0 && group[n-1] == g && t.low != "to" {
				g++
			}
			continue
		}
		if t.class&skipped != 0 && t.mention == "" || t.class&(be|have) != 0 || t.kind == dotted && !p.plain(i+1) || envOf(t.low) != "" {
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
func (p *parser) nameWord(i int) string {
	t := &p.toks[i]
	switch {
	case t.mention == Service && strings.IndexByte(t.text, '-') < 0 && strings.HasSuffix(t.name, t.low):
		return t.low // the words before it stand on their own
	case t.mention != "":
		return t.name
	case t.text[1:] == t.low[1:] && strings.IndexByte(t.low, '-') < 0:
		return canonical(singular(t.low))
	}
	return canonical(t.low)
}
