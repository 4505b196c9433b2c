package detect

import (
	"slices"
	"strings"
)

// conditions ties to every value the circumstances under which it holds.
//
//  1. What stands behind a value, up to the words of the next one, is its own:
//     100 in staging and 1000 in production.
//  2. What stands before the first value of a sentence holds for all of it:
//     in staging, ...
//
// An environment that a value names itself replaces one of the sentence.
func (p *parser) conditions() {
	for k := 0; k < len(p.vals); {
		start, end := p.sentence(p.vals[k].first)
		last := k
		for last+1 < len(p.vals) && p.vals[last+1].first < end {
			last++
		}
		from := p.vals[k].first
		lead := p.conditionsIn(start, from)
		for ; k <= last; k++ {
			to := end
			if k < last {
				to = p.between(k)
			}
			own := p.conditionsIn(from, to)
			from = to
			for _, c := range lead {
				if !slices.Contains(own, c) && !(hasEnv(own) && strings.HasPrefix(c, "in ")) {
					own = append(own, c)
				}
			}
			slices.Sort(own)
			p.vals[k].Condition = strings.Join(own, "; ")
		}
	}
}

// between returns the token where what belongs to value k ends and what belongs
// to the next begins: at the last comma or conjunction, if there is one.
func (p *parser) between(k int) int {
	a, b := &p.vals[k], &p.vals[k+1]
	for i := b.left - 1; i > a.last; i-- {
		if p.has(i, conj) || p.is(i, ",") {
			return i
		}
	}
	return max(b.left, a.last+1)
}

func hasEnv(list []string) bool {
	return slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(c, "in ") })
}

// sentence returns the tokens of the clause around token i.
func (p *parser) sentence(i int) (start, end int) {
	stop := func(j int) bool {
		return p.is(j, ".", ";", "!", "?") && p.toks[j].kind == symbol || p.is(j, "but", "while", "whereas")
	}
	for start = i; start > 0 && i-start < 60 && !stop(start-1); start-- {
	}
	for end = i; end < len(p.toks) && end-i < 60 && !stop(end); end++ {
	}
	return start, end
}

// conditionsIn returns the conditions among some tokens.
func (p *parser) conditionsIn(lo, hi int) []string {
	var list []string
	for i := lo; i < hi; i++ {
		c := ""
		switch t := &p.toks[i]; {
		case t.condition != "":
			c = t.condition
		case envOf(t.low) != "" && !p.is(i-1, "per"):
			c = "in " + envOf(t.low)
		case weakEnv(t.low) != "" && p.is(i-1, "in", "on") && p.closes(i+1):
			c = "in " + weakEnv(t.low)
		case t.low == "per" && p.perWhat(i+1) != "":
			c = "per " + p.perWhat(i+1)
		case t.low == "default" && !p.has(i+1, setting), t.low == "defaults" && !p.is(i-1, "the"), t.low == "default" && p.is(i-1, "by"):
			c = "default"
		case t.class&when != 0:
			c = p.clause(i, hi)
		}
		if c != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// perWhat returns the noun after "per" unless it is part of a rate.
func (p *parser) perWhat(i int) string {
	if i >= len(p.toks) || p.toks[i].kind != word || p.toks[i].value != 0 {
		return ""
	}
	t := &p.toks[i]
	if t.class&(fill|prep|conj|be|have) != 0 {
		return ""
	}
	if _, unit := timeUnit(t.low, true); unit == "s" && len(t.low) > 2 {
		return ""
	}
	return singular(t.low)
}

// clause returns up to five words of a condition such as "if the cache is cold".
func (p *parser) clause(i, hi int) string {
	b := []byte("when")
	if p.is(i, "unless", "during") {
		b = []byte(p.toks[i].low)
	}
	for n := 0; i+1 < hi && n < 5; i++ {
		t := &p.toks[i+1]
		if t.kind == symbol || t.value != 0 {
			break
		}
		if t.class&(fill|be|aux|conj|starts) == 0 && len(b)+len(t.low) < maxKey {
			b = append(append(b, ' '), t.low...)
			n++
		}
	}
	return string(b)
}

// envOf returns the normal form of an environment or platform that stands for
// itself wherever it is named.
func envOf(w string) string {
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
