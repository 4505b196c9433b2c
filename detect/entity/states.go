package entity

import (
	"strings"

	"engram/detect/lexicon"
)

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
func (p *Parser) states() {
	n := len(p.Values)
	for i := 1; i < len(p.Tokens); i++ {
		t := &p.Tokens[i]
		if t.ValueIndex != 0 || t.Kind == Symbol || t.Kind == Digits {
			continue
		}
		dimension, state := stateOf(t.Lower)
		switch {
		case p.related(i) || p.assigned(i):
			if dimension != Switch {
				dimension, state = Setting, t.Lower
			}
		case dimension == "" || !p.predicate(i):
			continue
		}
		if !p.Supposed(i) {
			p.putState(i, dimension, state)
		}
	}
	p.order(n)
}

// Supposed reports that what stands at i is only supposed: "when the flag is
// off" does not say that it is.
func (p *Parser) Supposed(i int) bool {
	for j := i - 1; j >= 0 && j > i-16; j-- {
		if p.Has(j, lexicon.When) {
			return true
		}
		if t := &p.Tokens[j]; t.Kind == Symbol && (t.Lower == "," || t.Lower == ";" || t.Lower == "." || t.Lower == ":") {
			return false
		}
	}
	return false
}

// order keeps the values in the order of the text after n were followed by
// others.
func (p *Parser) order(n int) {
	if n == len(p.Values) {
		return
	}
	merged := make([]value, 0, len(p.Values))
	a, b := p.Values[:n], p.Values[n:]
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].First < b[0].First {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	p.Values = merged
	for k := range p.Values {
		for i := p.Values[k].First; i <= p.Values[k].Last; i++ {
			p.Tokens[i].ValueIndex = k + 1
		}
	}
}

// putState records a state at i, turned around by a "not" before it.
func (p *Parser) putState(i int, dimension, state string) {
	e := Entity{Type: State, Unit: dimension, Text: state}
	left := i
	for left > 0 && i-left < 3 && (p.Has(left-1, lexicon.Adverb|lexicon.Neg) || p.Is(left-1, "to", "been")) {
		left--
		if p.Has(left, lexicon.Neg) {
			e.Negated = true
		}
		e.Old = e.Old || p.Has(left, lexicon.Former)
	}
	if p.Has(left-1, lexicon.Copula) && p.Has(left-1, lexicon.Neg) {
		e.Negated = true
	}
	if e.Negated {
		e.Text = opposite(state)
	}
	p.put(e, i, 1)
	p.Values[len(p.Values)-1].Left = left
}

// predicate reports whether the word at i is said of a subject, rather than
// describing a noun: "TLS is disabled" and not "disabled tests".
func (p *Parser) predicate(i int) bool {
	if i+1 < len(p.Tokens) && p.plain(i+1) && !p.Is(i+1, "by", "per") && p.Tokens[i+1].Kind == Word {
		return false
	}
	j := i - 1
	for j > 0 && i-j < 4 && (p.Has(j, lexicon.Adverb|lexicon.Neg) && !p.Has(j, lexicon.Copula) || p.Is(j, "been", "by", "default", ",")) {
		j--
	}
	switch t := &p.Tokens[j]; {
	case t.Class&lexicon.Copula != 0:
		return !p.Is(j-1, "that", "which") || p.Is(j-2, ",")
	case p.Is(j, "=", ":", "=="):
		return p.Tokens[j].Glued && (t.Lower != ":" || !p.Tokens[i].Glued) && (stateWord(p.Tokens[i].Lower) || p.Tokens[i].Code)
	case p.Is(j, "to"):
		return p.Has(j-1, lexicon.Sets) || p.Is(j-2, "set", "setting") || p.Is(j-3, "set", "setting")
	case t.Class&lexicon.Attr != 0:
		return p.Is(j, "stage", "status", "state")
	}
	return false
}

func stateWord(w string) bool {
	dimension, _ := stateOf(w)
	return dimension == Switch || dimension == Need
}

// related reports a value of case 2 or 4 at i.
func (p *Parser) related(i int) bool {
	t := &p.Tokens[i]
	j := i - 1
	switch {
	case p.Is(j, "status", "stage", "state", "mode", "phase"):
		return t.Class&^lexicon.StageVerb == 0 && p.closes(i+1) && p.Is(j-1, "at", "has", "in", "is", "stage") && t.Kind == Word
	case p.Is(j, "is") && p.Is(j-1, "status", "stage", "mode", "level", "phase", "priority", "type"):
		return t.Class == 0 && p.closes(i+1)
	case p.Has(j, lexicon.Copula) && t.Class&^lexicon.StageVerb == 0 && p.kindOf(j):
		return p.closes(i + 1)
	case p.Is(j, "by"):
		return p.Is(j-1, "owned", "maintained") && p.Has(j-2, lexicon.Copula) && (t.Class == 0) && p.closes(i+1)
	case p.Is(j, "in"):
		return p.Is(j-1, "written", "implemented") && p.Has(j-2, lexicon.Copula) && (t.Mention == Tool || t.Text[0] < 'a') && p.closes(i+1)
	case p.Is(j, "gate", "flag"):
		return p.Is(j-1, "feature") && p.Is(j-2, "by") && (t.Mention != "" || t.Text[0] < 'a') && p.closes(i+1)
	}
	return false
}

// kindOf reports "the status of X" right before token i.
func (p *Parser) kindOf(i int) bool {
	for j := i - 2; j >= 0 && j > i-6; j-- {
		if p.Is(j, "of", "for") {
			return p.Is(j-1, "status", "stage", "mode", "level", "phase", "priority", "gate", "sig", "owner")
		}
	}
	return false
}

// assigned reports a value of case 3 at i.
func (p *Parser) assigned(i int) bool {
	t := &p.Tokens[i]
	if t.Class != 0 || !p.closes(i+1) {
		return false
	}
	j := i - 1
	if p.Is(j, "\"", "'", "+") {
		j--
	}
	if p.Is(j, "to") && p.Is(j-1, "defaults", "set") {
		return !p.Is(j-2, "to") && t.Class == 0 && (t.Code || p.Tokens[i].Mention != "" || p.Is(j-1, "defaults") || p.settingBefore(j-1))
	}
	if p.Is(j, "=", ":") && p.Tokens[j].Glued || p.Has(j, lexicon.Copula) {
		return j > 0 && p.Tokens[j-1].Mention == Config
	}
	return false
}

func (p *Parser) settingBefore(i int) bool {
	for j := i - 1; j >= 0 && j > i-4; j-- {
		if p.Tokens[j].Mention == Config {
			return true
		}
	}
	return false
}

// closes reports whether a phrase ends before token i.
func (p *Parser) closes(i int) bool {
	if i >= len(p.Tokens) {
		return true
	}
	t := &p.Tokens[i]
	if t.Kind == Symbol {
		return strings.IndexByte(".,;)!?\"'+(", t.Text[0]) >= 0 && t.Text != "'s"
	}
	return t.Class&(lexicon.Prep|lexicon.Conj|lexicon.ClauseStart|lexicon.When) != 0
}
