package secret

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// genericRule is the only rule of gitleaks that belongs to no vendor.
const genericRule = "generic-api-key"

// gitleaksRules is gitleaks's default rule set, byte for byte; a test compares
// the two. gitleaks itself is not linked: with its viper, archives and templates
// it costs 6 MB and a sixth of the program's start-up time.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksRules []byte

// ruleFile is the part of gitleaks.toml that applies to a text without a path.
type ruleFile struct {
	Allowlist allowlistText
	Rules     []ruleText
}

type ruleText struct {
	ID          string
	Regex       string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	Allowlists  []allowlistText
}

type allowlistText struct {
	Condition   string
	Paths       []string
	RegexTarget string
	Regexes     []string
	StopWords   []string
}

// ruleSet is gitleaks's rule set. A rule is compiled when a text first has one of
// its keywords: compiling all of them takes about half the time that a short
// process has, and a text needs a handful.
type ruleSet struct {
	rules []lazyRule
	// heads has the keywords by their first two bytes, at the place in it that
	// starts has for the two; those at 0 are none.
	heads  [][]keyword
	starts [1 << 14]uint16
	// always lists the rules without keywords.
	always []int
}

type lazyRule struct {
	id      string
	compile func() (*rule, error)
}

type keyword struct {
	text string
	rule int
	near nearby
}

func loadRules() (*ruleSet, error) {
	var file ruleFile
	if err := toml.Unmarshal(gitleaksRules, &file); err != nil {
		return nil, fmt.Errorf("decode gitleaks rules: %w", err)
	}
	file.Allowlist.Paths = nil // a text of engram has no path
	global, err := newAllowlist(file.Allowlist)
	if err != nil {
		return nil, fmt.Errorf("gitleaks allow-list: %w", err)
	}
	// The generic rule goes last: a vendor's name says more about a finding.
	generic := slices.IndexFunc(file.Rules, func(r ruleText) bool { return r.ID == genericRule })
	if generic < 0 {
		return nil, fmt.Errorf("gitleaks rules lack %s", genericRule)
	}
	last := file.Rules[generic]
	set := &ruleSet{heads: make([][]keyword, 1)}
	for _, text := range append(append(slices.Delete(file.Rules, generic, generic+1), ownRules()...), last) {
		if text.Regex != "" { // the others are about paths alone
			set.add(text, global)
		}
	}
	return set, nil
}

func (rs *ruleSet) add(text ruleText, global *allowlist) {
	n := len(rs.rules)
	if len(text.Keywords) == 0 {
		rs.always = append(rs.always, n)
	}
	name := nameOf(text)
	for _, k := range text.Keywords {
		k = strings.ToLower(k)
		at := &rs.starts[pairOf(k[0], k[1])]
		if *at == 0 {
			*at = uint16(len(rs.heads))
			rs.heads = append(rs.heads, nil)
		}
		rs.heads[*at] = append(rs.heads[*at], keyword{k, n, nearbyOf(text.ID, name, k)})
	}
	rs.rules = append(rs.rules, lazyRule{text.ID, sync.OnceValues(func() (*rule, error) { return newRule(text, global) })})
}

// pairOf is the place of two bytes in starts. Keywords are ASCII; other bytes share
// their places.
func pairOf(first, second byte) uint16 { return uint16(first&0x7f)<<7 | uint16(second&0x7f) }

// warm compiles the generic rule, which is the slowest to compile and the one
// that ordinary words such as "key" and "access" ask for.
func (rs *ruleSet) warm() { _, _ = rs.rules[len(rs.rules)-1].compile() }

// find reports the secrets in a text until report returns false.
func (rs *ruleSet) find(text string, report func(span) bool) bool {
	prose := sync.OnceValue(func() string { return withoutStops(text) })
	for _, h := range rs.hits(text) {
		if h.parts = slices.DeleteFunc(h.parts, func(p part) bool { return p.idle }); len(h.parts) == 0 {
			continue
		}
		lazy := rs.rules[h.rule]
		r, err := lazy.compile()
		if err != nil {
			return report(span{0, len(text), RuleUnavailable})
		}
		for _, part := range h.parts {
			found := r.find(text, part.start, part.end)
			if len(found) == 0 && prose() != text {
				found = r.find(prose(), part.start, part.end)
			}
			for _, f := range found {
				if !isIdentifier(r.id, f.match, f.secret) && !report(f.span(r.id)) {
					return false
				}
			}
		}
	}
	return true
}

// endings are the punctuation that may follow a word of a sentence.
const endings = ".,:;!?)]}"

// withoutStops is a text with a space for each character of punctuation between a word and what
// is white, or the end. Rules of gitleaks are written for code: most want a quote, a space or
// the end of the text behind a token, and not the full stop of a sentence.
func withoutStops(text string) string {
	var spaced []byte
	for i := strings.IndexAny(text, endings); i >= 0 && i < len(text); i++ {
		end := i
		for end < len(text) && strings.IndexByte(endings, text[end]) >= 0 {
			end++
		}
		if end > i && (end == len(text) || strings.IndexByte(" \t\r\n", text[end]) >= 0) {
			if spaced == nil {
				spaced = []byte(text)
			}
			copy(spaced[i:end], bytes.Repeat([]byte(" "), end-i))
		}
		i = max(i, end)
	}
	if spaced == nil {
		return text
	}
	return string(spaced)
}

// span is the secret of a finding, or all of it where the rule's group is only a
// piece of the secret.
func (f finding) span(rule string) span {
	if len(f.secret) < minSecret {
		return span{f.matchAt, f.matchAt + len(f.match), rule}
	}
	return span{f.secretAt, f.secretAt + len(f.secret), rule}
}

// minSecret is the length below which a group of a rule is no secret by itself.
const minSecret = 8

// hit is a rule of which the text has a keyword, and the parts of the text in
// which it may match, in order.
type hit struct {
	rule  int
	parts []part
}

// part is a part of a text. An idle one has a match that is no finding: it matters
// only for what other matches it takes characters from.
type part struct {
	start, end int
	idle       bool
}

// hits returns the rules whose keywords the text contains, in order.
func (rs *ruleSet) hits(text string) []hit {
	if foldsToASCII(text) {
		return rs.wholeHits(text)
	}
	var hits []hit
	for _, n := range rs.always {
		hits = append(hits, hit{n, []part{{end: len(text)}}})
	}
	if text == "" {
		return hits
	}
	next := lowered[text[0]]
	for i := 0; i+1 < len(text); i++ {
		first := next
		next = lowered[text[i+1]]
		at := rs.starts[pairOf(first, next)]
		if at == 0 {
			continue
		}
		for _, k := range rs.heads[at] {
			if !hasPrefixLower(text[i:], k.text) {
				continue
			}
			p, ok := k.near.part(text, i, i+len(k.text))
			if !ok {
				continue
			}
			n := slices.IndexFunc(hits, func(h hit) bool { return h.rule == k.rule })
			if n < 0 {
				hits = append(hits, hit{k.rule, []part{p}})
				continue
			}
			hits[n].add(p)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return a.rule - b.rule })
	return hits
}

// add joins a part with those before it that it touches.
func (h *hit) add(p part) {
	for n := len(h.parts); n > 0 && p.start <= h.parts[n-1].end; n-- {
		last := h.parts[n-1]
		p = part{min(p.start, last.start), max(p.end, last.end), p.idle && last.idle}
		h.parts = h.parts[:n-1]
	}
	h.parts = append(h.parts, p)
}

// wholeHits is hits without any short cut.
func (rs *ruleSet) wholeHits(text string) []hit {
	found := slices.Clone(rs.always)
	lower := strings.ToLower(text)
	for i := 0; i+1 < len(lower); i++ {
		for _, k := range rs.heads[rs.starts[pairOf(lower[i], lower[i+1])]] {
			if strings.HasPrefix(lower[i:], k.text) && !slices.Contains(found, k.rule) {
				found = append(found, k.rule)
			}
		}
	}
	slices.Sort(found)
	var hits []hit
	for _, n := range found {
		hits = append(hits, hit{n, []part{{end: len(text)}}})
	}
	return hits
}
