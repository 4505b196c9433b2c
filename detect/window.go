package detect

// window returns the first of the tokens before value k that may name it: up
// to the sentence, clause or value before.
func (p *parser) window(k int) int {
	v := &p.vals[k]
	i := v.left
	linked := false
	for i > 0 && v.left-i < maxWindow {
		t := &p.toks[i-1]
		switch {
		case t.value != 0 && t.value != k+1:
			o := &p.vals[t.value-1]
			if o.left == v.left || p.partOfName(o) {
				break
			}
			return i
		case t.kind == symbol:
			switch t.low {
			case ")", "]":
				if open := p.opening(i - 1); open >= 0 && i-open < 12 {
					i = open
					if i > 0 {
						continue
					}
					return 0
				}
				return i
			case ".", ";", "?", "!", ",", "--", "—", "•", "|":
				return i
			case "-":
				if !t.glued {
					return i
				}
			case ":", "=", "(":
				if linked {
					return i
				}
				linked = true
			}
		case t.class&(starts|when) != 0:
			return i
		case t.class&conj != 0 && (linked || t.low != "and"):
			return i
		case t.class&(be|have) != 0:
			linked = true
		}
		i--
	}
	return i
}

// partOfName reports values that names go on behind: the version of a product,
// "the v1 endpoint", what is used, and "removed" in "removed in v2".
func (p *parser) partOfName(o *value) bool {
	switch o.Type {
	case Release:
		return o.Name != "" || p.plain(o.last+1)
	case State:
		return o.Unit == Presence || o.Unit == Stage
	}
	return false
}

// opening returns the parenthesis that the one at i closes, looking back a
// few tokens only.
func (p *parser) opening(i int) int {
	depth := 0
	for j := i; j >= 0 && i-j < 12; j-- {
		switch p.toks[j].low {
		case ")", "]":
			depth++
		case "(", "[":
			depth--
			if depth == 0 {
				return j
			}
		}
	}
	return -1
}

// closing returns the parenthesis before hi that closes the one at i, or i.
func (p *parser) closing(i, hi int) int {
	for j := i + 1; j < hi; j++ {
		if p.is(j, ")") {
			return j
		}
	}
	return i
}

// split divides the tokens before a value into the subject and what the value
// is of: at the last verb or sign that links the two.
func (p *parser) split(lo, hi int) (of, name string) {
	for hi > lo && (p.has(hi-1, prep|fill|adverb|aux|about) && !p.is(hi-1, "every", "default")) {
		hi--
	}
	link := -1
	for i := hi - 1; i >= lo; i-- {
		t := &p.toks[i]
		if t.value != 0 && t.mention == "" {
			continue
		}
		if t.class&(be|have|change|life) != 0 || t.low == "set" || t.low == "sets" || t.low == "defaults" || t.kind == symbol && (t.low == ":" || t.low == "=" || t.low == "(") {
			link = i
			break
		}
	}
	middle := ""
	if link < 0 {
		return "", p.withInterval(p.phrase(lo, hi), hi)
	}
	middle = p.phrase(link+1, hi)
	if p.has(link, life) {
		middle = join("lifetime", middle)
	}
	if p.toks[link].low == "limited" {
		middle = join("limit", middle)
	}
	end := link
	for end > lo && (p.has(end-1, aux|adverb|be|change|fill|about) || p.is(end-1, "default", "(")) {
		end--
	}
	of = p.phrase(lo, end)
	name = p.withInterval(middle, hi)
	return of, name
}

// withInterval marks what happens every so often.
func (p *parser) withInterval(name string, hi int) string {
	if p.is(hi-1, "every") {
		return join(name, "interval")
	}
	return name
}
