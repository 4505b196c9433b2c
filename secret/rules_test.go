package secret

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"pgregory.net/rapid"
)

// TestRulesAreGitleaks proves that the copy of the rule set is that of the version
// of gitleaks in go.mod, and that nothing in it asks for what package secret does
// not do.
func TestRulesAreGitleaks(t *testing.T) {
	if string(gitleaksRules) != config.DefaultConfig {
		t.Error("gitleaks/gitleaks.toml is not that of gitleaks: copy config/gitleaks.toml of the module here")
	}
	want := 0
	for id, r := range gitleaks(t).Config.Rules {
		if len(r.RequiredRules) > 0 || r.SkipReport {
			t.Errorf("%s takes part in a rule of several parts", id)
		}
		if r.Regex != nil {
			want++
		}
	}
	rs, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	if len(rs.rules) != want+len(ownRules()) || want < 200 {
		t.Errorf("%d rules are loaded, gitleaks has %d; want the same number, above 200", len(rs.rules), want)
	}
	if last := rs.rules[len(rs.rules)-1].id; last != genericRule {
		t.Errorf("the last rule is %s, want %s", last, genericRule)
	}
}

// TestRulesFindWhatGitleaksFinds compares each rule with gitleaks's detector for
// that rule, on texts that are made to match it.
func TestRulesFindWhatGitleaksFinds(t *testing.T) {
	silent := 0
	for id, pair := range pairs(t) {
		found := false
		t.Run(id, func(t *testing.T) {
			matching := rapid.StringMatching(pair.own.form.String())
			around := rapid.SampledFrom([]string{"", "\n", "key = \"", "\"\n", " ", "\r\n\n", "test EXAMPLE ", "\nnext line\n", "--mount=type=secret,id="})
			for seed := range 12 {
				text := around.Example(seed) + matching.Example(seed) + around.Example(seed+100) + matching.Example(seed+200) + around.Example(seed+300)
				pair.compare(t, text)
				found = found || len(pair.own.find(text, 0, len(text))) > 0
			}
		})
		if !found {
			silent++
		}
	}
	if silent > 10 {
		t.Errorf("%d rules found nothing in any text, so that nothing was compared; want at most 10", silent)
	}
}

// TestRulesFindWhatGitleaksFindsInData compares all rules on the measurement data.
func TestRulesFindWhatGitleaksFindsInData(t *testing.T) {
	dir := os.Getenv("ENGRAM_DATA")
	if dir == "" {
		t.Skip("skipped: ENGRAM_DATA does not name the folder with the measurement data")
	}
	rules := pairs(t)
	for _, name := range []string{"gitleaks_cases.b64.jsonl", "leaky_repo.b64.jsonl"} {
		f, err := os.Open(filepath.Join(dir, "secrets", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		texts := 0
		for lines.Scan() {
			var r struct {
				Input   string `json:"input_b64"`
				Content string `json:"content_b64"`
			}
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			text, err := base64.StdEncoding.DecodeString(r.Input + r.Content)
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range rules {
				pair.compare(t, string(text))
			}
			texts++
		}
		t.Logf("%s: %d texts", name, texts)
	}
}

// FuzzRuleFind compares the generic rule and the rules with an allow-list on
// matches or lines with gitleaks.
func FuzzRuleFind(f *testing.F) {
	f.Add("api_key = \"q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX\"")
	f.Add("a\n\npassword=AKIAQ3EGXMZ7KLWTRB5D\r\nkey: 9f86d081884c7d659a2feaa0c55ad015\n")
	f.Add("curl -u admin:hunter2hunter2 https://example.org\ncurl -H 'Authorization: Bearer abcdefgh12345678'")
	f.Add("kind: Secret\ndata:\n  password: aHVudGVyMg==\n")
	var rules []rulePair
	for id, pair := range pairs(f) {
		if id == genericRule || len(pair.own.allowlists) > 1 {
			rules = append(rules, pair)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, pair := range rules {
			pair.compare(t, text)
		}
	})
}

// rulePair is one rule, as package secret and as gitleaks apply it.
type rulePair struct {
	own      *rule
	keywords []string
	gitleaks *detect.Detector
}

func (p rulePair) compare(t *testing.T, text string) {
	t.Helper()
	lower := strings.ToLower(text)
	has := len(p.keywords) == 0
	for _, k := range p.keywords {
		has = has || strings.Contains(lower, k)
	}
	var got, want []string
	if has {
		for _, f := range p.own.find(text, 0, len(text)) {
			got = append(got, f.match+"\x00"+f.secret)
		}
	}
	for _, f := range p.gitleaks.DetectString(text) {
		want = append(want, f.Match+"\x00"+f.Secret)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s in %q (-gitleaks +own):\n%s", p.own.id, text, diff)
	}
}

func pairs(t testing.TB) map[string]rulePair {
	t.Helper()
	rs, err := loadRules()
	if err != nil {
		t.Fatal(err)
	}
	reference := gitleaks(t).Config
	all := make(map[string]rulePair)
	for _, lazy := range rs.rules {
		own, err := lazy.compile()
		if err != nil {
			t.Fatal(err)
		}
		r, theirs := reference.Rules[lazy.id]
		if !theirs { // it is one of ownRules
			continue
		}
		r.Path = nil // it applies to texts without a path, too
		one := config.Config{Rules: map[string]config.Rule{lazy.id: r}, Keywords: map[string]struct{}{}, Allowlists: reference.Allowlists}
		for _, k := range r.Keywords {
			one.Keywords[k] = struct{}{}
		}
		d := detect.NewDetector(one)
		d.IgnoreGitleaksAllow = true
		all[lazy.id] = rulePair{own, r.Keywords, d}
	}
	return all
}

func gitleaks(t testing.TB) *detect.Detector {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSecretsInSentences: the punctuation of a sentence behind a token does not hide it.
func TestSecretsInSentences(t *testing.T) {
	s := New()
	for _, token := range []string{
		"AIza" + "SyD3xK9vQ2mL7pR4tW8yB1nC6zF0hJ5gS-e", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dcXyZ", "npm_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6",
	} {
		for _, form := range []string{"%s", "The key is %s.", "We use %s, as before.", "(%s)", "Is it %s?", "It is %s!", "%s: rotate it", "one\n%s.\ntwo"} {
			if text := strings.Replace(form, "%s", token, 1); !finds(s, text) {
				t.Errorf("missed in %q", strings.Replace(form, "%s", "TOKEN", 1))
			}
		}
	}
}

func finds(s *Scanner, text string) bool {
	_, found := s.Scan(text)
	return found
}
