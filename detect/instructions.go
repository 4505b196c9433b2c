package detect

// instruction reads a clause that tells to do what a ban of the other claim forbids:
// it begins with the verb that stands right behind "never" there, and goes on with
// its object: "log PII at debug level" and "never log PII".
func (c side) instruction(x *clause, ban duty, other side) (d duty) {
	if ban.demands >= 0 || x.denials > 0 || x.from+1 >= x.to {
		return duty{}
	}
	forbidden := other.read.terms[ban.words.from:]
	for len(forbidden) > 0 && (forbidden[0].role&denial != 0 || forbidden[0].low == "do") {
		forbidden = forbidden[1:]
	}
	verb, object := &c.read.terms[x.from], x.from+1
	for object+1 < x.to && c.read.terms[object].role&glue != 0 {
		object++
	}
	if len(forbidden) == 0 || forbidden[0].id != verb.id || verb.weight == 0 {
		return duty{}
	}
	for i := range forbidden[1:] {
		if t := &forbidden[1+i]; t.role&glue == 0 {
			if t.id == c.read.terms[object].id {
				d = duty{1, span{x.from, object + 1}}
			}
			break
		}
	}
	return d
}

// bansAt reports an imperative that forbids, at the beginning of a clause: never,
// do not.
func (c side) bansAt(i int, x *clause) bool {
	t := &c.read.terms[i]
	return i == x.from && t.low == "do" && i+1 < x.to && c.read.terms[i+1].role&denial != 0
}
