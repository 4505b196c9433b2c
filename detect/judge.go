package detect

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
)

var debugOn = os.Getenv("DEBUGPAIR") != ""

func debug(p *pair, what string, g agreement) {
	if debugOn {
		fmt.Printf("      [%s] common %d strong %d own %v contrasting %v A%+v B%+v\n", what, g.common, g.strong, g.own, g.contrasting, g.restA, g.restB)
	}
}

// sameThing decides whether what two parts share is enough.
func (p *pair) sameThing(g agreement) bool {
	switch {
	case g.contrasting, g.strong == 0, g.restA.figures > 0 && g.restB.figures > 0:
		return false
	case p.scopes == elsewhere && !g.own, g.restA.names > 0 && g.restB.names > 0:
		return false
	case g.restA.strong > 0 && g.restB.strong > 0:
		return g.close && g.common >= 3*min(g.restA.strong, g.restB.strong)*strongWeight
	case g.restA.narrowing+g.restB.narrowing > 0:
		return false
	}
	return g.common >= 4
}

// together reports whether two sets of conditions can hold at once.
func together(x, y []condition, p *pair) bool {
	return implied(x, p.b) && implied(y, p.a)
}

func implied(list []condition, by *Claim) bool {
	for _, c := range list {
		for _, id := range c.ids {
			if by.read.find(id) < 0 && !slices.Contains(by.read.scope, id) {
				return false
			}
		}
	}
	return true
}

// ownSubject reports whether two clauses share a name of their own.
func (p *pair) ownSubject(e Entity) bool {
	for i := range p.a.read.terms {
		if t := &p.a.read.terms[i]; t.role&owning != 0 && p.b.read.find(t.id) >= 0 {
			return true
		}
	}
	return false
}

// spoken makes words of a name.
func spoken(name, of string) string {
	return strings.ReplaceAll(join(of, name), "_", " ")
}

// kindName returns the name of a kind of alternatives.
func kindName(kind uint64) string {
	at := bits.TrailingZeros64(kind)
	for line := range strings.Lines(alternatives) {
		if at--; at < 0 {
			name, _, _ := strings.Cut(line, ":")
			return name
		}
	}
	return ""
}

func (c clash) score() float64 { return []float64{0, 0.98, 0.95, 0.8, 0.8, 0.8, 0.8, 0.8}[c.rule] }

func (p *pair) finding(c clash, swapped bool) Finding {
	f := Finding{Tier: c.tier, Verdict: Genuine, Score: c.score(), A: c.a, B: c.b}
	here, there := p.a.Text[c.a.Start:c.a.End], p.b.Text[c.b.Start:c.b.End]
	if swapped {
		f.A, f.B, here, there = f.B, f.A, there, here
	}
	f.Explanation = fmt.Sprintf("%s: %s here, %s there", c.what, here, there)
	if p.scopes == elsewhere {
		f.Tier = TierCrossScope
	}
	f.Severity = severityOf(f.Tier, f.Verdict, p.a.Engineer == p.b.Engineer)
	return f
}
