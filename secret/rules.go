package secret

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// genericRule is the one rule of gitleaks that is tied to no vendor.
const genericRule = "generic-api-key"

// ruleSet is gitleaks's default rule set with one detector a rule, compiled
// when first needed: one detector with all rules takes about half the time that
// a short process has, and a text needs a handful of them.
type ruleSet struct {
	rules []lazyRule
	// heads maps the first two bytes of a keyword to the keywords that start so.
	heads map[[2]byte][]keyword
	// always lists the rules without keywords.
	always []int
}

type lazyRule struct {
	id       string
	detector func() (*detect.Detector, error)
}

type keyword struct {
	text string
	rule int
}

// loadRules decodes the rule set that is embedded in gitleaks. It goes past
// detect.NewDetectorDefaultConfig, which reads the same text through viper's
// process-wide state and compiles all of it.
func loadRules() (*ruleSet, error) {
	var raw config.ViperConfig
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &raw); err != nil {
		return nil, fmt.Errorf("decode gitleaks rules: %w", err)
	}
	allow, err := globalAllowlists(raw)
	if err != nil {
		return nil, err
	}
	rs := &ruleSet{heads: make(map[[2]byte][]keyword)}
	// The generic rule goes last: a vendor's name says more about a finding.
	generic := -1
	for i, r := range raw.Rules {
		if r.ID == genericRule {
			generic = i
			continue
		}
		rs.add(raw, i, allow)
	}
	if generic < 0 {
		return nil, fmt.Errorf("gitleaks rules lack %s", genericRule)
	}
	rs.add(raw, generic, allow)
	return rs, nil
}

// globalAllowlists compiles what gitleaks allows whatever the rule, without
// the part about paths: a text of engram has none.
func globalAllowlists(raw config.ViperConfig) ([]*config.Allowlist, error) {
	global := raw
	global.Rules = nil
	//lint:ignore SA1019 the rule file that gitleaks 8 embeds uses this form
	if a := global.AllowList; a != nil {
		a.Paths = nil
	}
	cfg, err := global.Translate()
	if err != nil {
		return nil, fmt.Errorf("gitleaks allow-lists: %w", err)
	}
	return cfg.Allowlists, nil
}

// add enters rule i of the raw set. A rule that gitleaks limits to some paths
// loses the limit, since a secret quoted in a fact has left its file; a rule
// that is about paths alone is left out.
func (rs *ruleSet) add(raw config.ViperConfig, i int, allow []*config.Allowlist) {
	one := config.ViperConfig{Rules: slices.Clone(raw.Rules[i : i+1])}
	r := &one.Rules[0]
	if r.Regex == "" {
		return
	}
	r.Path = ""
	n := len(rs.rules)
	if len(r.Keywords) == 0 {
		rs.always = append(rs.always, n)
	}
	for _, k := range r.Keywords {
		k = strings.ToLower(k)
		head := [2]byte{k[0], k[1]}
		rs.heads[head] = append(rs.heads[head], keyword{k, n})
	}
	rs.rules = append(rs.rules, lazyRule{id: r.ID, detector: sync.OnceValues(
		func() (*detect.Detector, error) { return newDetector(one, allow) })})
}

func newDetector(one config.ViperConfig, allow []*config.Allowlist) (*detect.Detector, error) {
	stopWords := takeStopWords(one)
	cfg, err := one.Translate()
	if err != nil {
		return nil, fmt.Errorf("compile gitleaks rule: %w", err)
	}
	for i, words := range stopWords {
		cfg.Rules[one.Rules[0].ID].Allowlists[i].StopWords = words
	}
	cfg.Allowlists = allow
	d := detect.NewDetector(cfg)
	d.IgnoreGitleaksAllow = true // the author of a text cannot wave it through
	return d, nil
}

// takeStopWords keeps Translate from building its automaton of 1,500 stop
// words, which costs more than the rest of a first Scan. An allow-list that
// gets them after validation compares them one by one, with findings alone.
func takeStopWords(one config.ViperConfig) map[int][]string {
	taken := make(map[int][]string)
	for i, a := range one.Rules[0].Allowlists {
		if len(a.Regexes) == 0 || len(a.StopWords) == 0 {
			continue // gitleaks refuses an empty allow-list
		}
		for _, w := range a.StopWords {
			taken[i] = append(taken[i], strings.ToLower(w))
		}
		a.StopWords = nil
	}
	return taken
}

// warm compiles the rule that most technical texts need.
func (rs *ruleSet) warm() { _, _ = rs.rules[len(rs.rules)-1].detector() }

// find returns the first rule, in the order of the set, that finds a secret.
func (rs *ruleSet) find(text string) (rule string, found bool) {
	for _, i := range rs.candidates(strings.ToLower(text)) {
		d, err := rs.rules[i].detector()
		if err != nil {
			return RuleUnavailable, true
		}
		for _, f := range d.DetectString(text) {
			if !isIdentifier(f.RuleID, f.Match, f.Secret) {
				return f.RuleID, true
			}
		}
	}
	return "", false
}

// candidates lists the rules that have a keyword in the text, in order.
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
