package entity

import (
	"slices"
	"strings"

	"engram/detect/lexicon"
)

// conditions ties to every value the circumstances under which it holds.
//
//  1. What stands behind a value, up to the words of the next one, is its own:
//     100 in staging and 1000 in production.
//  2. What stands before the first value of a sentence holds for all of it:
//     in staging, ...
//
// An environment that a value names itself replaces one of the sentence.
func (p *Parser) conditions() {
	for k := 0; k < len(p.Values); {
		start, end := p.sentence(p.Values[k].First)
		last := k
		for last+1 < len(p.Values) && p.Values[last+1].First < end {
			last++
		}
		from := p.Values[k].First
		lead := p.ConditionsIn(start, from)
		for ; k <= last; k++ {
			to := end
			if k < last {
				to = p.Between(k)
			}
			own := p.ConditionsIn(from, to)
			from = to
			for _, c := range lead {
				if !slices.Contains(own, c) && !(hasEnv(own) && strings.HasPrefix(c, "in ")) {
					own = append(own, c)
				}
			}
			slices.Sort(own)
			p.Values[k].Condition = strings.Join(own, "; ")
		}
	}
}

// Between returns the token where what belongs to value k ends and what belongs
// to the next begins: at the last comma or conjunction, if there is one.
func (p *Parser) Between(k int) int {
	a, b := &p.Values[k], &p.Values[k+1]
	for i := b.Left - 1; i > a.Last; i-- {
		if p.Has(i, lexicon.Conj) || p.Is(i, ",") {
			return i
		}
	}
	return max(b.Left, a.Last+1)
}

func hasEnv(list []string) bool {
	return slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(c, "in ") })
}

// sentence returns the tokens of the clause around token i.
func (p *Parser) sentence(i int) (start, end int) {
	stop := func(j int) bool {
		return p.Is(j, ".", ";", "!", "?") && p.Tokens[j].Kind == Symbol || p.Is(j, "but", "while", "whereas")
	}
	for start = i; start > 0 && i-start < 60 && !stop(start-1); start-- {
	}
	for end = i; end < len(p.Tokens) && end-i < 60 && !stop(end); end++ {
	}
	return start, end
}

// ConditionsIn returns the conditions among some tokens.
func (p *Parser) ConditionsIn(lo, hi int) []string {
	var list []string
	for i := lo; i < hi; i++ {
		c := ""
		switch t := &p.Tokens[i]; {
		case t.condition != "":
			c = t.condition
		case EnvOf(t.Lower) != "" && !p.Is(i-1, "per"):
			c = "in " + EnvOf(t.Lower)
		case weakEnv(t.Lower) != "" && p.Is(i-1, "in", "on") && p.closes(i+1):
			c = "in " + weakEnv(t.Lower)
		case t.Lower == "per" && p.perWhat(i+1) != "":
			c = "per " + p.perWhat(i+1)
		case t.Lower == "default" && !p.Has(i+1, lexicon.Setting), t.Lower == "defaults" && !p.Is(i-1, "the"), t.Lower == "default" && p.Is(i-1, "by"):
			c = "default"
		case t.Class&lexicon.When != 0:
			c = p.clause(i, hi)
		}
		if c != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// perWhat returns the noun after "per" unless it is part of a rate.
func (p *Parser) perWhat(i int) string {
	if i >= len(p.Tokens) || p.Tokens[i].Kind != Word || p.Tokens[i].ValueIndex != 0 {
		return ""
	}
	t := &p.Tokens[i]
	if t.Class&(lexicon.Filler|lexicon.Prep|lexicon.Conj|lexicon.Copula|lexicon.Have) != 0 {
		return ""
	}
	if _, unit := timeUnit(t.Lower, true); unit == "s" && len(t.Lower) > 2 {
		return ""
	}
	return lexicon.Singular(t.Lower)
}

// clause returns up to five words of a condition such as "if the cache is cold".
func (p *Parser) clause(i, hi int) string {
	b := []byte("when")
	if p.Is(i, "unless", "during") {
		b = []byte(p.Tokens[i].Lower)
	}
	for n := 0; i+1 < hi && n < 5; i++ {
		t := &p.Tokens[i+1]
		if t.Kind == Symbol || t.ValueIndex != 0 {
			break
		}
		if t.Class&(lexicon.Filler|lexicon.Copula|lexicon.Aux|lexicon.Conj|lexicon.ClauseStart) == 0 && len(b)+len(t.Lower) < maxKey {
			b = append(append(b, ' '), t.Lower...)
			n++
		}
	}
	return string(b)
}

// EnvOf returns the normal form of an environment or platform that stands for
// itself wherever it is named.
func EnvOf(w string) string {
	switch w {
	case "production", "prod":
		return "prod"
	case "staging":
		return "staging"
	case "linux", "windows", "freebsd":
		return w
	case "macos", "darwin", "osx":
		return "macos"
	}
	return ""
}

// weakEnv is envOf for words that need a preposition before.
func weakEnv(w string) string {
	switch w {
	case "dev", "development":
		return "dev"
	case "test", "tests", "testing":
		return "test"
	case "ci", "local", "canary", "qa", "preview", "sandbox", "arm64", "amd64", "android", "ios", "aws", "gcp", "azure", "kubernetes", "docker":
		return w
	}
	return ""
}
