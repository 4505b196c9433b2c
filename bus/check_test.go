package bus_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/bus"
)

func check(text string) bus.Verdict { return bus.Check([]byte(text), bus.Limits{}, bus.Allowance{}) }

// refusal finds the one with a limit or path.
func refusal(t *testing.T, v bus.Verdict, what string) bus.Refusal {
	t.Helper()
	for _, r := range v.Refusals {
		if r.Name == what || r.Path == what {
			return r
		}
	}
	t.Fatalf("no refusal for %s: %+v", what, v)
	return bus.Refusal{}
}

// passes wants a form to send again that complies.
func passes(t *testing.T, v bus.Verdict) bus.ChildMessage {
	t.Helper()
	if again := check(v.Resend); v.Resend == "" || !again.OK {
		t.Fatalf("what to send again does not comply: %+v\n%s", again, v.Resend)
	}
	m, err := bus.ParseChild([]byte(v.Resend))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// withClaim is a sound message with another claim.
func withClaim(t *testing.T, claim string) string {
	t.Helper()
	m, err := bus.ParseChild([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	m.Engrams[0].Claim = claim
	return m.YAML()
}

func TestASoundMessageIsFine(t *testing.T) {
	v := check(sound)
	if !v.OK || v.Code != "" || len(v.Refusals) > 0 || v.Resend != "" || v.Engrams != 1 || v.Form != bus.FromChild || v.Tokens < 50 || v.Tokens > 120 {
		t.Errorf("%+v", v)
	}
}

// TestMatrixInlineTokens1200IsRefused is from the bus document §11.1.
func TestMatrixInlineTokens1200IsRefused(t *testing.T) {
	m, err := bus.ParseChild([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	m.Output.Summary = ""
	for v := check(m.YAML()); v.Tokens < 1200; v = check(m.YAML()) {
		m.Output.Summary += "It was looked at in turn. "
	}
	v := check(m.YAML())
	r := refusal(t, v, bus.NameTokens)
	if v.OK || v.Code != bus.BudgetExceeded || r.Limit != 800 || r.Amount != v.Tokens || v.Tokens < 1200 {
		t.Errorf("%+v", v)
	}
	again := passes(t, v)
	if len(again.Engrams) != 1 || len(again.Output.Summary) > 500 {
		t.Errorf("the summary was to be shortened, and nothing else: %s", v.Resend)
	}
	prose := strings.Repeat("I looked at the gateway and then at the ledger. ", 120)
	if v := check(prose); v.Code != bus.BudgetExceeded || v.Tokens < 1200 || v.Resend != "" {
		t.Errorf("prose: %+v", v)
	}
}

// TestMatrixInlineCodeWithoutGrant is from the bus document §11.1.
func TestMatrixInlineCodeWithoutGrant(t *testing.T) {
	text := withClaim(t, "Negative amounts are let through:\n```go\n"+code+"\n```")
	v := check(text)
	r := refusal(t, v, bus.NameCode)
	if v.OK || v.Code != bus.BudgetExceeded || r.Path != "ENGRAMS[0].claim" || r.Limit != 0 || r.Amount != v.CodeChars || v.CodeChars < 60 {
		t.Errorf("%+v", v)
	}
	if m := passes(t, v); strings.Contains(m.Engrams[0].Claim, "func") || !strings.Contains(m.Engrams[0].Claim, "repo:PATH#LFIRST-LLAST@COMMIT") || !strings.HasPrefix(m.Engrams[0].Claim, "Negative amounts are let through:") {
		t.Errorf("%q", m.Engrams[0].Claim)
	}
	if granted := bus.Check([]byte(text), bus.Limits{}, bus.Allowance{CodeChars: v.CodeChars}); !granted.OK {
		t.Errorf("with a grant: %+v", granted)
	}
	if granted := bus.Check([]byte(text), bus.Limits{}, bus.Allowance{CodeChars: v.CodeChars - 1}); granted.OK {
		t.Errorf("with a grant that is one character short: %+v", granted)
	}
	if limited := bus.Check([]byte(text), bus.Limits{Inline: bus.Inline{CodeChars: 500}}, bus.Allowance{}); !limited.OK {
		t.Errorf("where the team allows code: %+v", limited)
	}
	hidden := "# ```\n# " + strings.ReplaceAll(code, "\n", "\n# ") + "\n" + sound
	if v := check(hidden); v.Code != bus.BudgetExceeded || refusal(t, v, bus.NameCode).Path != "comments" || passes(t, v).YAML() != sound {
		t.Errorf("in comments: %+v", v)
	}
}

// TestMatrixEngramWithoutPointers is from the bus document §11.3.
func TestMatrixEngramWithoutPointers(t *testing.T) {
	pointers := sound[strings.Index(sound, "    pointers:"):strings.Index(sound, "OUTPUT:")]
	for _, c := range []struct{ name, with string }{{"missing", ""}, {"null", "    pointers:\n"}, {"empty", "    pointers: []\n"}} {
		v := check(strings.Replace(sound, pointers, c.with, 1))
		if r := refusal(t, v, "ENGRAMS[0].pointers"); v.OK || v.Code != bus.Invalid || v.Resend != "" || r.Reason == "" {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// TestMatrixEngramOverLength is from the bus document §11.3.
func TestMatrixEngramOverLength(t *testing.T) {
	v := check(withClaim(t, strings.Repeat("It is released late. ", 30)))
	r := refusal(t, v, bus.NameClaim)
	if v.OK || v.Code != bus.BudgetExceeded || r.Path != "ENGRAMS[0].claim" || r.Limit != 500 || r.Amount != 630 || len(r.Resend) > 510 || !strings.HasSuffix(r.Resend, "late. …") {
		t.Errorf("%+v", v)
	}
	if m := passes(t, v); m.Engrams[0].Claim != r.Resend {
		t.Errorf("%q", m.Engrams[0].Claim)
	}
	if v := check(withClaim(t, strings.Repeat("時", 500))); !v.OK {
		t.Errorf("500 characters that are no bytes: %+v", v)
	}
}

// TestMatrixPointerWithoutCommit is from the bus document §11.2.
func TestMatrixPointerWithoutCommit(t *testing.T) {
	const whole = "repo:services/gateway/client.py#L280-L360"
	for _, ref := range []string{whole, whole + "@", whole + "@main", whole + "@HEAD", "repo:client.py", "artifact:SPEC.md#sec=Rules@", "test:a_test.go#TestX"} {
		kind, _, _ := strings.Cut(ref, ":")
		text := strings.Replace(strings.Replace(sound, whole+"@0123abc", ref, 1), "type: repo", "type: "+kind, 1)
		v := check(text)
		r := refusal(t, v, "commit")
		if v.OK || v.Code != bus.Invalid || len(v.Refusals) != 1 || r.Path != "ENGRAMS[0].pointers[0].ref" || !strings.HasSuffix(r.Resend, "@COMMIT") || v.Resend != "" {
			t.Errorf("%s: %+v", ref, v)
		}
		full := bus.BareRef(ref) + "@4567def"
		if diff := cmp.Diff([]string{ref}, bus.WithoutCommit([]byte(text))); diff != "" {
			t.Error(diff)
		}
		v = bus.Check([]byte(text), bus.Limits{}, bus.Allowance{Commits: map[string]string{ref: full}})
		if m := passes(t, v); v.OK || refusal(t, v, "commit").Resend != full || m.Engrams[0].Pointers[0].Ref != full {
			t.Errorf("%s, completed: %+v", ref, v)
		}
	}
}

// TestCheckRefuses lists what is read and is not fine.
func TestCheckRefuses(t *testing.T) {
	change := func(old, with string) string { return strings.Replace(sound, old, with, 1) }
	const ref = `ref: "repo:services/gateway/client.py#L280-L360@0123abc"`
	for _, c := range []struct{ name, text, path, reason string }{
		{"kind", change("kind: risk", "kind: guess"), "ENGRAMS[0].kind", "not one of fact, decision"},
		{"scope", change("scope: project", "scope: team"), "ENGRAMS[0].scope", "not one of run, project"},
		{"ttl", change("P7D", "a week"), "ENGRAMS[0].ttl", "ISO-8601"},
		{"confidence", change("0.72", "1.2"), "ENGRAMS[0].confidence", "between 0 and 1"},
		{"blank", change("programmer", `" "`), "ROLE", "is empty"},
		{"control", change("programmer", `"a\x01"`), "ROLE", "control character"},
		{"type", change("type: repo", "type: file"), "ENGRAMS[0].pointers[0].type", "not one of repo"},
		{"another type", change("type: repo", "type: test"), "ENGRAMS[0].pointers[0].type", "its ref is of type repo"},
		{"reference", change(ref, `ref: "repo:../../etc/passwd@0123abc"`), "ENGRAMS[0].pointers[0].ref", "leaves the repository"},
		{"no reference", change(ref, `ref: client.py`), "ENGRAMS[0].pointers[0].ref", "needs a type"},
		{"span", change(ref, ref+", span: L1-L2"), "ENGRAMS[0].pointers[0].span", "which contradicts its ref"},
		{"digest", change(ref, ref+", digest: abc"), "ENGRAMS[0].pointers[0].digest", "algorithm:hex"},
		{"tags", change("    ttl:", "    tags: ["+strings.Repeat("a, ", 12)+"a]\n    ttl:"), "ENGRAMS[0].tags", "13 items; at most 12"},
		{"tag", change("    ttl:", "    tags: ["+strings.Repeat("a", 41)+"]\n    ttl:"), "ENGRAMS[0].tags[0]", "41 characters; at most 40"},
		{"source", change("    ttl:", "    provenance: { created_at: 2026-01-19T12:00:00Z, created_by: a, source: me }\n    ttl:"), "ENGRAMS[0].provenance.source", "not one of rag"},
		{"request", sound + "DEREF_REQUESTS:\n  - pointer: { type: repo, ref: \"repo:a.go@0123abc\" }\n    reason: \"\"\n", "DEREF_REQUESTS[0].reason", "is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := check(c.text)
			if r := refusal(t, v, c.path); v.OK || v.Code != bus.Invalid || !strings.Contains(r.Reason, c.reason) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestTooManyEngrams keeps those of the highest confidence, in their order.
func TestTooManyEngrams(t *testing.T) {
	m, err := bus.ParseChild([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	first := m.Engrams[0]
	m.Engrams = nil
	for i := range 5 {
		e := first
		confidence := []float64{0.5, 0.9, 0.5, 0.1, 0.5}[i]
		e.Claim, e.Confidence = fmt.Sprintf("Claim %d.", i), &confidence
		m.Engrams = append(m.Engrams, e)
	}
	limits := bus.Limits{Inline: bus.Inline{Engrams: 3}}
	v := bus.Check([]byte(m.YAML()), limits, bus.Allowance{})
	if r := refusal(t, v, bus.NameEngrams); r.Amount != 5 || r.Limit != 3 || !strings.Contains(r.Reason, "ENGRAMS[0], ENGRAMS[1], ENGRAMS[2]") {
		t.Errorf("%+v", r)
	}
	again := passes(t, v)
	if len(again.Engrams) != 3 || again.Engrams[1].Claim != "Claim 1." {
		t.Error(v.Resend)
	}
}

// TestABriefHasThirtyLines is from the bus document §10.1.
func TestABriefHasThirtyLines(t *testing.T) {
	m := bus.ParentMessage{Role: "director", Budgets: bus.Budgets{MaxEngrams: 10}, Instructions: []string{"Confirm atomicity."}}
	for i := range 30 {
		m.SharedBriefMicro = append(m.SharedBriefMicro, fmt.Sprintf("Line %d.", i))
	}
	v := check(m.YAML())
	if r := refusal(t, v, bus.NameLines); v.Code != bus.BudgetExceeded || r.Limit != 30 || r.Amount != 35 {
		t.Errorf("%+v", v)
	}
	back, err := parseParent(v.Resend)
	if err != nil || len(back.SharedBriefMicro) != 25 || len(back.Instructions) != 1 || strings.Count(v.Resend, "\n") != 30 || !check(v.Resend).OK {
		t.Errorf("%v: %s", err, v.Resend)
	}
}

// TestUnknownFieldsAreLeftAway, and comments.
func TestUnknownFieldsAreLeftAway(t *testing.T) {
	v := check("# hello\n" + sound + "NOTES: more\n")
	if v.Code != bus.Invalid || v.Resend != sound {
		t.Errorf("%+v", v)
	}
	if v := check(sound + "ROLE: another\n"); v.OK || v.Resend != "" {
		t.Errorf("a field that stands there twice says two things: %+v", v)
	}
}

// TestProseGetsATemplate, which is nothing to send as it is.
func TestProseGetsATemplate(t *testing.T) {
	v := check("All done, tests pass.")
	if v.Code != bus.Invalid || v.Resend != "" || len(v.Refusals) != 1 || v.Refusals[0].Resend != bus.Template || check(bus.Template).OK {
		t.Errorf("%+v", v)
	}
}

// TestWhatToSendAgainComplies: whatever is wrong, what is offered instead is fine; and
// where nothing but budgets is passed, there is an offer.
func TestWhatToSendAgainComplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyChild(t)
		spoil(t, &m)
		limits := bus.Limits{Inline: bus.Inline{Tokens: rapid.SampledFrom([]int{0, 600, 500, 30}).Draw(t, "tokens"), Engrams: rapid.SampledFrom([]int{0, 3}).Draw(t, "engrams")}}
		allow := bus.Allowance{CodeChars: rapid.SampledFrom([]int{0, 100}).Draw(t, "code")}
		v := bus.Check([]byte(m.YAML()), limits, allow)
		if diff := cmp.Diff(v, bus.Check([]byte(m.YAML()), limits, allow)); diff != "" {
			t.Fatalf("two verdicts on one message:\n%s", diff)
		}
		if v.Resend != "" {
			if again := bus.Check([]byte(v.Resend), limits, allow); !again.OK {
				t.Fatalf("%+v\n%s", again, v.Resend)
			}
		}
		budgets := !slices.ContainsFunc(v.Refusals, func(r bus.Refusal) bool { return r.Code == bus.Invalid && r.Limit == 0 })
		if !v.OK && budgets && limits.Inline.Tokens != 30 && v.Resend == "" {
			t.Fatalf("no form that complies for %+v\n%s", v, m.YAML())
		}
	})
}

// TestAFineMessageIsFineInCanonicalForm, whatever form it came in.
func TestAFineMessageIsFineInCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { fineInCanonicalForm(t, []byte(anyChild(t).YAML())) })
	rapid.Check(t, func(t *rapid.T) { fineInCanonicalForm(t, []byte(anyParent(t).YAML())) })
}

func fineInCanonicalForm(t interface{ Fatalf(string, ...any) }, text []byte) {
	v := bus.Check(text, bus.Limits{}, bus.Allowance{})
	m, err := bus.Read(text)
	if v.OK && err != nil {
		t.Fatalf("fine, and not to be read: %v", err)
	}
	if !v.OK {
		if v.Resend != "" && !bus.Check([]byte(v.Resend), bus.Limits{}, bus.Allowance{}).OK {
			t.Fatalf("what to send again is refused: %s", v.Resend)
		}
		return
	}
	if again := bus.Check([]byte(m.YAML()), bus.Limits{}, bus.Allowance{}); !again.OK {
		t.Fatalf("%+v\n%s", again, m.YAML())
	}
}

// FuzzCheck: any text gets a verdict.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(bus.Template))
	f.Add([]byte(`{"ROLE":"a","SHARED_BRIEF_MICRO":["b"],"BUDGETS":{},"GRANTS":[{"budget_token":"t","pointer":{"type":"repo","ref":"repo:a@"},"cap_tokens":1}]}`))
	f.Add([]byte("ENGRAMS:\n  - claim: |\n      ```\n      x := 1\n  - *a\n# c\n"))
	if b, err := os.ReadFile("check.go"); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fineInCanonicalForm(t, text)
		spans, chars := bus.Code(string(text))
		at, sum := 0, 0
		for _, s := range spans {
			if s.Start < at || s.End < s.Start || s.End > len(text) || utf8.Valid(text) && !utf8.ValidString(string(text[s.Start:s.End])) {
				t.Fatalf("spans %+v", spans)
			}
			at, sum = s.End, sum+s.Chars
		}
		if sum != chars {
			t.Fatalf("%d characters in spans, %d in all", sum, chars)
		}
	})
}
