package rule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/rule"
	"engram/facts"
)

// seeds are texts for pairs: those of the tests, and those that rules choke on.
func seeds() []string {
	texts := append(hostile(), strings.Repeat("a", 500), strings.Repeat("not ", 120), strings.Repeat("before after ", 35),
		strings.Repeat("used to ", 60), strings.Repeat("from 1 to 2 ", 40), "مهلة البوابة 30 ثانية", "timeout \u202e30 s\u202c", "…!?;,.", "5 zorkmids per glorp")
	for _, list := range [][]comparison{values(), choices(), polarities(), edits(), stages(), changes(), conditioned(), scoped()} {
		for _, c := range list {
			texts = append(texts, c.a, c.b)
		}
	}
	return texts
}

// hostile are the texts that reading is tested with in package entity.
func hostile() []string {
	return []string{
		"", " ", "`", "``", "```", "- `a", "1", "v", "v1", "1.", ".5", "1,", "1,000,", "::", ":8080", "://", "http://", "--", "--a",
		"a/b/c/", "(", ")", "((((", "))))", "from to", "from 1 to", "between 1 and", "1-", "-1", "1h", "1h30", "1h30m15s", "2024-13-45",
		"Q5 2025", "June", "1 June", "is", "is not", "not", "no longer uses", "without", "set to", "since", "since 1.28", "port", "port 99999999",
		"\xff\xfe", "é’s", "’", "’s", "$", "$5", "v1..", "v1.x", "the service", "service", "a a a a", "one hundred hundred thousand million dozen",
		"1.2.3.4:80", "0x", "0x1f", "007", "½ cup", "５ 分", "レート制限は 1000 です", strings.Repeat("9", 400), strings.Repeat("9", 400) + "Gi",
	}
}

func FuzzCompare(f *testing.F) {
	texts := seeds()
	for i, a := range texts {
		f.Add(a, texts[(i+1)%len(texts)], "shop", "shop/cart", 1)
		f.Add(a, texts[len(texts)-1-i], "shop", "infra", 0)
	}
	f.Fuzz(func(t *testing.T, a, b, scopeA, scopeB string, days int) {
		x := claim.Read(facts.Fact{Claim: a, Scope: scopeA})
		y := claim.Read(facts.Fact{Claim: b, Scope: scopeB, ValidFrom: time.Unix(int64(days)*86400, 0)})
		checkPair(t, x, y)
	})
}

// TestCompareIsSymmetric compares claims that are put together from the parts
// of others, so that they often clash.
func TestCompareIsSymmetric(t *testing.T) {
	texts := seeds()
	scopes := []string{"", "shop", "shop/cart", "infra"}
	rapid.Check(t, func(t *rapid.T) {
		claim := func(name string) *claim.Claim {
			f := facts.Fact{Scope: rapid.SampledFrom(scopes).Draw(t, name+" scope"), Lineage: rapid.SampledFrom([]string{"", "L"}).Draw(t, name+" lineage")}
			f.Claim = strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 1, 2).Draw(t, name), " ")
			f.Provenance.Agent = rapid.SampledFrom([]string{"", "anna", "ben"}).Draw(t, name+" agent")
			f.ValidFrom = time.Unix(int64(rapid.IntRange(0, 2).Draw(t, name+" day"))*86400, 0)
			return claim.Read(f)
		}
		checkPair(t, claim("a"), claim("b"))
	})
}

// checkPair verifies what holds for every pair.
func checkPair(t interface {
	Helper()
	Fatalf(string, ...any)
}, a, b *claim.Claim) {
	t.Helper()
	f, found := rule.Compare(a, b)
	g, mirrored := rule.Compare(b, a)
	if again, _ := rule.Compare(a, b); again != f {
		t.Fatalf("%q and %q give one thing, then another", a.Text, b.Text)
	}
	here := strings.NewReplacer("here", "there", "there", "here")
	f.A, f.B, f.Newer = f.B, f.A, []finding.Side{finding.Neither, finding.SideB, finding.SideA}[f.Newer]
	explanation := g.Explanation
	f.Explanation, g.Explanation = "", ""
	if found != mirrored || f != g {
		t.Fatalf("%q and %q: %+v, the other way round %+v", a.Text, b.Text, f, g)
	}
	if !found {
		return
	}
	if _, same := rule.Compare(a, a); same {
		t.Fatalf("%q contradicts itself", a.Text)
	}
	for _, side := range []struct {
		place finding.Place
		text  string
	}{{g.A, b.Text}, {g.B, a.Text}} {
		if side.place.Start < 0 || side.place.End < side.place.Start || side.place.End > len(side.text) {
			t.Fatalf("%q: place %+v", side.text, side.place)
		}
	}
	if explanation == "" || here.Replace(explanation) == "" || !slices.Contains(finding.Tiers(), g.Tier) || g.Score <= 0 || g.Score > 1 {
		t.Fatalf("%q and %q: %+v", a.Text, b.Text, g)
	}
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		plain("The auth service limits AUTH_RATE_LIMIT to about a thousand requests per second per IP in staging; the gateway timeout was bumped from 30 to 60 seconds.", "auth")
	}
}

func BenchmarkCompare(b *testing.B) {
	long := "The auth service limits callers to 100 requests per second per IP; the gateway drops idle connections after 60 seconds, and it never retries failed requests."
	for _, c := range []struct{ name, a, b string }{
		{"unrelated", long, "Migrations live in db/migrations and are run before every deployment."},
		{"related", long, "The gateway has a keep-alive pool that the auth service and 12 workers share, and metrics on port 9090."},
		{"clash", long, "Idle timeout on the gateway: 2 min"},
		{"edit", "The timeout of the gateway is 30 s in all regions", "The timeout of the gateway is 60 s in all regions"},
	} {
		x, y := plain(c.a, "auth"), plain(c.b, "auth")
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rule.Compare(x, y)
			}
		})
	}
}
