package assess_test

import (
	"testing"

	"engram/detect/assess"
	"engram/detect/claim"
	"engram/detect/finding"
	"engram/facts"
)

func read(id, scope, text string) *claim.Claim {
	return claim.Read(facts.Fact{ID: id, Lineage: id, Claim: text, Scope: scope, Provenance: facts.Provenance{Agent: id}})
}

// TestEverydayPairs are pairs that people and agents write every day: each has a mark.
func TestEverydayPairs(t *testing.T) {
	for _, tt := range []struct{ about, a, b string }{
		{"language of a service", "The billing service is written in Go.", "billing is a Rust service."},
		{"feature-flag provider", "We use LaunchDarkly for feature flags.", "Feature flags come from Unleash."},
		{"deployment day", "We deploy to production on Tuesdays.", "Production deployments happen on Thursdays."},
		{"test runner", "Unit tests run with Jest.", "The unit tests are run by Vitest."},
		{"signing algorithm", "Session tokens are signed with RS256.", "We sign the session tokens using HS256."},
		{"runtime version", "The API runs on Node 18.", "The API needs Node 20."},
		{"half an hour", "Sessions expire after 30 minutes.", "A session is valid for one hour."},
		{"removed tool", "Sessions are stored in Redis.", "We removed Redis, sessions are stored in Postgres now."},
		{"port", "The metrics endpoint listens on port 9090.", "Metrics are served on :9102."},
		{"pool size", "The database connection pool of orders has 20 connections.", "orders uses a pool of 50 database connections."},
		{"owner", "Team Mercury owns the checkout service.", "The checkout service belongs to team Basket."},
		{"region list", "The supported regions are eu-west-1 and us-east-1.", "Supported regions: eu-west-1, us-east-1 and ap-south-1."},
		{"limit in another unit", "Uploads are limited to 10 MB.", "The upload limit is 2 MiB."},
		{"rate limit", "The auth service rate-limits to 1000 req/s per IP", "The auth service rate limit is 2000 requests per second per IP"},
		{"replicas in words", "checkout runs with three replicas.", "checkout has 5 replicas."},
		{"percentage", "The canary receives 5% of the traffic.", "A tenth of the traffic goes to the canary."},
		{"denied", "Backups are encrypted.", "The backups are not encrypted."},
		{"switched", "Dark mode is enabled by default.", "Dark mode is disabled by default."},
		{"order", "Migrations run before the new pods start.", "The migrations run after the new pods start."},
		{"store", "Sessions live in Postgres.", "Sessions live in Redis."},
		{"never", "The gateway retries twice.", "The gateway never retries."},
		{"recurrence", "We release every other week.", "Releases go out weekly."},
	} {
		f, found := assess.Assess(read("a", "team/app", tt.a), read("b", "team/app", tt.b))
		if !found || f.Grade == finding.Related {
			t.Errorf("%s: %v %q (%.2f, %s)", tt.about, f.Grade, f.Explanation, f.Score, f.Family)
		}
	}
}

// TestLookAlikes are pairs that both hold: none opens a conflict.
func TestLookAlikes(t *testing.T) {
	for _, tt := range []struct{ about, a, b string }{
		{"other environment", "Staging allows 50 requests per second.", "Production allows 800 requests per second."},
		{"per user and per IP", "Login is limited to 10 tries per minute and IP.", "Login is limited to 5 tries per minute and user."},
		{"default and maximum", "The batch endpoint processes 20 items by default.", "The batch endpoint takes 500 items at most."},
		{"other hosts", "The TTL of shop.example.com is 60 seconds.", "The TTL of status.example.com is 300 seconds."},
		{"one value in two units", "Invitation links stop working after 48 hours.", "An invitation link is good for two days."},
		{"the same in words", "The orders database has three replicas.", "There are 3 replicas of the orders database."},
		{"an open list", "Alerts go to Slack, for example.", "Alerts also go to PagerDuty."},
		{"thresholds of different actions", "Disk usage above 80% raises a warning.", "Disk usage above 95% pages the on-call."},
		{"other functions", "foo() returns nil on error.", "bar() returns an error on failure."},
		{"other migrations", "Migration 0012 adds the users table.", "Migration 0013 adds the orders table."},
		{"other rules", "Rule 7 holds for no team.", "Rule 12 holds for every team."},
		{"other releases", "Release 1.2 shipped in March.", "Release 1.3 shipped in June."},
		{"other flags", "checkout_v1 is on.", "checkout_v2 is off."},
		{"several versions", "Python 3.9 is supported.", "Python 3.10 is supported."},
		{"other jobs", "The nightly job runs at 3:00.", "The backup job runs at 4:00."},
		{"other lifetimes", "DNS records have a TTL of 30 s.", "Tokens have a TTL of 60 s."},
		{"other commits", "Commit abc1234 fixed the login bug.", "Commit def5678 fixed the logout bug."},
		{"several runtimes", "We test on Node 18.", "We test on Node 20."},
		{"two deployments", "The service was deployed on 2026-01-03.", "The service was deployed on 2026-02-04."},
		{"other services", "auth allows 10 requests per second.", "billing allows 20 requests per second."},
		{"agreement with more", "Cats live forever and never die.", "Cats never die."},
		{"another language", "Die Sitzung läuft nach 30 Minuten ab.", "Eine Sitzung gilt eine Stunde lang."},
	} {
		if f, found := assess.Compare(read("a", "team/app", tt.a), read("b", "team/app", tt.b)); found {
			t.Errorf("%s: %q (%.2f, %s)", tt.about, f.Explanation, f.Score, f.Family)
		}
	}
}
