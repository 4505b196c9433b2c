package detect

// value is a value with the tokens it stands on.
type value struct {
	Entity
	first, last int
	// left is the token before which the words that name the value end.
	left int
}

// values finds dates, versions, ports and numbers, in this order of precedence.
func (p *parser) values() {
	for i := 0; i < len(p.toks); {
		n := 0
		if p.toks[i].mention == "" || p.toks[i].kind == dotted {
			if n = p.date(i); n == 0 {
				n = p.version(i)
			}
			if n == 0 {
				n = p.port(i)
			}
			if n == 0 {
				n = p.number(i)
			}
		}
		i += max(n, 1)
	}
}

// put records a value on n tokens from i and returns n.
func (p *parser) put(e Entity, i, n int) int {
	e.Start, e.End = p.toks[i].start, p.toks[i+n-1].end
	v := value{Entity: e, first: i, last: i + n - 1, left: i}
	p.bound(&v)
	p.vals = append(p.vals, v)
	for j := i; j < i+n; j++ {
		p.toks[j].value = len(p.vals)
	}
	return n
}

// bound reads the words just before a value that say how exact it is.
func (p *parser) bound(v *value) {
	for i := v.first - 1; i >= 0 && i >= v.first-4 && p.toks[i].value == 0; i-- {
		two := i > 0 && p.is(i-1, "at", "no", "not")
		switch t := &p.toks[i]; {
		case t.low == "least" && two || t.low == ">=" || t.low == ">" || t.low == "minimum" && v.Bound == "" && p.is(i-1, "a"):
			v.Bound = AtLeast
		case t.low == "most" && two || t.low == "<=" || t.low == "<" || p.is(i, "max", "maximum") && p.is(i+1, "of"):
			v.Bound = AtMost
		case t.low == "to" && p.is(i-1, "up"):
			v.Bound = AtMost
			i--
		case t.low == "than" && p.is(i-1, "more", "greater", "longer", "fewer", "less", "shorter", "later", "older", "larger", "smaller"):
			i--
			more := !p.is(i, "fewer", "less", "shorter", "smaller")
			if more != p.is(i-1, "no", "not") {
				v.Bound = AtLeast
			} else {
				v.Bound = AtMost
			}
		case t.low == "over" || t.low == "above" || t.low == "exceeds" || t.low == "exceed":
			v.Bound = AtLeast
			if t.low != "over" && t.low != "above" {
				return
			}
		case t.low == "under" || t.low == "below" || t.low == "within":
			v.Bound = AtMost
		case t.class&about != 0 || t.low == "~":
			v.Bound = About
		case t.class&former != 0:
			v.Old = true
		case t.class&neg != 0 && t.low != "no":
			v.Negated = true
		case t.low == "of" && p.is(i-1, "instead"):
			v.Old = true
			i--
		case t.low == "longer" && p.is(i-1, "no"):
			v.Negated = true
			i--
		case t.low == "a" || t.low == "exactly" || t.low == "the" || t.low == "only":
		default:
			return
		}
		v.left = i
		if two && (p.is(i, "least", "most")) {
			i--
			v.left = i
		}
	}
}
