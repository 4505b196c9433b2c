package secret

import (
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
	// heads maps the first two bytes of a keyword to the keywords that start so.
	heads map[[2]byte][]keyword
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
	set := &ruleSet{heads: make(map[[2]byte][]keyword)}
	for _, text := range append(slices.Delete(file.Rules, generic, generic+1), last) {
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
	for _, k := range text.Keywords {
		k = strings.ToLower(k)
		head := [2]byte{k[0], k[1]}
		rs.heads[head] = append(rs.heads[head], keyword{k, n})
	}
	rs.rules = append(rs.rules, lazyRule{text.ID, sync.OnceValues(func() (*rule, error) { return newRule(text, global) })})
}

// warm compiles the generic rule, which is the slowest to compile and the one
// that ordinary words such as "key" and "access" ask for.
func (rs *ruleSet) warm() { _, _ = rs.rules[len(rs.rules)-1].compile() }

func (rs *ruleSet) find(text string) (rule string, found bool) {
	for _, i := range rs.candidates(strings.ToLower(text)) {
		r, err := rs.rules[i].compile()
		if err != nil {
			return RuleUnavailable, true
		}
		for _, f := range r.find(text) {
			if !isIdentifier(r.id, f.match, f.secret) {
				return r.id, true
			}
		}
	}
	return "", false
}

// candidates returns the rules whose keywords the text contains, in order.
func (rs *ruleSet) candidates(lower string) []int {
	hit := slices.Clone(rs.always)
	for i := 0; i+1 < len(lower); i++ {
		for _, k := range rs.heads[[2]byte{lower[i], lower[i+1]}] {
			if strings.HasPrefix(lower[i:], k.text) && !slices.Contains(hit, k.rule) {
				hit = append(hit, k.rule)
			}
		}
	}
	slices.Sort(hit)
	return hit
}
