package rule_test

import (
	"strings"
	"testing"
	"time"

	"engram/detect/claim"
	"engram/detect/finding"
	"engram/detect/rule"
	"engram/facts"
)

// comparison is a pair of claims of one scope, unless it names two, with what
// is to be found: nothing, or a verdict and words of the explanation.
type comparison struct {
	a, b    string
	verdict finding.Verdict
	says    string
	scopes  [2]string
}

// plain reads a claim of which only text and scope are known.
func plain(text, scope string) *claim.Claim {
	return claim.Read(facts.Fact{Claim: text, Scope: scope})
}

func (c comparison) claims() (a, b *claim.Claim) {
	scopes := c.scopes
	if scopes == [2]string{} {
		scopes = [2]string{"shop", "shop"}
	}
	return plain(c.a, scopes[0]), plain(c.b, scopes[1])
}

const (
	genuine   = finding.Genuine
	evolution = finding.Evolution
	ambiguous = finding.Ambiguous
	nothing   = finding.Verdict("")
)

// TestCompare has every rule of Compare by its number there, and what it must
// leave alone.
func TestCompare(t *testing.T) {
	for name, list := range map[string][]comparison{
		"1 values": values(), "2 choices": choices(), "3 polarity": polarities(), "4 edits": edits(),
		"5 stages and order": stages(), "6 changes": changes(), "7 conditions": conditioned(), "8 scopes": scoped(),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range list {
				a, b := c.claims()
				f, found := rule.Compare(a, b)
				if f.Verdict != c.verdict || found != (c.verdict != nothing) || !strings.Contains(f.Explanation, c.says) {
					t.Errorf("%s\n%s\n%q, %q; want %q, %q", c.a, c.b, f.Verdict, f.Explanation, c.verdict, c.says)
				}
			}
		})
	}
}

func values() []comparison {
	return []comparison{
		{a: "The gateway timeout is 30 s", b: "The timeout of the gateway is 1 min", verdict: genuine, says: "gateway timeout: 30 s here, 1 min there"},
		{a: "The gateway drops idle connections after 60 seconds", b: "Idle timeout on the gateway: 2 min", verdict: genuine, says: "60 seconds here, 2 min there"},
		{a: "The payments service listens on port 5432", b: "The payments service listens on port 6432", verdict: genuine, says: "5432 here, 6432 there"},
		{a: "Logs are kept for 30 days", b: "Log retention is 90 days", verdict: genuine},
		{a: "The upload limit is 10 MB", b: "Uploads larger than 25 MB are rejected", verdict: genuine},
		{a: "The engine needs Rust 1.80 or later", b: "The engine compiles with Rust 1.75", verdict: genuine},
		{a: "The gateway timeout is 30 s", b: "The gateway timeout is 30 seconds"},
		{a: "The gateway timeout is 30 s", b: "The gateway timeout is 0.5 min"},
		{a: "The connect timeout of the gateway is 5 s", b: "The read timeout of the gateway is 30 s"},
		{a: "The minimum pool size is 5", b: "The maximum pool size is 50"},
		{a: "auth serves its API on port 8080", b: "auth exposes metrics on port 9090"},
		{a: "The worker's CPU request is 500m", b: "The worker's CPU limit is 2 cores"},
		{a: "Retries wait between 10 and 20 s", b: "Retries wait 15 s"},
		{a: "The cluster has about 40 nodes", b: "The cluster has 42 nodes"},
		{a: "Backups are kept for 30 days", b: "Backups are kept for one month"},
		{a: "The cache Redis has a maxmemory of 4 GB", b: "The cache Redis uses around 2.6 GB"},
	}
}

func choices() []comparison {
	return []comparison{
		{a: "The payments service stores its data in PostgreSQL 15", b: "The payments service uses MySQL", verdict: genuine, says: "database: PostgreSQL here, MySQL there"},
		{a: "The billing service is written in Go", b: "The billing service is implemented in Python", verdict: genuine, says: "language"},
		{a: "pkgdiff is licensed under MIT", b: "The licence of pkgdiff is Apache-2.0", verdict: genuine, says: "licence"},
		{a: "The exporter writes timestamps in seconds", b: "The exporter writes timestamps in milliseconds", verdict: genuine},
		{a: "The billing service supports PostgreSQL", b: "The billing service supports MySQL"},
		{a: "The billing service uses Redis for caching", b: "The billing service uses PostgreSQL for storage"},
		{a: "The billing service can run on AWS", b: "The billing service can run on GCP"},
		{a: "The billing service is written in Go", b: "The search service is written in Python"},
		{a: "The billing service uses PostgreSQL and MySQL", b: "The billing service uses PostgreSQL"},
	}
}

func polarities() []comparison {
	return []comparison{
		{a: "The client retries failed requests", b: "The client does not retry failed requests", verdict: genuine, says: `is said here and denied there`},
		{a: "TLS is required on the admin API", b: "TLS is optional on the admin API", verdict: genuine, says: "required here, optional there"},
		{a: "Telemetry is enabled in the desktop app", b: "The desktop app has telemetry disabled", verdict: genuine},
		{a: "The client never caches tokens", b: "The client always caches tokens", verdict: genuine},
		{a: "The search index is updated synchronously", b: "The search index is updated asynchronously", verdict: genuine},
		{a: "Results are sorted in ascending order", b: "Results are sorted in descending order", verdict: genuine},
		{a: "TLS is not required on the admin API", b: "TLS is optional on the admin API"},
		{a: "The client does not retry POST requests", b: "The client retries failed requests"},
		{a: "The public API requires a token", b: "The internal API requires no token"},
		{a: "No more than 5 retries are made", b: "5 retries are made"},
	}
}

func edits() []comparison {
	return []comparison{
		{a: "always end attribute names with '_at'", b: "always end attribute names with '_i'", verdict: genuine},
		{a: "always end attribute names with '_at'", b: "always start attribute names with 'i_'"},
		{a: "always end attribute names with '_at'", b: "always end method names with '_i'"},
		{a: "The primary region of the cluster is Frankfurt", b: "The primary region of the cluster is Dublin", verdict: genuine},
		{a: "Clients must send the token in a header", b: "Clients must not send the token in a header", verdict: genuine},
		{a: "The job is restarted after 3 failures", b: "The job is restarted after 5 failures", verdict: genuine},
		{a: "Table 1 lists the supported codecs", b: "Table 2 lists the supported codecs"},
		{a: "Interceptors recieve the request first", b: "Interceptors receive the request first"},
		{a: "restic depends on github.com/minio/a at version v1.1.0", b: "restic depends on github.com/minio/b at version v1.1.0"},
	}
}

func stages() []comparison {
	return []comparison{
		{a: "API v1 is deprecated", b: "API v1 is the recommended version", verdict: genuine},
		{a: "Ingress support was removed from the operator", b: "Ingress is still supported by the operator", verdict: genuine},
		{a: "API v1 is deprecated", b: "API v2 is the recommended version"},
		{a: "The migration runs before the deployment", b: "The migration runs after the deployment", verdict: genuine},
		{a: "The event is published before the transaction is committed", b: "The transaction is committed first, then the event is published", verdict: genuine},
		{a: "The event is published after the commit", b: "The commit happens before the event is published"},
		{a: "The beta of the mobile app starts on 2026-03-01", b: "The beta of the mobile app starts on 2026-04-01", verdict: genuine},
	}
}

func changes() []comparison {
	return []comparison{
		{a: "The gateway timeout is 30 s", b: "The gateway timeout was raised from 30 s to 60 s", verdict: evolution, says: "gateway timeout changed from 30 s to 60 s"},
		{a: "The dev server listens on 4000", b: "The dev server was moved off 4000 and listens on 4100", verdict: evolution},
		{a: "tax-engine belongs to team Falcon", b: "Ownership of tax-engine passed from Falcon to Atlas", verdict: evolution},
		{a: "The gateway timeout is 60 s", b: "The gateway timeout was raised from 30 s to 60 s"},
		{a: "The gateway timeout is 60 s", b: "The gateway timeout was previously 30 s"},
	}
}

func conditioned() []comparison {
	return []comparison{
		{a: "The rate limit is 100 req/s in staging", b: "The rate limit is 1000 req/s in production"},
		{a: "The rate limit is 100 req/s per IP", b: "The rate limit is 1000 req/s per user"},
		{a: "Tracing is enabled in production", b: "Tracing is disabled in development"},
		{a: "Plain HTTP is accepted unless FORCE_HTTPS is set", b: "Plain HTTP is rejected when FORCE_HTTPS is set"},
		{a: "The pool size is 10 by default", b: "The pool size is 50 when HIGH_LOAD is set"},
		{a: "The rate limit is 100 req/s by default", b: "The default rate limit is 200 req/s", verdict: genuine},
		{a: "The gateway timeout is 30 s", b: "The gateway timeout for uploads is 5 min"},
	}
}

func scoped() []comparison {
	return []comparison{
		{a: "The request timeout is 2 s", b: "The request timeout is 5 s", scopes: [2]string{"search", "billing"}},
		{a: "The request timeout is 2 s", b: "The request timeout is 5 s", scopes: [2]string{"search", "search/index"}, verdict: genuine},
		{a: "payout-worker listens on port 9102", b: "payout-worker listens on port 2112", scopes: [2]string{"payments", "ops"}, verdict: genuine},
		{a: "No service uses DynamoDB", b: "shipping-api keeps its labels in a DynamoDB table", scopes: [2]string{"infra", "shipping"}, verdict: ambiguous, says: "DynamoDB is in use there, and denied here"},
		{a: "All services run on Kubernetes", b: "The billing service runs on Nomad", verdict: genuine},
	}
}

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		comparison
		want finding.Tier
	}{
		{values()[0], finding.TierEntity},
		{values()[1], finding.TierNumeric},
		{choices()[0], finding.TierEntity},
		{stages()[0], finding.TierTemporal},
		{scoped()[2], finding.TierCrossScope},
	} {
		a, b := c.claims()
		if f, _ := rule.Compare(a, b); f.Tier != c.want {
			t.Errorf("%s | %s: %s, want %s", c.a, c.b, f.Tier, c.want)
		}
	}
}

// TestExplanationsTurnAround compares both ways round: what is called here and
// there changes, what is newer does not.
func TestExplanationsTurnAround(t *testing.T) {
	for _, c := range []struct{ a, b, says, turned string }{
		{"The gateway timeout is 30 s", "The timeout of the gateway is 1 min", "gateway timeout: 30 s here, 1 min there", "gateway timeout: 1 min here, 30 s there"},
		{"The client retries failed requests", "The client does not retry failed requests",
			`"The client retries failed requests" is said here and denied there`, `"The client retries failed requests" is said there and denied here`},
		{"The gateway timeout is 30 s", "The gateway timeout was raised from 30 s to 60 s", "changed from 30 s to 60 s", "changed from 30 s to 60 s"},
		{"The dev server listens on 4000", "The dev server was moved off 4000 and listens on 4100",
			"dev server changed from 4000 to 4100", "dev server changed from 4000 to 4100"},
	} {
		for _, way := range []struct{ a, b, says string }{{c.a, c.b, c.says}, {c.b, c.a, c.turned}} {
			if f, _ := rule.Compare(plain(way.a, "shop"), plain(way.b, "shop")); !strings.Contains(f.Explanation, way.says) {
				t.Errorf("%s | %s: %q, want %q", way.a, way.b, f.Explanation, way.says)
			}
		}
	}
}

// TestNewer has the ways in which one claim is the newer state of another.
func TestNewer(t *testing.T) {
	at := func(text, agent, lineage string, day int) *claim.Claim {
		f := facts.Fact{Claim: text, Lineage: lineage, ValidFrom: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)}
		f.Provenance.Agent = agent
		return claim.Read(f)
	}
	const slow, fast = "The gateway timeout is 60 s", "The gateway timeout is 30 s"
	for _, c := range []struct {
		name  string
		a, b  *claim.Claim
		newer finding.Side
	}{
		{"two agents", at(slow, "anna", "", 1), at(fast, "ben", "", 2), finding.Neither},
		{"one agent", at(slow, "anna", "", 1), at(fast, "anna", "", 2), finding.SideB},
		{"one fact", at(slow, "anna", "L", 2), at(fast, "ben", "L", 1), finding.SideA},
		{"the text says so", at("The gateway timeout is now 60 s", "anna", "", 2), at(fast, "ben", "", 1), finding.SideA},
		{"but it is the older one", at("The gateway timeout is now 60 s", "anna", "", 1), at(fast, "ben", "", 2), finding.Neither},
	} {
		f, found := rule.Compare(c.a, c.b)
		if !found || f.Newer != c.newer || (f.Verdict == finding.Evolution) != (c.newer != finding.Neither) {
			t.Errorf("%s: newer %d, verdict %s", c.name, f.Newer, f.Verdict)
		}
	}
}
