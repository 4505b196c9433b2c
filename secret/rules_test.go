package secret

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// ruleFacts is all of a rule that decides what it finds in a text.
type ruleFacts struct {
	Regex       string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	Allowlists  []allowFacts
}

type allowFacts struct {
	Condition, Target  string
	Regexes, StopWords []string
}

func factsOf(r config.Rule) ruleFacts {
	f := ruleFacts{r.Regex.String(), r.SecretGroup, r.Entropy, r.Keywords, nil}
	for _, a := range r.Allowlists {
		f.Allowlists = append(f.Allowlists, allowOf(a))
	}
	return f
}

func allowOf(a *config.Allowlist) allowFacts {
	f := allowFacts{Condition: a.MatchCondition.String(), Target: a.RegexTarget}
	for _, re := range a.Regexes {
		f.Regexes = append(f.Regexes, (*regexp.Regexp)(re).String())
	}
	f.StopWords = slices.Compact(slices.Sorted(slices.Values(a.StopWords)))
	return f
}

// TestRulesAreGitleaks compiles every rule and compares it with the one of
// detect.NewDetectorDefaultConfig, which loads the same set in another way. It
// looks into the package because a lost rule would not show from outside.
func TestRulesAreGitleaks(t *testing.T) {
	reference, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]ruleFacts)
	for id, r := range reference.Config.Rules {
		if len(r.RequiredRules) > 0 || r.SkipReport {
			t.Errorf("%s takes part in a rule of several parts, which one detector a rule cannot do", id)
		}
		if r.Regex != nil { // the others are about paths alone
			want[id] = factsOf(r)
		}
	}
	rs, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]ruleFacts)
	for _, r := range rs.rules {
		d, err := r.detector()
		if err != nil {
			t.Fatal(err)
		}
		for id, r := range d.Config.Rules {
			got[id] = factsOf(r)
		}
		if diff := cmp.Diff(allowOf(reference.Config.Allowlists[0]), allowOf(d.Config.Allowlists[0])); diff != "" {
			t.Fatalf("%s: global allow-list (-want +got):\n%s", r.id, diff)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if n := len(want); n < 200 {
		t.Errorf("gitleaks has %d rules, want its 200 and more", n)
	}
	if last := rs.rules[len(rs.rules)-1].id; last != genericRule {
		t.Errorf("the last rule is %s, want %s", last, genericRule)
	}
}
