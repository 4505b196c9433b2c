package detect

import "strings"

// stateOf returns the dimension and the normal form of a word for a state.
func stateOf(w string) (dimension, state string) {
	switch w {
	case "enabled", "true", "on":
		return Switch, "enabled"
	case "disabled", "false", "off":
		return Switch, "disabled"
	case "required", "mandatory", "obligatory":
		return Need, "required"
	case "optional":
		return Need, "optional"
	case "supported":
		return Support, "supported"
	case "unsupported":
		return Support, "unsupported"
	case "deprecated", "alpha", "beta", "stable", "experimental", "removed", "ga":
		return Stage, w
	}
	return "", ""
}

// opposite returns the state that denying a state leaves.
func opposite(state string) string {
	switch state {
	case "enabled":
		return "disabled"
	case "disabled":
		return "enabled"
	case "required":
		return "optional"
	case "supported":
		return "unsupported"
	case "unsupported":
		return "supported"
	case "used":
		return "not used"
	}
	return "not " + state
}

// states finds what the text says something is.
//
//  1. A state after is, a colon or an equals sign: TLS is disabled.
//  2. A word after a noun such as status, stage or mode: is at stage beta.
//  3. A word that a setting or property is set or defaults to.
//  4. What something is owned by, written in or guarded by.
func (p *parser) states() {
	n := len(p.vals)
	for i := 1; i < len(p.toks); i++ {
		t := &p.toks[i]
		if t.value != 0 || t.kind == symbol || t.kind == digits {
			continue
		}
		dimension, state := stateOf(t.low)
		switch {
		case p.related(i) || p.assigned(i):
			if dimension != Switch {
				dimension, state = Setting, t.low
			}
		case dimension == "" || !p.predicate(i):
			continue
		}
		if !p.supposed(i) {
			p.putState(i, dimension, state)
		}
	}
	p.order(n)
}

// supposed reports that what stands at i is only supposed: "when the flag is
// off" does not say that it is.
func (p *parser) supposed(i int) bool {
	for j := i - 1; j >= 0 && j > i-16; j-- {
		if p.has(j, when) {
			return true
		}
		if t := &p.toks[j]; t.kind == symbol && (t.low == "," || t.low == ";" || t.low == "." || t.low == ":") {
			return false
		}
	}
	return false
}

// order keeps the values in the order of the text after n were followed by
// others.
func (p *parser) order(n int) {
	if n == len(p.vals) {
		return
	}
	merged := make([]value, 0, len(p.vals))
	a, b := p.vals[:n], p.vals[n:]
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].first < b[0].first {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	p.vals = merged
	for k := range p.vals {
		for i := p.vals[k].first; i <= p.vals[k].last; i++ {
			p.toks[i].value = k + 1
		}
	}
}

// putState records a state at i, turned around by a "not" before it.
func (p *parser) putState(i int, dimension, state string) {
	e := Entity{Type: State, Unit: dimension, Text: state}
	left := i
	for left > 0 && i-left < 3 && (p.has(left-1, adverb|neg) || p.is(left-1, "to", "been")) {
		left--
		if p.has(left, neg) {
			e.Negated = true
		}
		e.Old = e.Old || p.has(left, former)
	}
	if p.has(left-1, be) && p.has(left-1, neg) {
		e.Negated = true
	}
	if e.Negated {
		e.Text = opposite(state)
	}
	p.put(e, i, 1)
	p.vals[len(p.vals)-1].left = left
}

// predicate reports whether the word at i is said of a subject, rather than
// describing a noun: "TLS is disabled" and not "disabled tests".
func (p *parser) predicate(i int) bool {
	if i+1 < len(p.toks) && p.plain(i+1) && !p.is(i+1, "by", "per") && p.toks[i+1].kind == word {
		return false
	}
	j := i - 1
	for j > 0 && i-j < 4 && (p.has(j, adverb|neg) && !p.has(j, be) || p.is(j, "been", "by", "default", ",")) {
		j--
	}
	switch t := &p.toks[j]; {
	case t.class&be != 0:
		return !p.is(j-1, "that", "which") || p.is(j-2, ",")
	case p.is(j, "=", ":", "=="):
		return p.toks[j].glued && (t.low != ":" || !p.toks[i].glued) && (stateWord(p.toks[i].low) || p.toks[i].code)
	case p.is(j, "to"):
		return p.has(j-1, sets) || p.is(j-2, "set", "setting") || p.is(j-3, "set", "setting")
	case t.class&attr != 0:
		return p.is(j, "stage", "status", "state")
	}
	return false
}

func stateWord(w string) bool {
	dimension, _ := stateOf(w)
	return dimension == Switch || dimension == Need
}

// related reports a value of case 2 or 4 at i.
func (p *parser) related(i int) bool {
	t := &p.toks[i]
	j := i - 1
	switch {
	case p.is(j, "status", "stage", "state", "mode", "phase"):
		return t.class&^rated == 0 && p.closes(i+1) && p.is(j-1, "at", "has", "in", "is", "stage") && t.kind == word
	case p.is(j, "is") && p.is(j-1, "status", "stage", "mode", "level", "phase", "priority", "type"):
		return t.class == 0 && p.closes(i+1)
	case p.has(j, be) && t.class&^rated == 0 && p.kindOf(j):
		return p.closes(i + 1)
	case p.is(j, "by"):
		return p.is(j-1, "owned", "maintained") && p.has(j-2, be) && (t.class == 0) && p.closes(i+1)
	case p.is(j, "in"):
		return p.is(j-1, "written", "implemented") && p.has(j-2, be) && (t.mention == Tool || t.text[0] < 'a') && p.closes(i+1)
	case p.is(j, "gate", "flag"):
		return p.is(j-1, "feature") && p.is(j-2, "by") && (t.mention != "" || t.text[0] < 'a') && p.closes(i+1)
	}
	return false
}

// kindOf reports "the status of X" right before token i.
func (p *parser) kindOf(i int) bool {
	for j := i - 2; j >= 0 && j > i-6; j-- {
		if p.is(j, "of", "for") {
			return p.is(j-1, "status", "stage", "mode", "level", "phase", "priority", "gate", "sig", "owner")
		}
	}
	return false
}

// assigned reports a value of case 3 at i.
func (p *parser) assigned(i int) bool {
	t := &p.toks[i]
	if t.class != 0 || !p.closes(i+1) {
		return false
	}
	j := i - 1
	if p.is(j, "\"", "'", "+") {
		j--
	}
	if p.is(j, "to") && p.is(j-1, "defaults", "set") {
		return !p.is(j-2, "to") && t.class == 0 && (t.code || p.toks[i].mention != "" || p.is(j-1, "defaults") || p.settingBefore(j-1))
	}
	if p.is(j, "=", ":") && p.toks[j].glued || p.has(j, be) {
		return j > 0 && p.toks[j-1].mention == Config
	}
	return false
}

func (p *parser) settingBefore(i int) bool {
	for j := i - 1; j >= 0 && j > i-4; j-- {
		if p.toks[j].mention == Config {
			return true
		}
	}
	return false
}

// closes reports whether a phrase ends before token i.
func (p *parser) closes(i int) bool {
	if i >= len(p.toks) {
		return true
	}
	t := &p.toks[i]
	if t.kind == symbol {
		return strings.IndexByte(".,;)!?\"'+(", t.text[0]) >= 0 && t.text != "'s"
	}
	return t.class&(prep|conj|starts|when) != 0
}
